package diagram

import (
	"encoding/xml"
	"fmt"
	"go/build"
	"io"
	"math"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// imports returns the import graph of a package of the standard library, limited to most packages.
// It serves as a real graph that is always available.
func imports(t testing.TB, root string, most int) *Graph {
	t.Helper()
	g := &Graph{Title: "Imports of " + root, Root: root, Note: "Not all of it."}
	queue, seen := []string{root}, map[string]bool{root: true}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		g.Nodes = append(g.Nodes, Node{ID: name, Label: name, Place: "src/" + name, Group: path.Dir(name),
			External: name == "unsafe"})
		p, err := build.Import(name, filepath.Join(build.Default.GOROOT, "src"), 0)
		if err != nil && p == nil {
			t.Fatal(err)
		}
		// Limit the edges per node to about as many as a call graph has.
		for _, i := range p.Imports[:min(len(p.Imports), 5+len(g.Nodes)%4)] {
			g.Edges = append(g.Edges, Edge{From: name, To: i, Evidence: Evidence(len(i) % 3), Possible: len(i)%7 == 0})
			if !seen[i] && len(seen) < most {
				seen[i] = true
				queue = append(queue, i)
			}
		}
	}
	return g
}

// hostile returns a graph with every special character of the output formats, a cycle, a loop, an
// edge to a missing node, and an unreachable node.
func hostile() *Graph {
	return &Graph{Title: "a < b & \"c\" \\N \x00\x1b[31m \u202e]]>", Root: "1", Nodes: []Node{
		{ID: "1", Label: `operator<"\l\N`, Place: "a b/\"c\".go:1", Group: "<g>"},
		{ID: "2", Label: "x\ny\x01" + strings.Repeat("long", 40), Place: "größe.go:2", Group: "h&m"},
		{ID: "3", Label: "", External: true}, {ID: "4", Label: "日本語", Group: "\xff"},
	}, Edges: []Edge{{From: "1", To: "2"}, {From: "2", To: "1"}, {From: "1", To: "1"},
		{From: "2", To: "3", Evidence: Proven, Possible: true}, {From: "2", To: "3", Possible: true},
		{From: "1", To: "9"}}}
}

func graphs(t testing.TB) map[string]*Graph {
	return map[string]*Graph{"hostile": hostile(), "empty": {Title: "nothing"},
		"one":   {Title: "one", Root: "a", Nodes: []Node{{ID: "a", Label: "a"}}},
		"small": imports(t, "bufio", 20), "large": imports(t, "net/http", 200)}
}

// elements counts the elements of a well-formed document by name.
func elements(t *testing.T, text string) map[string]int {
	t.Helper()
	count := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return count
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		if e, ok := tok.(xml.StartElement); ok {
			count[e.Name.Local]++
		}
	}
}

func TestSVGIsWellFormedAndWhole(t *testing.T) {
	for name, g := range graphs(t) {
		text := SVG(g)
		if n := elements(t, text)["g"]; n != len(g.Nodes) {
			t.Errorf("%s: %d boxes for %d nodes", name, n, len(g.Nodes))
		}
		if n, want := strings.Count(text, "<path d=\"M")-strings.Count(text, `<path d="M0 0.5`)-len(legend(g)),
			len(g.arrows()); n != want {
			t.Errorf("%s: %d arrows are drawn of %d", name, n, want)
		}
		if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
			t.Errorf("%s: a coordinate is no number", name)
		}
		if first := DOT(g); SVG(g) != text || DOT(g) != first {
			t.Errorf("%s: equal graphs are drawn differently", name)
		}
	}
}

// TestLayout checks the invariants of a layered drawing: links lead from a layer to the next, and
// boxes in a layer do not overlap.
func TestLayout(t *testing.T) {
	for name, g := range graphs(t) {
		l := newLayout(len(g.Nodes), g.arrows())
		l.width, l.height = make([]float64, len(l.layer)), make([]float64, len(l.layer))
		for i := range g.Nodes {
			l.width[i], l.height[i] = boxWidth(&g.Nodes[i]), boxHeight
		}
		position := make([]int, len(l.layer))
		for _, layer := range l.layers {
			for i, v := range layer {
				position[v] = i
			}
		}
		before := l.crossings(position)
		l.order()
		for _, layer := range l.layers {
			for i, v := range layer {
				position[v] = i
			}
		}
		if after := l.crossings(position); after > before || name == "large" && after*2 > before {
			t.Errorf("%s: ordering left %d crossings of %d", name, after, before)
		}
		l.place()
		for i, route := range l.route {
			for k := 1; k < len(route); k++ {
				if l.layer[route[k]] != l.layer[route[k-1]]+1 {
					t.Errorf("%s: arrow %d skips a layer", name, i)
				}
			}
		}
		for _, layer := range l.layers {
			for k := 1; k < len(layer); k++ {
				if gap := l.y[layer[k]] - l.y[layer[k-1]]; gap < l.apart(layer[k-1], layer[k])-0.01 {
					t.Errorf("%s: two boxes of a layer are %.1f apart", name, gap)
				}
			}
		}
	}
}

// TestDOTIsAccepted passes the DOT output to Graphviz, if it is installed.
func TestDOTIsAccepted(t *testing.T) {
	program, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("Graphviz is not installed: its reading of DOT is not tested")
	}
	all := graphs(t)
	delete(all, "large") // dot needs a minute for it
	for name, g := range all {
		cmd := exec.Command(program, "-Tsvg")
		cmd.Stdin = strings.NewReader(DOT(g))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		if i := slices.Index(out, '<'); i > 0 {
			t.Errorf("%s: dot warns: %s", name, out[:i])
		}
	}
	if dir := os.Getenv("SEXTANT_DIAGRAMS"); dir != "" {
		for name, g := range graphs(t) {
			if err := os.WriteFile(filepath.Join(dir, name+".svg"), []byte(SVG(g)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestLoneNodes checks that nodes without arrows are placed below the others, in rows.
func TestLoneNodes(t *testing.T) {
	g := &Graph{Edges: []Edge{{From: "0", To: "1"}, {From: "1", To: "2"}}}
	for i := range 20 {
		g.Nodes = append(g.Nodes, Node{ID: fmt.Sprint(i), Label: "a service"})
	}
	l := newLayout(len(g.Nodes), g.arrows())
	l.width, l.height = make([]float64, len(l.layer)), make([]float64, len(l.layer))
	for i := range g.Nodes {
		l.width[i], l.height[i] = boxWidth(&g.Nodes[i]), boxHeight
	}
	l.order()
	l.place()
	if len(l.lone) != 17 {
		t.Fatalf("%d nodes alone, want 17", len(l.lone))
	}
	for i, v := range l.lone {
		if l.y[v]-boxHeight/2 <= l.y[2]+boxHeight/2 {
			t.Errorf("node %d stands beside the graph", v)
		}
		for _, w := range l.lone[:i] {
			if math.Abs(l.x[v]-l.x[w]) < (l.width[v]+l.width[w])/2 && math.Abs(l.y[v]-l.y[w]) < boxHeight {
				t.Errorf("nodes %d and %d overlap", v, w)
			}
		}
	}
}

// TestArrowsAreMerged checks that edges between the same nodes with the same label are one arrow,
// with their number and the weakest evidence, and that other edges are not merged. The arrows are
// in the order of the nodes.
func TestArrowsAreMerged(t *testing.T) {
	g := &Graph{Title: "t", Root: "a", Nodes: []Node{{ID: "b", Label: "b"}, {ID: "a", Label: "a<"}}, Edges: []Edge{
		{From: "a", To: "b", Evidence: Proven}, {From: "a", To: "b", Evidence: Syntactic}, {From: "a", To: "none"},
		{From: "a", To: "b", Evidence: Proven, Possible: true}, {From: "b", To: "a", Label: "POST /"},
		{From: "b", To: "a", Label: "GET /"}, {From: "b", To: "a", Label: "GET /"}}}
	var got []string
	for _, a := range g.arrows() {
		got = append(got, fmt.Sprintf("%d>%d %d %t %q %d", a.from, a.to, a.evidence, a.possible, a.label, a.count))
	}
	want := `0>1 0 false "GET /" 2; 0>1 0 false "POST /" 1; 1>0 1 false "" 2; 1>0 2 true "" 1`
	if all := strings.Join(got, "; "); all != want {
		t.Errorf("%s\nwant %s", all, want)
	}
	text := SVG(g)
	for _, title := range []string{"b → a&lt; GET / ×2<", "b → a&lt; POST /<", "a&lt; → b ×2<", "a&lt; → b<"} {
		if strings.Count(text, "<title>"+title) != 1 {
			t.Errorf("%d arrows are called %s", strings.Count(text, "<title>"+title), title)
		}
	}
}

// TestColoursOfGroups checks that the largest groups have a colour of their own, and that external
// nodes have another.
func TestColoursOfGroups(t *testing.T) {
	g := &Graph{Nodes: []Node{{ID: "0", Group: "z"}, {ID: "1", Group: "z"}, {ID: "2", External: true, Group: "z"},
		{ID: "3"}}}
	for i := range len(fills) {
		g.Nodes = append(g.Nodes, Node{ID: fmt.Sprint(10 + i), Group: fmt.Sprintf("g%02d", i)})
	}
	fill := g.fillOf()
	last := len(g.Nodes) - 1
	for i, want := range map[int]string{0: fills[0], 1: fills[0], 2: externalFill, 3: plainFill, 4: fills[1],
		last:     plainFill,
		last - 1: fills[len(fills)-1]} {
		if got := fill(&g.Nodes[i]); got != want {
			t.Errorf("node %d is %s, want %s", i, got, want)
		}
	}
}
