package navigate

import (
	"context"
	"fmt"
	"maps"
	"sync"

	"sextant/jit"
	"sextant/l2meta"
)

// book is the verdicts of one root that are at hand, over those in its index. It
// is safe for concurrent use; what it gives is not to be modified.
type book struct {
	index l2meta.Index

	mu    sync.Mutex
	files map[string]*l2meta.Verdicts // guarded by mu; by path, nil where nothing is stored
	// judged is the paths that verdicts are stored of, nil before they were
	// listed. Most files of most roots have none, and a walk asks for thousands:
	// it is replaced and never modified.
	judged map[string]bool // guarded by mu
	busy   map[string]bool // guarded by mu; questions that the background works on
}

// maxBookFiles bounds what is at hand: some 5 kB a file.
const maxBookFiles = 20_000

func newBook() *book { return &book{files: map[string]*l2meta.Verdicts{}, busy: map[string]bool{}} }

// of is what is known of the file at path, nil for nothing.
func (b *book) of(ctx context.Context, v *jit.View, path string) (*l2meta.Verdicts, error) {
	b.mu.Lock()
	known, ok := b.files[path]
	b.mu.Unlock()
	if ok {
		return known, nil
	}
	stored, found, err := b.index.Verdicts(ctx, v, path)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if known, ok := b.files[path]; ok { // learnt meanwhile
		return known, nil
	}
	if found {
		known = &stored
	}
	b.keep(path, known)
	return known, nil
}

// heardOf is the paths that verdicts are known of. It is not to be modified.
func (b *book) heardOf(ctx context.Context, v *jit.View) (map[string]bool, error) {
	b.mu.Lock()
	judged := b.judged
	b.mu.Unlock()
	if judged != nil {
		return judged, nil
	}
	paths, err := b.index.Judged(ctx, v)
	if err != nil {
		return nil, fmt.Errorf("list verdicts: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.judged == nil {
		b.judged = map[string]bool{}
		for p := range b.files {
			b.judged[p] = true // learnt since
		}
		for _, p := range paths {
			b.judged[p] = true
		}
	}
	return b.judged, nil
}

// keep wants b.mu held.
func (b *book) keep(path string, v *l2meta.Verdicts) {
	if len(b.files) >= maxBookFiles {
		clear(b.files)
	}
	b.files[path] = v
}

// learn notes what servers said, by the path of the file that was asked about,
// and stores it.
func (b *book) learn(ctx context.Context, root *jit.Root, news map[string]l2meta.Verdicts, now int64) error {
	if len(news) == 0 {
		return nil
	}
	b.mu.Lock()
	for path, add := range news {
		if have := b.files[path]; have != nil {
			add = have.With(add)
		}
		b.keep(path, &add)
	}
	if b.judged != nil {
		b.judged = maps.Clone(b.judged)
		for path := range news {
			b.judged[path] = true
		}
	}
	b.mu.Unlock()
	err := root.Keep(ctx, func(tx *jit.Tx) error {
		for path, add := range news {
			if err := b.index.AddVerdicts(ctx, tx, path, add, now); err != nil {
				return err
			}
		}
		return b.index.TrimVerdicts(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("keep verdicts: %w", err)
	}
	return nil
}

// claim takes a piece of background work; false when it is under way already.
func (b *book) claim(what string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.busy[what] {
		return false
	}
	b.busy[what] = true
	return true
}

func (b *book) release(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.busy, what)
}
