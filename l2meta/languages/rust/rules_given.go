package rust

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/syntax"
)

// This file records the functions that are assigned to fields:
//
//	self.done = Box::new(save)            self.done
//	Job { done: save }                    Job().done
//	Job::new(save), job.with_done(save)   Job::new#0, job.with_done#0
//
//
// Each is recorded as a code.FactGiven, with the text in the second column as its Name and the
// path of the function as its Type. An argument of a call reaches a field if the called function
// assigns its parameter to the field. That is recorded as a code.FactAssign with the text of the
// field as its Name.

// assignment records the function that is assigned to a field: self.done = save.
func assignment(w *syntax.Walk, n syntax.Node) {
	if left := w.Field(n, "left"); w.Is(left, "field_expression") {
		give(w, w.Line(left), w.Field(n, "right"))
	}
	w.Children(n)
}

// giveFields records the functions that a struct literal assigns to its fields: Job { done: save }.
func giveFields(w *syntax.Walk, n syntax.Node) {
	made := w.Line(w.Field(n, "name")) + "()."
	for f := range w.Named(w.Field(n, "body")) {
		switch w.Kind(f) {
		case "field_initializer":
			name := w.Child(f, "field_identifier")
			if colon := w.Child(f, ":"); colon >= 0 {
				give(w, made+w.Str(name), w.After(colon))
			} else {
				give(w, made+w.Str(name), w.After(name))
			}
		case "shorthand_field_initializer":
			give(w, made+w.Line(f), w.FirstNamed(f))
		}
	}
}

// giveArguments records the functions among the arguments of a call: Job::new(save).
func giveArguments(w *syntax.Walk, fn, args syntax.Node) {
	callee := w.Line(fn)
	if l2meta.LastOfPath(callee) == "" {
		return
	}
	i := 0
	for a := range w.Named(args) {
		if w.Is(a, "attribute_item") {
			continue
		}
		if path := given(w, a); w.Is(path, "identifier", "scoped_identifier") && !isParameter(w, w.Str(path)) {
			addGiven(w, code.PlaceAt(i).Of(callee), a, path)
		}
		i++
	}
}

// give records the value that is assigned to a field, if the value is a function, as in self.done
// = save. It also records a parameter of the enclosing function that may be a function, as in
// self.done = done.
func give(w *syntax.Walk, field string, value syntax.Node) {
	path := given(w, value)
	switch name := w.Str(path); {
	case w.Is(path, "identifier") && isParameter(w, name):
		if len(field) <= syntax.MaxGiven {
			w.Fact(code.FactAssign, w.Encloser, field, name, value)
		}
	case w.Is(path, "identifier", "scoped_identifier"):
		addGiven(w, field, value, path)
	}
}

func addGiven(w *syntax.Walk, name string, value, path syntax.Node) {
	text := w.Line(path)
	if last := l2meta.LastOfPath(text); last != "" && (last[0] < 'A' || last[0] > 'Z') {
		w.Give(w.Encloser, name, text, value)
	}
}

// given returns the function in an expression: save for Box::new(save), Some(save), &save and
// save as fn(i32).
func given(w *syntax.Walk, value syntax.Node) syntax.Node {
	for range 4 {
		switch w.Kind(value) {
		case "call_expression":
			wrap := w.Line(w.Field(value, "function"))
			if args := w.Field(value, "arguments"); w.CountNamed(args) == 1 &&
				wrappers[wrap[strings.LastIndexByte(wrap, '.')+1:]] {
				value = w.FirstNamed(args)
				continue
			}
		case "reference_expression", "type_cast_expression":
			value = w.Field(value, "value")
			continue
		}
		break
	}
	return value
}

var wrappers = map[string]bool{"Box::new": true, "Arc::new": true, "Rc::new": true, "Some": true, "Box::pin": true,
	"std::sync::Arc::new": true}

// isParameter reports whether the enclosing function has a parameter called name that may be a
// function.
func isParameter(w *syntax.Walk, name string) bool {
	if w.Encloser < 0 {
		return false
	}
	return slices.ContainsFunc(w.Out.Symbols[w.Encloser].Parameters, func(p code.Parameter) bool {
		return strings.TrimPrefix(p.Name, "mut ") == name && mayBeFunction(p.Type)
	})
}

// mayBeFunction reports whether a type, as written, may be a function type: it is one, or a type
// parameter or an alias that may denote one.
func mayBeFunction(typ string) bool {
	if strings.Contains(typ, "Fn") || strings.Contains(typ, "fn(") || strings.Contains(typ, "fn (") {
		return true
	}
	typ = peel(typ)
	for _, wrap := range []string{"Option", "Box", "Arc", "Rc"} {
		if inside, ok := strings.CutPrefix(typ, wrap+"<"); ok {
			typ = strings.TrimSuffix(inside, ">")
		}
	}
	return isName(typ) && typ[0] >= 'A' && typ[0] <= 'Z' && typ != "String" && typ != "Self" && typ != "PathBuf"
}

// keepGiven drops those recorded assignments whose value is no function, which are most. It keeps
// a value with the name of a function or an import of this file, and a path with "::".
func keepGiven(w *syntax.Walk) {
	functions := w.Callables()
	for i := range w.Out.Imports {
		functions[w.Out.Imports[i].Name], functions[w.Out.Imports[i].Alias] = true, true
	}
	w.Out.Facts = slices.DeleteFunc(w.Out.Facts, func(f code.Fact) bool {
		return f.Kind == code.FactGiven && !strings.Contains(f.Type, "::") && !functions[f.Type]
	})
}
