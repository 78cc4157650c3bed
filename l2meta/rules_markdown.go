package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// markdownRules declares the headings. A section runs to the next heading of
// its own or a higher level; the grammar's own sections do not know setext
// headings inside a section, so they are laid out here.
func markdownRules() *rules {
	return &rules{file: markdownHeadings}
}

type heading struct {
	node, name node
	level      int
	symbol     int
}

func markdownHeadings(w *walk, root node) {
	var open []heading // the headings around the one at hand
	closeTo := func(level, end int) {
		for len(open) > 0 && open[len(open)-1].level >= level {
			w.stretch(open[len(open)-1].symbol, end)
			open = open[:len(open)-1]
		}
	}
	for n := range w.descendants(root) {
		if !w.is(n, "atx_heading", "setext_heading") {
			continue
		}
		h := heading{node: n, name: w.field(n, "heading_content"), level: markdownLevel(w, n)}
		title := markdownTitle(w.line(h.name))
		if title == "" {
			continue
		}
		closeTo(h.level, w.start(n))
		w.encloser = -1
		if len(open) > 0 {
			w.encloser = open[len(open)-1].symbol
		}
		h.symbol = w.declare(decl{kind: code.KindNamespace, node: n, name: h.name, text: title, exported: true})
		w.out.Symbols[h.symbol].Signature = strings.Repeat("#", h.level) + " " + title
		open = append(open, h)
	}
	closeTo(0, len(w.text))
	w.encloser = -1
}

// markdownTitle strips the closing sequence of a heading: "## A ##" but not "C#".
func markdownTitle(s string) string {
	s = strings.TrimSpace(s)
	if cut := strings.TrimRight(s, "#"); cut != s && (cut == "" || strings.HasSuffix(cut, " ")) {
		s = strings.TrimSpace(cut)
	}
	return s
}

func markdownLevel(w *walk, n node) int {
	for c := range w.tree.children(n) {
		k := w.kind(c)
		if strings.HasPrefix(k, "atx_h") || strings.HasPrefix(k, "setext_h") {
			return int(k[strings.IndexByte(k, '_')+2] - '0')
		}
	}
	return 1
}
