package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sextant/internal/budget"
	"sextant/internal/code"
	"sextant/internal/navigate/engine"
	"sextant/internal/navigate/navigatetest"
)

// TestParseKeepsSymbols checks that bytes are parsed once, that an edit of the same size and a file with the same bytes
// in another language are parsed anew, and that the budget can drop what was parsed.
func TestParseKeepsSymbols(t *testing.T) {
	b := navigatetest.Indexed(t, "container/list")
	limit := budget.New(1 << 20)
	e := engine.New(engine.Options{Roots: b.Roots, Version: "test", Budget: limit})
	defer e.Close()
	parse := func(file string) *engine.Parsed {
		t.Helper()
		root, _, err := b.Roots.Resolve(t.Context(), b.Dir)
		if err != nil {
			t.Fatal(err)
		}
		f, err := e.Parse(t.Context(), root, file)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	write := func(file, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(b.Dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	same := func(x, y *engine.Parsed) bool { return &x.Symbols[0] == &y.Symbols[0] }

	first := parse("list.go")
	again := parse("list.go")
	if !same(first, again) || string(again.Text) != string(first.Text) || again.Class != code.ClassSource {
		t.Error("the same bytes are parsed again, or their text or class is lost")
	}
	write("list.go", strings.Replace(string(first.Text), "func (l *List) PushBack(", "func (l *List) PushLast(", 1))
	edited := parse("list.go")
	if same(first, edited) || !declares(edited, "PushLast") || declares(edited, "PushBack") {
		t.Error("after an edit, the symbols are not those of the text")
	}
	write("list.py", string(first.Text))
	if other := parse("list.py"); len(other.Symbols) > 0 && other.Symbols[0].Kind == first.Symbols[0].Kind {
		t.Error("a file in another language has the symbols of the one with its bytes")
	}
	if limit.Clear(); same(edited, parse("list.go")) {
		t.Error("the budget drops nothing")
	}
	for i := range 50 {
		write("list.go", string(first.Text)+strings.Repeat("\n", i))
		parse("list.go")
	}
	if held, _ := limit.Held(); held > 200_000 {
		t.Errorf("%d bytes are held of a file that has one version", held)
	}
}

// declares reports whether a file has a symbol of the given name.
func declares(f *engine.Parsed, name string) bool {
	for i := range f.Symbols {
		if f.Symbols[i].Name == name {
			return true
		}
	}
	return false
}
