package gotrace

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestPairs(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module traced\n\ngo 1.21\n",
		"a.go": `package traced

type T struct{}

func (t *T) Close() { helper(1) }

func helper(
	n int,
) int { return n }

func never() { helper(2) }
`,
		"a_test.go": `package traced

import "testing"

func TestIt(t *testing.T) {
	x := &T{}
	x.Close()
}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Pairs(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []Pair{
		{"a.go", 5, "helper", "a.go", 7},
		{"a_test.go", 7, "Close", "a.go", 5},
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%+v was not seen in %+v", want, got)
		}
	}
	if slices.ContainsFunc(got, func(p Pair) bool { return p.Line == 11 }) {
		t.Errorf("a call that never ran was seen: %+v", got)
	}
}
