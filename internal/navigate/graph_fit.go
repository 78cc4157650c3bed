package navigate

import (
	"slices"
	"sort"
)

// WarnListsCut says that nodes and edges were left out of an answer whose
// tree or diagram shows them.
const WarnListsCut = "GRAPH_LISTS_OMITTED"

// fit renders the part into the answer within the budget, and shows less of
// the part where it must: first notes go, then, beside a tree or a diagram,
// the lists that say the same in more words, then edges from the end, to which
// the cursor leads.
func (p *graphPart) fit(a *GraphAnswer, req *GraphRequest, next func(*graphPart) *Truncation) {
	warnings := a.Warnings
	show := func(p *graphPart, keep int) bool {
		a.Warnings = slices.Clone(warnings)
		p.fill(a)
		p.view(a, req)
		a.Truncated = next(p)
		a.Cursor = ""
		if a.Truncated != nil {
			a.Cursor = a.Truncated.Next.Args.(*GraphRequest).Cursor
		}
		a.omit(keep, req.MaxTokens)
		return cost(a) <= req.MaxTokens
	}
	least := keepNone
	if req.View == "graph" {
		least = keepFewNotes
	}
	for keep := keepAll; keep <= least; keep++ {
		if show(p, keep) {
			return
		}
	}
	// The longest part that fits.
	n := sort.Search(p.to-p.from, func(n int) bool { return !show(p.cut(p.from+n+1), least) })
	// One edge is shown whatever it costs: else the cursor would stand still.
	show(p.cut(p.from+max(n, min(1, p.to-p.from))), least)
}

// What an answer keeps when its budget is short.
const (
	keepAll      = iota
	keepFewNotes // notes as far as they fit, some at least
	keepNone     // no lists beside the tree or the diagram
)

// fewNotes are shown even when edges are left out for them.
const fewNotes = 5

// omit leaves out what keep does not keep.
func (a *GraphAnswer) omit(keep, maxTokens int) {
	if keep == keepAll {
		return
	}
	if keep == keepNone && a.Tree+a.Mermaid != "" {
		root := slices.IndexFunc(a.Nodes, func(n Node) bool { return n.SymbolID == a.SymbolRef.SymbolID })
		a.Nodes, a.Edges, a.TestReferences = a.Nodes[root:root+1], nil, nil
		a.Warnings = append(a.Warnings, WarnListsCut)
	}
	for len(a.Notes) > fewNotes && cost(a) > maxTokens {
		a.Notes = a.Notes[:max(len(a.Notes)*2/3, fewNotes)]
	}
	a.ReturnedNoteCount, a.NotesTruncated = len(a.Notes), len(a.Notes) < a.TotalNoteCount
}
