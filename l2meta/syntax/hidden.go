package syntax

import (
	"bytes"

	"sextant/internal/code"
)

// maxLost is the largest number of names that are recorded from text with syntax errors. A file
// with more such names is recorded as if it had every name (code.AnyName).
const maxLost = 5000

// hide records as FactHidden the names under which code may call a member that has no symbol: all
// names in lines with syntax errors, and those that Rules.Hidden selects.
func (w *Walk) hide() {
	if w.Grammar.Rules.Hidden == nil {
		return
	}
	known := make(map[string]bool, len(w.Out.Symbols))
	for i := range w.Out.Symbols {
		known[w.Out.Symbols[i].Name] = true
	}
	lost, end := 0, 0 // for the text with syntax errors: the number of names so far, and the offset of its end
	for i := range w.Nodes {
		w.Step(1)
		n, symbol := Node(i), int(w.Nodes[i].symbol)
		switch {
		case symbol >= len(w.Grammar.hidden) || w.Nodes[i].flags&flagMissing != 0:
			if w.End(n) < end {
				continue
			}
			from := max(w.lineStart(w.Start(n)), end)
			end = w.lineEnd(w.End(n))
			w.Step(end - from)
			for word := range words(w.Text[from:end]) {
				if lost++; lost > maxLost {
					w.conceal(known, code.AnyName, n)
					return
				}
				w.conceal(known, word, n)
			}
		case w.Grammar.hidden[symbol] != nil && w.Grammar.hidden[symbol](w, n):
			if name := nameIn(w.Text[w.Start(n):w.End(n)]); name != "" {
				w.conceal(known, name, n)
			}
		}
	}
}

func (w *Walk) conceal(known map[string]bool, name string, at Node) {
	if !known[name] {
		known[name] = true
		w.Out.Facts = append(w.Out.Facts, code.Fact{Kind: code.FactHidden, Owner: -1, Name: name, Span: w.Span(at)})
	}
}

// maxHidden is the length in bytes of the longest word that counts as a name.
const maxHidden = 64

// nameIn returns text without quotation marks or the colon of a Ruby symbol around it, if the
// rest is a name; otherwise "".
func nameIn(text []byte) string {
	text = bytes.Trim(text, "\"'`:#")
	if len(text) == 0 || len(text) > maxHidden {
		return ""
	}
	stem := text
	if n := len(text) - 1; n > 0 && bytes.IndexByte([]byte("?!="), text[n]) >= 0 {
		stem = text[:n] // names in Ruby may be empty?, save! and name=
	}
	for i, c := range stem {
		if !inName(c) || i == 0 && '0' <= c && c <= '9' {
			return ""
		}
	}
	return string(text)
}

func inName(c byte) bool {
	return c == '_' || c == '$' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

// words yields the names in a text.
func words(text []byte) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for start := 0; start < len(text); {
			if !inName(text[start]) {
				start++
				continue
			}
			end := start
			for end < len(text) && inName(text[end]) {
				end++
			}
			if name := nameIn(text[start:end]); name != "" && !yield(name) {
				return
			}
			start = end
		}
	}
}

func (t *Tree) lineStart(at int) int { return bytes.LastIndexByte(t.Text[:at], '\n') + 1 }

func (t *Tree) lineEnd(at int) int {
	if i := bytes.IndexByte(t.Text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(t.Text)
}
