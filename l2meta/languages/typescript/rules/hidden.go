package rules

import "sextant/l2meta/syntax"

// hiddenNames maps the kinds of syntax nodes that may name a member without a symbol to functions
// that report whether a node does:
//
//	{ save: f }  { save }  type T = { save(): void }[]
//	o.save = f   o["save"] = f   app.decorate("save", f)   ["get", "save"].forEach(…)
var hiddenNames = map[string]func(*syntax.Walk, syntax.Node) bool{
	"property_identifier":           namesMember,
	"private_property_identifier":   namesMember,
	"shorthand_property_identifier": func(*syntax.Walk, syntax.Node) bool { return true },
	"string":                        stringNamesMember,
}

// namesMember reports whether a property name creates or declares the property, rather than reading
// it.
func namesMember(w *syntax.Walk, n syntax.Node) bool {
	p := w.Parent(n)
	switch w.Kind(p) {
	case "member_expression":
		a := w.Parent(p)
		return w.Is(a, "assignment_expression", "augmented_assignment_expression") && w.Field(a, "left") == p
	case "pair_pattern":
		return false
	}
	return true
}

// stringNamesMember reports whether a string is in a place where it may become the name of a
// member.
func stringNamesMember(w *syntax.Walk, n syntax.Node) bool {
	p := w.Parent(n)
	switch w.Kind(p) {
	case "arguments", "array", "subscript_expression", "literal_type", "computed_property_name":
		return true
	case "pair", "property_signature", "method_signature", "method_definition", "public_field_definition",
		"field_definition":
		return w.Field(p, "key") == n || w.Field(p, "name") == n || w.Field(p, "property") == n
	}
	return false
}
