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
}

func markdownHeadings(w *walk, root node) {
	var found []heading
	for n := range w.descendants(root) {
		if !w.is(n, "atx_heading", "setext_heading") {
			continue
		}
		h := heading{node: n, name: w.field(n, "heading_content"), level: markdownLevel(w, n)}
		if strings.TrimSpace(w.str(h.name)) != "" {
			found = append(found, h)
		}
	}
	var open []heading // the headings around the one at hand
	var symbols []int
	for i, h := range found {
		for len(open) > 0 && open[len(open)-1].level >= h.level {
			open, symbols = open[:len(open)-1], symbols[:len(symbols)-1]
		}
		w.encloser = -1
		if len(symbols) > 0 {
			w.encloser = symbols[len(symbols)-1]
		}
		title := strings.TrimSpace(strings.TrimRight(oneLine([]byte(w.str(h.name))), "# "))
		if title == "" {
			continue
		}
		s := w.declare(decl{kind: code.KindNamespace, node: h.node, name: h.name, text: title, exported: true})
		w.stretch(s, sectionEnd(w, found[i+1:], h.level))
		w.out.Symbols[s].Signature = strings.Repeat("#", h.level) + " " + title
		open, symbols = append(open, h), append(symbols, s)
	}
	w.encloser = -1
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

func sectionEnd(w *walk, rest []heading, level int) int {
	for _, h := range rest {
		if h.level <= level {
			return w.start(h.node)
		}
	}
	return len(w.text)
}
