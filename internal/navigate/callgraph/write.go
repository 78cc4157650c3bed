package callgraph

import (
	"context"
	"slices"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/jit"
	"sextant/l2meta"
)

// WarnListsCut is the code of the warning that an answer omits the lists of nodes and
// edges, because its tree or diagram shows them.
const WarnListsCut = "GRAPH_LISTS_OMITTED"

// write fills in the answer from a page whose files are verified.
func (g *graphing) write(ctx context.Context, part *graphPart, row l2meta.Row, check jit.Report) {
	a, s := g.answer, g.service
	a.Status, a.Supported = contract.StatusOK, true
	fresh := s.Freshness(g.sync, check)
	a.FreshnessDecision, part.builtAt = &fresh, engine.Stamp(s.Clock())
	a.Warnings = append(a.Warnings, engine.Codes(s.Warn(g.place, g.sync, check))...)
	g.verified(part)
	g.inbound(ctx, part, row)
	if err := g.parseErrors(ctx, part, &row); err != nil {
		a.Warnings = append(a.Warnings, "PARSE_ERRORS:which files could not be parsed is not known: "+err.Error())
	}
	if err := g.templates(ctx, &row); err != nil {
		a.Warnings = append(a.Warnings, WarnTemplates+":whether templates call it is not known: "+err.Error())
	}
	if g.later && !g.behind {
		g.inBackground(a.SymbolRef.SymbolID)
	}
	g.warnPending()
	g.warnLinks()
	g.fit(part)
	slices.Sort(a.Warnings)
	a.Warnings = slices.Compact(a.Warnings)
}

// next returns the notice that edges were omitted, with the request for the next page. It returns
// nil for the last page.
func (g *graphing) next(part *graphPart) *contract.Truncation {
	if part.stop == "" {
		return nil
	}
	next := anew(g.req, g.answer.SymbolRef)
	at := part.to
	late := part.walk.late && g.mayTakeLonger()
	if late || part.to == part.from && part.stop == contract.CauseDeadline {
		// A request with the same deadline would not find more.
		next.DeadlineMs = contract.LongerDeadline(g.req.DeadlineMs)
		at = g.from()
	}
	if !late || at > 0 { // callers found in a longer time may precede the first edge
		next.Cursor = cursor{edges: at, generation: uint16(part.generation), frozen: g.freeze(part),
			request: cursorRequest(g.req, g.place.Root.Path(), g.answer.SymbolRef.SymbolID)}.String()
	}
	return &contract.Truncation{What: "edges", Shown: part.to - part.from, Omitted: part.left(), Cause: part.stop,
		Next: contract.Suggest(next)}
}

// mayTakeLonger reports whether a longer deadline can be suggested.
func (g *graphing) mayTakeLonger() bool {
	return contract.LongerDeadline(g.req.DeadlineMs) > g.req.DeadlineMs
}

// freeze returns the time in µs of the first page. Answers that language servers give after it
// must not change the list of edges on later pages, in which the cursor is a position. It returns
// 0 if the request uses no language servers.
func (g *graphing) freeze(part *graphPart) int64 {
	if p := part.walk.links.Proofs; p != nil && g.frozen == 0 {
		return p.Now
	}
	return g.frozen
}

// from returns the number of edges that the request's cursor skips, 0 without a cursor.
func (g *graphing) from() int {
	c, _ := parseCursor(g.req.Cursor)
	return c.edges
}

// fit renders a page into the answer within the token budget. If the page is too large, it first shows
// fewer lines of each body and drops notes. Then it drops the lists of nodes and edges if a tree or a
// diagram shows the same, and last the final edges. The cursor continues after the last edge shown.
func (g *graphing) fit(p *graphPart) {
	a, req := g.answer, g.req
	warnings := a.Warnings
	show := func(p *graphPart, keep int) int {
		a.Warnings = slices.Clone(warnings)
		p.fill(a)
		p.view(a, req)
		g.verified(p)
		a.Truncated = g.next(p)
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
	for _, p.most = range bodySizes {
		if p.texts == nil || show(p, keepFewNotes) <= req.MaxTokens {
			break
		}
	}
	for keep := keepAll; keep <= least; keep++ {
		if whole = show(p, keep); whole <= req.MaxTokens {
			return
		}
	}
	p.shorten(whole, req.MaxTokens, func(n int) int { return show(p.cut(p.from+n), least) })
}

// closeEnough is the number of unused tokens at which the search for the longest page that fits ends. It
// is about the price of one edge with its node.
const closeEnough = 150

// shorten shows the longest beginning of a page that costs at most the given number of tokens,
// most, to within closeEnough. Because each trial renders a whole answer, it interpolates instead
// of bisecting. whole is the price of an answer with all edges, which exceeds most. show renders
// the given number of edges and returns their price.
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
	// At least one edge is shown, whatever it costs: otherwise the cursor would never
	// advance.
	if last := max(fits, min(1, p.to-p.from)); shown != last {
		show(last)
	}
}

// These constants are the steps by which an answer is reduced to its budget.
const (
	keepAll      = iota
	keepFewNotes // keep as many notes as fit, at least fewNotes
	keepNone     // keep no lists beside the tree or the diagram
)

// fewNotes is the number of notes that are shown even if edges must be dropped for them.
const fewNotes = 5

// omit drops notes and lists of an answer: none with keepAll, more with each further step.
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
