package l2meta

import (
	"slices"
	"testing"

	"sextant/internal/code"
)

// TestParameterAliases checks that a parameter or a local variable is another name of its type's
// call operator only if the file calls it without a receiver.
func TestParameterAliases(t *testing.T) {
	file := func(kind code.FactKind, owner int, receiver string) *code.File {
		return &code.File{
			Symbols: []code.Symbol{{Kind: code.KindFunction, Name: "merge"}},
			Calls:   []code.Call{{Callee: "new", Receiver: receiver}},
			Facts:   []code.Fact{{Kind: kind, Owner: owner, Name: "new", Type: "Query"}},
		}
	}
	for _, c := range []struct {
		name     string
		kind     code.FactKind
		owner    int
		receiver string
		alias    bool
	}{
		{"fn merge(new: Query) { new() }", code.FactParam, 0, "", true},
		{"fn merge(new: Query) { Vec::new() }", code.FactParam, 0, "Vec", false},
		{"fn merge() { let new: Query; Vec::new() }", code.FactVar, 0, "Vec", false},
		{"new: Query; this.new()", code.FactField, 0, "this", true},
		{"export const new: Query; ns.new()", code.FactVar, -1, "ns", true},
	} {
		got := slices.Contains(Aliases(file(c.kind, c.owner, c.receiver)), Alias{Name: "new", Of: "Query"})
		if got != c.alias {
			t.Errorf("%s: alias %v, want %v", c.name, got, c.alias)
		}
	}
}
