package syntax

import (
	"strings"

	"sextant/internal/code"
)

// TextDecl describes a declaration that rules read from the text itself, without nodes. All
// offsets are bytes of the text.
type TextDecl struct {
	Kind               code.Kind
	Name               string
	Owner              string // path before the name, if it differs from the enclosing symbol's
	Start, End         int
	NameStart, NameEnd int
	Body               [2]int // range of the body with its delimiters; empty at 0 if there is none
	Signature          string
	Returns            string
	Parameters         []code.Parameter
	modifiers          []string
	Doc                string
}

// DeclareText adds a symbol as a child of the enclosing symbol and returns its index. The symbol is
// exported: languages that are read without a grammar, such as those of configuration files, have
// no private names.
func (w *Walk) DeclareText(d TextDecl) int {
	w.Out.Symbols = append(w.Out.Symbols, code.Symbol{
		Kind: d.Kind, Name: d.Name, QualifiedName: Join(w.OwnerPath(d.Owner), d.Name), Parent: w.Encloser,
		Span: w.Lines.Span(d.Start, d.End), NameSpan: w.Lines.Span(d.NameStart, d.NameEnd), Body: d.Body,
		Signature: d.Signature, Returns: d.Returns, Parameters: d.Parameters, Modifiers: d.modifiers,
		Exported: true, Doc: Clip(strings.TrimSpace(d.Doc), code.MaxDocBytes),
	})
	return len(w.Out.Symbols) - 1
}

// MaxPath is the largest length in bytes of the qualified name of a symbol that encloses others.
// Without a limit, deep nesting would make the names take memory quadratic in the depth.
const MaxPath = 1000

// TooDeep reports whether the enclosing symbol's name is too long for further nesting.
func (w *Walk) TooDeep() bool {
	return w.Encloser >= 0 && len(w.Out.Symbols[w.Encloser].QualifiedName) > MaxPath
}

// CloseText ends symbol s at the byte offset end. body is the start of its body, 0 if it has none.
func (w *Walk) CloseText(s, body, end int) {
	symbol := &w.Out.Symbols[s]
	end = max(end, symbol.NameSpan.EndByte)
	symbol.Span = w.Lines.Span(symbol.Span.StartByte, end)
	if body > 0 && body < end {
		symbol.Body = [2]int{body, end}
	}
}

// TextDoc collects the comments right above the next declaration.
type TextDoc struct {
	parts []string
	end   int // byte offset at which the last comment ends
}

// MaxDocParts is the largest number of line comments that form one doc comment.
const MaxDocParts = 200

// Add adds the comment text[start:end]. A comment after code on the same line documents nothing;
// for it, Add removes all comments that were added so far.
func (d *TextDoc) Add(text []byte, start, end int) {
	line := start
	for line > 0 && IsSpace(text[line-1]) && text[line-1] != '\n' {
		line--
	}
	if line > 0 && text[line-1] != '\n' {
		d.parts = nil
		return
	}
	if len(d.parts) > 0 && !OneBreak(text, d.end, start) || len(d.parts) >= MaxDocParts {
		d.parts = d.parts[:0]
	}
	d.parts, d.end = append(d.parts, CommentText(string(text[start:end]))), end
}

// Before returns the doc comment of a declaration that starts at start, "" if there is none, and
// removes all comments that were added so far.
func (d *TextDoc) Before(text []byte, start int) string {
	if len(d.parts) == 0 || !OneBreak(text, d.end, start) {
		d.parts = nil
		return ""
	}
	doc := strings.Join(d.parts, "\n")
	d.parts = nil
	return doc
}

// OneBreak reports whether text[from:to] is white space with at most one line break.
func OneBreak(text []byte, from, to int) bool {
	breaks := 0
	for i := from; i < to && breaks < 2; i++ {
		if !IsSpace(text[i]) {
			return false
		}
		if text[i] == '\n' {
			breaks++
		}
	}
	return breaks < 2
}

// Trimmed returns the range [from, to) without the white space at both ends.
func Trimmed(text []byte, from, to int) (int, int) {
	for from < to && IsSpace(text[from]) {
		from++
	}
	for to > from && IsSpace(text[to-1]) {
		to--
	}
	return from, to
}
