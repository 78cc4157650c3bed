package engine

import (
	"context"
	"sync"
	"time"

	"sextant/internal/program"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// rootState holds the data derived from one root so far.
type rootState struct {
	words *l1fts.Index   // with its cached word frequencies and vectors
	calls *resolve.Cache // with the resolved calls
	files parsedFiles

	mu      sync.Mutex
	loading chan struct{} // guarded by mu; closed when the vectors being read are complete; nil if none are being read
	granted int           // guarded by mu; number of files for which the budget was raised
	counted counts        // guarded by mu
	linking *linking      // guarded by mu; the latest search for links between services; nil before the first

	linksFound *foundLinks // guarded by mu; the links that are to be stored in the index; nil if there are none
	linksKept  time.Time   // guarded by mu; when links were stored last
}

// state returns the derived data of a root, created on first use.
func (s *Engine) state(root *jit.Root) *rootState {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.states[root.Path()]
	if r == nil {
		r = &rootState{words: l1fts.New(s.wordsOpt), calls: resolve.NewCache(languages.All, s.Budget),
			files: parsedFiles{budget: s.Budget}}
		r.calls.WhilePartial(jit.Partial)
		r.calls.KeepUnder(program.ID, keepEvery)
		r.calls.MapIn(root.Dir())
		s.states[root.Path()] = r
	}
	return r
}

// Words returns the lexical index of a root.
func (s *Engine) Words(root *jit.Root) *l1fts.Index { return s.state(root).words }

// Derived returns the cache of resolved calls of a root.
func (s *Engine) Derived(root *jit.Root) *resolve.Cache { return s.state(root).calls }

// keepEvery is the interval at which the calls resolved so far are written to the index while
// others are still being resolved. Links between services are stored at most once per interval,
// too.
const keepEvery = time.Minute

// PerFile is the number of bytes that the budget grants for an indexed file, to data that must
// stay in memory: the resolutions of its calls, and the list of its vectors, some 12 entries of
// 57 bytes each. The resolutions took 4.7 kB in real repositories (57,262 files) before equal
// results of a file shared memory. Most of both lies in mapped files, where these can be made.
const PerFile = 6 << 10

// grant adapts the memory budget to the files of a root, by PerFile for each.
func (s *Engine) grant(ctx context.Context, root *jit.Root) {
	known, err := s.Coverage(ctx, root)
	if err != nil {
		return // without a number of files, the budget stays as it is
	}
	r := s.state(root)
	r.mu.Lock()
	more := known.Files - r.granted
	r.granted = known.Files
	r.mu.Unlock()
	s.Budget.Grant(PerFile * int64(more))
}
