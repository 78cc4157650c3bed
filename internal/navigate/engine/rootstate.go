package engine

import (
	"context"
	"sync"

	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// rootState holds the derivations of one root so far.
type rootState struct {
	words *l1fts.Index   // with what it caches of word frequencies and vectors
	calls *resolve.Cache // what questions on the calls of the root have derived

	mu      sync.Mutex
	loading chan struct{} // guarded by mu; closed when the vectors that are being read are; nil when none are
	granted int           // guarded by mu; the files that the budget was raised for
	counted counts        // guarded by mu
}

// state returns what was derived from a root, made on the first question.
func (s *Engine) state(root *jit.Root) *rootState {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.states[root.Path()]
	if r == nil {
		r = &rootState{words: l1fts.New(s.wordsOpt), calls: resolve.NewCache(languages.All, s.Budget)}
		r.calls.WhilePartial(jit.Partial)
		r.calls.KeepUnder(program)
		s.states[root.Path()] = r
	}
	return r
}

// Words returns the lexical index of a root.
func (s *Engine) Words(root *jit.Root) *l1fts.Index { return s.state(root).words }

// Derived returns what questions on the calls of a root have derived so far.
func (s *Engine) Derived(root *jit.Root) *resolve.Cache { return s.state(root).calls }

// PerFile is the bytes by which an indexed file raises the budget: what has to
// stay of it is the ledger of its calls, some 60 of 50 bytes each in real
// repositories, and the directory of its vectors, 12 of 57 bytes.
const PerFile = 4 << 10

// grant raises the budget by what the files of a root need.
func (s *Engine) grant(ctx context.Context, root *jit.Root) {
	known, err := s.Coverage(ctx, root)
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
