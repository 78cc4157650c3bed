package jvm

import (
	_ "embed"
	"strconv"
	"strings"

	"sextant/l2meta/expr"
	tables "sextant/l2meta/library"
	"sextant/l2meta/resolve"
)

// The tables of the standard libraries list types with their members: the name of a member, its
// result type, and in parentheses the types of its parameters. The parameter types are omitted
// unless they determine the result, or the types of a function literal's parameters. If overloads
// differ in their results, the number of parameters is added to the name, "add#2".
//
//	Stream<T>: BaseStream<T, Stream<T>>
//		map Stream<$R> (Function<T, $R>)
//	Function<T, R>
//		=> R (T)
//	Iterable<T>
//		.map List<$R> ((T) -> $R)
//
// "$R" is a type parameter of the member, "_" a type that the table does not list, "=>" the only
// abstract method of an interface. In Kotlin's table, "size#val" is a property, ".map" an
// extension that every file imports, ":withLock" an extension that needs an import, and "$this"
// the type of the receiver. Extensions of every type are listed under "_". Functions without a
// receiver are listed under "package", or under the name of their package if they need an import.
//
// In Scala's table, the number after "#" counts the arguments in all lists but the implicit ones.
// "self.List" is an object, "self.math" a package object, "$this" the receiver itself, "$of[$B]"
// a collection of the receiver's kind, and "$B^A" a type parameter of the member with the lower
// bound A. Java types are written with their packages. Besides its bases, a type may name the
// type to which an implicit conversion converts it:
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

// The marks begin the text of a resolve.Type if the text is in the notation of a table; each of the three
// tables has its own mark.
const (
	tabledMark   = "\x01"
	javaTabled   = tabledMark + "j"
	kotlinTabled = tabledMark + "k"
	scalaTabled  = tabledMark + "s"
)

// markOf returns the mark that begins types in the notation of a table: kotlinTabled for kotlinLibrary.
func markOf(table *tables.Table) string {
	switch table {
	case kotlinLibrary:
		return kotlinTabled
	case scalaLibrary:
		return scalaTabled
	}
	return javaTabled
}

// tabled returns the entry of library type t in Kotlin's or Java's table, or nil.
func tabled(t jvmType) *tables.Type {
	if t.kind != jvmForeign {
		return nil
	}
	if t.module == "kotlin" || strings.HasPrefix(t.module, "kotlin.") {
		return kotlinLibrary.Type(t.name) // an alias, whose package may be another one
	}
	typ := javaLibrary.Type(t.name)
	if typ == nil || typ.Package != t.module && !strings.HasPrefix(t.module, typ.Package+".") {
		return nil
	}
	if rest := strings.TrimPrefix(t.module, typ.Package); rest != "" && !typeLike(rest[1:]) {
		return nil // the rest of the path is a nested package
	}
	return typ
}

// signature is the entry of a member in a table, split into its parts.
type signature struct {
	mark   string // the mark of the table
	result string
	params []string
	bind   *resolve.Binding // the type arguments of the type that has the member
}

// typed returns the type that a text in the signature names.
func (s signature) typed(text string) resolve.Type { return typed(s.mark, text, s.bind) }

// libraryMemberOf returns the table entry of the member that code in the language accesses on a value of
// type t. args is the number of arguments, or -1 for any; ok is false if there is no entry.
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

// lookUp returns the entry of a type's member in a table. args is the number of arguments; it is -1
// for a property, and for a method if the number is unknown. It returns false if the table has no
// such member.
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
		out.result, out.params = line[:i], expr.SplitTypes(line[i+2:len(line)-1])
	}
	return out, ok
}

// parametersAt returns the offset of the space before the parameters in the entry of a member, as in
// "Stream<$R> (Function<T, $R>)". It returns -1 if there are none.
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

// typed returns the type that text names in the notation of the table with that mark. If text is a type
// parameter with a type argument in bind, it returns the type argument: Order for T in List<Order>.
func typed(mark, text string, bind *resolve.Binding) resolve.Type {
	if bound, ok := bind.Lookup(text); ok {
		wild := bound.Text == "*" || bound.Text == "_" ||
			strings.HasPrefix(bound.Text, "?") && !strings.Contains(bound.Text, " extends ")
		if wild && mark != scalaTabled {
			return resolve.Type{Text: javaTabled + "Object"} // the element of a List<?> is an Object
		}
		return bound
	}
	if text == "?" || text == "*" {
		return resolve.Type{Text: text}
	}
	return resolve.Type{Text: mark + text, Bind: bind}
}

// readTabled interprets a type in the notation of a table. Its text begins with the mark of the table,
// which function typed put there.
func (j typeReader) readTabled(t resolve.Type) jvmType {
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
		return j.scalaTypes.readTabled(t, name, args)
	}
	if mark == javaTabled && (numbers[name] > 0 || name == "boolean" || name == "void") {
		return library("java.lang", name)
	}
	typ := javaLibrary.Type(name)
	if mark == kotlinTabled && kotlinLibrary.Type(name) != nil {
		typ = kotlinLibrary.Type(name)
	}
	if typ == nil || len(j.top(typ.Package, name)) > 0 { // the workspace contains the library itself
		return jvmType{}
	}
	out := library(typ.Package, name)
	for _, a := range args {
		out.args = append(out.args, typed(mark, a, t.Bind))
	}
	return out
}

// hasMember reports whether a library type, given by its full name, declares or inherits a member.
// Members that every object has are ignored. known is false if the tables do not list the type.
func hasMember(full, member string) (has, known bool) {
	module, name, _ := cutLast(full)
	t := library(module, name)
	typ := tabled(t)
	if typ == nil {
		return false, false
	}
	if _, has = tableOf(t).Member(typ.Name, member); has {
		return true, true
	}
	if view, ok := kotlinView(t); ok { // Kotlin code sees a Java type as the Kotlin type, with List.size
		_, has = lookUp(kotlinLibrary, view.name, member, -1)
	}
	return has, true
}

// tableOf returns the table that lists library type t: Kotlin's or Scala's for a type in their packages,
// otherwise Java's.
func tableOf(t jvmType) *tables.Table {
	switch {
	case strings.HasPrefix(t.module, "kotlin"):
		return kotlinLibrary
	case scalaTableType(t) != nil:
		return scalaLibrary
	}
	return javaLibrary
}

// lacksNested reports whether full is the name of a library type that the tables list without a
// nested type called name. An import of java.util.Objects.requireNonNull, for example, cannot
// name a type.
func lacksNested(full, name string) bool {
	module, last, _ := cutLast(full)
	return tabled(library(module, last)) != nil && tabled(library(module, name)) == nil
}
