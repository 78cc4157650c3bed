package search

import (
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta"
)

func TestCommentAbove(t *testing.T) {
	for text, want := range map[string]int{
		"x()\n\n// tells\n// more\nfunc f() {}\n":                3,
		"# tells\ndef f():\n":                                    1,
		"x()\nfunc f() {}\n":                                     2,
		strings.Repeat("// a\n", mostAbove+20) + "func f() {}\n": 21,
	} {
		f := &shownFile{text: []byte(text), lines: code.NewLineIndex([]byte(text))}
		last := strings.Count(text, "\n")
		if got := commentAbove(f, last); got != want {
			t.Errorf("%q: %d, not %d", text, got, want)
		}
	}
}

// TestBusyIsWhatCallsOthers checks that a long table and a getter count as less busy than a
// function with calls.
func TestBusyIsWhatCallsOthers(t *testing.T) {
	measure := func(body string) (size, calls float64) {
		text := []byte("func f() {\n" + body + "}\n")
		f := &shownFile{text: text, lines: code.NewLineIndex(text)}
		c := candidate{row: &l2meta.Row{Symbol: code.Symbol{Span: code.Span{StartLine: 1, EndLine: f.lines.Count()}}}}
		return c.size(), busy(text)
	}
	size, calls := measure(strings.Repeat("\tif err := step(x); err != nil {\n\t\treturn err\n\t}\n", 12))
	if size != 1 || calls != 1 {
		t.Errorf("a worker %.2f, %.2f", size, calls)
	}
	if size, calls = measure(strings.Repeat("\t{A, b, false},\n", 40)); size != 1 || calls != 0 {
		t.Errorf("a table %.2f, %.2f", size, calls)
	}
	if size, calls = measure("\treturn x.y\n"); size > 0.5 || calls != 0 {
		t.Errorf("a getter %.2f, %.2f", size, calls)
	}
	if size, calls = measure("\tx := open(p)\n\tclose(x)\n"); size >= 1 || calls <= 0 || calls >= 1 {
		t.Errorf("a short one %.2f, %.2f", size, calls)
	}
}
