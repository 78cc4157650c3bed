package engine

import (
	"context"
	"sync"
	"time"

	"sextant/internal/background"
	"sextant/internal/budget"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta"
)

// Options configures New. Roots and Version are required.
type Options struct {
	Roots   *jit.Roots
	Version string           // version of the program, which some answers show
	Clock   func() time.Time // nil means time.Now
	// Words configures the full-text and vector index of each root.
	Words l1fts.Options
	// NoEmbedder is the reason why Words has no embedder, which computes vectors for texts,
	// although the caller configured one. It is "" if none is configured.
	NoEmbedder string
	// Resident is true if the process serves many requests. Only then is it worth reading the
	// vectors into memory, and may language servers reply after the answer was sent.
	Resident bool
	// VectorWait is the longest time that a request waits until the vectors of its root are read
	// from disk; 0 means DefaultVectorWait.
	VectorWait time.Duration
	// Budget bounds the bytes of all caches together; nil means no limit. Each root in use grants
	// PerFile for each file to the data that must stay in memory.
	Budget *budget.Budget
}

// Engine opens the roots for requests, and caches the data derived from each. It is safe for
// concurrent use.
type Engine struct {
	Roots      *jit.Roots
	Facts      l2meta.Index // symbols, calls, and answers of language servers
	Version    string
	Clock      func() time.Time
	vectorWait time.Duration // longest wait of a request for the vectors of its root
	wordsOpt   l1fts.Options
	Missing    string // Options.NoEmbedder
	Resident   bool
	Budget     *budget.Budget

	mu     sync.Mutex
	states map[string]*rootState // guarded by mu; root path → data derived from the root

	group *background.Group // all background work; Close closes it
}

// New returns an Engine over the roots of one SEXTANT_HOME, the folder that holds the indexes.
func New(opt Options) *Engine {
	if opt.Clock == nil {
		opt.Clock = time.Now
	}
	if opt.VectorWait <= 0 {
		opt.VectorWait = DefaultVectorWait
	}
	return &Engine{Roots: opt.Roots, Version: opt.Version, Clock: opt.Clock, vectorWait: opt.VectorWait,
		wordsOpt: opt.Words, Missing: opt.NoEmbedder,
		Resident: opt.Resident, Budget: opt.Budget, states: map[string]*rootState{},
		group: background.NewGroup(context.Background())}
}

// Close stops the background work and waits for it.
func (e *Engine) Close() { e.group.Close() }

// Idle waits until no background work runs.
func (e *Engine) Idle() { e.group.Wait() }

// Spawn runs fn in a goroutine that Close waits for. It returns false without running fn if the
// engine is closed.
func (e *Engine) Spawn(fn func(context.Context)) bool { return e.group.Go(fn) }
