package accuracy

import "testing"

func TestProof(t *testing.T) {
	truth := []Truth{
		{Line: 10, Name: "close", Class: ClassStatic, Targets: []Place{{"a.go", 3}}},
		{Line: 11, Name: "open", Class: ClassStatic, Targets: []Place{{"a.go", 20}}},
		{Line: 12, Name: "len", Class: ClassExternal},
		{Line: 13, Name: "hook", Class: ClassValue},
		{Line: 14, Name: "odd", Class: ClassUnknown},
		{Line: 16, Name: "lost", Class: ClassStatic, Targets: []Place{{"a.go", 70}}},
	}
	edge := func(line int, name string, from, to int, proven bool) ProvenEdge {
		return ProvenEdge{Line: line, Name: name, File: "a.go", From: from, To: to, Proven: proven, Stated: 0.95}
	}
	var p Proof
	wrong, open := p.Add(truth,
		[]ProvenEdge{edge(10, "close", 2, 8, false)},
		[]ProvenEdge{
			edge(10, "close", 2, 8, true),
			edge(11, "alias", 20, 25, false), // right by its target despite its name, and not proven
			edge(12, "len", 30, 31, true),    // the callee is external
			edge(13, "hook", 40, 41, true),
			edge(14, "odd", 50, 51, true),
			edge(15, "nothing", 60, 61, true),
		})
	want := Proof{
		Precision: Rate{2, 1}, RecallProven: Rate{3, 1}, RecallStatic: Rate{3, 2}, RecallBefore: Rate{3, 1},
		Values: 1, AtValues: 1, Unjudged: 2,
	}
	if p != want {
		t.Errorf("got %+v\nwant %+v", p, want)
	}
	if len(wrong) != 1 || wrong[0].Name != "len" {
		t.Errorf("wrong edges: %+v", wrong)
	}
	if len(open) != 2 || open[0].Name != "open" || !open[0].Found || open[1].Name != "lost" || open[1].Found {
		t.Errorf("open sites: %+v", open)
	}
}
