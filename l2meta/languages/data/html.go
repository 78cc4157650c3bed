package data

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// htmlRules declares elements with an id, headings and custom elements, and reads scripts and
// styles in their own languages.
func htmlRules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment"},
		Handlers: map[string]syntax.Handler{"element": HTMLElement, "script_element": HTMLScript,
			"style_element": HTMLStyle},
	}
}

func HTMLElement(w *syntax.Walk, n syntax.Node) {
	tag := w.Child(n, "start_tag", "self_closing_tag")
	name := w.Child(tag, "tag_name")
	if strings.EqualFold(w.Str(name), "link") &&
		strings.EqualFold(w.Str(htmlOrNone(htmlAttribute(w, tag, "rel"))), "stylesheet") {
		htmlImport(w, tag, "href")
	}
	d := syntax.Decl{Node: n, Exported: true}
	switch tagName := strings.ToLower(w.Str(name)); {
	case htmlAttribute(w, tag, "id") > 0:
		d.Kind, d.Name = code.KindProperty, htmlAttribute(w, tag, "id")
	case len(tagName) == 2 && tagName[0] == 'h' && tagName[1] >= '1' && tagName[1] <= '6':
		d.Kind, d.Name = code.KindNamespace, w.Child(n, "text")
		d.Text = w.Line(d.Name)
	case strings.Contains(tagName, "-"):
		d.Kind, d.Name = code.KindComponent, name
	}
	if d.Name <= 0 || w.TooDeep() || strings.TrimSpace(w.Str(d.Name)) == "" {
		w.Children(n)
		return
	}
	for c := range w.Tree.Children(n) {
		d.To = c // the node of an element without an end tag would extend to the next element
	}
	s := w.Declare(d)
	w.Out.Symbols[s].Signature = w.Line(tag)
	w.InsideChildren(s, n)
}

// htmlAttribute returns the node of an attribute's value in a tag; 0 if the tag has no such
// attribute.
func htmlAttribute(w *syntax.Walk, tag syntax.Node, name string) syntax.Node {
	for a := range w.Tree.Children(tag) {
		if w.Is(a, "attribute") && strings.EqualFold(w.Str(w.Child(a, "attribute_name")), name) {
			return max(w.Find(a, "attribute_value"), 0)
		}
	}
	return 0
}

func HTMLScript(w *syntax.Walk, n syntax.Node) {
	language := "javascript"
	tag := w.Child(n, "start_tag")
	lang := strings.ToLower(w.Str(htmlOrNone(htmlAttribute(w, tag, "lang"))))
	typ := strings.ToLower(w.Str(htmlOrNone(htmlAttribute(w, tag, "type"))))
	switch {
	case lang == "ts" || lang == "typescript" || strings.Contains(typ, "typescript"):
		language = "typescript"
	case typ != "" && typ != "module" && !strings.Contains(typ, "javascript"):
		return // a script of another type is a template or a block of data
	}
	htmlImport(w, tag, "src")
	w.Embed(language, w.Child(n, "raw_text"))
}

// htmlImport records the script or style sheet that a tag loads.
func htmlImport(w *syntax.Walk, tag syntax.Node, attribute string) {
	if address := strings.TrimSpace(w.Str(htmlOrNone(htmlAttribute(w, tag, attribute)))); address != "" {
		w.AddImport(tag, code.Import{Module: address})
	}
}

func htmlOrNone(n syntax.Node) syntax.Node {
	if n == 0 {
		return syntax.None
	}
	return n
}

func HTMLStyle(w *syntax.Walk, n syntax.Node) { w.Embed("css", w.Child(n, "raw_text")) }
