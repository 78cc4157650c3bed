package symbols_test

import (
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestCopiesDoNotRivalTheDeclaration checks that a name means its declaration in source, although pages of
// documentation and snapshots of tests have it as well, and that their places still lead to these.
func TestCopiesDoNotRivalTheDeclaration(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"core/history.ts":                  "export function useHistory(a: number) {\n  return a\n}\n",
		"core/history.md":                  "# useHistory\n\nKeeps a history.\n",
		"docs/useHistory.md":               "# useHistory\n\nSee the code.\n",
		"test/__snapshots__/index.snap.js": "export function useHistory(_) {}\n",
		"core/use.spec.ts": "mock('./history', () => ({\n  useHistory() { return 1 },\n}))\n" +
			"function onlyTested() {}\n",
		"testdata/only.ts": "export function onlyCopied() {}\n",
		"CHANGELOG.md":     "# Changes\n",
		"docs/list.md":     "# CHANGELOG\n",
	})
	for label, want := range map[string]string{"useHistory": "core/history.ts", "onlyCopied": "testdata/only.ts",
		"onlyTested": "core/use.spec.ts",
		"test/__snapshots__/index.snap.js:useHistory": "test/__snapshots__/index.snap.js"} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label}})
		if a.Status != contract.StatusOK || a.SymbolRef.File != want {
			t.Errorf("%s: %+v %+v, want one in %s", label, a.Outcome, a.SymbolRef, want)
		}
	}
	for query, want := range map[string]string{"useHistory": "core/history.ts", "CHANGELOG": "CHANGELOG.md"} {
		if g := b.Search(contract.SearchRequest{Query: query}).Results[0].(*contract.Group); g.File != want {
			t.Errorf("%s: first is %s, want %s", query, g.File, want)
		}
	}
}

// TestOperators checks that every operator of a class is found by its name in C++.
func TestOperators(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"entry.h": `struct Entry {
	bool operator==(const Entry& o) const { return true; }
	bool operator!=(const Entry& o) const { return true; }
	int operator()(int a) { return 1; }
	int operator[](int a) { return 2; }
	Entry* operator->() { return this; }
	Entry& operator*() { return *this; }
	Entry* operator&() { return this; }
	operator bool() const { return true; }
	Entry& operator<<(int a) { return *this; }
	Entry& operator+=(int a) { return *this; }
};
struct Other {
	bool operator==(const Other& o) const { return true; }
	int operator()(int a) { return 1; }
};
`})
	for i, name := range []string{"==", "!=", "()", "[]", "->", "*", "&", " bool", "<<", "+="} {
		for _, label := range []string{"Entry::operator" + name, "Entry.operator" + name} {
			a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label}})
			if a.Status != contract.StatusOK || a.Nodes[0].Span.StartLine != i+2 {
				t.Errorf("%s: %+v %+v, want line %d", label, a.Outcome, a.Candidates, i+2)
			}
		}
	}
}
