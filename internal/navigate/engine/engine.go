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

// Options of New. Roots and Version are required.
type Options struct {
	Roots   *jit.Roots
	Version string           // of the program, for answers that name their writer
	Clock   func() time.Time // nil means time.Now
	// Words are the options of the index of words and vectors of a root.
	Words l1fts.Options
	// NoEmbedder says why Words lacks an embedder that the caller configured, ""
	// when the caller configured none.
	NoEmbedder string
	// Resident says that the process serves many requests, so that it pays to read the vectors into
	// memory, and that language servers may finish after the answer.
	Resident bool
	// VectorWait bounds the wait of a request for the vectors of its root while they are being
	// read; 0 means DefaultVectorWait.
	VectorWait time.Duration
	// Budget bounds the bytes of all caches together; nil means no limit. Each root in use raises
	// it by PerFile for each file.
	Budget *budget.Budget
}

// Engine opens the roots for requests, and caches the data derived from each. It is safe for
// concurrent use.
type Engine struct {
	Roots      *jit.Roots
	Facts      l2meta.Index // symbols, calls and verdicts of language servers
	Version    string
	Clock      func() time.Time
	vectorWait time.Duration // wait of a request for the vectors of its root
	wordsOpt   l1fts.Options
	Missing    string // why there is no embedder, "" if none is configured
	Resident   bool
	Budget     *budget.Budget

	mu     sync.Mutex
	states map[string]*rootState // guarded by mu; by the path of the root

	group *background.Group // everything in the background; Close closes it
}

// New returns an Engine over the roots of one SEXTANT_HOME.
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
