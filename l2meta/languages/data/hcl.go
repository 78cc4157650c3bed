package data

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// hclRules declares top-level blocks and attributes, and the attributes of locals blocks, under the
// names by which expressions refer to them: local.region for region in locals { region = "eu" }.
func hclRules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment"},
		Handlers: map[string]syntax.Handler{"block": hclBlock, "attribute": hclAttribute},
	}
}

func hclBlock(w *syntax.Walk, n syntax.Node) {
	name := w.Child(n, "identifier")
	typ := w.Str(name)
	d := syntax.Decl{Node: n, Name: name, Kind: code.KindConfig, Body: w.Child(n, "block_start"), Exported: true}
	owner := []string{typ}
	switch typ {
	case "variable":
		d.Kind, owner = code.KindVariable, []string{"var"}
	case "output":
		d.Kind = code.KindVariable
	case "module":
		d.Kind = code.KindModule
	case "resource":
		owner = nil
	}
	for c := range w.Named(n) {
		if !w.Is(c, "string_lit") && !(w.Is(c, "identifier") && c != name) {
			continue
		}
		if d.Text != "" {
			owner = append(owner, d.Text)
		}
		d.Name, d.Text = c, syntax.Unquote(w.Str(c))
	}
	if d.Text != "" {
		d.Owner = strings.Join(owner, ".")
	}
	s := w.Declare(d)
	w.Out.Symbols[s].Body[1] = w.End(n)
	switch typ {
	case "locals":
		w.InsideChildren(s, n)
	case "module":
		hclSource(w, n, d.Text)
	}
}

// hclSource records the source of a module as an import: "./net" for module "n" { source = "./net"
// }.
func hclSource(w *syntax.Walk, block syntax.Node, name string) {
	for a := range w.Named(w.Child(block, "body")) {
		if w.Is(a, "attribute") && w.Says(w.Child(a, "identifier"), "source") {
			w.AddImport(a, code.Import{Module: syntax.Unquote(w.Line(w.Child(a, "expression"))), Alias: name})
		}
	}
}

// hclAttribute declares an attribute of the file or of locals, which expressions refer to as
// local.NAME.
func hclAttribute(w *syntax.Walk, n syntax.Node) {
	d := syntax.Decl{Kind: code.KindVariable, Node: n, Name: w.Child(n, "identifier"), Exported: true}
	if w.Encloser >= 0 {
		d.Owner = "local"
	}
	w.Declare(d)
}
