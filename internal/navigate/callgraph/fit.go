package callgraph

import (
	"slices"

	"sextant/internal/navigate/contract"
)

// WarnListsCut says that nodes and edges were left out of an answer whose
// tree or diagram shows them.
const WarnListsCut = "GRAPH_LISTS_OMITTED"

// fit renders the part into the answer within the budget, and shows less of
// the part where it must: first notes go, then, beside a tree or a diagram,
// the lists that say the same in more words, then edges from the end, to which
// the cursor leads.
func (p *graphPart) fit(a *contract.GraphAnswer, req *contract.GraphRequest, next func(*graphPart) *contract.Truncation) {
	warnings := a.Warnings
	show := func(p *graphPart, keep int) int {
		a.Warnings = slices.Clone(warnings)
		p.fill(a)
		p.view(a, req)
		a.Truncated = next(p)
		a.Cursor = ""
		if a.Truncated != nil {
			a.Cursor = a.Truncated.Next.Args.(*contract.GraphRequest).Cursor
		}
		omit(a, req, keep)
		return req.Size(a)
	}
	least, whole := keepNone, 0
	if req.View == contract.ViewGraph {
		least = keepFewNotes
	}
	for keep := keepAll; keep <= least; keep++ {
		if whole = show(p, keep); whole <= req.MaxTokens {
			return
		}
	}
	p.shorten(whole, req.MaxTokens, func(n int) int { return show(p.cut(p.from+n), least) })
}

// closeEnough ends the search for the longest part that fits, in tokens: about
// what one edge with its node takes.
const closeEnough = 150

// shorten shows the longest part that costs no more than most, or nearly. Each
// trial costs as much as an answer, so it guesses by proportion. whole is what
// all edges cost, which is too much; show shows so many and returns their cost.
func (p *graphPart) shorten(whole, most int, show func(edges int) int) {
	fits, cheap, tooMany, dear := 0, 0, p.to-p.from, whole
	shown := -1
	for tooMany-fits > 1 && (fits == 0 || most-cheap > closeEnough) {
		guess := fits + (tooMany-fits)*(most-cheap)/max(dear-cheap, 1)
		shown = min(max(guess, fits+1), tooMany-1)
		if c := show(shown); c <= most {
			fits, cheap = shown, c
		} else {
			tooMany, dear = shown, c
		}
	}
	// One edge is shown whatever it costs: else the cursor would stand still.
	if last := max(fits, min(1, p.to-p.from)); shown != last {
		show(last)
	}
}

// What an answer keeps when its budget is short.
const (
	keepAll      = iota
	keepFewNotes // notes as far as they fit, some at least
	keepNone     // no lists beside the tree or the diagram
)

// fewNotes are shown even when edges are left out for them.
const fewNotes = 5

// omit leaves out of an answer what keep does not keep.
func omit(a *contract.GraphAnswer, req *contract.GraphRequest, keep int) {
	if keep == keepAll {
		return
	}
	if keep == keepNone && a.Tree+a.Mermaid != "" {
		root := slices.IndexFunc(a.Nodes, func(n contract.Node) bool { return n.SymbolID == a.SymbolRef.SymbolID })
		a.Nodes, a.Edges, a.TestReferences = a.Nodes[root:root+1], nil, nil
		a.Warnings = append(a.Warnings, WarnListsCut)
	}
	for len(a.Notes) > fewNotes && req.Size(a) > req.MaxTokens {
		a.Notes = a.Notes[:max(len(a.Notes)*2/3, fewNotes)]
	}
	a.ReturnedNoteCount, a.NotesTruncated = len(a.Notes), len(a.Notes) < a.TotalNoteCount
}
