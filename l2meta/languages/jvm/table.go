package jvm

import (
	_ "embed"
	"strconv"
	"strings"

	tables "sextant/l2meta/library"
	"sextant/l2meta/resolve"
)

// The tables of the standard libraries. A name of a member may carry the number
// of its parameters, "add/2", where overloads differ. Behind what a member gives
// stand its parameters, where they tell what that is or what a function literal
// is handed:
//
//	Stream<T>: BaseStream<T, Stream<T>>
//		map Stream<$R> (Function<T, $R>)
//	Function<T, R>
//		=> R (T)
//
// "$R" is a type parameter of the member, "_" a type that the table does not
// have, "=>" the only method of an interface that has no body.
//
//go:embed java_library.txt
var javaLibraryText string

var javaLibrary = tables.New(javaLibraryText)

// tabledMark begins the text of a type that is written as the tables write it.
const tabledMark = "\x01"

// tabled returns the type of the library that t is, nil for one that the tables
// do not have.
func tabled(t jvmType) *tables.Type {
	if t.kind != jvmForeign {
		return nil
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
	result string
	params []string
	bind   *resolve.Binding // of the parameters of its owner
}

// libraryMemberOf returns what the tables tell of a member of a type of the
// library that takes so many arguments; any number for -1.
func libraryMemberOf(t jvmType, member string, args int) (signature, bool) {
	typ := tabled(t)
	if typ == nil {
		return signature{}, false
	}
	for _, name := range []string{typ.Name, "Object"} {
		line, ok := "", false
		if args >= 0 {
			line, ok = javaLibrary.Member(name, member+"/"+strconv.Itoa(args))
		}
		if !ok {
			line, ok = javaLibrary.Member(name, member)
		}
		if ok {
			out := signature{result: line, bind: resolve.Bind(typ.Params, t.args, nil)}
			if i := strings.Index(line, " ("); i >= 0 {
				out.result, out.params = line[:i], resolve.SplitTypes(line[i+2:len(line)-1])
			}
			return out, true
		}
	}
	return signature{}, false
}

// typed is a type as a table writes it, with what its words are bound to.
func typed(text string, bind *resolve.Binding) resolve.Type {
	if bound, ok := bind.Lookup(text); ok {
		if bound.Text == "*" || strings.HasPrefix(bound.Text, "?") && !strings.Contains(bound.Text, " extends ") {
			return resolve.Type{Text: tabledMark + "Object"} // List<?>.get gives an object
		}
		return bound
	}
	if text == "?" {
		return resolve.Type{Text: text}
	}
	return resolve.Type{Text: tabledMark + text, Bind: bind}
}

// readTabled interprets a type that typed made.
func (j *jvm) readTabled(t resolve.Type) jvmType {
	text := t.Text[len(tabledMark):]
	if element, ok := strings.CutSuffix(text, "[]"); ok {
		return jvmType{kind: array, args: []resolve.Type{typed(element, t.Bind)}}
	}
	if bound := typed(text, t.Bind); bound.Text != t.Text {
		return j.read(bound)
	}
	name, args := tables.Split(text)
	if numbers[name] > 0 || name == "boolean" || name == "void" {
		return library("java.lang", name)
	}
	typ := javaLibrary.Type(name)
	if typ == nil || len(j.top(typ.Package, name)) > 0 { // a workspace that holds the library itself
		return jvmType{}
	}
	out := library(typ.Package, name)
	for _, a := range args {
		out.args = append(out.args, typed(a, t.Bind))
	}
	return out
}

// hasMember reports whether a type of the library, by its full name, declares or
// inherits a member of that name, but for those that every object has. Of a type
// that the tables do not have it is not told.
func hasMember(full, member string) (has, told bool) {
	module, name, _ := cutLast(full)
	typ := tabled(library(module, name))
	if typ == nil {
		return false, false
	}
	_, has = javaLibrary.Member(typ.Name, member)
	return has, true
}
