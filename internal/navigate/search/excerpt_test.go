package search

import (
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/l2meta"
)

// TestExcerptLines checks how many lines the results of a question show: most of the first ones, and the
// declaration of a function whose body has no word of the question.
func TestExcerptLines(t *testing.T) {
	const text = `func drop(list []Token,
	now time.Time) {
	a()
	b()
	c(list) // tokens past their deadline
	d()
	e()
	f()
	g()
	h()
}
`
	f := &shownFile{text: []byte(text), lines: code.NewLineIndex([]byte(text))}
	row := &l2meta.Row{Symbol: code.Symbol{QualifiedName: "drop", Span: code.Span{StartLine: 1, EndLine: 11}}}
	c := &candidate{row: row, start: 1, end: 11}
	for _, question := range []struct {
		words string
		index int
		from  int // cursor of the page
		lines int
		first string
	}{
		{"past the deadline", 0, 0, 11, "func drop(list []Token,"}, // whole
		{"past the deadline", 3, 0, 3, "c(list)"},
		{"past the deadline", leading, 0, 1, "c(list)"},
		{"past the deadline", leading, 10, 1, "c(list)"},
		{"nothing like it", 3, 0, 3, "func drop(list []Token,"},
		{"nothing like it", leading, 0, 1, "func drop(list []Token,"},
	} {
		d := &drawing{search: &search{req: &contract.SearchRequest{}, answer: &contract.SearchAnswer{From: question.from},
			terms: terms{list: queryTerms(question.words)}}}
		d.query.Text = question.words
		got, at := d.excerpt(f, c, question.index)
		if n := at.EndLine - at.StartLine + 1; n != question.lines ||
			!strings.HasPrefix(strings.TrimSpace(got), question.first) {
			t.Errorf("%q, result %d: lines %d to %d, %q", question.words, question.index, at.StartLine, at.EndLine, got)
		}
	}
}
