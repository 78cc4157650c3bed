package diagram

import (
	"strings"
	"testing"

	"sextant/internal/typeset"
)

// bracketed returns lines with marks around the parts that a terminal colours.
func bracketed(lines []typeset.Line) string {
	var b strings.Builder
	marks := map[typeset.Role][2]string{typeset.Dim: {"<", ">"}, typeset.Name: {"*", "*"}, typeset.Path: {"_", ""},
		typeset.Lines: {"", "_"}}
	for _, l := range lines {
		for _, p := range l {
			if p.Text != "" {
				b.WriteString(marks[p.Role][0] + p.Text + marks[p.Role][1])
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// drawn returns a tree with every kind of line.
func drawn() *Tree {
	depth, limit := Reason{TooDeep, "depth 2"}, Reason{StoppedAt, "limit"}
	return &Tree{Note: "stopped at the limit of 5 edges; the cursor goes on", Sides: []Side{
		{Title: "callers of ", Root: Branch{Name: "f", Place: "a.go:1",
			Ends: []Reason{limit, {OfSymbol, "1 unresolved"}}, Below: []Branch{
				{Name: "g", Place: "b.go:2", Edge: "[syntactic 0.9]", Below: []Branch{
					{Name: "f", Place: "a.go:1", Edge: "[syntactic 0.9]", Turn: "↺ cycle", Ends: []Reason{depth}},
					{Name: "h", Place: "c.go:3", Edge: "[proven 1]", Ends: []Reason{depth, {OfSymbol, "2 external"}}},
				}},
				{Name: "k", Place: "k.go:9", Edge: "[lexical 0.5] ×2", Ends: []Reason{limit}},
			}}, Legend: " (lines are call sites)"},
		{Title: "imports of ", Root: Branch{Name: "pkg"}, Legend: " (lines are import statements)", Forests: []Forest{
			{Title: "going on:", Tops: []Branch{{Name: "x", Place: "dir"}},
				Notes: []string{"(1 more without callees)"}}}},
	}}
}

func TestTreeText(t *testing.T) {
	want := `callers of f  a.go:1 (lines are call sites)  … limit, 1 unresolved
├─ g  b.go:2  [syntactic 0.9]
│  ├─ f  a.go:1  [syntactic 0.9]  ↺ cycle
│  └─ h  c.go:3  [proven 1]  … depth 2, 2 external
└─ k  k.go:9  [lexical 0.5] ×2  … limit

imports of pkg (lines are import statements)
going on:
x  dir
(1 more without callees)
stopped at the limit of 5 edges; the cursor goes on`
	if got := drawn().Text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestTreeOnATerminal checks that a terminal's tree does not repeat reasons for the whole tree at
// each symbol.
func TestTreeOnATerminal(t *testing.T) {
	want := `<callers of >*f*  _../a.go:1_< (lines are call sites)  … 1 unresolved>
<├─ >*g*  _../b.go:2_<  [syntactic 0.9]>
<│  ├─ >*f*  _../a.go:1_<  [syntactic 0.9]  ↺ cycle>
<│  └─ >*h*  _../c.go:3_<  [proven 1]  … 2 external>
<└─ >*k*  _../k.go:9_<  [lexical 0.5] ×2  …>

<imports of >pkg< (lines are import statements)>
going on:
x  _dir
(1 more without callees)
`
	shown := func(file string) string { return "../" + file }
	lines, deeper := drawn().Terminal(shown)
	if got := bracketed(lines); got != want || !deeper {
		t.Errorf("deeper %v, got\n%s\nwant\n%s", deeper, got, want)
	}
	if _, deeper := (&Tree{}).Terminal(shown); deeper {
		t.Error("an empty tree goes deeper")
	}
}

func TestMermaid(t *testing.T) {
	g := &Graph{Nodes: []Node{{ID: "a", Label: "f<T>", Place: "a.go:1"}, {ID: "b", Label: `fmt."x"`, External: true}},
		Edges: []Edge{{From: "a", To: "b"}, {From: "a", To: "b", Evidence: Proven},
			{From: "b", To: "a", Possible: true, Label: "no"}, {From: "a", To: "a", Label: "http"}}}
	want := `flowchart LR
  n0["f#lt;T#gt;<br/>a.go:1"]
  n1(["fmt.#quot;x#quot;"])
  n0 --> n1
  n1 -.-> n0
  n0 -->|http| n0`
	if got := Mermaid(g); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
