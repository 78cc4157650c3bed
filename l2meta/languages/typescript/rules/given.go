package rules

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/syntax"
)

// This file records which functions a program assigns to properties of objects: f({ onDone: save
// }), <Comp onDone={save}/>, props.onDone = save. Each fact names the property by an expression,
// whose type leads to the declaration of the property. For example, #arg(f, 0).onDone is the
// property onDone of the object that f expects as argument 0.

// giveMember records the function in a member of an object literal, such as onDone: save. context
// is an expression for the object that is expected in that place, such as #arg(f, 0).
func giveMember(w *syntax.Walk, context string, member syntax.Node) {
	if context == "" {
		return
	}
	switch w.Kind(member) {
	case "pair":
		if key := w.Field(member, "key"); w.Is(key, "property_identifier") {
			give(w, context+"."+w.Str(key), key, unwrap(w, w.Field(member, "value")))
		}
	case "method_definition":
		if name := w.Field(member, "name"); w.Is(name, "property_identifier") && !w.Has(member, "get") &&
			!w.Has(member, "set") {
			given(w, context+"."+w.Str(name), "", name)
		}
	case "shorthand_property_identifier":
		given(w, context+"."+w.Str(member), w.Str(member), member)
	}
}

// giveAttribute records the function in an attribute of a component, <Comp onDone={save}/>. An
// element with a lower-case name, <div>, is no component.
func giveAttribute(w *syntax.Walk, element, attribute, value syntax.Node) {
	name := w.Line(element)
	if name == "" || name[0] >= 'a' && name[0] <= 'z' && w.Is(element, "identifier") ||
		!w.Is(attribute, "property_identifier") {
		return
	}
	if inner := unwrap(w, value); !isFunction(w, inner) { // an anonymous function is part of the code around it
		give(w, tsExpected(code.FormArgument, name, 0, "")+"."+w.Str(attribute), attribute, inner)
	}
}

// giveArgument records that a call of callee passes value as its argument i. It only records
// calls of methods and constructors, because a plain function has no field in which to store the
// value.
func giveArgument(w *syntax.Walk, callee syntax.Node, i int, value syntax.Node) {
	if construction := w.Is(w.Parent(callee), "new_expression"); !construction && !w.Is(callee, "member_expression") ||
		!w.Is(value, "identifier", "member_expression", "call_expression") {
		return
	}
	if text := w.Line(callee); l2meta.LastOfPath(text) != "" {
		give(w, code.PlaceAt(i).Of(text), value, value)
	}
}

// give records that value is assigned to a property, if value may be a function. property is an
// expression that names the property, key the node of its name.
func give(w *syntax.Walk, property string, key, value syntax.Node) {
	if w.Is(value, "call_expression") { // a function with a bound "this": save.bind(this)
		if fn := w.Field(value, "function"); w.Is(fn, "member_expression") && w.Says(w.Field(fn, "property"), "bind") {
			value = w.Field(fn, "object")
		}
	}
	switch {
	case isFunction(w, value):
		given(w, property, "", key)
	case w.Is(value, "identifier", "member_expression"):
		given(w, property, w.Line(value), key)
	}
}

// given records that a property holds the function that text names. If text is "", the function is
// the one declared at the node at.
func given(w *syntax.Walk, property, text string, at syntax.Node) {
	if len(property) <= valueLimit && len(text) <= valueLimit {
		w.Out.Facts = append(w.Out.Facts,
			code.Fact{Kind: code.FactGiven, Owner: w.Encloser, Name: property, Type: text, Span: w.Span(at)})
	}
}

// keepGiven drops each FactGiven whose value names neither a function of the file nor an import.
// Most recorded values are dropped.
func keepGiven(w *syntax.Walk) {
	may, bare := w.Callables(), map[string]bool{}
	for _, i := range w.Out.Imports {
		bare[i.Name], bare[i.Alias] = true, true
	}
	w.Out.Facts = slices.DeleteFunc(w.Out.Facts, func(f code.Fact) bool {
		if f.Kind != code.FactGiven || f.Type == "" || may[l2meta.LastOfPath(f.Type)] {
			return false
		}
		root, _, _ := strings.Cut(f.Type, ".")
		return !bare[root]
	})
}
