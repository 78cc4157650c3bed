package jvm

import (
	"strings"

	"sextant/l2meta/languages/jvm/facts"
	tables "sextant/l2meta/library"
	"sextant/l2meta/resolve"
)

// scalaJava returns the Java type for which a Scala type is an alias, and any other type
// unchanged.
func scalaJava(t jvmType) jvmType {
	if t.module == "scala" && (t.name == "String" || t.name == "Class" || t.name == "Throwable" || t.name == "Error" ||
		strings.HasSuffix(t.name, "Exception")) {
		t.module = "java.lang"
	}
	return t
}

// scalaOfJava returns the Scala name for a type in Java's table: Int for int, Unit for void. It
// returns any other type unchanged.
func scalaOfJava(t jvmType) jvmType {
	if t.kind == jvmForeign && t.module == "java.lang" {
		switch {
		case t.name == "void":
			return library("scala", "Unit")
		case t.name == "String" || numbers[t.name] > 0 || t.name == "boolean":
			return library("scala", title(t.name))
		}
	}
	return t
}

// scalaPackages lists the names of packages in Scala's table. The path of an import may omit the
// first ones: mutable.Buffer.
var scalaPackages = resolve.Words(
	`scala collection immutable mutable generic concurrent convert duration io math reflect runtime
	sys process util control matching xml`)

// scalaTableType returns the entry of type t in Scala's table, or nil.
func scalaTableType(t jvmType) *tables.Type {
	if t.kind != jvmForeign || !ofScala(t.module) {
		return nil
	}
	return scalaLibrary.Type(t.name)
}

// ofScala reports whether a path names a package of Scala's library.
func ofScala(path string) bool {
	for step := range strings.SplitSeq(path, ".") {
		if !scalaPackages[step] {
			return false
		}
	}
	return true
}

// readTabled interprets the type called name with type arguments args, written in the notation of
// Scala's table.
func (j scalaTypeReader) readTabled(t resolve.Type, name string, args []string) jvmType {
	module, short, _ := cutLast(name)
	switch {
	case module == "self":
		return jvmType{} // the name is that of an object, not of a type
	case module == "":
		module = "scala"
		known := name == "Tuple" || scalaLibrary.Type(name) != nil
		if !known || len(j.types.top(module, name)) > 0 {
			return jvmType{}
		}
	}
	out := library(module, short)
	for _, a := range args {
		out.args = append(out.args, typed(scalaTabled, a, t.Bind))
	}
	return out
}

// scalaSignature returns the table entry of x's member called name that takes args arguments, -1
// for any number. It returns false if there is none.
func scalaSignature(x jvmValue, name string, args int) (signature, bool) {
	t := x.typ
	if t.kind == array {
		t = library("scala", "Array", t.args...)
	}
	if t.kind != jvmForeign {
		return signature{}, false
	}
	if sig, ok := libraryMemberOf("scala", scalaJava(t), name, args); ok {
		return sig, true
	}
	if x.kind == resolve.Class {
		if !ofScala(t.module) {
			return signature{}, false
		}
		return lookUp(scalaLibrary, "self."+t.name, name, args)
	}
	if typ := scalaTableType(t); typ != nil {
		sig, ok := lookUp(scalaLibrary, typ.Name, name, args)
		sig.bind = resolve.Bind(typ.Params, t.args, nil)
		return sig, ok
	}
	java := tabled(t)
	if java == nil {
		return signature{}, false
	}
	// a Java type and its bases may have the member by a conversion: list.asScala
	for _, up := range lineageOf(java) {
		base := javaLibrary.Type(up)
		if base == nil {
			continue
		}
		typ := scalaLibrary.Type(base.Package + "." + up)
		if typ == nil {
			continue
		}
		if sig, ok := lookUp(scalaLibrary, typ.Name, name, args); ok {
			sig.bind = resolve.Bind(typ.Params, as(t, up), nil)
			return sig, true
		}
	}
	return signature{}, false
}

// scalaHas reports whether the tables of the standard libraries list a member of x called name.
func scalaHas(x jvmValue, name string) bool {
	if x.typ.kind == jvmFunc {
		x.typ = library("scala", "PartialFunction")
	}
	_, ok := scalaSignature(x, name, -1)
	return ok
}

// scalaPackageHas reports whether the package object of a library package has a member: math.max,
// scala.sys.env.
func scalaPackageHas(pkg, name string) bool {
	_, ok := scalaSignature(scalaPackageObject(pkg), name, -1)
	return ok
}

// scalaPackageObject returns the package object of a library package, as a value.
func scalaPackageObject(pkg string) jvmValue {
	_, last, _ := cutLast(pkg)
	return named(library(pkg, last))
}

// ofTables evaluates x.name, called with the arguments of c, by the tables of the standard libraries. It
// returns no value if they do not determine the result.
func (j scalaLibraryReader) ofTables(p place, x jvmValue, name string, c *scalaCall) jvmValue {
	sig, ok := scalaSignature(x, name, c.handsOver())
	switch {
	case !ok || sig.result == "":
		return jvmValue{}
	case sig.result == "$this":
		return x
	}
	if strings.Contains(sig.result, "$") {
		sig.bind = j.inferTabled(p, x, sig, c)
	}
	if inner, ok := strings.CutPrefix(sig.result, "$of["); ok {
		return j.boxed(x, of(j.types.read(sig.typed(strings.TrimSuffix(inner, "]")))))
	}
	return of(scalaOfJava(j.types.read(sig.typed(sig.result)))).via(x.how)
}

// boxed returns the container that a member such as map returns: of the same kind as x, with
// elements of v's type.
func (j scalaLibraryReader) boxed(x, v jvmValue) jvmValue {
	switch out := x.typ.name; {
	case v.kind == resolve.Unknown:
		return of(library("scala", scalaWider(out))).via(x.how)
	case scalaKind(out) == "map" && v.typ.name == "Tuple" && len(v.typ.args) == 2:
		return of(library("scala", out, v.typ.args...)).via(x.how)
	case scalaKind(out) == "map":
		return scalaOf("Iterable", v.typ).via(x.how)
	case scalaKind(out) == "either" && len(x.typ.args) == 2:
		return of(library("scala", "Either", x.typ.args[0], scalaTypeOf(v.typ))).via(x.how)
	default:
		return scalaOf(scalaWider(out), v.typ).via(x.how)
	}
}

// handsOver returns the number of arguments in all argument lists of c together.
func (c *scalaCall) handsOver() (n int) {
	for _, list := range c.lists {
		n += len(list)
	}
	return n
}

// inferTabled binds the type parameters of a library method, such as $B, by the types of the
// arguments of call c.
func (j scalaLibraryReader) inferTabled(p place, x jvmValue, sig signature, c *scalaCall) *resolve.Binding {
	bind := &resolve.Binding{Name: "$this", Type: scalaTypeOf(x.typ), Next: sig.bind}
	if names := variables(sig); len(names) == 1 && len(c.types) == 1 {
		return &resolve.Binding{Name: names[0], Type: p.typ(c.types[0]), Next: bind}
	}
	inferred := map[string]jvmType{}
	for name, bound := range scalaLowerBounds(sig.result) {
		inferred[name] = j.types.read(sig.typed(bound))
	}
	i := 0
	for _, list := range c.lists {
		for _, a := range list {
			if i >= len(sig.params) {
				break
			}
			if param := strings.TrimSuffix(sig.params[i], "..."); strings.Contains(param, "$") {
				_, value := scalaArgument(a)
				j.unifyTabled(param, j.terms.eval(p, value).asValue(), inferred)
			}
			i++
		}
	}
	for name, t := range inferred {
		if t.kind != unknown {
			bind = &resolve.Binding{Name: name, Type: scalaTypeOf(t), Next: bind}
		}
	}
	return bind
}

// scalaVariable returns the name of a type parameter of a member: "$B" of "$B^A".
func scalaVariable(text string) string {
	name, _, _ := strings.Cut(text, "^")
	return name
}

// scalaLowerBounds maps each type parameter in the text of a result type to its lower bound: $B to
// A for "$B^A".
func scalaLowerBounds(text string) map[string]string {
	out := map[string]string{}
	for {
		i := strings.IndexByte(text, '^')
		if i < 0 {
			return out
		}
		name := text[strings.LastIndexByte(text[:i], '$'):i]
		text = text[i+1:]
		out[name] = text[:scalaTypeEnd(text)]
	}
}

// scalaTypeEnd returns the offset at which the type at the start of text ends.
func scalaTypeEnd(text string) int {
	depth := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '[' || c == '(':
			depth++
		case depth == 0 && strings.IndexByte("]), ", c) >= 0:
			return i
		case c == ']' || c == ')':
			depth--
		}
	}
	return len(text)
}

// unifyTabled matches param, a parameter type, with the argument v and records in inferred the types of
// the type parameters in param: passing a List[Order] for Seq[$B] makes $B Order. If v is a function, its
// result type is matched. If arguments disagree on a type parameter, it becomes their common base.
func (j scalaLibraryReader) unifyTabled(param string, v jvmValue, inferred map[string]jvmType) {
	if v.typ.kind == jvmForeign && (v.typ.name == "Null" || v.typ.name == "Nothing") {
		return
	}
	if at := facts.Arrow(param); at >= 0 {
		if v.typ.kind == jvmFunc && len(v.typ.args) > 0 {
			j.unifyTabled(strings.TrimSpace(param[at+2:]), of(j.types.read(v.typ.args[len(v.typ.args)-1])), inferred)
		}
		return
	}
	if strings.HasPrefix(param, "$") {
		name := scalaVariable(param)
		if before, seen := inferred[name]; seen {
			v = j.either(of(before), v)
		}
		inferred[name] = v.typ
		return
	}
	name, args := tables.Split(param)
	var have []resolve.Type
	switch {
	case v.typ.kind == array && name == "Array":
		have = v.typ.args
	case scalaTableType(v.typ) != nil:
		have = as(v.typ, name)
	}
	for i, t := range have {
		if i < len(args) && strings.Contains(args[i], "$") {
			j.unifyTabled(args[i], of(j.types.read(t)), inferred)
		}
	}
}

// tabledGives evaluates a parameter of a function literal, the x of xs.map(x => …), by the table entry of
// the member of x that call c calls. The literal is argument at[1] of argument list at[0]; q is the index of
// the parameter, or "*" for all.
func (j scalaLibraryReader) tabledGives(x jvmValue, member string, c *scalaCall, at [2]int, q string) jvmValue {
	sig, ok := scalaSignature(x, member, c.handsOver())
	i := at[1]
	for _, list := range c.lists[:min(at[0], len(c.lists))] {
		i += len(list)
	}
	if !ok || i >= len(sig.params) {
		return jvmValue{}
	}
	return j.scalaOverloads.parameter(j.types.read(sig.typed(sig.params[i])), q).via(resolve.TypedElement)
}

// outsideBases returns the library types that a declared type extends.
func (j scalaLibraryReader) outsideBases(t jvmType) (out []jvmType) {
	for _, a := range j.types.ancestry(t.ref).types {
		for _, super := range supers(a.ref) {
			if super.Bind = a.bind; a.depth == 0 {
				super.Bind = j.types.bindOf(t)
			}
			if base := j.types.readIn(super, a.ref); base.kind == jvmForeign {
				out = append(out, base)
			}
		}
	}
	return out
}
