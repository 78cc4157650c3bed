package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/internal/navigate/search/rank"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l1fts/embed"
)

// search is the state of one search_codebase call.
type search struct {
	service *Service
	req     *contract.SearchRequest
	place   *engine.Place
	query   l1fts.Query
	filter  l1fts.Filter
	passes  func(path, language string, class code.Class) bool // whether a file passes the filter and the query
	named   func(path, language string, class code.Class) bool // like passes, but in any scope
	widened bool                                               // whether widen changed the scope
	// noFile is true if no indexed file is below the path and passes the operators on files, such as
	// path: and lang:.
	noFile     bool
	unnamed    []unnamed // path: operators that match no indexed file
	services   *jit.Services
	generation int64           // of the snapshot from which the candidates are read
	changed    map[string]bool // files that git reports as changed, if they are boosted
	terms      terms           // words of query.Text
	work       bool            // whether the query asks where something is done
	question   *embed.Question // nil without an embedder, and unless the query is prose that asks for symbols
	absent     []string        // quoted texts of the query that no line has
	verbatim   bool            // whether lines have the query as a whole: a quoted text, or a message in a string
	routed     bool            // whether the query is a route with known handlers
	meaning    meaning
	meant      bool    // whether meaning affects this answer
	nearest    float64 // cosine of the nearest chunk, 0 if cosines are not comparable
	sync       jit.Report
	moved      jit.Report // the changed files because of which the last pass is repeated
	answer     *contract.SearchAnswer
	budget     *contract.Budget
	classes    map[string]code.Class // of the files in the answer
	watch      stopwatch
}

// Service answers search_codebase, the tool that searches code by words, names and meaning. It is safe
// for concurrent use.
type Service struct {
	*engine.Engine
	symbols  *symbols.Service
	fusion   Fusion
	observer Observer // nil if there is none
	matches  matchCache
}

// New returns a Service over an engine. observer may be nil.
func New(e *engine.Engine, symbols *symbols.Service, fusion Fusion, observer Observer) *Service {
	return &Service{Engine: e, symbols: symbols, fusion: fusion, observer: observer,
		matches: matchCache{budget: e.Budget}}
}

// Search returns the best results for a query or, for an exhaustive query such as must:TODO, all matches,
// page by page. The error is a *contract.InvalidArguments for a wrong query, cursor or service.
func (s *Service) Search(ctx context.Context, req contract.SearchRequest) (*contract.SearchAnswer, error) {
	_, _, ranked := contract.ParseRankCursor(req.Cursor)
	if subtypes := withSubtypes(req.Query); subtypes != "" && !ranked {
		asked := req
		asked.Query = subtypes
		if a, err := s.Search(ctx, asked); err != nil || a.Matches == nil || a.Matches.Files > 0 {
			return a, err
		} // a type of Go may implement an interface that it does not name
	}
	limit := contract.Within(&req)
	ask := func(ctx context.Context) (*contract.SearchAnswer, error) { return s.searchOnce(ctx, req) }
	return engine.Bounded(ctx, s.Engine, limit, engine.Steady(s.Engine, req.Path, ask), func() *contract.SearchAnswer {
		a := newSearchAnswer(&req, s.Clock())
		a.Outcome = tooLate(req.Query, limit)
		return a
	})
}

// tooLate returns the outcome of a search that was not answered within limit. A repetition does not help if
// matching an expression takes longer, as with (a*)*b on a line of many letters.
func tooLate(query string, limit time.Duration) contract.Outcome {
	if q, err := ParseQuery(query); err != nil || len(q.Regex) == 0 {
		return contract.TooLate(contract.ToolSearch, limit)
	}
	return contract.CondDeadline.Outcome("%s was not ready within %v. Matching the expression takes long: restrict "+
		"the files with path: or lang:, add must: with a text that each match contains, or nest no repetitions.",
		contract.ToolSearch, limit)
}

// newSearchAnswer returns an answer with the parameters of the request.
func newSearchAnswer(req *contract.SearchRequest, at time.Time) *contract.SearchAnswer {
	a := &contract.SearchAnswer{Path: req.Path, Query: req.Query, Scope: req.Scope, GroupBy: req.GroupBy,
		ResultMode: req.ResultMode, Limit: req.Limit}
	a.FreshnessDecision = contract.Freshness{Mode: contract.FreshMissingPath, CheckedAt: engine.Stamp(at)}
	return a
}

// searchOnce answers on the index as it is now, in several passes if files change meanwhile. Search
// repeats it if the index is replaced.
func (s *Service) searchOnce(ctx context.Context, req contract.SearchRequest) (*contract.SearchAnswer, error) {
	a := newSearchAnswer(&req, s.Clock())
	query, err := ParseQuery(req.Query)
	if err != nil {
		return nil, err
	}
	if err := CheckCursor(&query, req.Cursor); err != nil {
		return nil, err
	}
	p, outcome, hints, err := s.Enter(ctx, req.Path)
	if err != nil {
		return nil, err
	}
	if p == nil {
		a.Outcome, a.Hints = outcome, hints
		return a, nil
	}
	a.CodebaseRoot = p.Root.Path()
	if req.CountOnly && !query.Exhaustive() {
		req.Limit = 1 // the best results cannot be counted
	}
	run := &search{service: s, req: &req, place: p, query: query, answer: a, terms: terms{list: queryTerms(query.Text)}}
	run.work = asksForWork(query.Text, len(run.terms.list))
	if run.sync, err = p.Root.Sync(ctx); err != nil {
		return run.failed(err)
	}
	if err := run.narrow(ctx); err != nil {
		return nil, err
	}
	for passes := engine.NewPasses(); ; {
		again, err := run.pass(ctx)
		if err != nil {
			return run.failed(err)
		}
		if !again {
			run.finish(ctx)
			return a, nil
		}
		if !passes.Again(run.moved) {
			a.Outcome = passes.KeepsMoving("this answer")
			return a, nil
		}
	}
}

// failed returns an answer if err says that the index could not be built. Otherwise it returns err.
func (r *search) failed(err error) (*contract.SearchAnswer, error) {
	if r.answer.Outcome, r.answer.Hints, err = engine.Failed(r.place.Root.Path(), err); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	return r.answer, nil
}

// scopes maps each scope to the classes of its files.
var scopes = map[contract.Scope][]code.Class{
	contract.ScopeRuntime: {code.ClassSource, code.ClassTest, code.ClassConfig, code.ClassBuild},
	contract.ScopeDocs:    {code.ClassDocs},
	contract.ScopeMixed:   nil,
}

// narrow converts path, scope and service to a filter.
func (r *search) narrow(ctx context.Context) error {
	r.services = r.place.Root.Services()
	r.anchor()
	r.filter = l1fts.Filter{Prefix: r.place.Rel, Classes: scopes[r.req.Scope]}
	wanted := r.query.Services
	if r.req.Service != "" {
		wanted = append(slices.Clone(wanted), r.req.Service)
	}
	for _, name := range wanted {
		found := false
		for _, s := range r.services.List {
			if s.Name == name || s.Root == name {
				r.filter.Dirs = append(r.filter.Dirs, s.Root)
				found = true
			}
		}
		if !found {
			return &contract.InvalidArguments{Tool: contract.ToolSearch, Problems: []contract.Problem{{Field: "service",
				Message: fmt.Sprintf("no service is called %q; there is %s", name, serviceNames(r.services.List))}}}
		}
	}
	if err := r.widen(ctx); err != nil {
		return err
	}
	anywhere := r.filter
	anywhere.Classes = nil
	var err error
	if r.passes, err = r.filter.Passes(r.query); err != nil {
		return err
	}
	r.named, err = anywhere.Passes(r.query)
	return err
}

// pass makes one attempt at the answer. again reports that a file changed meanwhile, so that another
// attempt is needed.
func (r *search) pass(ctx context.Context) (again bool, err error) {
	a := r.answer
	a.Named, r.absent, r.verbatim, r.routed = 0, nil, false, false
	a.Results, a.Matches, a.Cursor, a.Truncated, a.DidYouMean, a.Hints, a.Warnings = nil, nil, "", nil, nil, nil, nil
	a.Beside = nil
	r.budget, r.classes = contract.NewBudget(&r.req.Delivery), map[string]code.Class{}
	a.Tiers = &contract.Tiers{Lexical: contract.Tier{State: contract.TierOK},
		Semantic: contract.Tier{State: contract.TierOff, Why: "an exhaustive query is answered by the text alone"}}
	if r.query.Exhaustive() {
		return (&enumeration{search: r, matcher: r.query.Matcher()}).run(ctx)
	}
	return r.ranked(ctx)
}

// verify checks the files that an answer shows against the disk. moved reports that some have changed, so
// that the attempt must be repeated.
func (r *search) verify(ctx context.Context, files []string) (check jit.Report, moved bool, err error) {
	if check, err = r.place.Root.Verify(ctx, files); err != nil || !check.Changed() {
		return check, false, err
	}
	r.moved = check
	return check, true, nil
}

// ranked fills in the best results. again reports that a file changed meanwhile.
func (r *search) ranked(ctx context.Context) (again bool, err error) {
	r.watch.begin()
	if err := r.resume(); err != nil {
		return false, err
	}
	r.boostChanged(ctx)
	r.embed(ctx)
	if r.question == nil && r.meaning.vector != nil && !r.fewTerms() && r.req.GroupBy != contract.GroupByFile {
		r.question = embed.Ask(r.query.Text)
	}
	var found []candidate
	files := &reader{root: r.place.Root, files: map[string]*shownFile{}}
	err = r.place.Root.ViewServices(ctx, func(v *jit.View, generation int64, services *jit.Services) error {
		r.generation, r.services = generation, services
		if found, err = r.candidates(ctx, v); err == nil {
			files.known, err = knowFiles(ctx, v, found)
		}
		if err == nil {
			r.answer.DidYouMean, err = r.didYouMean(ctx, v, found)
		}
		return err
	})
	if err != nil {
		return false, err
	}
	r.watch.end("candidates")
	r.answer.Tiers.Semantic = r.meaning.tier
	first := found[:min(len(found), r.rereadDepth())]
	verified := filesOf(first)
	check, moved, err := r.verify(ctx, verified)
	if err != nil || moved {
		return moved, err
	}
	r.watch.end("verify")
	if err := r.reread(ctx, files, first); err != nil {
		return false, err
	}
	r.watch.end("reread")
	r.observe(found)
	r.qualifiedFirst(found)
	found = r.likely(r.joinOverloads(found))
	picked := r.diversify(found)
	// The results may include candidates after the first ones, whose files are not verified yet.
	later := slices.DeleteFunc(filesOf(picked), func(f string) bool { return slices.Contains(verified, f) })
	if len(later) > 0 {
		rest, moved, err := r.verify(ctx, later)
		if err != nil || moved {
			return moved, err
		}
		check = engine.Join(check, rest)
	}
	r.answer.FreshnessDecision = r.service.Freshness(r.sync, check)
	r.answer.Warnings = r.service.Warn(r.place, r.sync, check)
	r.answer.Confidence = r.confidence(picked)
	more, moved, err := r.render(ctx, files, picked)
	if err != nil || moved {
		return moved, err
	}
	r.goOn(more || len(picked) < len(found))
	if err := r.listBeside(ctx, files, picked); err != nil {
		return false, err
	}
	r.warnBroken(files.known)
	r.watch.end("render")
	r.answer.Pagination = &contract.Pagination{Continuation: "complete", Returned: len(r.answer.Results), Total: len(found)}
	r.debugged(found)
	return false, nil
}

// resume sets the place in the list of ranked results from the cursor of the request.
func (r *search) resume() error {
	from, list, _ := contract.ParseRankCursor(r.req.Cursor)
	r.answer.From, r.answer.List = from, r.rankListed()
	if list != 0 && list != r.answer.List {
		return foreignCursor(r.req.Cursor)
	}
	return nil
}

// qualifiedFirst moves symbols with the queried qualified name before candidates that only contain
// its words.
func (r *search) qualifiedFirst(found []candidate) {
	if len(strings.Fields(r.query.Text)) != 1 {
		return
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		bears := func(c *candidate) bool { return c.exact >= rank.NamedFull && c.row != nil }
		switch {
		case bears(&a) == bears(&b):
			return 0
		case bears(&a):
			return -1
		}
		return 1
	})
}

// goOn sets the cursor of an answer if there are more ranked results.
func (r *search) goOn(more bool) {
	if a := r.answer; more && a.Truncated == nil && len(a.Results) > 0 {
		a.Cursor = contract.RankCursor(a.From+len(a.Results), a.List)
	}
}

// filesOf returns the files of results, each once.
func filesOf(list []candidate) (files []string) {
	for i := range list {
		files = append(files, list[i].path)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// boostChanged looks up the files that git reports as changed, so that they rank higher.
func (r *search) boostChanged(ctx context.Context) {
	summary := &contract.FreshnessSummary{SyncMode: contract.FreshnessMode(r.sync.Mode)}
	r.answer.FreshnessSummary = summary
	if at := engine.Stamp(r.sync.CheckedAt); at != "" && r.sync.Mode != jit.ModeIndexing {
		summary.LastSyncAt = &at
	}
	if r.req.RankingMode != contract.RankChangedFirst {
		return
	}
	// Without a repository, or with one that cannot be read, nothing is boosted.
	changes, err := r.place.Root.GitChanged(ctx)
	if err != nil {
		return
	}
	summary.GitDirtyFilesConsidered, summary.ChangedFileCount = true, len(changes.Paths)
	if changes.Large {
		// Such a large change set does not show where the user works.
		summary.ChangedFilesBoostSkippedForLargeChanges = true
		return
	}
	summary.ChangedFilesBoostApplied = len(changes.Paths) > 0
	r.changed = map[string]bool{}
	for _, f := range changes.Paths {
		r.changed[f] = true
	}
}

// finish sets the fields that depend on the final results: status, warnings, hints and the recommended
// call.
func (r *search) finish(ctx context.Context) {
	a := r.answer
	a.Status = contract.StatusOK
	r.warnBare()
	r.warnCut()
	r.warnUncounted()
	r.warnWidened()
	r.warnAbsent()
	r.warnDialect()
	if w, ok := engine.ApartWarning(r.place.Root, r.filter.Prefix); ok &&
		(r.query.Exhaustive() || len(a.Results) == 0 || a.Confidence == contract.Low) {
		a.Warnings.Add(w)
	}
	if r.req.IncludeResultIndex {
		for i, res := range a.Results {
			file, span := res.Place()
			label := fmt.Sprintf("%d-%d", span.StartLine, span.EndLine)
			if g, ok := res.(*contract.Group); ok {
				label = g.SymbolLabel
			}
			a.Index = append(a.Index, contract.ResultIndex{Rank: i + 1, File: file, Label: label})
		}
	}
	r.recommend()
	r.noise()
	if len(a.Results) == 0 {
		if a.Confidence = contract.Low; r.req.Cursor == "" {
			r.nothing()
		}
	}
}

// recommend sets the recommended call for the best result.
func (r *search) recommend() {
	if len(r.answer.Results) == 0 {
		return
	}
	g, ok := r.answer.Results[0].(*contract.Group)
	if !ok || g.Navigation == nil || g.Navigation.RecommendedNextAction == nil {
		return
	}
	first, act := 0, g.Navigation.RecommendedNextAction
	r.answer.RecommendedNextAction = &contract.NextAction{ResultIndex: &first, Tool: act.Tool, Args: act.Args,
		Reason: act.Reason}
}

// noise adds a hint if most top results are of classes that users rarely search for.
func (r *search) noise() {
	top := map[string]int{}
	noisy := 0
	results := r.answer.Results[:min(len(r.answer.Results), 5)]
	for _, res := range results {
		file, _ := res.Place()
		class := r.classOf(file)
		top[string(class)]++
		if class != code.ClassSource && class != code.ClassConfig {
			noisy++
		}
	}
	if len(results) < 3 || noisy*2 <= len(results) || r.req.Scope == contract.ScopeDocs || r.query.Exhaustive() {
		return
	}
	if r.answer.Hints == nil {
		r.answer.Hints = &contract.Hints{}
	}
	quiet := r.req.Next(func(next *contract.SearchRequest) {
		next.Query, next.Cursor = "-path:**/*test* -path:**/testdata/** "+next.Query, ""
	})
	r.answer.Hints.NoiseMitigation = &contract.NoiseMitigation{Reason: fmt.Sprintf("%d of the first %d results are "+
		"no production source.", noisy, len(results)), Top: top, Action: contract.Suggest(quiet)}
}

// nothing adds hints for an answer without results.
func (r *search) nothing() {
	a := r.answer
	if a.Hints == nil {
		a.Hints = &contract.Hints{}
	}
	if a.Scope != contract.ScopeMixed && a.Matches == nil {
		a.Hints.NextSteps = append(a.Hints.NextSteps, *contract.Suggest(r.req.Next(func(next *contract.SearchRequest) {
			next.Scope, next.Cursor = contract.ScopeMixed, ""
		})).
			Because("Nothing matches in scope " + string(r.req.Scope) + "; this looks at every indexed file."))
	}
	a.Hints.NextSteps = append(a.Hints.NextSteps,
		*contract.Suggest(&contract.ManageRequest{Action: contract.ManageStatus, Path: r.place.Root.Path(),
			Detail: contract.DetailFull}).
			Because("Shows what the index covers and what it skipped."))
}
