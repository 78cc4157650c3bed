package callgraph

import (
	"context"
	"sync"

	"sextant/internal/navigate/engine"
	"sextant/jit"
	"sextant/l2meta"
)

// asking keeps what language servers answered about each root, and asks them more. It is safe for
// concurrent use.
type asking struct {
	*engine.Engine
	prover Prover
	books  sync.Map // root path → *book: the cached answers of language servers
}

func newAsking(e *engine.Engine, prover Prover) *asking { return &asking{Engine: e, prover: prover} }

// book returns the cache of what language servers answered about the calls in a root. It creates an empty
// cache on the first call.
func (s *asking) book(root *jit.Root) *book {
	if b, ok := s.books.Load(root.Path()); ok {
		return b.(*book)
	}
	b, _ := s.books.LoadOrStore(root.Path(), newBook(s.Budget))
	return b.(*book)
}

// snapshot is a state of the index of a root.
type snapshot struct {
	root       *jit.Root
	view       *jit.View
	generation int64
}

// linker returns a linker on a snapshot. The stored answers of language servers override what it resolves
// from syntax, as far as they are valid on the snapshot. If frozen is not 0, they are only those given
// until that time, in µs.
func (s *asking) linker(ctx context.Context, on snapshot, frozen int64) *linker {
	l := newLinker(ctx, on.view, s.Derived(on.root), on.generation)
	l.p = &proofs{ctx: ctx, view: on.view, r: l.r, prover: s.prover, book: s.book(on.root), root: on.root.Path(),
		services: on.root.Services(), frozen: frozen, now: s.Clock().UnixMicro(), generation: on.generation,
		bases: map[baseKey]*basis{}, files: map[string]*l2meta.Verdicts{}}
	heard, err := l.p.book.heardOf(ctx, on.view)
	l.p.heard = heard
	l.p.note(err)
	return l
}
