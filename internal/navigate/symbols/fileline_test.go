package symbols_test

import (
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestPlacesAsSymbols checks that the symbol with a line is found by every form in which places are printed, that
// lines of a symbol mean this symbol and not one that begins with it, and that a line beyond the end is no place.
func TestPlacesAsSymbols(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"web/main.ts": "function main() {\n  run()\n}\n\nclass Job {\n" +
			"  constructor(private n: number) {\n    run()\n  }\n}\n" +
			"class Pair { first() { return 1 }\n  second() {}\n}\nfunction run() {\n}\n",
	})
	for label, want := range map[string]string{
		"main.ts:2": "main", "main.ts:1-3": "main", "web/main.ts#L13-L14": "run", "main.ts:13-": "run", "main.ts:14:2": "run",
		"main.ts:10-12": "Pair", "main.ts:10": "Pair.first", "main.ts#L4": "web/main.ts", "main.ts:11": "Pair.second",
	} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label}})
		if a.Status != contract.StatusOK || a.SymbolRef.SymbolLabel != want && a.SymbolRef.File != want {
			t.Errorf("%s: %+v %+v, want %s", label, a.Outcome, a.SymbolRef, want)
		}
		if a = b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{File: label}}); a.Status != contract.StatusOK {
			t.Errorf("%s as a file: %+v", label, a.Outcome)
		}
	}
	for _, label := range []string{"main.ts:500", "main.ts#L500-L510", "main.ts:0"} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label}})
		if a.Reason != contract.ReasonMissingSymbol || !strings.Contains(a.Message, "its lines are 1 to 14") {
			t.Errorf("%s: %+v %+v", label, a.Outcome, a.SymbolRef)
		}
	}
	if a := b.Outline("web/main.ts:10-12"); a.Outline == nil || len(a.Outline.Symbols) != 3 {
		t.Errorf("the outline of lines has %+v", a.Outline)
	}
}

// TestNamesLikePlaces checks that a file called "notes:12-15.go" or "a.go:2" is found by its name, and that "a.go:4"
// still means a line.
func TestNamesLikePlaces(t *testing.T) {
	const text = "package p\n\nfunc A() {\n\tB()\n}\n\nfunc B() {}\n"
	files := map[string]string{"a.go": text, "lib/notes:12-15": "one\ntwo\n", "a.go:2": "other\n",
		"lib/b#L3-L5": "linked\n"}
	b := navigatetest.Of(t, files)
	for _, file := range []string{"lib/notes:12-15", "a.go:2", "lib/b#L3-L5"} {
		if a, err := b.Read(contract.ReadRequest{Path: b.Dir, File: file}); err != nil || a.File != file ||
			!strings.HasPrefix(string(a.Text), files[file]) {
			t.Errorf("read %s: %+v %s %q", file, a.Outcome, a.File, a.Text)
		}
		if a := b.Outline(file); a.File != file {
			t.Errorf("outline %s: %+v %s", file, a.Outcome, a.File)
		}
	}
	if a, err := b.Read(contract.ReadRequest{Path: b.Dir, File: "a.go:4"}); err != nil || a.File != "a.go" ||
		!strings.HasPrefix(string(a.Text), "\tB()\n") {
		t.Errorf("a line: %+v %s %q", a.Outcome, a.File, a.Text)
	}
}

// TestGraphOfNamesLikePlaces checks the same of symbols.
func TestGraphOfNamesLikePlaces(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"go.mod": "module m\n", "a": "text\n",
		"a:3-5.go": "package p\n\nfunc A() {\n\tB()\n}\n\nfunc B() {}\n"})
	for _, ref := range []contract.SymbolRef{{SymbolLabel: "a:3-5.go:4"}, {File: "a:3-5.go", SymbolLabel: "A"},
		{File: "a:3-5.go:7", SymbolLabel: "A"}, {SymbolLabel: "a:3-5.go:A"}} {
		a := b.Graph(contract.GraphRequest{SymbolRef: ref})
		if a.Status != contract.StatusOK || a.SymbolRef.SymbolLabel != "A" {
			t.Errorf("%+v: %+v %+v", ref, a.Outcome, a.SymbolRef)
		}
	}
}
