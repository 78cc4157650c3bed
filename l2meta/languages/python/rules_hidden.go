package python

import "sextant/l2meta/syntax"

// hiddenNames maps the kinds of syntax nodes that may create a member without a symbol to
// functions that report whether a node does:
//
//	setattr(o, "save", f)   Mock(save=f)   type("T", (), {"save": f})   o.__dict__["save"] = f
var hiddenNames = map[string]func(*syntax.Walk, syntax.Node) bool{
	"string": stringNamesMember,
	"identifier": func(w *syntax.Walk, n syntax.Node) bool {
		p := w.Parent(n)
		return w.Is(p, "keyword_argument") && w.Field(p, "name") == n
	},
}

// stringNamesMember reports whether a string is in a place where it may become the name of a
// member.
func stringNamesMember(w *syntax.Walk, n syntax.Node) bool {
	p := w.Parent(n)
	switch w.Kind(p) {
	case "argument_list", "list", "tuple", "subscript":
		return true
	case "pair":
		return w.Field(p, "key") == n
	}
	return false
}
