package accuracy

import (
	"slices"
	"testing"
)

// TestUses checks that an edge without truth is wrong, that reading and assigning one member
// differ, and that files and places without known truth are not judged.
func TestUses(t *testing.T) {
	get, set := Place{"cart.ts", 3}, Place{"cart.ts", 4}
	truth := []Truth{
		{File: "use.ts", Line: 1, Column: 1, Class: ClassUnknown},
		{File: "use.ts", Line: 2, Column: 3, Name: "total", Class: ClassStatic, Targets: []Place{get}},
		{File: "use.ts", Line: 2, Column: 3, Name: "total", Class: ClassStatic, Targets: []Place{set}, Write: true},
		{File: "use.ts", Line: 3, Column: 3, Name: "total", Class: ClassValue, Targets: []Place{{"priced.ts", 1}}},
		{File: "use.ts", Line: 5, Column: 3, Name: "total", Class: ClassUnknown},
	}
	edge := func(line int, to Place, write bool) Answer {
		return Answer{Line: line, Column: 3, Name: "total", Outcome: OutcomeSettled, Confidence: 0.99,
			Target: to, Write: write}
	}
	all := func(string) bool { return true }
	var a Uses
	wrong, missed := a.Add(truth, []Answer{edge(2, get, false), edge(2, get, true),
		edge(3, Place{"priced.ts", 1}, false), edge(4, get, false), edge(5, get, false)}, all)
	if got := []Rate{a.Precision, a.Recall}; !slices.Equal(got, []Rate{{4, 2}, {2, 1}}) {
		t.Errorf("precision and recall are %v", got)
	}
	if len(wrong) != 2 || wrong[0].Line != 2 || wrong[1].Line != 4 || len(missed) != 1 || !missed[0].Write {
		t.Errorf("wrong %v, missed %v", wrong, missed)
	}
	if a.Add(nil, []Answer{edge(2, get, false)}, all); a.Precision.N != 4 {
		t.Errorf("an edge in a file that the compiler did not read was judged")
	}
}
