package proof

import (
	"context"
	"sync"

	"sextant/internal/navigate/engine"
	"sextant/jit"
	"sextant/l2meta"
)

// Service keeps what language servers answered about each root, and asks them more. It is safe for
// concurrent use.
type Service struct {
	*engine.Engine
	prover Prover
	books  sync.Map // root path → *book: the cached answers of language servers
}

// New returns the service over an engine, whose questions prover answers.
func New(e *engine.Engine, prover Prover) *Service { return &Service{Engine: e, prover: prover} }

// book returns the cache of the answers of language servers about the calls in a root. It creates
// an empty cache on the first call.
func (s *Service) book(root *jit.Root) *book {
	if b, ok := s.books.Load(root.Path()); ok {
		return b.(*book)
	}
	b, _ := s.books.LoadOrStore(root.Path(), newBook(s.Budget))
	return b.(*book)
}

// Snapshot is a state of the index of a root.
type Snapshot struct {
	Root       *jit.Root
	View       *jit.View // valid in the callback of Root.View alone
	Generation int64     // of the index in View
}

// Linker returns a linker on a snapshot. The stored answers of language servers override what it resolves
// from syntax, as far as they are valid on the snapshot. If frozen is not 0, they are only those given
// until that time, in µs.
func (s *Service) Linker(ctx context.Context, on Snapshot, frozen int64) *Linker {
	l := NewLinker(ctx, on.View, s.Derived(on.Root), on.Generation)
	l.Proofs = &Proofs{ctx: ctx, view: on.View, r: l.Resolver, prover: s.prover, book: s.book(on.Root),
		root: on.Root.Path(), services: on.Root.Services(), frozen: frozen, Now: s.Clock().UnixMicro(), generation: on.Generation,
		Bases: map[BaseKey]*Basis{}, files: map[string]*l2meta.Verdicts{}}
	heard, err := l.Proofs.book.heardOf(ctx, on.View)
	l.Proofs.heard = heard
	l.Proofs.note(err)
	return l
}
