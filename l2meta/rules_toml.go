package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// tomlRules declares tables and their keys; keys of inline tables are values.
func tomlRules() *rules {
	return &rules{
		comments: []string{"comment"},
		handlers: map[string]handler{"table": tomlTable, "table_array_element": tomlTable, "pair": tomlPair},
	}
}

func tomlTable(w *walk, n node) {
	key := w.child(n, "bare_key", "quoted_key", "dotted_key")
	if key < 0 {
		w.children(n)
		return
	}
	d := decl{kind: code.KindConfig, node: n, name: key, text: tomlKey(w.str(key)), exported: true}
	for c := range w.tree.children(n) {
		if w.is(c, "pair", "]", "]]") { // the table itself runs on to the next one
			d.to = c
		}
	}
	s := w.declare(d)
	w.out.Symbols[s].Signature, _, _ = strings.Cut(w.str(n), "\n")
	w.insideChildren(s, n)
}

func tomlPair(w *walk, n node) {
	key := w.child(n, "bare_key", "quoted_key", "dotted_key")
	if key >= 0 {
		w.declare(decl{kind: code.KindProperty, node: n, name: key, text: tomlKey(w.str(key)), exported: true})
	}
}

// tomlKey strips the quotes of a key's steps, and the white space around dots.
func tomlKey(s string) string {
	var out strings.Builder
	quote := byte(0)
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote != 0 || !isSpace(c):
			out.WriteByte(c)
		}
	}
	return out.String()
}
