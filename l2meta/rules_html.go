package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// htmlRules declares elements that bear an id, headings and custom elements,
// and reads scripts and styles in their own languages.
func htmlRules() *rules {
	return &rules{
		comments: []string{"comment"},
		handlers: map[string]handler{"element": htmlElement, "script_element": htmlScript, "style_element": htmlStyle},
	}
}

func htmlElement(w *walk, n node) {
	tag := w.child(n, "start_tag", "self_closing_tag")
	name := w.child(tag, "tag_name")
	if strings.EqualFold(w.str(name), "link") && strings.EqualFold(w.str(htmlOrNone(htmlAttribute(w, tag, "rel"))), "stylesheet") {
		htmlImport(w, tag, "href")
	}
	d := decl{node: n, exported: true}
	switch tagName := strings.ToLower(w.str(name)); {
	case htmlAttribute(w, tag, "id") > 0:
		d.kind, d.name = code.KindProperty, htmlAttribute(w, tag, "id")
	case len(tagName) == 2 && tagName[0] == 'h' && tagName[1] >= '1' && tagName[1] <= '6':
		d.kind, d.name = code.KindNamespace, w.child(n, "text")
		d.text = w.line(d.name)
	case strings.Contains(tagName, "-"):
		d.kind, d.name = code.KindComponent, name
	}
	if d.name <= 0 || w.tooDeep() || strings.TrimSpace(w.str(d.name)) == "" {
		w.children(n)
		return
	}
	for c := range w.tree.children(n) {
		d.to = c // an element without an end tag runs on to the next one
	}
	s := w.declare(d)
	w.out.Symbols[s].Signature = w.line(tag)
	w.insideChildren(s, n)
}

// htmlAttribute is the value of an attribute of a tag, 0 without one.
func htmlAttribute(w *walk, tag node, name string) node {
	for a := range w.tree.children(tag) {
		if w.is(a, "attribute") && strings.EqualFold(w.str(w.child(a, "attribute_name")), name) {
			return max(w.find(a, "attribute_value"), 0)
		}
	}
	return 0
}

func htmlScript(w *walk, n node) {
	language := "javascript"
	tag := w.child(n, "start_tag")
	lang := strings.ToLower(w.str(htmlOrNone(htmlAttribute(w, tag, "lang"))))
	typ := strings.ToLower(w.str(htmlOrNone(htmlAttribute(w, tag, "type"))))
	switch {
	case lang == "ts" || lang == "typescript" || strings.Contains(typ, "typescript"):
		language = "typescript"
	case typ != "" && typ != "module" && !strings.Contains(typ, "javascript"):
		return // a template or data block
	}
	htmlImport(w, tag, "src")
	w.embed(language, w.child(n, "raw_text"))
}

// htmlImport records the script or style sheet that a tag brings in.
func htmlImport(w *walk, tag node, attribute string) {
	if address := strings.TrimSpace(w.str(htmlOrNone(htmlAttribute(w, tag, attribute)))); address != "" {
		w.addImport(tag, code.Import{Module: address})
	}
}

func htmlOrNone(n node) node {
	if n == 0 {
		return none
	}
	return n
}

func htmlStyle(w *walk, n node) { w.embed("css", w.child(n, "raw_text")) }
