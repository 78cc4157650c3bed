package callgraph

import (
	"context"

	"sextant/internal/navigate/callgraph/proof"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/internal/navigate/symbols"
)

// Service answers call_graph. It is safe for concurrent use.
type Service struct {
	*engine.Engine
	symbols *symbols.Service
	proofs  *proof.Service // asks language servers; nil if edges come from syntax alone
	proving backlog
}

// New returns the service over an engine. prover asks language servers about edges; it may be nil, and
// then all edges come from syntax alone.
func New(e *engine.Engine, symbols *symbols.Service, prover proof.Prover) *Service {
	s := &Service{Engine: e, symbols: symbols, proving: backlog{spawn: e.Spawn}}
	if prover != nil {
		s.proofs = proof.New(e, prover)
	}
	return s
}

// CallGraph answers call_graph: the callers and callees of a symbol, as far as syntax and language
// servers resolve them. Call sites that stay unresolved are counted and noted. If the deadline passes
// first, the answer's outcome reports that and suggests a longer deadline.
func (s *Service) CallGraph(ctx context.Context, req contract.GraphRequest) (*contract.GraphAnswer, error) {
	g := graphing{service: s, req: &req}
	return engine.Bounded(ctx, s.Engine, contract.Within(&req), engine.Steady(s.Engine, req.Path, g.once), req.TooLate)
}
