package impact

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/jit"
)

// Service answers call_graph for references to a change. It is safe for concurrent use.
type Service struct {
	*engine.Engine
	parses *parses
}

// New returns a Service over an engine.
func New(e *engine.Engine) *Service { return &Service{e, newParses(e)} }

// Impact answers call_graph for a reference to a change. The error is *contract.InvalidArguments
// for an unknown revision.
func (s *Service) Impact(ctx context.Context, req contract.GraphRequest) (*contract.GraphAnswer, error) {
	ask := func(ctx context.Context) (*contract.GraphAnswer, error) { return s.once(ctx, req) }
	return engine.Bounded(ctx, s.Engine, contract.Within(&req), engine.Steady(s.Engine, req.Path, ask), req.TooLate)
}

// once answers on the index as it is now, in several passes if files change meanwhile. Impact repeats it
// if the index is replaced.
func (s *Service) once(ctx context.Context, req contract.GraphRequest) (*contract.GraphAnswer, error) {
	q := &question{service: s, req: &req, answer: req.Answer()}
	// Part of the time is for walking, the rest for ranking, verifying and writing.
	limit := time.Duration(req.DeadlineMs) * time.Millisecond
	now := time.Now()
	q.compareUntil, q.until, q.searchUntil = now.Add(limit*2/5), now.Add(limit*3/4), now.Add(limit*7/8)
	from, ok := parseCursor(req.Cursor)
	if !ok {
		return nil, invalid("cursor",
			fmt.Sprintf("%q is no cursor of a change: expected the cursor of an answer to the same call; leave "+
				"cursor out to start over", contract.Clip(req.Cursor)))
	}
	q.from = from
	p, outcome, hints, err := s.Enter(ctx, req.Path)
	if err != nil {
		return nil, err
	}
	if p == nil {
		q.answer.Outcome, q.answer.Hints = outcome, hints
		return q.answer, nil
	}
	q.place, q.answer.CodebaseRoot = p, p.Root.Path()
	for passes := engine.NewPasses(); ; {
		done, err := q.pass(ctx)
		if done || err != nil {
			return q.answer, err
		}
		if !passes.Again(q.moved) {
			q.answer.Outcome = passes.KeepsMoving("this change")
			return q.answer, nil
		}
	}
}

func invalid(field, message string) error {
	return &contract.InvalidArguments{Tool: contract.ToolGraph,
		Problems: []contract.Problem{{Field: field, Message: message}}}
}

// question is the state of one request.
type question struct {
	service *Service
	place   *engine.Place
	moved   jit.Report // the changed files because of which the last pass is repeated
	req     *contract.GraphRequest
	answer  *contract.GraphAnswer
	from    cursor

	// The times at which comparing files, searching callers, and searching tests for words must stop.
	compareUntil, until, searchUntil time.Time
}

// pass makes one attempt at the answer. It returns false if a file that the answer depends on
// changed meanwhile.
func (q *question) pass(ctx context.Context) (bool, error) {
	s, root := q.service, q.place.Root
	sync, err := root.Sync(ctx)
	if err != nil {
		if q.answer.Outcome, q.answer.Hints, err = engine.Failed(root.Path(), err); err != nil {
			err = fmt.Errorf("call_graph: %w", err)
		}
		return true, err
	}
	defer s.Settle(root, sync.Generation)
	if *q.req.CrossService {
		s.FindLinks(root, sync.Generation) // while the changed files are compared
	}
	diff, err := root.Difference(ctx, *q.req.SymbolRef.Diff)
	if err != nil {
		return true, refuse(err)
	}
	within := slices.DeleteFunc(slices.Clone(diff.Files),
		func(d jit.FileDiff) bool { return !code.Within(d.Path, q.place.Rel) })
	limited, cancel := context.WithDeadline(ctx, q.compareUntil)
	defer cancel()
	found := &findings{diff: &diff, changes: s.parses.compareAll(limited, within),
		partial: sync.Mode == jit.ModeIndexing}
	if err := ctx.Err(); err != nil {
		return true, err
	}
	found.unlinked = *q.req.CrossService && q.linksLate(ctx, sync.Generation)
	err = root.ViewServices(ctx, func(v *jit.View, generation int64, services *jit.Services) error {
		return q.find(ctx, v, generation, services, found)
	})
	if err != nil {
		return true, fmt.Errorf("call_graph: %w", err)
	}
	files := q.fit(found)
	check, err := root.VerifySince(ctx, files, sync.Generation)
	if err != nil {
		return true, fmt.Errorf("call_graph: %w", err)
	}
	if check.Changed() {
		q.moved = check
		return false, nil
	}
	a := q.answer
	a.Status, a.Supported = contract.StatusOK, true
	fresh := s.Freshness(sync, check)
	a.FreshnessDecision = &fresh
	a.Warnings = append(a.Warnings, engine.Codes(s.Warn(q.place, sync, check))...)
	for _, problem := range diff.Problems {
		a.Warnings = append(a.Warnings, "REPOSITORY_LEFT_OUT:"+problem)
	}
	slices.Sort(a.Warnings)
	a.Warnings = slices.Compact(a.Warnings)
	q.fit(found) // again, since the parts added meanwhile reduce the budget
	return true, nil
}

// linksLate waits until the links between services are known, up to half of the time until the walk must end. It
// reports whether they are still being searched for: the walk would then wait for them until its end.
func (q *question) linksLate(ctx context.Context, generation int64) bool {
	limited, cancel := context.WithDeadline(ctx, q.until.Add(-time.Until(q.until)/2))
	defer cancel()
	return !q.service.Linked(limited, q.place.Root, generation) && limited.Err() != nil
}

// refuse converts an error of the comparison to an error that says which revisions are valid.
func refuse(err error) error {
	const (
		// graph answers what a change would touch that is not made yet, as in `sextant impact Server.Handle`.
		graph    = "ask for the graph of a symbol instead, for example Server.Handle"
		expected = `expected HEAD, a branch, a tag, a commit, each with ~N or ^, or a range A..B; for example "HEAD~1"`
	)
	switch {
	case errors.Is(err, jit.ErrNoRepository):
		return invalid("symbolRef.diff",
			"the path is in no git repository, so there is nothing to compare with; "+graph)
	case errors.Is(err, jit.ErrShallow):
		return invalid("symbolRef.diff", fmt.Sprintf("%v; run `git fetch --unshallow`, or compare with a commit that "+
			"was fetched, for example HEAD", err))
	case errors.Is(err, jit.ErrNoRevision):
		return invalid("symbolRef.diff", fmt.Sprintf("%v; %s; or %s", err, expected, graph))
	}
	return fmt.Errorf("call_graph: %w", err)
}
