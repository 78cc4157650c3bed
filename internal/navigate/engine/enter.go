package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"sextant/internal/navigate/contract"
	"sextant/jit"
)

// A question about a path that no root owns is a reason to index it: more questions
// follow the first. manage_index status, sync and clear ask
// about indexes, and make none.

// Enter returns locate for a question: it indexes what is not indexed yet.
func (s *Engine) Enter(ctx context.Context, path string) (*Place, contract.Outcome, *contract.Hints, error) {
	p, outcome, hints, err := s.Locate(ctx, path)
	if err != nil || outcome.Reason != contract.ReasonNotIndexed {
		return p, outcome, hints, err
	}
	dir, wide := s.Roots.ToIndex(path)
	if wide {
		outcome = contract.CondNotIndexed.Outcome("%s is not indexed and is too large to index on demand. Give the path of a project in it, or call manage_index with action create to index all of it.", dir)
		return nil, outcome, &contract.Hints{Create: contract.Suggest(&contract.ManageRequest{Action: contract.ManageCreate, Path: dir})}, nil
	}
	if err := s.begin(ctx, dir); err != nil {
		return nil, contract.Outcome{}, nil, err
	}
	p, outcome, hints, err = s.Locate(ctx, path)
	if p != nil {
		p.begun = true
	}
	return p, outcome, hints, err
}

// EnterCheckout returns open for a question about one file. It indexes the checkout
// that the file is in; elsewhere a path says nothing of whether it belongs to
// code at all, and the error is jit.ErrNotTracked.
func (s *Engine) EnterCheckout(ctx context.Context, path string) (*Place, error) {
	p, err := s.open(ctx, path)
	if !errors.Is(err, jit.ErrNotTracked) {
		return p, err
	}
	if _, missing := os.Stat(path); missing != nil {
		return nil, err
	}
	if dir, _ := s.Roots.ToIndex(path); dir != s.Roots.Top(path) {
		return nil, err
	}
	if p, _, _, failed := s.Enter(ctx, path); p != nil || failed != nil {
		return p, failed
	}
	return nil, err
}

// firstIndex bounds the wait of the first question for its index: 5,000 files
// take less on two cores. Another part of the answer's time is for the answer.
const firstIndex = 10 * time.Second

// begin tracks dir and indexes it. It waits for the index within bounds: what
// comes earlier is answered from the part that is made, and says so.
func (s *Engine) begin(ctx context.Context, dir string) error {
	root, err := s.Roots.Adopt(ctx, dir)
	if err != nil {
		return err
	}
	var held *jit.HeldError // another call or process is at it
	if err := root.Start(ctx, "create"); err != nil && !errors.As(err, &held) {
		return fmt.Errorf("index %s: %w", dir, err)
	}
	wait := firstIndex
	if last, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(last)*2/3)
	}
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	// The answer looks at the build, too, and says why it failed.
	_ = root.Wait(limited, nil)
	return ctx.Err()
}

// begunWarning says that a question had its path indexed.
func begunWarning(p *Place) contract.Warning {
	root := p.Root.Path()
	return contract.Warning{Code: "INDEX_CREATED", Severity: contract.SeverityInfo, Message: root + " was not indexed yet and is from now on; manage_index clear removes the index again.",
		Action: contract.Suggest(&contract.ManageRequest{Action: contract.ManageStatus, Path: root})}
}
