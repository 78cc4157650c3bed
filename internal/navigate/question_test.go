package navigate

import (
	"slices"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta"
)

func TestAsksForWork(t *testing.T) {
	for text, want := range map[string]bool{
		"where are stale files indexed again":      true,
		"Which class decides the order":            true,
		"credentials of the other end of a socket": true,
		"process requests that wait for a lock":    true,
		"does the server close idle connections":   true,
		"Returns the number of files that wait":    false,
		"Calls yield for each file of a directory": false,
		"get the name of the current user":         false,
		"whether the buffer holds a whole line":    false,
		"parseConfig":                              false,
		"reindex stale files":                      false, // a few names
	} {
		if asksForWork(text) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
}

func TestAsks(t *testing.T) {
	for text, want := range map[string]bool{"Where are stale files indexed": true, "how": true, "retry what failed": false, "": false} {
		if asks(text) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
}

func TestShowing(t *testing.T) {
	for path, want := range map[string]bool{
		"examples/a.go": true, "pkg/Benchmarks/x/a.kt": true, "dev-examples/a/b.ts": true,
		"a.go": false, "examples.go": false, "src/sampler/a.go": false, "a/example_test.go": false,
	} {
		if showing(path) != want {
			t.Errorf("%s: %t", path, !want)
		}
	}
}

// Overloads let others come between them, and what the query names stays first.
func TestSpreadNames(t *testing.T) {
	make := func(name string, score float64, e exactness) candidate {
		return candidate{path: name, score: score, exact: e, row: &l2meta.Row{Symbol: code.Symbol{Name: name}}}
	}
	order := func(found []candidate) (names []string) {
		spreadNames(found)
		for _, c := range found {
			names = append(names, c.row.Symbol.Name)
		}
		return names
	}
	if got := order([]candidate{make("close", 1, notNamed), make("close", 0.99, notNamed), make("close", 0.98, notNamed), make("drain", 0.92, notNamed)}); !slices.Equal(got, []string{"close", "close", "drain", "close"}) {
		t.Errorf("%v", got)
	}
	if got := order([]candidate{make("close", 1, namedSame), make("close", 0.99, namedSame), make("close", 0.98, namedSame), make("drain", 0.97, notNamed)}); got[2] != "close" {
		t.Errorf("%v", got)
	}
}

// A table has many lines and does nothing; neither does a getter.
func TestSizeIsOfWhatIsDone(t *testing.T) {
	size := func(body string) float64 {
		text := []byte("func f() {\n" + body + "}\n")
		f := &shownFile{text: text, lines: code.NewLineIndex(text)}
		c := candidate{row: &l2meta.Row{Symbol: code.Symbol{Span: code.Span{StartLine: 1, EndLine: f.lines.Count()}}}}
		c.busy = c.calling(f)
		return c.size()
	}
	worker, table, getter := size(strings.Repeat("\tif err := step(x); err != nil {\n\t\treturn err\n\t}\n", 12)), size(strings.Repeat("\t{A, b, false},\n", 40)), size("\treturn x.y\n")
	if worker != 1 || table != 0 || getter != 0 {
		t.Errorf("worker %.2f, table %.2f, getter %.2f", worker, table, getter)
	}
	if short := size("\tx := open(p)\n\tclose(x)\n"); short <= 0 || short >= worker {
		t.Errorf("a short one %.2f", short)
	}
}
