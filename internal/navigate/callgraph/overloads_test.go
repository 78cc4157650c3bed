package callgraph_test

import (
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestOverloadsAreNamedApart checks that a label of two overloads is ambiguous though only one of them has a
// body, and that the two parts of one method are one symbol.
func TestOverloadsAreNamedApart(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"Queue.java": "package a;\n\npublic interface Queue<T> {\n    default void emit(T m) { emit(null, m); }\n" +
			"    void emit(String k, T m);\n}\n",
		"Part.cs": "partial class Part {\n    partial void Load(int n);\n    partial void Load(int n) { Read(); }\n" +
			"    void Read() { }\n}\n",
		"over.ts": "export function pick(a: string): string;\nexport function pick(a: number): number;\n" +
			"export function pick(a: any): any { return a; }\n",
	})
	for label, want := range map[string]int{"Queue.emit": 2, "Part.Load": 0, "pick": 0} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label}})
		if len(a.Candidates) != want || (a.Status == contract.StatusOK) != (want == 0) {
			t.Errorf("%s: status %s, candidates %+v", label, a.Status, a.Candidates)
		}
	}
}
