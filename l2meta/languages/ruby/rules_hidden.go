package ruby

import "sextant/l2meta/syntax"

// hiddenNames maps kinds of nodes whose text may become the name of a method without a
// declaration to functions that decide for one node. Such nodes are arguments of define_method,
// delegate, Struct.new, send and similar calls:
//
//	%i[open close].each { |m| define_method(m) { … } }
//	def_delegators :@list, :each, "size"
//	OpenStruct.new(color: "red").color
var hiddenNames = map[string]func(*syntax.Walk, syntax.Node) bool{
	"simple_symbol":   always,
	"hash_key_symbol": keyOfCall,
	"string_content":  wholeString,
}

func always(*syntax.Walk, syntax.Node) bool { return true }

// keyOfCall reports whether a key is in an argument of a call: f(key: 1), f({key: 1}).
func keyOfCall(w *syntax.Walk, n syntax.Node) bool {
	p := w.Parent(w.Parent(n))
	return w.Is(p, "argument_list") || w.Is(p, "hash") && w.Is(w.Parent(p), "argument_list")
}

// wholeString reports whether a string without interpolation is in a list or among arguments.
func wholeString(w *syntax.Walk, n syntax.Node) bool {
	p := w.Parent(n)
	return w.Is(p, "bare_string", "bare_symbol", "delimited_symbol") ||
		w.Is(p, "string") && w.Is(w.Parent(p), "argument_list", "array")
}
