package rust

import "sextant/l2meta/syntax"

// itemDepth is the largest number of macro calls around items that are parsed as items. Each level
// parses its text once more; tokio nests two.
const itemDepth = 4

// itemWords are the words with which an item may begin, after its attributes.
var itemWords = []string{"pub", "mod", "use", "fn", "struct", "enum", "union", "trait", "impl", "type", "const",
	"static", "async", "unsafe"}

// macroItems visits the items in the braces of a macro call as if the call were not there, and reports
// whether there are only items in them:
//
//	cfg_unix! {
//	    mod pipe;
//	    pub use pipe::Pipe;
//	}
//
// Macros whose argument is a list of items nearly always yield these items, under a condition or
// with more code beside them. In the body of an implementation they are its items; within says which
// one. Braces in a language of the macro's own, as in bitflags! { struct
// Flags: u32 { … } }, do not parse as items.
func macroItems(w *syntax.Walk, tree syntax.Node, within *implementation) bool {
	st := w.State.(*state)
	tokens := tokensOf(w, tree)
	if len(tokens) < 3 || st.depth >= itemDepth || !beginsItem(w, tokens[1:]) {
		return false
	}
	outer, around := st.attributes, st.within
	st.attributes, st.within = nil, within
	st.depth++
	defer func() {
		st.depth--
		st.attributes, st.within = outer, around
	}()
	return w.Reparse(w.End(tokens[0]), w.Start(tokens[len(tokens)-1]), onlyItems)
}

// beginsItem reports whether tokens begin with an item or with the call of another macro, both
// after attributes. It spares the parser most other texts.
func beginsItem(w *syntax.Walk, tokens []syntax.Node) bool {
	for len(tokens) > 2 && w.Is(tokens[0], "#") && w.Is(tokens[1], "token_tree") {
		tokens = tokens[2:]
	}
	// extern is no word of its own among the tokens of a macro call
	return w.Is(tokens[0], itemWords...) || w.Says(tokens[0], "extern") ||
		len(tokens) > 2 && w.Is(tokens[0], "identifier") && w.Is(tokens[1], "!")
}

// onlyItems reports whether t holds items alone: no syntax error, and no statement but calls of
// macros.
func onlyItems(t *syntax.Tree) bool {
	if t.BadBytes() > 0 {
		return false
	}
	for n := range t.Named(0) {
		switch t.Kind(n) {
		case "let_declaration", "empty_statement", "ERROR":
			return false
		case "expression_statement":
			if !t.Has(n, "macro_invocation") {
				return false
			}
		}
	}
	return true
}
