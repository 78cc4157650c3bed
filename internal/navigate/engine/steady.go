package engine

import (
	"context"
	"errors"

	"sextant/internal/navigate/contract"
	"sextant/jit"
)

// exchanges is the largest number of attempts at an answer if the index is cleared, rebuilt or
// found damaged meanwhile.
const exchanges = 5

// Steady returns a function that runs ask on one index from beginning to end, retrying if the index
// was replaced. An answer from two indexes, the second still empty, would wrongly report that nothing
// was found. path is any path in the root of the request, or "" for a request without a root.
func Steady[A any](s *Engine, path string, ask func(context.Context) (A, error)) func(context.Context) (A, error) {
	return func(ctx context.Context) (answer A, err error) {
		for range exchanges {
			before := s.Roots.Losses(path)
			answer, err = ask(ctx)
			if ctx.Err() != nil || !exchanged(err) && s.Roots.Losses(path) == before {
				return answer, damage(path, err)
			}
		}
		return answer, contract.CondBusy.Refuse(path, nil,
			"The index of %s was exchanged on each of %d attempts to read it. Repeat the call when whatever clears "+
				"it has ended.", path, exchanges)
	}
}

// Willing returns a function that runs do, an operation that may itself replace the index. It repeats do
// only after an error which says that another process replaced the index.
func Willing[A any](path string, do func(context.Context) (A, error)) func(context.Context) (A, error) {
	return func(ctx context.Context) (answer A, err error) {
		for range exchanges {
			if answer, err = do(ctx); ctx.Err() != nil || !exchanged(err) {
				break
			}
		}
		return answer, damage(path, err)
	}
}

// exchanged reports whether err results from an index, or its folder, that was removed during a
// call.
func exchanged(err error) bool {
	return errors.Is(err, jit.ErrReplaced) || errors.Is(err, jit.ErrClosed)
}

// damage returns err, with an explanation if the index was damaged repeatedly.
func damage(path string, err error) error {
	var d *jit.DamagedError
	if !errors.As(err, &d) {
		return err
	}
	return contract.CondDamaged.Refuse(path, nil,
		"%s was damaged again soon after it had been made anew, so the disk is failing or another program writes "+
			"into the file: check the disk. It is made anew once more when a call comes after %s.",
		d.Path, Stamp(d.Until))
}
