package proof

import (
	"context"
	"fmt"
	"maps"
	"sync"

	"sextant/internal/budget"
	"sextant/jit"
	"sextant/l2meta"
)

// book caches the verdicts of one root: the answers of language servers about the calls and
// symbols in its files. The index stores the same verdicts. It is safe for concurrent use.
// Callers must not modify the values that it returns.
type book struct {
	index l2meta.Index

	mu    sync.Mutex
	files map[string]*l2meta.Verdicts // guarded by mu; path → verdicts on the file, nil if none are stored
	// judged holds the paths of the files about which answers of language servers are stored. It saves
	// look-ups, as a graph meets thousands of files, most without such answers. It is nil until it is
	// first used. The map is replaced and never modified.
	judged map[string]bool // guarded by mu

	item  *budget.Item // reserves the bytes of files
	bytes int64        // size of files; guarded by mu
}

func newBook(b *budget.Budget) *book {
	k := &book{files: map[string]*l2meta.Verdicts{}}
	k.item = b.Add(0, k.drop)
	return k
}

// drop empties the cache when the memory budget is exceeded. The index still has the answers of language
// servers that it held.
func (b *book) drop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.files)
	b.bytes = 0
}

// count reports the size of the cache to the budget.
func (b *book) count() {
	b.mu.Lock()
	n := b.bytes
	b.mu.Unlock()
	b.item.Use()
	b.item.Resize(n)
}

// of returns the verdicts, answers of language servers, on the file at path, or nil if there are none.
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
	if learnt, ok := b.files[path]; ok { // the method learn has added it meanwhile
		b.mu.Unlock()
		return learnt, nil
	}
	if found {
		known = &stored
	}
	b.keep(path, known)
	b.mu.Unlock()
	b.count()
	return known, nil
}

// heardOf returns the paths of the files on which verdicts, answers of language servers, are stored. The
// caller must not modify the map.
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
			b.judged[p] = true // verdicts that learn has added meanwhile
		}
		for _, p := range paths {
			b.judged[p] = true
		}
	}
	return b.judged, nil
}

// keep caches the verdicts, answers of language servers, on a file. The caller holds b.mu.
func (b *book) keep(path string, v *l2meta.Verdicts) {
	old, had := b.files[path]
	if b.files[path] = v; !had {
		b.bytes += perBooked + int64(len(path))
	}
	b.bytes += v.Bytes() - old.Bytes()
}

// perBooked is an estimate of the bytes that an entry of book.files takes beside path and
// verdicts.
const perBooked = 64

// learn caches new verdicts, answers of language servers, and stores them in the index. news maps the
// path of a file to the verdicts on it.
func (b *book) learn(ctx context.Context, root *jit.Root, news map[string]l2meta.Verdicts, now int64) error {
	if len(news) == 0 {
		return nil
	}
	b.mu.Lock()
	var alone []string // files on which the index may have older verdicts as well
	for path, add := range news {
		if have := b.files[path]; have != nil {
			add = have.With(add)
		} else {
			alone = append(alone, path)
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
	b.count()
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
	b.mu.Lock()
	for _, path := range alone {
		b.lose(path)
	}
	b.mu.Unlock()
	return nil
}

// lose removes a file from the cache, so that the next look-up reads the index. The
// caller holds b.mu.
func (b *book) lose(path string) {
	if v, ok := b.files[path]; ok {
		b.bytes -= perBooked + int64(len(path)) + v.Bytes()
		delete(b.files, path)
	}
}
