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

// A request for a path outside of all roots indexes that path, because more requests usually
// follow. The actions status, sync and clear of manage_index never create an index.

// Enter opens the root that contains path, and indexes the path first if it is in none. If it opens
// no root, it returns a nil Place, an outcome that says why, and suggested calls.
func (s *Engine) Enter(ctx context.Context, path string) (*Place, contract.Outcome, *contract.Hints, error) {
	p, outcome, hints, err := s.Locate(ctx, path)
	if err != nil || outcome.Reason != contract.ReasonNotIndexed {
		return p, outcome, hints, err
	}
	if outcome, odd := noProjectFile(path); odd {
		return nil, outcome, nil, nil
	}
	dir, wide := s.Roots.ToIndex(path)
	if wide {
		outcome = contract.CondNotIndexed.Outcome("%s is not indexed and is too large to index on demand. Give the "+
			"path of a project in it, or call manage_index with action create to index all of it.", dir)
		return nil, outcome,
			&contract.Hints{Create: contract.Suggest(&contract.ManageRequest{Action: contract.ManageCreate,
				Path: dir})}, nil
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

// noProjectFile returns the outcome for a path that no root contains and that is no folder or regular file: a device,
// or a link to a file outside of its root, as main.go -> /etc/passwd.
func noProjectFile(path string) (contract.Outcome, bool) {
	info, err := os.Stat(path)
	switch {
	case err != nil || info.IsDir():
		return contract.Outcome{}, false
	case isLink(path):
		return contract.CondNotIndexed.Outcome("%s is a symbolic link out of its codebase. Give the path that it leads "+
			"to.", path), true
	case !info.Mode().IsRegular():
		return contract.CondNotIndexed.Outcome("%s is no regular file. Give the path of a folder or of a text file.",
			path), true
	}
	return contract.Outcome{}, false
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// EnterCheckout opens the root that contains a file. If there is none, it indexes the checkout that
// contains the file. The error wraps jit.ErrNotTracked for a file that is missing, or outside of
// all checkouts and therefore perhaps no code, and for a checkout that is too large to index on
// demand.
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

// firstIndex is the longest time that the first request waits for its index. Two cores index 5,000
// files in less. The rest of the request's time is for the answer.
const firstIndex = 10 * time.Second

// begin tracks dir and starts to index it. It waits for the index, but at most firstIndex and two
// thirds of the time until the deadline. If the index is not complete by then, the answer uses the
// finished part and says so.
func (s *Engine) begin(ctx context.Context, dir string) error {
	root, err := s.Roots.Adopt(ctx, dir)
	if err != nil {
		return err
	}
	var held *jit.HeldError // another call or process is building it
	if err := root.Start(ctx, "create"); err != nil && !errors.As(err, &held) {
		return fmt.Errorf("index %s: %w", dir, err)
	}
	wait := firstIndex
	if last, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(last)*2/3)
	}
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	// The error is not needed: the answer itself looks up whether the index was made, and says why it
	// failed.
	_ = root.Wait(limited, nil)
	return ctx.Err()
}
