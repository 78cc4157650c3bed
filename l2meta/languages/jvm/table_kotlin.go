package jvm

import (
	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// kotlinNames maps Java types to their Kotlin names.
var kotlinNames = map[string]string{
	"java.lang.Object": "Any", "java.lang.Integer": "Int", "java.lang.Character": "Char", "java.lang.void": "Unit",
	"java.lang.int": "Int", "java.lang.long": "Long", "java.lang.short": "Short", "java.lang.byte": "Byte",
	"java.lang.char":    "Char",
	"java.lang.boolean": "Boolean", "java.lang.float": "Float", "java.lang.double": "Double",
	"java.lang.String": "String", "java.lang.CharSequence": "CharSequence", "java.lang.Comparable": "Comparable",
	"java.lang.Number":    "Number",
	"java.lang.Throwable": "Throwable", "java.lang.Enum": "Enum", "java.lang.Boolean": "Boolean",
	"java.lang.Long": "Long", "java.lang.Short": "Short",
	"java.lang.Byte": "Byte", "java.lang.Double": "Double", "java.lang.Float": "Float",
	"java.lang.Iterable":   "MutableIterable",
	"java.util.Collection": "MutableCollection", "java.util.List": "MutableList", "java.util.Set": "MutableSet",
	"java.util.Map":      "MutableMap",
	"java.util.Iterator": "MutableIterator", "java.util.ListIterator": "MutableListIterator",
	"java.util.Entry": "MutableEntry",
}

// kotlinAliases maps Kotlin types that are aliases of Java types to the package of the Java type.
var kotlinAliases = map[string]string{
	"ArrayList": "java.util", "HashMap": "java.util", "HashSet": "java.util", "LinkedHashMap": "java.util",
	"LinkedHashSet": "java.util", "Comparator": "java.util",
	"StringBuilder": "java.lang", "Appendable": "java.lang", "Exception": "java.lang", "RuntimeException": "java.lang",
	"Error":         "java.lang",
	"AutoCloseable": "java.lang",
}

// kotlinView returns the Kotlin type that Kotlin code uses for a Java type: kotlin.MutableList
// for java.util.List. It returns a Kotlin type unchanged. It returns false for a Java type
// without a Kotlin counterpart.
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

// kotlinMemberOf returns the table entry of a member, property or extension of a value of type t.
// Members come before extensions, and nearer bases before others. It returns false if there is
// none.
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

// javaAlone reports whether t is a Java type without a Kotlin counterpart, so that Kotlin code sees
// its Java members.
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

// kotlinViews returns the types in Kotlin's table that Kotlin code may use for a value of type t.
// For a Java class these are the Kotlin counterparts of its bases.
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

// kotlinTopLevel returns the table entry of a function that every Kotlin file imports. It returns
// false if there is none.
func kotlinTopLevel(name string, args int) (signature, bool) {
	return lookUp(kotlinLibrary, "package", name, args)
}

// librarys reports whether f(…) calls a library function: a function that every file imports, a function
// of a package that this file imports as a whole, or a member or extension of an instance in scope.
func (j kotlinEvaluator) librarys(p place, c *code.Call) bool {
	if _, ok := kotlinTopLevel(c.Callee, c.Args); ok {
		return true
	}
	for _, i := range p.file.Imports {
		if _, ok := lookUp(kotlinLibrary, i.Module, c.Callee, c.Args); ok && i.Name == "*" {
			return true
		}
	}
	for _, context := range j.values.contexts(p) {
		if t := j.values.contextType(context); !context.static && t.kind != unknown && j.extends(t, c) {
			return true
		}
	}
	return false
}

// extends reports whether the library has a member or an extension with the call's name for a
// value of type t, or for an external base of it.
func (j kotlinEvaluator) extends(t jvmType, c *code.Call) bool {
	if _, ok := kotlinMemberOf(t, c.Callee, arguments(c)); ok || t.kind != declared {
		return ok
	}
	for _, full := range j.types.ancestry(t.ref).outside {
		module, name, _ := cutLast(full)
		if _, ok := kotlinMemberOf(library(module, name), c.Callee, arguments(c)); ok {
			return true
		}
	}
	return false
}

// own resolves x.f(…) to a member of x's library type. Such a member is preferred to every
// extension that accepts the same arguments: i and 1 calls Int's member, but i and 1L may call an
// extension of the workspace, so it is unresolved. It returns false if the library's table has no
// such member.
func (j kotlinEvaluator) own(p place, c *code.Call, x jvmValue) (resolve.Verdict, bool) {
	view, ok := kotlinView(x.typ)
	if x.kind != resolve.Instance || !ok {
		return resolve.Verdict{}, false
	}
	if _, ok := lookUp(javaLibrary, x.typ.name, c.Callee, arguments(c)); ok && x.typ.name == "Object" {
		return resolve.ExternalTo("java.lang"), true // a method of Object needs a cast: (this as Object).wait()
	}
	if _, ok := lookUp(kotlinLibrary, view.name, c.Callee, arguments(c)); !ok {
		return resolve.Verdict{}, false
	}
	for _, a := range argumentsOf(p, c) {
		if passed, ok := kotlinView(j.values.eval(p, a).typ); !ok || passed.name != view.name {
			return resolve.Unresolved(view.name + " has " + c.Callee + " too"), true
		}
	}
	return resolve.ExternalTo("kotlin"), true
}
