package callgraph

import (
	"cmp"
	"slices"

	"sextant/internal/navigate/contract"
)

// graphPart is one page of the graph: the edges that one answer shows.
type graphPart struct {
	walk     *walk
	from, to int // indexes: the page shows walk.edges[from:to]
	// generation identifies the state of the index from which the edges were read.
	generation int64
	builtAt    string            // time at which the files were verified
	stop       contract.Cause    // why the walk ends at to: limit, deadline or maxTokens; "" at its natural end
	texts      map[string][]byte // path → content of the symbols' files; only with detail bodies
	most       bodySize          // limits on the bodies shown from texts
}

func (p *graphPart) edges() []tracedEdge { return p.walk.edges[p.from:p.to] }

// files returns the paths of the files that this page depends on, sorted.
func (p *graphPart) files() []string {
	set := map[string]bool{}
	add := func(n *tracedNode) {
		if n.folder == nil {
			set[n.File] = true
		}
	}
	for _, n := range p.walk.roots {
		add(n)
	}
	for _, e := range p.edges() {
		set[e.Site.File] = true
		add(e.from)
		add(e.to)
		for _, f := range e.rests {
			set[f] = true
		}
	}
	delete(set, "")
	out := make([]string, 0, len(set))
	for f := range set {
		out = append(out, f)
	}
	slices.Sort(out)
	return out
}

// notes returns the notes on this page, and further notes that summarize its cycles and its calls of
// functions outside the workspace. A note that was made in the search for the first edge of the next page
// belongs to that page.
func (p *graphPart) notes() (out []contract.Note) {
	within := func(at int) bool { return at >= p.from && p.before(at) }
	for _, n := range p.walk.notes {
		if within(n.at) {
			out = append(out, n.Note)
		}
	}
	var beyond []leaving
	for _, l := range p.walk.beyond {
		if within(l.at) {
			beyond = append(beyond, l)
		}
	}
	cycles := cycleNotes(p.walk.edges[:p.to], p.from)
	out = append(out, cycles...)
	slices.SortFunc(out, func(x, y contract.Note) int {
		return cmp.Or(cmp.Compare(noteOrder[x.Type], noteOrder[y.Type]), cmp.Compare(x.File, y.File),
			cmp.Compare(x.Line, y.Line), cmp.Compare(x.Target, y.Target), cmp.Compare(x.SymbolID, y.SymbolID))
	})
	return append(slices.Compact(out), externalNotes(beyond)...)
}

// noteOrder ranks the types of notes by their importance for conclusions from an answer, the most
// important first. A refuted call has no entry and therefore precedes all others.
var noteOrder = map[contract.NoteType]int{contract.NoteUnresolved: 1, contract.NoteDynamic: 2,
	contract.NoteUnresolvedServiceCall: 3, contract.NoteSuppressed: 3, contract.NoteCycle: 4, contract.NoteExternal: 5}

// before reports whether a note or a tally belongs to this page or an earlier one; at is the number of
// edges found before it.
func (p *graphPart) before(at int) bool { return at < p.to || p.stop == "" }

// counts returns the sum of the tallies of this page and of all pages before it.
func (p *graphPart) counts() *contract.GraphCounts {
	var sum contract.GraphCounts
	for i := range p.walk.tallies {
		if t := &p.walk.tallies[i]; p.before(t.at) {
			sum.Add(&t.GraphCounts)
		}
	}
	return &sum
}

// cut returns a shorter copy of the page, which ends before the edge with index to, with maxTokens as the
// cause. It returns the page itself if that has no further edges.
func (p *graphPart) cut(to int) *graphPart {
	if to >= p.to {
		return p
	}
	short := *p
	short.to, short.stop = to, contract.CauseMaxTokens
	return &short
}

// left returns the number of edges that were found after this page. A longer search may find more.
func (p *graphPart) left() int {
	n := len(p.walk.edges) - p.to
	if p.walk.ahead != nil {
		n++
	}
	for _, s := range p.walk.sides {
		n += len(s.pending)
	}
	return n
}

// foldedCounts returns the numbers of edges on this page that are counted instead of shown, or nil if
// there are none.
func (p *graphPart) foldedCounts() *contract.Folded {
	files := map[contract.Fold]map[string]bool{contract.FoldTests: {}, contract.FoldDynamic: {}, filtered: {}}
	edges := map[contract.Fold]int{}
	var tests []contract.Site
	for _, f := range p.walk.folded {
		if f.at < p.from || !p.before(f.at) {
			continue
		}
		edges[f.kind] += len(f.files)
		for _, file := range f.files {
			files[f.kind][file] = true
		}
		tests = append(tests, f.sites...)
	}
	if len(edges) == 0 {
		return nil
	}
	if len(tests) < edges[contract.FoldTests] || len(tests) > fewTestSites {
		tests = nil
	}
	return &contract.Folded{TestSites: tests, Tests: edges[contract.FoldTests],
		TestFiles: len(files[contract.FoldTests]),
		Dynamic:   edges[contract.FoldDynamic], DynamicFiles: len(files[contract.FoldDynamic]),
		Filtered: edges[filtered]}
}
