package engine

import (
	"context"
	"errors"

	"sextant/internal/navigate/contract"
	"sextant/jit"
)

// exchanges bounds how often an answer is begun again because the index was cleared,
// made anew or found damaged under it.
const exchanges = 5

// Steady answers by ask on one index from beginning to end: what is read of two
// of them, the second one empty as yet, would say that there is nothing. The path
// lies in the root of the question; "" for a question about no root.
func Steady[A any](ctx context.Context, s *Engine, path string, ask func() (A, error)) (answer A, err error) {
	for range exchanges {
		before := s.Roots.Losses(path)
		answer, err = ask()
		if ctx.Err() != nil || !exchanged(err) && s.Roots.Losses(path) == before {
			return answer, damage(path, err)
		}
	}
	return answer, contract.CondBusy.Refuse(path, nil, "The index of %s was exchanged on each of %d attempts to read it. Repeat the call when whatever clears it has ended.", path, exchanges)
}

// Willing returns steady for what exchanges the index itself: only an error says that
// another did.
func Willing[A any](ctx context.Context, path string, do func() (A, error)) (answer A, err error) {
	for range exchanges {
		if answer, err = do(); ctx.Err() != nil || !exchanged(err) {
			break
		}
	}
	return answer, damage(path, err)
}

// exchanged reports whether err comes of an index, or the folder that holds it,
// that went away under a call.
func exchanged(err error) bool {
	return errors.Is(err, jit.ErrReplaced) || errors.Is(err, jit.ErrClosed)
}

// damage returns err, said in words where it is of an index that is damaged again and
// again.
func damage(path string, err error) error {
	var d *jit.DamagedError
	if !errors.As(err, &d) {
		return err
	}
	return contract.CondDamaged.Refuse(path, nil, "%s was damaged again soon after it had been made anew, so the disk is failing or another program writes into the file: check the disk. It is made anew once more when a call comes after %s.",
		d.Path, Stamp(d.Until))
}
