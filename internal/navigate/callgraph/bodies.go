package callgraph

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/symbols"
)

// bodySize holds the largest numbers of lines to show of one body.
type bodySize struct {
	root  int // largest number of lines of the requested symbol
	other int // largest number of lines of a caller or callee
}

// bodySizes lists the sizes that are tried in this order until all bodies fit the token budget.
// If they do not fit with the last size, fewer edges are shown. The last size has room for a
// signature, a call and the branches around it.
var bodySizes = [...]bodySize{{1000, 120}, {1000, 40}, {1000, 12}, {200, 40}, {200, 12}, {60, 12}, {20, 6}}

// bodies returns the source of the symbols on this page of the graph: on the first page the requested
// symbol, then the symbols at the other ends of the edges, in the order in which they were found, tests
// last. A symbol of an earlier page is not repeated. A body that exceeds the limits in most is cut to the
// lines that matter.
func (p *graphPart) bodies(most bodySize) (out []contract.Body) {
	w, shown := p.walk, map[*tracedNode]bool{}
	if root := w.roots[0]; p.from == 0 {
		out = append(out, p.body(root, contract.RoleSymbol, most.root))
	}
	for _, n := range w.roots {
		shown[n] = true // the other roots are members or nested functions of the first
	}
	for i := range w.edges[:p.from] {
		shown[w.edges[i].from], shown[w.edges[i].to] = true, true
	}
	edges := slices.Clone(p.edges())
	slices.SortStableFunc(edges, func(a, b tracedEdge) int { return btoi(inTest(&a)) - btoi(inTest(&b)) })
	for i := range edges {
		e := &edges[i]
		if shown[e.to] {
			continue
		}
		shown[e.to] = true
		role := contract.RoleCallee
		if e.up {
			role = contract.RoleCaller
		}
		out = append(out, p.body(e.to, role, most.other))
	}
	return slices.DeleteFunc(out, func(b contract.Body) bool { return b.Content == "" && b.Lines == nil })
}

// slack is the number of lines by which a body may exceed its size and still be shown whole.
// Cutting so few lines saves nothing, because the lines of a cut body need line numbers.
const slack = 4

// usualWidth is the largest mean length of the lines of a body that is shown whole, in bytes. The lines of minified
// code have up to megabytes.
const usualWidth = 200

// body returns the source of one symbol. If the symbol has more than most+slack lines, it returns
// the lines of the calls that edges show, and some lines around them. For a file it returns the
// lines of such calls and of the branches around them. The body has no text if the source is
// outside of the workspace or was not read.
func (p *graphPart) body(n *tracedNode, role contract.Role, most int) contract.Body {
	b := contract.Body{Role: role, Kind: n.kind, SymbolID: n.SymbolID, SymbolLabel: n.SymbolLabel,
		File: n.File, Span: n.Span}
	text, read := p.texts[n.File]
	if n.External || n.folder != nil || n.CodebaseRoot != "" || !read {
		return b
	}
	lines := code.NewLineIndex(text)
	if n.kind == code.KindFile {
		b.Span = contract.LineSpan{StartLine: 1, EndLine: max(lines.Count(), 1)}
	}
	start, end := lines.Lines(b.Span.StartLine, b.Span.EndLine)
	if b.Span.EndLine-b.Span.StartLine < most+slack && end-start <= (most+slack)*usualWidth && n.kind != code.KindFile {
		b.Content = strings.ToValidUTF8(string(text[start:end]), "\ufffd")
		return b
	}
	name := symbols.LastName(n.SymbolLabel)
	head := 0
	if n.kind != code.KindFile {
		head = symbols.HeadLine(text, lines, b.Span, name)
	}
	x := symbols.NewExcerpt(text, lines, b.Span, head)
	sites := p.sitesIn(n, role)
	for _, site := range sites {
		x.Add(site, most)
	}
	if len(sites) == 0 {
		sites = []int{b.Span.StartLine}
	}
	// The lines that remain below the limit are used for the lines after each call or, if no
	// calls are shown, for those after the first line.
	for near := 1; x.Len() < most && near < most && n.kind != code.KindFile; near++ {
		for _, site := range sites {
			x.Add(site+near, most)
			x.Add(site-near, most)
		}
	}
	b.Lines = x.Lines()
	return b
}

// sitesIn returns, sorted, the lines of the shown calls that are in a symbol's text: for a caller, the
// calls for which it is listed; for the requested symbol, its calls of the listed callees.
func (p *graphPart) sitesIn(n *tracedNode, role contract.Role) (out []int) {
	for i := range p.edges() {
		e := &p.edges()[i]
		if (role == contract.RoleCaller && e.up && e.to == n || role == contract.RoleSymbol && !e.up && e.from == n) &&
			e.Site.File == n.File {
			out = append(out, e.Site.StartLine)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
