package l2meta

import "sextant/internal/code"

// embed reads a part of the text that is written in another language (the
// script of a page) and adds its facts as the current symbol's. Only the part
// is parsed, whatever stands around it.
func (w *walk) embed(language string, part node) {
	if part >= 0 {
		w.embedRange(language, w.start(part), w.end(part))
	}
}

// embedRange is embed for a part that is no node.
func (w *walk) embedRange(language string, start, end int) {
	g := w.grammars(language, "")
	if g == nil {
		return
	}
	t, err := g.parseWithin(w.text[start:end], w.left)
	if err != nil || len(t.nodes) == 0 {
		w.out.BadBytes += end - start
		return
	}
	t.moveTo(w.text, start)
	t.work = w.work // of one allowance
	defer func() { w.work = t.work }()
	inner := newWalk(t, w.out.Path, language, w.lines)
	inner.grammars = w.grammars
	if g.rules.file != nil {
		g.rules.file(inner, 0)
	}
	inner.children(0)
	w.adopt(inner.done())
}

// moveTo makes t, the tree of a part of text that starts at offset, a tree over
// the whole.
func (t *tree) moveTo(text []byte, offset int) {
	t.text = text
	for i := range t.nodes {
		t.nodes[i].start += uint32(offset)
		t.nodes[i].end += uint32(offset)
	}
}

// adopt appends the facts of f, whose top level becomes the current symbol.
func (w *walk) adopt(f code.File) {
	base := len(w.out.Symbols)
	outer := w.ownerPath("")
	index := func(i int) int {
		if i < 0 {
			return w.encloser
		}
		return base + i
	}
	for _, s := range f.Symbols {
		s.Parent, s.QualifiedName = index(s.Parent), join(outer, s.QualifiedName)
		w.out.Symbols = append(w.out.Symbols, s)
	}
	for _, c := range f.Calls {
		c.Caller = index(c.Caller)
		w.out.Calls = append(w.out.Calls, c)
	}
	for _, i := range f.Imports {
		i.Scope = index(i.Scope)
		w.out.Imports = append(w.out.Imports, i)
	}
	for _, c := range f.Facts {
		c.Owner = index(c.Owner)
		w.out.Facts = append(w.out.Facts, c)
	}
	w.out.Exports = append(w.out.Exports, f.Exports...)
	w.out.BadBytes += f.BadBytes
}

// stretch ends symbol s at the byte offset end, for a declaration whose extent
// is what follows it (a heading's section, a build stage). Trailing white
// space is left out.
func (w *walk) stretch(s, end int) {
	span := &w.out.Symbols[s].Span
	for end > span.EndByte && isSpace(w.text[end-1]) {
		end--
	}
	*span = w.lines.Span(span.StartByte, max(end, span.EndByte))
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }
