package php

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// This file records which functions a program stores in properties, each as a code.FactGiven. The
// second column shows the Name of that fact, a property or an argument of a call. The Type of the
// fact is the name of the function. The function in an argument is stored in a property if the
// callee assigns its parameter to the property, or promotes the parameter to a property.
//
//	$this->done = save(...)             $this.done
//	new Job(save(...))                  Job#0, with a label Job#=done
//	$job->onDone([$this, 'save'])       onDone#0

// held records ($this->done)(1), a call of the function in a property. The recorded Receiver,
// ($this->done), includes the property's name.
func held(w *syntax.Walk, n, fn, args syntax.Node) {
	member := inner(w, fn)
	if name := w.Field(member, "name"); w.Is(member, "member_access_expression",
		"nullsafe_member_access_expression") && w.Is(name, "name") {
		callOf(w, code.CallPlain, n, name, args, w.Line(fn))
	}
}

// give records that a property or an argument holds the function that n names.
func give(w *syntax.Walk, n syntax.Node, function string) {
	to := ""
	switch p := w.Parent(n); w.Kind(p) {
	case "assignment_expression":
		if left := w.Field(p, "left"); w.Is(left, "member_access_expression") && w.Field(p, "right") == n {
			to = strings.ReplaceAll(w.Line(left), "->", ".")
		}
	case "argument":
		to = givenPlace(w, p)
	}
	if to != "" && len(to)+len(function) <= syntax.MaxGiven {
		w.Fact(code.FactGiven, w.Encloser, to, function, n)
	}
}

// givenPlace returns the name of an argument in a FactGiven, "Job#0": the callee's name and the
// argument's position or label. It returns "" if the callee has no name.
func givenPlace(w *syntax.Walk, argument syntax.Node) string {
	call := w.Parent(w.Parent(argument))
	callee := w.Field(call, "name")
	switch w.Kind(call) {
	case "object_creation_expression":
		callee = w.Child(call, "name", "qualified_name")
	case "function_call_expression":
		callee = w.Field(call, "function")
	}
	if !w.Is(callee, "name", "qualified_name") {
		return ""
	}
	name, _ := phpSplit(w, callee)
	if label := w.Field(argument, "name"); label >= 0 {
		return code.PlaceNamed(w.Str(label)).Of(w.Str(name))
	}
	if place, ok := w.Place(argument); ok {
		return place.Of(w.Str(name))
	}
	return ""
}
