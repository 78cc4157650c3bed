package navigate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sextant/jit"
	"sextant/l2meta"
)

// CallGraph answers call_graph: who calls a symbol, and whom it calls, as far
// as syntax settles it; the rest is counted and said.
func (s *Service) CallGraph(ctx context.Context, req GraphRequest) (*GraphAnswer, error) {
	a := &GraphAnswer{Path: req.Path, SymbolRef: req.SymbolRef, Direction: req.Direction, Depth: req.Depth, Limit: req.Limit}
	p, outcome, hints, err := s.locate(ctx, req.Path)
	if err != nil {
		return nil, err
	}
	if p == nil {
		a.Outcome, a.Hints = outcome, hints
		return a, nil
	}
	a.CodebaseRoot = p.root.Path()
	sync, err := p.root.Sync(ctx)
	if err != nil {
		return nil, fmt.Errorf("call_graph: %w", err)
	}
	for range maxPasses {
		done, err := s.graphPass(ctx, a, p, &req, sync)
		if done || err != nil {
			return a, err
		}
	}
	a.Outcome = CondSourceChanged.Outcome("The files of this graph changed on every one of %d passes. Repeat the call.", maxPasses)
	return a, nil
}

// graphPass traces once, and reports false when a file that the graph rests
// on had moved.
func (s *Service) graphPass(ctx context.Context, a *GraphAnswer, p *place, req *GraphRequest, sync jit.Report) (bool, error) {
	row, ok, err := s.graphRoot(ctx, a, p, req.SymbolRef)
	if err != nil || !ok {
		return true, err
	}
	var t *tracer
	err = p.root.View(ctx, func(v *jit.View) error {
		t = newTracer(v, req, servicesOf(p.root))
		return t.trace(ctx, row)
	})
	if err != nil {
		return true, fmt.Errorf("call_graph: %w", err)
	}
	check, err := p.root.Verify(ctx, t.files())
	if err != nil {
		return true, fmt.Errorf("call_graph: %w", err)
	}
	if check.Changed() {
		return false, nil
	}
	fresh := s.freshness(sync, check)
	a.FreshnessDecision = &fresh
	a.Warnings = append(a.Warnings, codes(s.warn(p, sync, check))...)
	a.Status, a.Supported = StatusOK, true
	a.Verification = &Verification{State: "off", Servers: nil}
	t.fill(a)
	a.Sidecar = &Sidecar{BuiltAt: stamp(s.clock()), NodeCount: len(a.Nodes), EdgeCount: len(a.Edges)}
	root := string(rowID(row))
	switch req.View {
	case "tree":
		a.Tree = t.treeText(root)
	case "mermaid":
		a.Mermaid = t.mermaidText()
	}
	s.graphInbound(ctx, a, p, req, t, row, sync)
	s.graphBudget(a, req, t)
	slices.Sort(a.Warnings)
	a.Warnings = slices.Compact(a.Warnings)
	return true, nil
}

// graphRoot finds the symbol that the graph starts from. It reports false when
// a says why there is none.
func (s *Service) graphRoot(ctx context.Context, a *GraphAnswer, p *place, ref SymbolRef) (row l2meta.Row, ok bool, err error) {
	if ref.File == "" && s.isFile(ctx, p) {
		ref.File = p.rel
	}
	file, outcome, candidates, err := s.fileOfSymbol(ctx, p, ref)
	if err != nil {
		return row, false, err
	}
	if file == "" {
		a.Outcome, a.Candidates = outcome, candidates
		return row, false, nil
	}
	f, err := s.parse(ctx, p.root, file)
	if err != nil {
		if a.Outcome, err = unreadable(p.absolute(file), f, err); err != nil {
			return row, false, err
		}
		return row, false, nil
	}
	if !f.Parsed {
		a.Outcome = CondUnsupported.Outcome("No calls are known for %s. search_codebase with must:NAME finds every mention.", orPlain(f.Language))
		return row, false, nil
	}
	res := resolveIn(&f.File, ref)
	if !res.found {
		a.Outcome, a.Candidates = symbolMissing(file, ref, &f.File, res)
		return row, false, nil
	}
	if res.moved {
		a.Warnings = append(a.Warnings, "SYMBOL_MOVED")
	}
	a.SymbolRef = refOf(file, res.named)
	span := Lines(res.symbol.Span)
	a.SymbolRef.Span = &span
	err = p.root.View(ctx, func(v *jit.View) error {
		row, ok, err = s.symbols.At(ctx, v, f.row.ID, res.index)
		return err
	})
	if err == nil && (!ok || row.Symbol.QualifiedName != res.symbol.QualifiedName) {
		err = errors.New("the index and the file disagree; call manage_index repair")
	}
	return row, ok, err
}

// graphInbound says what an empty list of callers rests on.
func (s *Service) graphInbound(ctx context.Context, a *GraphAnswer, p *place, req *GraphRequest, t *tracer, row l2meta.Row, sync jit.Report) {
	if req.Direction == "callees" {
		return
	}
	id := string(rowID(row))
	for _, e := range a.Edges {
		if e.Dst == id {
			return
		}
	}
	evidence := &InboundCoverage{SameNameCallSites: len(t.inbound.Unsettled), IndexComplete: sync.Mode != jit.ModeIndexing && sync.Pending == 0, Verification: a.Verification.State}
	if status, err := p.root.Status(ctx); err == nil {
		evidence.FilesConsidered, evidence.FilesWithParseErrors = status.Coverage.Parsed, status.Coverage.ParseErrors
	}
	a.InboundCoverageEvidence = evidence
	a.Warnings = append(a.Warnings, "CALL_GRAPH_INBOUND_COVERAGE_PARTIAL")
	name := row.Symbol.Name
	search := Suggest(&SearchRequest{Path: p.root.Path(), Query: "must:" + quoteOperator(name) + " " + name, Scope: "mixed"}).
		Because("No call of " + name + " is settled from syntax; this finds every mention.")
	if a.Hints == nil {
		a.Hints = &Hints{}
	}
	a.Hints.NextSteps = append(a.Hints.NextSteps, *search)
}

// graphBudget drops notes, then edges from the end, until the answer fits.
func (s *Service) graphBudget(a *GraphAnswer, req *GraphRequest, t *tracer) {
	if t.full {
		a.Truncated = &Truncation{What: "edges", Shown: len(a.Edges), Omitted: 0, Cause: "limit",
			Next: Suggest(&GraphRequest{Path: req.Path, SymbolRef: a.SymbolRef, Direction: req.Direction, Depth: req.Depth, Limit: min(req.Limit*5, MaxEdgeLimit), View: req.View})}
	}
	for _, cut := range []func() bool{
		func() bool { return shrink(&a.Notes) },
		func() bool { return shrinkText(&a.Tree) || shrinkText(&a.Mermaid) },
		func() bool { return shrink(&a.Edges) },
	} {
		for cost(a) > req.MaxTokens && cut() {
			a.ReturnedNoteCount, a.NotesTruncated = len(a.Notes), len(a.Notes) < a.TotalNoteCount
		}
	}
	if len(a.Edges) < len(t.edges) {
		a.Truncated = &Truncation{What: "edges", Shown: len(a.Edges), Omitted: len(t.edges) - len(a.Edges), Cause: "maxTokens",
			Next: Suggest(&GraphRequest{Path: req.Path, SymbolRef: a.SymbolRef, Direction: req.Direction, Depth: req.Depth, Limit: req.Limit, View: req.View, Delivery: Delivery{MaxTokens: MaxMaxTokens}})}
		a.Nodes = keepNodes(a.Nodes, a.Edges, a.SymbolRef.SymbolID)
	}
}

// shrink halves a list; it reports false when nothing is left.
func shrink[T any](list *List[T]) bool {
	if len(*list) == 0 {
		return false
	}
	*list = (*list)[:len(*list)/2]
	return true
}

func shrinkText(text *string) bool {
	if *text == "" {
		return false
	}
	*text = cutText(*text, Tokens(*text)*3/4)
	if *text != "" {
		*text += "… the rest is cut by maxTokens\n"
	}
	return len(*text) > 200
}

// keepNodes keeps the nodes that an edge still mentions, and the root.
func keepNodes(nodes []Node, edges []Edge, root string) (out []Node) {
	used := map[string]bool{root: true}
	for _, e := range edges {
		used[e.Src], used[e.Dst] = true, true
	}
	for _, n := range nodes {
		if used[n.SymbolID] {
			out = append(out, n)
		}
	}
	return out
}

// quoteOperator quotes the value of a query operator where it must be.
func quoteOperator(value string) string {
	for _, r := range value {
		if r == ' ' || r == '"' {
			return `"` + value + `"`
		}
	}
	return value
}
