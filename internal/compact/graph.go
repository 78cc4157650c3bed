package compact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/typeset"
)

func (w *writer) graph(a *contract.GraphAnswer, req *contract.GraphRequest) {
	w.head(a.Outcome, a.Path, a.CodebaseRoot)
	w.codes(a.Warnings)
	switch {
	case a.Status != contract.StatusOK:
		w.candidates(a.Candidates)
		if len(a.Candidates) == 0 {
			w.hints(a.Hints)
		}
		return
	case a.Impact != nil:
		w.impact(a, req)
		return
	case a.Tree+a.Mermaid != "":
		w.line("%s", a.Tree+a.Mermaid)
	default:
		newGraph(w, a, req).sections()
		w.bodies(a.Bodies)
	}
	if t := a.Truncated; t != nil {
		longer := plain("")
		if next := nextGraph(t); next != nil && next.DeadlineMs > req.DeadlineMs {
			longer = w.option("deadlineMs", next.DeadlineMs)
		}
		omitted := "?" // the number of omitted edges is unknown, because the deadline ended the walk
		if t.Omitted > 0 {
			omitted = fmt.Sprint(t.Omitted)
		}
		w.put(plain(fmt.Sprintf("+%s more edges (%s)", omitted, t.Cause)), w.continued(a.Cursor), longer)
	}
}

// nextGraph returns the request for the page after the cut t, or nil if there is none.
func nextGraph(t *contract.Truncation) *contract.GraphRequest {
	if t.Next == nil {
		return nil
	}
	next, _ := t.Next.Args.(*contract.GraphRequest)
	return next
}

// graph is the state of rendering a call graph.
type graph struct {
	*writer
	answer  *contract.GraphAnswer
	request *contract.GraphRequest
	part    bool // the answer has other pages, so an empty list does not mean that there are no calls
	hidden  int  // number of call sites and notes that lines replace by "+N"; detail "full" shows them
	root    *contract.Node
	nodes   map[string]*contract.Node
	into    map[string][]*calls         // id of the callee → calls
	from    map[string][]*calls         // id of the caller → calls
	inner   map[string][]*contract.Node // id of a function → functions declared in it
	opened  map[string]bool             // symbols whose neighbours have been written
	written map[*calls]bool
	quoted  map[contract.Site]bool // call sites of callees whose source has been written
	heading string                 // the file of the last heading, which the lines below it do not repeat; see noHeading
	usual   string                 // the evidence stated in the heading of a section
}

// calls holds the edges of one kind from one symbol to another.
type calls struct {
	src, dst *contract.Node
	edges    []*contract.Edge
}

func newGraph(w *writer, a *contract.GraphAnswer, req *contract.GraphRequest) *graph {
	g := &graph{writer: w, answer: a, request: req, part: req.Cursor != "" || a.Truncated != nil,
		nodes: map[string]*contract.Node{}, into: map[string][]*calls{}, from: map[string][]*calls{},
		inner: map[string][]*contract.Node{}, opened: map[string]bool{}, written: map[*calls]bool{},
		quoted: map[contract.Site]bool{}}
	for i := range a.Nodes {
		n := &a.Nodes[i]
		g.nodes[n.SymbolID] = n
		if n.SymbolID == a.SymbolRef.SymbolID {
			g.root = n
		}
		if n.Within != "" {
			g.inner[n.Within] = append(g.inner[n.Within], n)
		}
	}
	for i := range a.Edges {
		g.add(&a.Edges[i])
	}
	return g
}

// add adds an edge to the calls of its kind between its symbols, unless one of them is not among the nodes.
func (g *graph) add(e *contract.Edge) {
	src, dst := g.nodes[e.Src], g.nodes[e.Dst]
	if src == nil || dst == nil {
		return
	}
	for _, c := range g.from[e.Src] {
		if c.dst == dst && c.edges[0].Kind == e.Kind {
			c.edges = append(c.edges, e)
			return
		}
	}
	c := &calls{src, dst, []*contract.Edge{e}}
	g.from[e.Src], g.into[e.Dst] = append(g.from[e.Src], c), append(g.into[e.Dst], c)
}

// sections writes the callers, the callees, the other edges, and notes such as unresolved calls.
func (g *graph) sections() {
	if g.root == nil {
		return
	}
	if g.answer.Direction != contract.DirectionCallees {
		g.callers()
	}
	if g.answer.Direction != contract.DirectionCallers {
		g.callees()
	}
	g.nothingYet()
	g.others()
	g.folded()
	g.notes()
	if g.hidden > 0 {
		g.put(plain(fmt.Sprintf("+%d in the lists above", g.hidden)), g.option("detail", contract.DetailFull))
	}
	g.servers()
}

// nothingYet writes a heading with the root's name if the deadline ended the page before its first
// edge. The page would not name the root otherwise.
func (g *graph) nothingYet() {
	t := g.answer.Truncated
	if t == nil || t.Cause != contract.CauseDeadline || len(g.answer.Edges) > 0 {
		return
	}
	what := map[contract.Direction]string{contract.DirectionCallers: "callers", contract.DirectionCallees: "callees"}
	g.title("the deadline came before the first of the "+cmp.Or(what[g.answer.Direction], "callers and callees"), nil)
}

// tops returns the symbols at depth 0, the root first. The others are its members if it is a type,
// or the functions declared in it.
func (g *graph) tops() (out []*contract.Node) {
	for i := range g.answer.Nodes {
		if n := &g.answer.Nodes[i]; n.Depth == 0 && n != g.root {
			out = append(out, n)
		}
	}
	return append([]*contract.Node{g.root}, out...)
}

// title writes the heading of a section, "callers of Server.Handle (server.go:12), depth 2:
// proven by gopls". The evidence after the colon is the most frequent evidence among the calls in
// list.
func (g *graph) title(what string, list []*calls) {
	g.usual = usual(list)
	parts := []typeset.Part{plain(what + " of "), named(code.QuotePath(g.root.SymbolLabel))}
	// The second of two sections omits the place, which the first one states.
	if g.root.Span.StartLine > 0 && g.root.File != "" && g.heading == "" {
		parts = append(parts, plain(" ("), g.file(g.root.File),
			placed(fmt.Sprintf(":%d", g.root.Span.StartLine)), plain(")"))
	}
	if g.answer.Depth > 1 {
		parts = append(parts, plain(fmt.Sprintf(", depth %d", g.answer.Depth)))
	}
	g.put(append(parts, dim(g.usual))...)
	g.heading = noHeading
}

func (g *graph) callers() {
	var first []*calls
	for _, n := range g.tops() {
		for _, c := range g.into[n.SymbolID] {
			if g.answer.Direction == contract.DirectionCallers || c.src.Depth > 0 || c.src == n {
				first = append(first, c)
			}
		}
	}
	if len(first) == 0 {
		g.noCallers()
		return
	}
	g.title("callers", slices.Concat(first, g.above(first)))
	for _, n := range g.tops() {
		g.opened[n.SymbolID] = true
	}
	slices.SortStableFunc(first, func(x, y *calls) int { return compareSites(x.edges[0], y.edges[0]) })
	alone := filesOnce(first, func(c *calls) string { return c.edges[0].Site.File })
	for _, c := range first {
		g.open(c.edges[0].Site.File, alone)
		g.caller(c, g.root, 1)
	}
}

// filesOnce returns a map from file to whether only one call in list is in that file. Such a file
// gets no heading.
func filesOnce(list []*calls, file func(*calls) string) map[string]bool {
	counts := map[string]int{}
	for _, c := range list {
		counts[file(c)]++
	}
	once := map[string]bool{}
	for f, n := range counts {
		once[f] = n == 1
	}
	return once
}

// open writes the heading for a file if the line to be written next is the first one of that
// file. It writes none for a file in alone, which has a single line.
func (g *graph) open(file string, alone map[string]bool) {
	switch {
	case alone[file]:
		g.heading = noHeading
	case file != g.heading:
		g.heading = file
		g.put(g.file(cmp.Or(file, "external")))
	}
}

// noHeading is the value of graph.heading where no heading applies: each line then states the
// path of its file itself.
const noHeading = "\x00"

// above returns the calls that lead to the given calls: the calls to their callers and to the
// functions around these, the calls to the callers of those, and so on.
func (g *graph) above(first []*calls) (out []*calls) {
	seen := map[*contract.Node]bool{}
	var visit func(n *contract.Node)
	visit = func(n *contract.Node) {
		if !seen[n] {
			seen[n] = true
			for _, c := range g.into[n.SymbolID] {
				out = append(out, c)
				visit(c.src)
			}
			if around := g.nodes[n.Within]; around != nil {
				visit(around)
			}
		}
	}
	for _, c := range first {
		visit(c.src)
	}
	return out
}

// compareSites orders edges by their call sites: by file, then by line. Call sites in tests are
// last.
func compareSites(x, y *contract.Edge) int {
	test := func(e *contract.Edge) int {
		if e.InTest {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(test(x), test(y)), cmp.Compare(x.Site.File, y.Site.File),
		cmp.Compare(x.Site.StartLine, y.Site.StartLine))
}

// caller writes a line for a caller, with the lines of its calls. Indented below that line are the
// callers of this caller, and those of the function that declares it. The parameter below is the
// symbol under whose line the caller is written.
func (g *graph) caller(c *calls, below *contract.Node, indent int) {
	if g.written[c] {
		return
	}
	g.written[c] = true
	more := g.into[c.src.SymbolID]
	parts := append([]typeset.Part{plain(g.indentation(indent))},
		g.within(c.edges[0].Site.File, g.siteLines(c.edges))...)
	parts = append(parts, named(" "+g.label(c.src)))
	if c.dst != below && c.dst != g.root {
		parts = append(parts, plain(" -> "), named(g.label(c.dst)))
	}
	parts = append(parts, source(c.edges[0])...)
	parts = append(parts, dim(g.mark(c)))
	if g.opened[c.src.SymbolID] && len(more) > 0 {
		parts = append(parts, dim("  (callers above)"))
	}
	g.put(parts...)
	if g.opened[c.src.SymbolID] {
		return
	}
	g.opened[c.src.SymbolID] = true
	slices.SortStableFunc(more, func(x, y *calls) int { return compareSites(x.edges[0], y.edges[0]) })
	for _, up := range more {
		g.caller(up, c.src, indent+1)
	}
	around := g.nodes[c.src.Within]
	if around == nil || g.opened[around.SymbolID] {
		return
	}
	g.opened[around.SymbolID] = true
	for _, up := range g.into[around.SymbolID] {
		g.caller(up, c.src, indent+1)
	}
}

func (g *graph) callees() {
	var first []*calls
	for _, n := range g.tops() {
		first = append(first, g.from[n.SymbolID]...)
	}
	first = slices.DeleteFunc(first, func(c *calls) bool { return g.written[c] })
	if len(first) == 0 {
		if !g.part && (g.answer.Direction == contract.DirectionCallees || g.heading == "") {
			g.title("no callees", nil)
		}
		return
	}
	g.title("callees", first)
	clear(g.opened)
	for _, n := range g.tops() {
		g.opened[n.SymbolID] = true
	}
	alone := filesOnce(first, func(c *calls) string { return c.dst.File })
	for _, c := range byCallee(first) {
		g.open(c.dst.File, alone)
		g.callee(c, g.root, 1)
	}
}

// indentation returns the spaces at the beginning of a line, one step less if no heading names the file.
func (g *graph) indentation(indent int) string {
	if g.heading == noHeading {
		indent--
	}
	return strings.Repeat("  ", indent)
}

// within returns line numbers, after the path of their file unless the heading states it.
func (g *graph) within(file, lines string) []typeset.Part {
	if file == g.heading || file == "" {
		return []typeset.Part{placed(lines)}
	}
	return []typeset.Part{g.file(file), placed(":" + lines)}
}

// byCallee returns the calls in the order of their call sites, but with callees of the same file together.
func byCallee(list []*calls) []*calls {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(x, y *calls) int { return compareSites(x.edges[0], y.edges[0]) })
	rank := map[string]int{}
	for _, c := range list {
		if _, ok := rank[c.dst.File]; !ok {
			rank[c.dst.File] = len(rank)
		}
	}
	slices.SortStableFunc(list, func(x, y *calls) int { return cmp.Compare(rank[x.dst.File], rank[y.dst.File]) })
	return list
}

// callee writes a line for a callee, with the place of its declaration and the lines of the calls.
// Indented below that line are the callees of this callee and of the functions declared in it. The
// parameter above is the symbol under whose line the callee is written.
func (g *graph) callee(c *calls, above *contract.Node, indent int) {
	if g.written[c] {
		return
	}
	g.written[c] = true
	parts := []typeset.Part{plain(g.indentation(indent))}
	if c.dst.Span.StartLine > 0 {
		parts = append(parts, g.within(c.dst.File, fmt.Sprint(c.dst.Span.StartLine))...)
		parts = append(parts, plain(" "))
	}
	parts = append(parts, named(g.label(c.dst)))
	if !declaredAt(c) {
		parts = append(parts, plain(" at "), placed(g.siteLines(c.edges)))
	}
	if c.src != above && c.src != g.root {
		parts = append(parts, plain(" in "), named(strings.TrimPrefix(g.label(c.src), above.SymbolLabel+".")))
	}
	if g.quotes(c.edges[0]) {
		parts = append(parts, source(c.edges[0])...)
	}
	parts = append(parts, dim(g.mark(c)))
	more := g.from[c.dst.SymbolID]
	for _, n := range g.inner[c.dst.SymbolID] {
		more = append(more, g.from[n.SymbolID]...)
	}
	if g.opened[c.dst.SymbolID] && len(more) > 0 {
		parts = append(parts, dim("  (callees above)"))
	}
	g.put(parts...)
	if g.opened[c.dst.SymbolID] {
		return
	}
	g.opened[c.dst.SymbolID] = true
	for _, n := range g.inner[c.dst.SymbolID] {
		g.opened[n.SymbolID] = true
	}
	for _, down := range byCallee(more) {
		g.callee(down, c.dst, indent+1)
	}
}

// declaredAt reports whether the site of an edge is the declaration of its target. An edge from a
// method to an implementation of it has such a site, because no call leads there.
func declaredAt(c *calls) bool {
	s := c.edges[0].Site
	return s.File == c.dst.File && s.StartLine == c.dst.Span.StartLine
}

// others writes the edges that are neither in the section of callers nor in that of callees: calls
// between callers and callees, and calls below symbols of an earlier page.
func (g *graph) others() {
	first := true
	for _, n := range g.answer.Nodes {
		for _, c := range g.from[n.SymbolID] {
			if g.written[c] {
				continue
			}
			if first {
				g.line("other calls")
				first = false
			}
			parts := []typeset.Part{plain("  "), named(g.label(c.src)), plain(" -> "), named(g.label(c.dst)),
				plain(" "), g.file(c.edges[0].Site.File), placed(":" + g.siteLines(c.edges))}
			g.put(append(append(parts, source(c.edges[0])...), dim(g.mark(c)))...)
		}
	}
}

// label returns the name of a node, with "(external)" if it is outside of the workspace. It is
// "(top level)" for code outside of functions, if the heading names its file.
func (g *graph) label(n *contract.Node) string {
	if n.SymbolLabel == n.File && n.File == g.heading {
		return "(top level)"
	}
	if n.External {
		return n.SymbolLabel + " (external)"
	}
	return code.QuotePath(n.SymbolLabel) // the label of a file or a folder is its path
}
