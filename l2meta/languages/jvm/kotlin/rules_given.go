package kotlin

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/syntax"
)

// This file records the functions that are assigned to properties of a function type:
//
//	var done: (Int) -> Unit = ::save      done, in the class
//	job.done = this::save                 job.done
//	Job(::save), Job(done = ::save)       Job#0, Job#=done
//	job.onDone(Saver::save)               onDone#0
//	class Job(val done: F = ::save)       Job#=done
//
//
// Each is recorded as a code.FactGiven, with the text in the second column as its Name and the
// name of the function as its Type. An argument of a call reaches a property if the called
// function assigns its parameter to the property. That is recorded as a code.FactAssign of the
// function to "this.done".

// give records the property to which a function reference n is assigned, job.done in job.done =
// ::save, or the argument of a call as which it is passed, Job#0 in Job(::save). It records nothing
// for other references.
func give(w *syntax.Walk, n, name syntax.Node) {
	to := ""
	switch p := w.Parent(n); w.Kind(p) {
	case "assignment":
		if left := w.FirstNamed(p); left != n {
			to = w.Line(left)
		}
	case "property_declaration":
		if !isLocal(w, p) {
			to = facts.Bare(w.Str(w.Child(w.Child(p, "variable_declaration"), "identifier")))
		}
	case "class_parameter":
		if w.Encloser >= 0 {
			to = code.PlaceNamed(facts.Bare(w.Str(w.Child(p, "identifier")))).Of(w.Out.Symbols[w.Encloser].Name)
		}
	case "value_argument":
		to = placeOf(w, p)
	}
	if to != "" && l2meta.LastOfPath(w.Str(name)) != "" {
		w.Fact(code.FactGiven, w.Encloser, to, facts.Bare(w.Str(name)), n)
	}
}

// placeOf returns the name of the called function with the position or name of one of its arguments:
// Job#0 for the argument of Job(::save), Job#=done for that of Job(done = ::save). It returns "" if the
// callee has no name.
func placeOf(w *syntax.Walk, argument syntax.Node) string {
	name := syntax.None
	switch call := w.Parent(w.Parent(argument)); w.Kind(call) {
	case "call_expression":
		name, _ = kotlinCallee(w, functionOf(w, call+1))
	case "constructor_invocation":
		name, _ = typeName(w, w.Child(call, "user_type"))
	}
	if name < 0 {
		return ""
	}
	callee := facts.Bare(w.Str(name))
	if w.Has(argument, "=") {
		return code.PlaceNamed(facts.Bare(w.Str(w.Child(argument, "identifier")))).Of(callee)
	}
	if place, ok := w.Place(argument); ok {
		return place.Of(callee)
	}
	return ""
}

// assignment records done = f and this.done = f in a function, if f is a parameter of the function.
func assignment(w *syntax.Walk, n syntax.Node) {
	left := w.FirstNamed(n)
	target := left
	if w.Is(left, "navigation_expression") && w.Is(left+1, "this_expression") {
		target, _ = kotlinCallee(w, left)
	}
	if eq := w.Child(n, "="); eq >= 0 && w.Is(target, "identifier") {
		keep(w, w.Encloser, w.Str(target), w.After(eq))
	}
	w.Children(n)
}

// keep records that function or class owner assigns one of its parameters to a property: done =
// onDone. It records nothing if value is no parameter, or if the parameter's type cannot be a
// function type.
func keep(w *syntax.Walk, owner int, property string, value syntax.Node) {
	if w.Is(value, "binary_expression") && w.Has(value, "?:") { // a default for null: done ?: {}
		value = w.FirstNamed(value)
	}
	if !w.Is(value, "identifier") || owner < 0 {
		return
	}
	name := facts.Bare(w.Str(value))
	for _, p := range w.Out.Symbols[owner].Parameters {
		if p.Name == name && mayBeFunction(p.Type) {
			w.Fact(code.FactAssign, owner, "this."+facts.Bare(property), name, value)
		}
	}
}

// mayBeFunction reports whether a type as written may be a function type: (Int) -> Unit, or
// an alias of one.
func mayBeFunction(typ string) bool {
	if facts.Arrow(typ) >= 0 || strings.Contains(typ, "->") {
		return true
	}
	name := strings.TrimSuffix(typ, "?")
	return l2meta.LastOfPath(name) != "" && !facts.Plain[name] && facts.Boxes[name] == "" && !facts.Containers[name] &&
		!facts.Maps[name] &&
		name != "Int" && name != "Any"
}
