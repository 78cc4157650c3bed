package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// hclRules declares top-level blocks and attributes, and the attributes of
// locals, under the names that expressions use for them.
func hclRules() *rules {
	return &rules{
		comments: []string{"comment"},
		handlers: map[string]handler{"block": hclBlock, "attribute": hclAttribute},
	}
}

func hclBlock(w *walk, n node) {
	typ := w.str(w.child(n, "identifier"))
	d := decl{node: n, name: w.child(n, "identifier"), kind: code.KindConfig, body: w.child(n, "block_start"), exported: true}
	switch typ {
	case "variable", "output":
		d.kind = code.KindVariable
	case "module":
		d.kind = code.KindModule
	}
	owner := []string{typ}
	for c := range w.named(n) {
		if !w.is(c, "string_lit") && !(w.is(c, "identifier") && c != d.name) {
			continue
		}
		if len(owner) > 0 && d.text != "" {
			owner = append(owner, d.text)
		}
		d.name, d.text = c, unquote(w.str(c))
	}
	if d.text != "" {
		d.owner = strings.Join(owner, ".")
	}
	s := w.declare(d)
	w.out.Symbols[s].Body[1] = w.end(n)
	if typ == "locals" {
		w.insideChildren(s, n)
	}
}

func hclAttribute(w *walk, n node) {
	w.declare(decl{kind: code.KindVariable, node: n, name: w.child(n, "identifier"), exported: true})
}
