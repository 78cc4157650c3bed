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
	name := w.child(n, "identifier")
	typ := w.str(name)
	d := decl{node: n, name: name, kind: code.KindConfig, body: w.child(n, "block_start"), exported: true}
	owner := []string{typ}
	switch typ {
	case "variable":
		d.kind, owner = code.KindVariable, []string{"var"}
	case "output":
		d.kind = code.KindVariable
	case "module":
		d.kind = code.KindModule
	case "resource":
		owner = nil
	}
	for c := range w.named(n) {
		if !w.is(c, "string_lit") && !(w.is(c, "identifier") && c != name) {
			continue
		}
		if d.text != "" {
			owner = append(owner, d.text)
		}
		d.name, d.text = c, unquote(w.str(c))
	}
	if d.text != "" {
		d.owner = strings.Join(owner, ".")
	}
	s := w.declare(d)
	w.out.Symbols[s].Body[1] = w.end(n)
	switch typ {
	case "locals":
		w.insideChildren(s, n)
	case "module":
		hclSource(w, n, d.text)
	}
}

// hclSource records where a module comes from.
func hclSource(w *walk, block node, name string) {
	for a := range w.named(w.child(block, "body")) {
		if w.is(a, "attribute") && w.says(w.child(a, "identifier"), "source") {
			w.addImport(a, code.Import{Module: unquote(w.line(w.child(a, "expression"))), Alias: name})
		}
	}
}

// hclAttribute declares an attribute of the file or of locals, which
// expressions call local.
func hclAttribute(w *walk, n node) {
	d := decl{kind: code.KindVariable, node: n, name: w.child(n, "identifier"), exported: true}
	if w.encloser >= 0 {
		d.owner = "local"
	}
	w.declare(d)
}
