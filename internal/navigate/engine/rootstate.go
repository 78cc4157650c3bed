package engine

import (
	"context"
	"sync"

	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// rootState is what was derived from one root so far.
type rootState struct {
	words *l1fts.Index   // with what it caches of word frequencies and vectors
	calls *resolve.Cache // what questions on the calls of the root have derived

	mu       sync.Mutex
	loading  chan struct{} // guarded by mu; closed when the vectors that are being read are; nil when none are
	granted  int           // guarded by mu; the files that the budget was raised for
	coverage coverageAt    // guarded by mu; counting it reads the whole files table
}

// state is what was derived from a root, made on the first question.
func (s *Engine) state(root *jit.Root) *rootState {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.states[root.Path()]
	if r == nil {
		r = &rootState{words: l1fts.New(s.wordsOpt), calls: resolve.NewCache(languages.All, s.Budget)}
		s.states[root.Path()] = r
	}
	return r
}

// Words is the lexical index of a root.
func (s *Engine) Words(root *jit.Root) *l1fts.Index { return s.state(root).words }

// Derived is what questions on the calls of a root have derived so far.
func (s *Engine) Derived(root *jit.Root) *resolve.Cache { return s.state(root).calls }

// PerFile is the bytes by which an indexed file raises the budget: what has to
// stay of it is the ledger of its calls, some 60 of 50 bytes each in real
// repositories, and the directory of its vectors, 12 of 57 bytes.
const PerFile = 4 << 10

// grant raises the budget by what the files of a root need.
func (s *Engine) grant(ctx context.Context, root *jit.Root, generation int64) {
	known, err := s.Coverage(ctx, root, generation)
	if err != nil {
		return // the caches do with what there is
	}
	r := s.state(root)
	r.mu.Lock()
	more := known.Files - r.granted
	r.granted = known.Files
	r.mu.Unlock()
	s.Budget.Raise(PerFile * int64(more))
}

// coverageAt is the coverage of one generation of a root's index.
type coverageAt struct {
	generation int64
	jit.Coverage
	// broken is the files that their grammars could not place as a whole, by path.
	Broken map[string]jit.FileRow
}

// Coverage is how much of a root is known at a generation.
func (s *Engine) Coverage(ctx context.Context, root *jit.Root, generation int64) (coverageAt, error) {
	r := s.state(root)
	r.mu.Lock()
	known := r.coverage
	r.mu.Unlock()
	if known.Broken != nil && known.generation == generation {
		return known, nil
	}
	counted := coverageAt{Broken: map[string]jit.FileRow{}}
	err := root.View(ctx, func(v *jit.View) (err error) {
		if counted.generation, err = jit.Generation(ctx, v); err == nil {
			counted.Coverage, err = jit.Covered(ctx, v)
		}
		if err == nil && counted.ParseErrors > 0 {
			err = v.Broken(ctx, func(f jit.FileRow) error { counted.Broken[f.Path] = f; return nil })
		}
		return err
	})
	if err == nil {
		r.mu.Lock()
		r.coverage = counted
		r.mu.Unlock()
	}
	return counted, err
}
