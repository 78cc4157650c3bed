package jvm

import (
	_ "embed"
	"strconv"
	"strings"

	tables "sextant/l2meta/library"
	"sextant/l2meta/resolve"
)

// The tables of the standard libraries. A name of a member may carry the number
// of its parameters, "add#2", where overloads differ. Behind what a member gives
// stand its parameters, where they tell what that is or what a function literal
// is handed:
//
//	Stream<T>: BaseStream<T, Stream<T>>
//		map Stream<$R> (Function<T, $R>)
//	Function<T, R>
//		=> R (T)
//	Iterable<T>
//		.map List<$R> ((T) -> $R)
//
// "$R" is a type parameter of the member, "_" a type that the table does not
// have, "=>" the only method of an interface that has no body. In Kotlin's
// table "size#val" is a property, ".map" is an extension that every file imports, ":withLock" one that an
// import names, "$this" the type of the receiver. Those of every type stand
// below "_", functions without a receiver below "package", or below the name of
// their package where it needs an import.
//
// In Scala's table a number counts the arguments of all lists but the implicit
// ones, "self.List" is an object, "self.math" what a package object has, "$this"
// the receiver itself, "$of[$B]" a collection of the receiver's kind, and "$B^A" a
// type parameter of the member that is A or a base of it. Types of Java bear their
// packages. A base may be what an implicit conversion gives:
//
//	String: StringOps
//	java.util.List[A]: AsScala[Buffer[A]]
var (
	//go:embed java_library.txt
	javaLibraryText string
	//go:embed kotlin_library.txt
	kotlinLibraryText string
	//go:embed scala_library.txt
	scalaLibraryText string

	javaLibrary   = tables.New(javaLibraryText)
	kotlinLibrary = tables.New(kotlinLibraryText)
	scalaLibrary  = tables.New(scalaLibraryText)
)

// Marks that begin the text of a type that is written as a table writes it.
const (
	tabledMark   = "\x01"
	javaTabled   = tabledMark + "j"
	kotlinTabled = tabledMark + "k"
	scalaTabled  = tabledMark + "s"
)

// markOf returns the mark of a table.
func markOf(table *tables.Table) string {
	switch table {
	case kotlinLibrary:
		return kotlinTabled
	case scalaLibrary:
		return scalaTabled
	}
	return javaTabled
}

// tabled returns the type of the libraries that t is, nil for one that the
// tables do not have.
func tabled(t jvmType) *tables.Type {
	if t.kind != jvmForeign {
		return nil
	}
	if t.module == "kotlin" || strings.HasPrefix(t.module, "kotlin.") {
		return kotlinLibrary.Type(t.name) // by whatever package an alias stands in
	}
	typ := javaLibrary.Type(t.name)
	if typ == nil || typ.Package != t.module && !strings.HasPrefix(t.module, typ.Package+".") {
		return nil
	}
	if rest := strings.TrimPrefix(t.module, typ.Package); rest != "" && !typeLike(rest[1:]) {
		return nil // of a package within
	}
	return typ
}

// signature is what a table tells of a member.
type signature struct {
	mark   string // of the table
	result string
	params []string
	bind   *resolve.Binding // of the parameters of its owner
}

// typed returns a type that the signature names.
func (s signature) typed(text string) resolve.Type { return typed(s.mark, text, s.bind) }

// libraryMemberOf returns what the tables tell of a member, as code of that
// language sees it, of a value of type t; it takes so many arguments, any number
// for -1.
func libraryMemberOf(language string, t jvmType, member string, args int) (signature, bool) {
	if language == "kotlin" {
		return kotlinMemberOf(t, member, args)
	}
	typ := tabled(t)
	if typ == nil {
		return signature{}, false
	}
	for _, name := range []string{typ.Name, "Object"} {
		if sig, ok := lookUp(javaLibrary, name, member, args); ok {
			sig.bind = resolve.Bind(typ.Params, t.args, nil)
			return sig, true
		}
	}
	return signature{}, false
}

// lookUp returns what a table tells of a member of the type of that name.
func lookUp(table *tables.Table, name, member string, args int) (signature, bool) {
	number := "#val"
	if args >= 0 {
		number = "#" + strconv.Itoa(args)
	}
	line, ok := table.Member(name, member+number)
	if !ok {
		line, ok = table.Member(name, member)
	}
	out := signature{mark: markOf(table), result: line}
	if i := parametersAt(line); i >= 0 {
		out.result, out.params = line[:i], resolve.SplitTypes(line[i+2:len(line)-1])
	}
	return out, ok
}

// parametersAt is where the parameters of a line begin, -1 where it has none.
func parametersAt(line string) int {
	if !strings.HasSuffix(line, ")") {
		return -1
	}
	depth := 0
	for i := len(line) - 1; i > 0; i-- {
		switch line[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 && line[i-1] == ' ' {
				return i - 1
			}
		}
	}
	return -1
}

// typed returns a type as the table of that mark writes it, with what its words are
// bound to.
func typed(mark, text string, bind *resolve.Binding) resolve.Type {
	if bound, ok := bind.Lookup(text); ok {
		wild := bound.Text == "*" || bound.Text == "_" || strings.HasPrefix(bound.Text, "?") && !strings.Contains(bound.Text, " extends ")
		if wild && mark != scalaTabled {
			return resolve.Type{Text: javaTabled + "Object"} // List<?>.get gives an object
		}
		return bound
	}
	if text == "?" || text == "*" {
		return resolve.Type{Text: text}
	}
	return resolve.Type{Text: mark + text, Bind: bind}
}

// readTabled interprets a type that typed made.
func (j *jvm) readTabled(t resolve.Type) jvmType {
	mark, text := t.Text[:len(javaTabled)], t.Text[len(javaTabled):]
	if mark == scalaTabled && strings.HasPrefix(text, "$") {
		bound, _ := t.Bind.Lookup(scalaVariable(text))
		return j.read(bound)
	}
	if element, ok := strings.CutSuffix(text, "[]"); ok {
		return jvmType{kind: array, args: []resolve.Type{typed(mark, element, t.Bind)}}
	}
	if bound := typed(mark, text, t.Bind); bound.Text != t.Text {
		return j.read(bound)
	}
	if f, ok := function(t, text); ok {
		for i, a := range f.args {
			f.args[i] = typed(mark, a.Text, t.Bind)
		}
		return f
	}
	name, args := tables.Split(text)
	if mark == scalaTabled {
		return j.readScalaTabled(t, name, args)
	}
	if mark == javaTabled && (numbers[name] > 0 || name == "boolean" || name == "void") {
		return library("java.lang", name)
	}
	typ := javaLibrary.Type(name)
	if mark == kotlinTabled && kotlinLibrary.Type(name) != nil {
		typ = kotlinLibrary.Type(name)
	}
	if typ == nil || len(j.top(typ.Package, name)) > 0 { // a workspace that holds the library itself
		return jvmType{}
	}
	out := library(typ.Package, name)
	for _, a := range args {
		out.args = append(out.args, typed(mark, a, t.Bind))
	}
	return out
}

// hasMember reports whether a type of the library, by its full name, declares or
// inherits a member of that name, but for those that every object has. Of a type
// that the tables do not have it is not told.
func hasMember(full, member string) (has, told bool) {
	module, name, _ := cutLast(full)
	t := library(module, name)
	typ := tabled(t)
	if typ == nil {
		return false, false
	}
	if _, has = tableOf(t).Member(typ.Name, member); has {
		return true, true
	}
	if view, ok := kotlinView(t); ok { // a class of Kotlin sees List.size
		_, has = lookUp(kotlinLibrary, view.name, member, -1)
	}
	return has, true
}

// tableOf returns the table that has a type of a library.
func tableOf(t jvmType) *tables.Table {
	switch {
	case strings.HasPrefix(t.module, "kotlin"):
		return kotlinLibrary
	case scalaTableType(t) != nil:
		return scalaLibrary
	}
	return javaLibrary
}
