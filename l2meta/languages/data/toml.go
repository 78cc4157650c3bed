package data

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// tomlRules declares tables and their keys. Keys of inline tables, b in a = { b = 1 }, are not
// declared.
func tomlRules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment"},
		Handlers: map[string]syntax.Handler{"table": tomlTable, "table_array_element": tomlTable, "pair": tomlPair},
	}
}

func tomlTable(w *syntax.Walk, n syntax.Node) {
	key := w.Child(n, "bare_key", "quoted_key", "dotted_key")
	if key < 0 {
		w.Children(n)
		return
	}
	d := syntax.Decl{Kind: code.KindConfig, Node: n, Name: key, Text: tomlKey(w.Str(key)), Exported: true}
	for c := range w.Tree.Children(n) {
		// stops before the comments after the last key, which the node of the table includes
		if w.Is(c, "pair", "]", "]]") {
			d.To = c
		}
	}
	s := w.Declare(d)
	w.Out.Symbols[s].Signature, _, _ = strings.Cut(w.Str(n), "\n")
	w.InsideChildren(s, n)
}

func tomlPair(w *syntax.Walk, n syntax.Node) {
	key := w.Child(n, "bare_key", "quoted_key", "dotted_key")
	if key >= 0 {
		w.Declare(syntax.Decl{Kind: code.KindProperty, Node: n, Name: key, Text: tomlKey(w.Str(key)), Exported: true})
	}
}

// tomlKey returns a key without the quotation marks around its parts and the white space around its
// dots: a.b for a . "b".
func tomlKey(s string) string {
	var out strings.Builder
	quote := byte(0)
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote != 0 || !syntax.IsSpace(c):
			out.WriteByte(c)
		}
	}
	return out.String()
}
