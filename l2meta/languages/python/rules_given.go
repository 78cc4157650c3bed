package python

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/syntax"
)

// This file records which functions a program stores in attributes, each as a code.FactGiven. The
// second column shows the Name of that fact, an attribute or an argument of a call. The function
// in an argument is stored in an attribute if the callee assigns its parameter to the attribute.
//
//	self.done = save                  self.done
//	class Job: done = save            done, in the class
//	Job(save, done=save)              Job#0, Job#=done
//	job.on_done(save)                 job.on_done#0
//	def __init__(self, done=save)     Job#=done, of the class Job

// giveAttribute records an assignment of value to an attribute.
func giveAttribute(w *syntax.Walk, target, value syntax.Node) {
	name := target
	if w.Is(target, "attribute") {
		name = w.Field(target, "attribute")
	}
	if n := w.Str(name); !strings.HasPrefix(n, "__") {
		give(w, w.Encloser, w.Line(target), value)
	}
}

// giveArguments records the functions among the arguments of a call. fn is the callee, a.b.f, and
// name the node of its last name, f.
func giveArguments(w *syntax.Walk, fn, name, args syntax.Node) {
	callee, at := w.Line(fn), 0
	if name < 0 || l2meta.LastOfPath(callee) != w.Str(name) || builtins[callee] {
		return
	}
	for a := range w.Named(args) {
		switch w.Kind(a) {
		case "keyword_argument":
			give(w, w.Encloser, code.PlaceNamed(w.Str(w.Field(a, "name"))).Of(callee), w.Field(a, "value"))
			continue
		case "list_splat":
			at = -1 << 20 // a splat makes the positions of later arguments unknown
		case "comment":
			continue
		}
		if at >= 0 {
			give(w, w.Encloser, code.PlaceAt(at).Of(callee), a)
		}
		at++
	}
}

// giveDefaults records the functions that are defaults of a constructor's parameters.
func giveDefaults(w *syntax.Walk, params syntax.Node) {
	class := w.Out.Symbols[w.Encloser].Name
	for p := range w.Named(params) {
		if w.Is(p, "default_parameter", "typed_default_parameter") {
			give(w, w.Encloser, code.PlaceNamed(w.Str(w.Field(p, "name"))).Of(class), w.Field(p, "value"))
		}
	}
}

// give records that an attribute or argument, which property names, holds value, if value may be a
// function: save, or partial(save, 1).
func give(w *syntax.Walk, owner int, property string, value syntax.Node) {
	if w.Is(value, "call") { // partial(save, 1)
		if name, _ := callee(w, w.Field(value, "function")); !w.Says(name, "partial") &&
			!w.Says(name, "staticmethod") {
			return
		}
		value = w.FirstNamed(w.Field(value, "arguments"))
	}
	if name := w.Line(value); w.Is(value, "identifier", "attribute") && l2meta.LastOfPath(name) != "" {
		w.Give(owner, property, name, value)
	}
}

// keepGiven drops each FactGiven whose value names neither a function of the file nor an import.
// Most recorded values are dropped.
func keepGiven(w *syntax.Walk) {
	functions, imported := w.Callables(), map[string]bool{}
	for i := range w.Out.Imports {
		imported[localName(&w.Out.Imports[i])] = true
	}
	w.Out.Facts = slices.DeleteFunc(w.Out.Facts, func(f code.Fact) bool {
		root, _, _ := strings.Cut(f.Type, ".")
		return f.Kind == code.FactGiven && !functions[l2meta.LastOfPath(f.Type)] && !imported[root]
	})
}
