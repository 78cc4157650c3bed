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
	s := w.declare(decl{kind: code.KindConfig, node: n, name: key, text: tomlKey(w.str(key)), exported: true})
	w.stretch(s, w.end(n))
	w.out.Symbols[s].Signature, _, _ = strings.Cut(w.str(n), "\n")
	w.insideChildren(s, n)
}

func tomlPair(w *walk, n node) {
	key := w.child(n, "bare_key", "quoted_key", "dotted_key")
	if key >= 0 {
		w.declare(decl{kind: code.KindProperty, node: n, name: key, text: tomlKey(w.str(key)), exported: true})
	}
}

func tomlKey(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer(`"`, "", "'", "").Replace(s)), "")
}
