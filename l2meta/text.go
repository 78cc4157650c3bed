package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// textDecl is a declaration that was read from the text itself, without nodes.
// All offsets are bytes of the text.
type textDecl struct {
	kind               code.Kind
	name               string
	owner              string // path before the name, where that is not the enclosing symbol's
	start, end         int
	nameStart, nameEnd int
	body               [2]int // with its delimiters; [0, 0) for none
	signature          string
	returns            string
	parameters         []code.Parameter
	modifiers          []string
	doc                string
}

// declareText adds a symbol below the current one and returns its index. Such
// languages know no privacy: the symbol is exported.
func (w *walk) declareText(d textDecl) int {
	w.out.Symbols = append(w.out.Symbols, code.Symbol{
		Kind: d.kind, Name: d.name, QualifiedName: join(w.ownerPath(d.owner), d.name), Parent: w.encloser,
		Span: w.lines.Span(d.start, d.end), NameSpan: w.lines.Span(d.nameStart, d.nameEnd), Body: d.body,
		Signature: d.signature, Returns: d.returns, Parameters: d.parameters, Modifiers: d.modifiers,
		Exported: true, Doc: clip(strings.TrimSpace(d.doc), code.MaxDocBytes),
	})
	return len(w.out.Symbols) - 1
}

// maxPath bounds the qualified name of a symbol that still encloses others, in
// bytes: names of ever deeper nesting take memory by the square of its depth.
const maxPath = 1000

// tooDeep reports whether nothing more is declared below the symbol at hand.
func (w *walk) tooDeep() bool {
	return w.encloser >= 0 && len(w.out.Symbols[w.encloser].QualifiedName) > maxPath
}

// closeText ends symbol s at the byte offset end; body is where its body starts,
// 0 for none.
func (w *walk) closeText(s, body, end int) {
	symbol := &w.out.Symbols[s]
	end = max(end, symbol.NameSpan.EndByte)
	symbol.Span = w.lines.Span(symbol.Span.StartByte, end)
	if body > 0 && body < end {
		symbol.Body = [2]int{body, end}
	}
}

// textDoc gathers the comments that stand right above what comes next.
type textDoc struct {
	parts []string
	end   int // of the last comment
}

// maxDocParts bounds the line comments of one doc comment.
const maxDocParts = 200

// add takes the comment text[start:end]. One that shares its line with code
// before it documents nothing.
func (d *textDoc) add(text []byte, start, end int) {
	line := start
	for line > 0 && isSpace(text[line-1]) && text[line-1] != '\n' {
		line--
	}
	if line > 0 && text[line-1] != '\n' {
		d.parts = nil
		return
	}
	if len(d.parts) > 0 && !oneBreak(text, d.end, start) || len(d.parts) >= maxDocParts {
		d.parts = d.parts[:0]
	}
	d.parts, d.end = append(d.parts, commentText(string(text[start:end]))), end
}

// before is the doc comment of what starts at start; what follows has none.
func (d *textDoc) before(text []byte, start int) string {
	if len(d.parts) == 0 || !oneBreak(text, d.end, start) {
		d.parts = nil
		return ""
	}
	doc := strings.Join(d.parts, "\n")
	d.parts = nil
	return doc
}

// oneBreak reports whether only white space with at most one line break stands
// in text[from:to].
func oneBreak(text []byte, from, to int) bool {
	breaks := 0
	for i := from; i < to && breaks < 2; i++ {
		if !isSpace(text[i]) {
			return false
		}
		if text[i] == '\n' {
			breaks++
		}
	}
	return breaks < 2
}

// trimmed narrows [from, to) to what stands there without white space around.
func trimmed(text []byte, from, to int) (int, int) {
	for from < to && isSpace(text[from]) {
		from++
	}
	for to > from && isSpace(text[to-1]) {
		to--
	}
	return from, to
}
