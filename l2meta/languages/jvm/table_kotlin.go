package jvm

import (
	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// kotlinNames are Kotlin's names of Java's types that it calls otherwise.
var kotlinNames = map[string]string{
	"java.lang.Object": "Any", "java.lang.Integer": "Int", "java.lang.Character": "Char", "java.lang.void": "Unit",
	"java.lang.int": "Int", "java.lang.long": "Long", "java.lang.short": "Short", "java.lang.byte": "Byte", "java.lang.char": "Char",
	"java.lang.boolean": "Boolean", "java.lang.float": "Float", "java.lang.double": "Double",
	"java.lang.String": "String", "java.lang.CharSequence": "CharSequence", "java.lang.Comparable": "Comparable", "java.lang.Number": "Number",
	"java.lang.Throwable": "Throwable", "java.lang.Enum": "Enum", "java.lang.Boolean": "Boolean", "java.lang.Long": "Long", "java.lang.Short": "Short",
	"java.lang.Byte": "Byte", "java.lang.Double": "Double", "java.lang.Float": "Float", "java.lang.Iterable": "MutableIterable",
	"java.util.Collection": "MutableCollection", "java.util.List": "MutableList", "java.util.Set": "MutableSet", "java.util.Map": "MutableMap",
	"java.util.Iterator": "MutableIterator", "java.util.ListIterator": "MutableListIterator", "java.util.Entry": "MutableEntry",
}

// kotlinAliases are Java's names of types that Kotlin has under its own package.
var kotlinAliases = map[string]string{
	"ArrayList": "java.util", "HashMap": "java.util", "HashSet": "java.util", "LinkedHashMap": "java.util", "LinkedHashSet": "java.util", "Comparator": "java.util",
	"StringBuilder": "java.lang", "Appendable": "java.lang", "Exception": "java.lang", "RuntimeException": "java.lang", "Error": "java.lang",
	"AutoCloseable": "java.lang",
}

// kotlinView returns a type of Java's as Kotlin sees it, or one of Kotlin's own; false
// for one that Kotlin has no other name for.
func kotlinView(t jvmType) (jvmType, bool) {
	switch {
	case t.kind == array:
		return library("kotlin", "Array", t.args...), true
	case t.kind != jvmForeign:
		return t, false
	case tableOf(t) == kotlinLibrary:
		return t, kotlinLibrary.Type(t.name) != nil
	}
	name, ok := kotlinNames[t.module+"."+t.name]
	return library("kotlin", name, t.args...), ok
}

// kotlinMemberOf returns what the tables tell of a member, property or extension
// of a value of type t: members come before extensions, and those of a nearer
// base before others.
func kotlinMemberOf(t jvmType, member string, args int) (signature, bool) {
	if pkg := kotlinAliases[t.name]; pkg != "" && t.kind == jvmForeign && tableOf(t) == kotlinLibrary {
		t.module = pkg
	}
	views := kotlinViews(t)
	find := func(name string) (signature, bool) {
		for _, view := range views {
			if sig, ok := lookUp(kotlinLibrary, view.name, name, args); ok {
				sig.bind = resolve.Bind(kotlinLibrary.Type(view.name).Params, view.args, nil)
				return sig, true
			}
		}
		return signature{}, false
	}
	sig, ok := find(member)
	if typ := tabled(t); !ok && typ != nil && javaAlone(t) {
		for _, name := range []string{member, "get" + title(member)} {
			if name != member && args >= 0 || ok {
				break
			}
			if sig, ok = lookUp(javaLibrary, typ.Name, name, args); ok {
				sig.bind = resolve.Bind(typ.Params, t.args, nil)
			}
		}
	}
	if !ok {
		sig, ok = find("." + member)
	}
	if !ok {
		sig, ok = lookUp(kotlinLibrary, "_", "."+member, args)
	}
	if !ok {
		sig, ok = lookUp(kotlinLibrary, "Any", member, args)
	}
	if ok && sig.mark == kotlinTabled {
		sig.bind = &resolve.Binding{Name: "$this", Type: typeOf(t), Next: sig.bind}
	}
	return sig, ok
}

// javaAlone reports whether a type is one of Java's that Kotlin has no own type
// for, so that its members are those of Java.
func javaAlone(t jvmType) bool {
	_, mapped := kotlinView(t)
	return !mapped && tableOf(t) == javaLibrary
}

func title(name string) string {
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		return name
	}
	return string(name[0]-'a'+'A') + name[1:]
}

// kotlinViews returns the types in Kotlin's table that a value of type t is: of a
// class of Java's its bases, as Kotlin sees them.
func kotlinViews(t jvmType) (out []jvmType) {
	if view, ok := kotlinView(t); ok {
		return []jvmType{view}
	}
	typ := tabled(t)
	if typ == nil || tableOf(t) != javaLibrary {
		return nil
	}
	for _, name := range lineageOf(typ) {
		base := javaLibrary.Type(name)
		up := library(base.Package, name, as(t, name)...)
		if ext := kotlinLibrary.Type(name); ext != nil && ext.Package == base.Package {
			out = append(out, up)
		}
		if view, ok := kotlinView(up); ok {
			out = append(out, view)
		}
	}
	return out
}

// kotlinTopLevel returns what the table tells of a function that every file of
// Kotlin imports.
func kotlinTopLevel(name string, args int) (signature, bool) {
	return lookUp(kotlinLibrary, "package", name, args)
}

// kotlinLibrarys reports whether f(…) is a function of the library's: one that
// every file imports, or a member or an extension of an instance around.
func (j *jvm) kotlinLibrarys(p place, c *code.Call) bool {
	if _, ok := kotlinTopLevel(c.Callee, c.Args); ok {
		return true
	}
	for _, i := range p.file.Imports {
		if _, ok := lookUp(kotlinLibrary, i.Module, c.Callee, c.Args); ok && i.Name == "*" {
			return true
		}
	}
	for _, context := range j.contexts(p) {
		if t := j.typ(context); !context.static && t.kind != unknown && j.kotlinExtends(t, c) {
			return true
		}
	}
	return false
}

// kotlinExtends reports whether the library has a member or an extension of that
// name for a value of type t, or for what it inherits from outside.
func (j *jvm) kotlinExtends(t jvmType, c *code.Call) bool {
	if _, ok := kotlinMemberOf(t, c.Callee, arguments(c)); ok || t.kind != declared {
		return ok
	}
	for _, full := range j.ancestry(t.ref).outside {
		module, name, _ := cutLast(full)
		if _, ok := kotlinMemberOf(library(module, name), c.Callee, arguments(c)); ok {
			return true
		}
	}
	return false
}

// kotlinOwn settles x.f(…) on a member of the library's type that x is, which
// comes before every extension that takes no other arguments: i and 1 is Int's,
// i and 1L may be one of the workspace.
func (j *jvm) kotlinOwn(p place, c *code.Call, x jvmValue) (resolve.Verdict, bool) {
	view, ok := kotlinView(x.typ)
	if x.kind != resolve.Instance || !ok {
		return resolve.Verdict{}, false
	}
	if _, ok := lookUp(javaLibrary, x.typ.name, c.Callee, arguments(c)); ok && x.typ.name == "Object" {
		return resolve.ExternalTo("java.lang"), true // (this as Object).wait()
	}
	if _, ok := lookUp(kotlinLibrary, view.name, c.Callee, arguments(c)); !ok {
		return resolve.Verdict{}, false
	}
	for _, a := range argumentsOf(p, c) {
		if passed, ok := kotlinView(j.eval(p, a).typ); !ok || passed.name != view.name {
			return resolve.Unresolved(view.name + " has " + c.Callee + " too"), true
		}
	}
	return resolve.ExternalTo("kotlin"), true
}
