package l2meta

import (
	"slices"
	"strings"

	"sextant/internal/code"
)

// Functions that objects are given for a property: f({ onDone: save }), <Comp
// onDone={save}/>, props.onDone = save. Each names the property by an
// expression, #arg(f, 0).onDone say, whose type tells what declares it.

// tsGiveMember records what a member of an object literal gives, where context
// is what the object is handed to.
func tsGiveMember(w *walk, context string, member node) {
	if context == "" {
		return
	}
	switch w.kind(member) {
	case "pair":
		if key := w.field(member, "key"); w.is(key, "property_identifier") {
			tsGive(w, context+"."+w.str(key), key, tsUnwrap(w, w.field(member, "value")))
		}
	case "method_definition":
		if name := w.field(member, "name"); w.is(name, "property_identifier") && !w.has(member, "get") && !w.has(member, "set") {
			given(w, context+"."+w.str(name), "", name)
		}
	case "shorthand_property_identifier":
		given(w, context+"."+w.str(member), w.str(member), member)
	}
}

// tsGiveAttribute records what an attribute gives to the component named
// element. Elements in lower case are the platform's.
func tsGiveAttribute(w *walk, element, attribute, value node) {
	name := w.line(element)
	if name == "" || name[0] >= 'a' && name[0] <= 'z' && w.is(element, "identifier") || !w.is(attribute, "property_identifier") {
		return
	}
	if inner := tsUnwrap(w, value); !tsIsFunction(w, inner) { // a function without a name is part of what is around it
		tsGive(w, tsExpected("#arg", name, 0)+"."+w.str(attribute), attribute, inner)
	}
}

// tsGive records that the property that an expression names is given value,
// where that may be a function; key is its name.
func tsGive(w *walk, property string, key, value node) {
	if w.is(value, "call_expression") { // save.bind(this)
		if fn := w.field(value, "function"); w.is(fn, "member_expression") && w.says(w.field(fn, "property"), "bind") {
			value = w.field(fn, "object")
		}
	}
	switch {
	case tsIsFunction(w, value):
		given(w, property, "", key)
	case w.is(value, "identifier", "member_expression"):
		given(w, property, w.line(value), key)
	}
}

// given records that a property is given a function; text "" is the one that is
// named at.
func given(w *walk, property, text string, at node) {
	if len(property) <= tsValueLimit && len(text) <= tsValueLimit {
		w.out.Facts = append(w.out.Facts, code.Fact{Kind: code.FactGiven, Owner: w.encloser, Name: property, Type: text, Span: w.span(at)})
	}
}

// tsKeepGiven drops what is given that no function of the file and no import
// may be: most values are none.
func tsKeepGiven(w *walk) {
	may := map[string]bool{}
	for i := range w.out.Symbols {
		if s := &w.out.Symbols[i]; s.Kind.Callable() {
			may[s.Name] = true
		}
	}
	bare := map[string]bool{}
	for _, i := range w.out.Imports {
		bare[i.Name], bare[i.Alias] = true, true
	}
	w.out.Facts = slices.DeleteFunc(w.out.Facts, func(f code.Fact) bool {
		if f.Kind != code.FactGiven || f.Type == "" || may[lastOfPath(f.Type)] {
			return false
		}
		root, _, _ := strings.Cut(f.Type, ".")
		return !bare[root]
	})
}
