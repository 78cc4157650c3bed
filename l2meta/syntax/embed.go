package syntax

import "sextant/internal/code"

// Embed parses a part of the text that is written in another language, such as the script of a
// page, and adds its symbols, calls and facts below the enclosing symbol. It does nothing if part
// is None.
func (w *Walk) Embed(language string, part Node) {
	if part >= 0 {
		w.EmbedRange(language, w.Start(part), w.End(part))
	}
}

// EmbedRange does the same as Embed for a range of bytes that is no node.
func (w *Walk) EmbedRange(language string, start, end int) {
	g := w.Grammars(language, "", nil)
	if g == nil {
		return
	}
	t, err := g.ParseWithin(w.Text[start:end], w.Left)
	if err != nil || len(t.Nodes) == 0 {
		w.Out.BadBytes += end - start
		return
	}
	t.moveTo(w.Text, start)
	t.Work = w.Work // the steps in both trees count towards one limit
	defer func() { w.Work = t.Work }()
	inner := NewWalk(t, w.Out.Path, language, w.Lines)
	inner.Grammars = w.Grammars
	if g.Rules.File != nil {
		g.Rules.File(inner, 0)
	}
	inner.Children(0)
	w.adopt(inner.done())
}

// moveTo turns t, the tree of a part of text that starts at offset, into a tree over the whole
// text.
func (t *Tree) moveTo(text []byte, offset int) {
	t.Text = text
	for i := range t.Nodes {
		t.Nodes[i].Start += uint32(offset)
		t.Nodes[i].End += uint32(offset)
	}
}

// adopt adds the symbols, calls and facts of f, an embedded part, to those of the file. Top-level
// symbols of f become children of the enclosing symbol.
func (w *Walk) adopt(f code.File) {
	base := len(w.Out.Symbols)
	outer := w.OwnerPath("")
	index := func(i int) int {
		if i < 0 {
			return w.Encloser
		}
		return base + i
	}
	for _, s := range f.Symbols {
		s.Parent, s.QualifiedName = index(s.Parent), Join(outer, s.QualifiedName)
		w.Out.Symbols = append(w.Out.Symbols, s)
	}
	for _, c := range f.Calls {
		c.Caller = index(c.Caller)
		w.Out.Calls = append(w.Out.Calls, c)
	}
	for _, c := range f.Accesses {
		c.Caller = index(c.Caller)
		w.Out.Accesses = append(w.Out.Accesses, c)
	}
	for _, i := range f.Imports {
		i.Scope = index(i.Scope)
		w.Out.Imports = append(w.Out.Imports, i)
	}
	for _, c := range f.Facts {
		c.Owner = index(c.Owner)
		w.Out.Facts = append(w.Out.Facts, c)
	}
	w.Out.Exports = append(w.Out.Exports, f.Exports...)
	w.Out.BadBytes += f.BadBytes
}

// Stretch extends symbol s to the byte offset end, without trailing white space. Rules call it
// for declarations to which the text after them belongs: the heading of a section, the FROM line
// of a build stage.
func (w *Walk) Stretch(s, end int) {
	span := &w.Out.Symbols[s].Span
	for end > span.EndByte && IsSpace(w.Text[end-1]) {
		end--
	}
	*span = w.Lines.Span(span.StartByte, max(end, span.EndByte))
}

// IsSpace reports whether b is ASCII white space.
func IsSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }
