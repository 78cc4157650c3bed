package cfamily

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/syntax"
)

// This file records which functions a program stores in members of records, each as a
// code.FactGiven. The second column shows the Name of that fact, which identifies the member: a
// cast names the record type, and "#1" is its second member.
//
//	struct ops files = { .read = file_read };   ((struct ops)0).read
//	struct ops files = { file_open, file_read } struct ops#1
//	o->read = file_read;                        (o).read

// giveAssigned records o->read = file_read.
func giveAssigned(w *syntax.Walk, n syntax.Node) {
	if !w.Says(w.Field(n, "operator"), "=") {
		return
	}
	left, right := w.Field(n, "left"), w.Field(n, "right")
	for w.Is(left, "subscript_expression") {
		left = w.Field(left, "argument")
	}
	for w.Is(right, "assignment_expression") {
		right = w.Field(right, "right")
	}
	if field := w.Field(left, "field"); w.Is(left, "field_expression") && w.Is(field, "field_identifier") {
		give(w, "("+w.Line(w.Field(left, "argument"))+")."+w.Str(field), right)
	}
}

// giveInitial records the functions in the initializer of a variable, and in those of the elements
// of an array of records.
func giveInitial(w *syntax.Walk, typ, declarator, value syntax.Node) {
	if !w.Is(value, "initializer_list") ||
		!w.Is(typ, "struct_specifier", "union_specifier", "class_specifier", "type_identifier",
			"qualified_identifier") {
		return
	}
	dimensions := 0
	for d := w.Field(declarator, "declarator"); w.Is(d, "array_declarator",
		"pointer_declarator"); d = w.Field(d, "declarator") {
		if dimensions++; w.Is(d, "pointer_declarator") {
			return
		}
	}
	giveElements(w, typeName(w, typ), dimensions, value)
}

// giveElements records the functions in an initializer of records of type typ: of one record if
// dimensions is 0, or of an array with that many dimensions.
func giveElements(w *syntax.Walk, typ string, dimensions int, list syntax.Node) {
	if dimensions == 0 {
		giveMembers(w, typ, "", list)
		return
	}
	for c := range w.Named(list) {
		if w.Is(c, "initializer_pair") { // [3] = {…}
			c = w.Field(c, "value")
		}
		if w.Is(c, "initializer_list") {
			giveElements(w, typ, dimensions-1, c)
		}
	}
}

// giveMembers records the functions in the initializer of a record of type typ. If path is not "",
// the initializer is that of a record in the member at path, such as ".io".
func giveMembers(w *syntax.Walk, typ, path string, list syntax.Node) {
	at := 0 // position of the next member; -1 after a named member, which makes it unknown
	for c := range w.Named(list) {
		switch {
		case w.Is(c, "initializer_pair"):
			at = -1
			member := path
			for d := range w.All(c, "designator") {
				if !w.Is(d, "field_designator") {
					return
				}
				member += "." + w.Str(w.FirstNamed(d))
			}
			if value := w.Field(c, "value"); w.Is(value, "initializer_list") {
				giveMembers(w, typ, member, value)
			} else if member != path {
				give(w, "(("+typ+")0)"+member, value)
			}
		case strings.HasPrefix(w.Kind(c), "preproc"):
			return // an #if between the members makes the positions of the following ones unknown
		case w.Is(c, "comment"):
		case at >= 0:
			if path == "" {
				give(w, code.PlaceAt(at).Of(typ), c)
			}
			at++
		}
	}
}

// give records that value is assigned to a member, if value may be the name of a function.
func give(w *syntax.Walk, member string, value syntax.Node) {
	for w.Is(value, "cast_expression", "parenthesized_expression", "pointer_expression") {
		if w.Is(value, "pointer_expression") && !w.Has(value, "&") {
			return
		}
		switch w.Kind(value) {
		case "cast_expression":
			value = w.Field(value, "value")
		case "pointer_expression":
			value = w.Field(value, "argument")
		default:
			value = w.FirstNamed(value)
		}
	}
	if !w.Is(value, "identifier", "qualified_identifier") || len(member) > syntax.MaxGiven {
		return
	}
	if name := w.Line(value); name != strings.ToUpper(name) { // READ_ONLY, NULL
		w.Out.Facts = append(w.Out.Facts,
			code.Fact{Kind: code.FactGiven, Owner: w.Encloser, Name: member, Type: name, Span: w.Span(value)})
	}
}

// keepGiven drops the FactGiven facts whose value is the name of a variable of this file rather
// than of a function.
func keepGiven(w *syntax.Walk) {
	type held struct {
		owner int
		name  string
	}
	functions, variables := map[string]bool{}, map[held]bool{}
	for i := range w.Out.Symbols {
		switch s := &w.Out.Symbols[i]; {
		case s.Kind.Callable():
			functions[s.Name] = true
		case s.Kind == code.KindVariable, s.Kind == code.KindConstant:
			variables[held{-1, s.Name}] = true
		}
	}
	for i := range w.Out.Facts {
		if f := &w.Out.Facts[i]; f.Kind == code.FactParam || f.Kind == code.FactVar || f.Kind == code.FactAssign {
			variables[held{f.Owner, f.Name}] = true
		}
	}
	w.Out.Facts = slices.DeleteFunc(w.Out.Facts, func(f code.Fact) bool {
		return f.Kind == code.FactGiven &&
			(variables[held{f.Owner, f.Type}] || variables[held{-1, f.Type}] && !functions[l2meta.LastOfPath(f.Type)])
	})
}
