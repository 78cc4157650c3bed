package callgraph

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// Service answers call_graph. It is safe for concurrent use.
type Service struct {
	*engine.Engine
	symbols *symbols.Service
	prover  Prover   // nil for none
	books   sync.Map // root path → *book: the cached verdicts of language servers
	proving backlog
}

// New returns the service over an engine. prover may be nil: then no edge is proven.
func New(e *engine.Engine, symbols *symbols.Service, prover Prover) *Service {
	return &Service{Engine: e, symbols: symbols, prover: prover, proving: backlog{spawn: e.Spawn}}
}

// book returns the cached verdicts on a root's calls. It creates an empty book on the
// first call.
func (s *Service) book(root *jit.Root) *book {
	if b, ok := s.books.Load(root.Path()); ok {
		return b.(*book)
	}
	b, _ := s.books.LoadOrStore(root.Path(), newBook(s.Budget))
	return b.(*book)
}

// CallGraph answers call_graph: the callers and callees of a symbol, as far as syntax and
// language servers resolve them. Call sites that stay unresolved are counted and noted.
// After the deadline the answer's outcome says so and suggests a longer one.
func (s *Service) CallGraph(ctx context.Context, req contract.GraphRequest) (*contract.GraphAnswer, error) {
	ask := func(ctx context.Context) (*contract.GraphAnswer, error) { return s.graphOnce(ctx, req) }
	return engine.Bounded(ctx, s.Engine, contract.Within(&req), engine.Steady(s.Engine, req.Path, ask), req.TooLate)
}

// graphOnce answers req on the index as it is now. It walks again while files of the
// graph change, as often as engine.Passes allows.
func (s *Service) graphOnce(ctx context.Context, req contract.GraphRequest) (*contract.GraphAnswer, error) {
	// The rest of the time is left for writing the answer.
	until := time.Now().Add(time.Duration(req.DeadlineMs) * time.Millisecond * 15 / 16)
	a := req.Answer()
	p, outcome, hints, err := s.Enter(ctx, req.Path)
	if err != nil {
		return nil, err
	}
	if p == nil {
		a.Outcome, a.Hints = outcome, hints
		return a, nil
	}
	a.CodebaseRoot = p.Root.Path()
	sync, err := p.Root.Sync(ctx)
	if err != nil {
		return nil, fmt.Errorf("call_graph: %w", err)
	}
	s.Follow(ctx, p.Root, sync.Generation)
	g := &graphing{service: s, place: p, req: &req, answer: a, sync: sync, until: until}
	for passes := engine.NewPasses(); ; {
		done, err := g.pass(ctx)
		if done || err != nil {
			s.Settle(p.Root, g.sync.Generation)
			return a, err
		}
		if !passes.Again(g.moved) {
			a.Outcome = passes.KeepsMoving("this graph")
			return a, nil
		}
	}
}

// graphing is one call_graph request in progress.
type graphing struct {
	service *Service
	place   *engine.Place
	req     *contract.GraphRequest
	answer  *contract.GraphAnswer
	sync    jit.Report
	moved   jit.Report // of the last pass in which files had changed
	until   time.Time  // the walk stops then

	frozen  int64 // see proofs.frozen
	servers map[baseKey]contract.ServerState
	later   bool // servers that are not ready yet could prove more than this request waits for
	behind  bool // this is a background job, whose answer nobody reads
}

// pass walks, proves and writes the answer once. It reports false if a file that the
// graph rests on has changed meanwhile; the caller then repeats it.
func (g *graphing) pass(ctx context.Context) (bool, error) {
	a := g.answer
	a.Warnings = nil
	row, ok, err := g.root(ctx)
	if err != nil || !ok {
		return true, err
	}
	symbol := string(symbols.RowID(row))
	at, ok, err := resume(a, g.req, g.place.Root.Path(), symbol, g.sync.Generation)
	if err != nil || !ok {
		return true, err
	}
	from := at.edges
	g.frozen = at.frozen
	began := time.Now()
	part, err := g.walk(ctx, row, from)
	if err == nil && g.proves() {
		part, err = g.prove(ctx, row, from, part, time.Since(began))
	}
	if err != nil {
		return true, fmt.Errorf("call_graph: %w", err)
	}
	if slices.ContainsFunc(part.edges(), func(e tracedEdge) bool { return e.late }) {
		staleCursor(a, g.req, "Language servers have settled calls otherwise since this cursor was made")
		return true, nil
	}
	// Before the files are verified: the texts then belong to the rows of the walk.
	if g.req.Detail == contract.DetailFull || g.wantsSource() {
		g.addTexts(ctx, part)
	}
	if g.req.Detail == contract.DetailBodies {
		g.readBodies(ctx, part)
	}
	check, err := g.place.Root.VerifySince(ctx, part.files(), g.sync.Generation)
	if err != nil {
		return true, fmt.Errorf("call_graph: %w", err)
	}
	if check.Changed() || g.req.Cursor != "" && check.Generation != g.sync.Generation {
		g.sync = engine.Join(g.sync, check)
		g.sync.Generation, g.moved = check.Generation, check
		return false, nil
	}
	g.write(ctx, part, row, check)
	return true, nil
}

// walk walks until from+Limit edges are known or the deadline is over. The part that it
// returns starts at edge from.
func (g *graphing) walk(ctx context.Context, row l2meta.Row, from int) (*graphPart, error) {
	var part *graphPart
	limited, cancel := context.WithDeadline(ctx, g.until)
	defer cancel()
	err := g.place.Root.View(ctx, func(v *jit.View) error {
		generation, err := jit.Generation(ctx, v)
		if err != nil {
			return err
		}
		links := newLinker(limited, v, g.service.Derived(g.place.Root), generation)
		if links.p = g.overlay(limited, v, links, generation); links.p != nil && row.FileID != 0 {
			links.p.basis(row.Language, row.Path) // so that a graph without a call to prove lists its server too
		}
		w := newWalk(links, g.req, g.place.Root.Services())
		w.root(row)
		part = &graphPart{walk: w, from: from, generation: generation}
		more := false
		if err = w.start(row); err == nil {
			more, err = w.run(limited, from+g.req.Limit)
		}
		part.to = len(w.edges)
		switch {
		case err != nil && ctx.Err() == nil && limited.Err() != nil:
			part.stop = contract.CauseDeadline
		case err != nil:
			return err
		case more:
			part.stop = contract.CauseLimit
		}
		// The deadline may end the walk before the edge that the cursor points at.
		part.from = min(part.from, part.to)
		return nil
	})
	return part, err
}

// write fills in the answer from a part whose files are verified.
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
	if g.later && !g.behind {
		g.inBackground(a.SymbolRef.SymbolID)
	}
	g.warnPending()
	part.fit(a, g.req, func(p *graphPart) *contract.Truncation {
		g.verified(p)
		return g.next(p)
	})
	slices.Sort(a.Warnings)
	a.Warnings = slices.Compact(a.Warnings)
}

// next returns the request for the edges behind a part, nil behind the last part.
func (g *graphing) next(part *graphPart) *contract.Truncation {
	if part.stop == "" {
		return nil
	}
	next := anew(g.req, g.answer.SymbolRef)
	at := part.to
	if part.to == part.from && part.stop == contract.CauseDeadline {
		// The same deadline would not lead any further.
		next.DeadlineMs = g.req.LongerDeadline()
		at = g.from()
	}
	next.Cursor = cursor{edges: at, generation: uint16(part.generation), frozen: g.freeze(part),
		request: cursorRequest(g.req, g.place.Root.Path(), g.answer.SymbolRef.SymbolID)}.String()
	return &contract.Truncation{What: "edges", Shown: part.to - part.from, Omitted: part.left(), Cause: part.stop,
		Next: contract.Suggest(next)}
}

// freeze returns the time in µs after which new verdicts no longer change the pages
// behind the first. It returns 0 if nothing is proven.
func (g *graphing) freeze(part *graphPart) int64 {
	if p := part.walk.links.p; p != nil && g.frozen == 0 {
		return p.now
	}
	return g.frozen
}

// from returns the number of edges that the request's cursor skips, 0 without a cursor.
func (g *graphing) from() int {
	c, _ := parseCursor(g.req.Cursor)
	return c.edges
}

// wantsSource reports whether edges show the source line of their call sites. The default
// is yes for a graph as text, unless the bodies around the calls are shown.
func (g *graphing) wantsSource() bool {
	if g.req.Source != nil {
		return *g.req.Source
	}
	return g.req.Format == contract.FormatText && g.req.View == contract.ViewGraph &&
		g.req.Detail != contract.DetailBodies
}

// addTexts sets the source line of each call site and, with detail full, the texts of its
// arguments. The sites of a file that has changed since the walk stay without texts.
func (g *graphing) addTexts(ctx context.Context, part *graphPart) {
	texts := map[string][]byte{}
	for i := range part.edges() {
		e := &part.edges()[i]
		text, read := texts[e.Site.File]
		if !read {
			text, _, _ = g.place.Root.Read(ctx, e.Site.File)
			texts[e.Site.File] = text
		}
		if g.req.Detail == contract.DetailFull {
			e.Arguments = argumentsOf(text, &e.call)
		}
		if g.wantsSource() {
			e.Source = lineAt(text, &e.call)
		}
	}
}

// inbound adds the evidence for an empty list of callers: how many files the index
// covers, and which languages it does not. It adds nothing if there are callers, or if
// the request did not ask for callers.
func (g *graphing) inbound(ctx context.Context, part *graphPart, row l2meta.Row) {
	a, w := g.answer, part.walk
	if g.req.Direction == contract.DirectionCallees || slices.ContainsFunc(w.edges, func(e tracedEdge) bool {
		return slices.Contains(w.roots, w.nodes[e.Dst]) && e.up && !e.declares
	}) {
		return
	}
	evidence := &contract.InboundCoverage{SameNameCallSites: len(w.ofRoots.open), Verification: a.Verification.State,
		IndexComplete: g.sync.Mode != jit.ModeIndexing && g.sync.Pending == 0 && w.ofRoots.read == w.ofRoots.files &&
			part.stop != contract.CauseDeadline}
	if known, err := g.service.Coverage(ctx, g.place.Root); err == nil {
		evidence.FilesConsidered, evidence.FilesWithParseErrors = known.Parsed, known.ParseErrors
		evidence.UncoveredLanguages = uncoveredLanguages(known.Coverage, w.roots[0].isImported())
	}
	evidence.UsesNotTraced = isRead(w.roots[0].ref)
	evidence.Serves = w.serves
	a.InboundCoverageEvidence = evidence
	a.Warnings = append(a.Warnings, "CALL_GRAPH_INBOUND_COVERAGE_PARTIAL")
	a.Hints = &contract.Hints{NextSteps: g.elsewhere(row, w.roots[0])}
}

// elsewhere returns the calls that lead on from a root without callers or importers. A folder leads to
// its outline, and to its own imports if the request leaves them out. A file of a language whose
// imports name folders leads to its folder. All else is searched for every mention.
func (g *graphing) elsewhere(row l2meta.Row, root *tracedNode) []contract.Action {
	name, edge := row.Symbol.Name, "call"
	switch {
	case !root.isImported():
	case root.folder != nil:
		return g.insideFolder(*root.folder)
	case languages.All[row.Language].PackageIsFolder: // a label with a slash is a path, whatever is called so
		return []contract.Action{*contract.Suggest(anew(g.req,
			contract.SymbolRef{SymbolLabel: folder{dir: code.Dir(row.Path)}.label() + "/"})).
			Because("Imports name the folder of " + row.Symbol.Name + " and not its files.")}
	default:
		name, _, _ = strings.Cut(name, ".")
		edge = "import"
	}
	return []contract.Action{*contract.Suggest(&contract.SearchRequest{Path: g.place.Root.Path(),
		Query: "must:" + contract.QuoteOperator(name) + " " + name, Scope: contract.ScopeMixed}).
		Because("No " + edge + " of " + row.Symbol.Name + " is settled from syntax; this finds every mention.")}
}

// insideFolder returns the calls that lead into a folder: its outline, and its imports if the request
// asks for importers alone.
func (g *graphing) insideFolder(f folder) []contract.Action {
	steps := []contract.Action{*contract.Suggest(&contract.OutlineRequest{Path: g.place.Root.Path(), File: f.file()}).
		Because("Shows the files of " + f.file() + ", each of which may be asked for.")}
	if g.req.Direction == contract.DirectionCallers {
		imports := g.req.Next(func(next *contract.GraphRequest) {
			next.Direction, next.Cursor = contract.DirectionCallees, ""
		})
		steps = append(steps, *contract.Suggest(imports).Because("Shows what the files of " + f.file() + " import."))
	}
	return steps
}

// isRead reports whether a symbol is read rather than called: a constant, a variable, a field, or a
// property without code.
func isRead(ref resolve.Ref) bool {
	if !ref.Valid() || ref.Index < 0 || ref.Symbol().Computed {
		return false
	}
	switch ref.Symbol().Kind {
	case code.KindConstant, code.KindVariable, code.KindField, code.KindProperty:
		return true
	}
	return false
}

// uncoveredLanguages returns the languages of a root that declare symbols and whose calls
// are not indexed, sorted: callers in them are unknown. With imports set it returns the
// languages whose imports are not followed.
func uncoveredLanguages(known jit.Coverage, imports bool) (out []string) {
	for name := range known.Languages {
		symbols, calls := l2meta.Understands(name)
		if imports {
			calls = languages.All.FollowsImports(name)
		}
		if symbols && !calls && !languages.All[name].CallsNothing {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
