package navigate

import (
	"context"
	"time"

	"sextant/internal/budget"
	"sextant/internal/navigate/callgraph"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/internal/navigate/impact"
	"sextant/internal/navigate/manage"
	"sextant/internal/navigate/search"
	"sextant/internal/navigate/servicemap"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l1fts"
)

// Options of New. Roots and Version are required.
type Options struct {
	Roots   *jit.Roots
	Version string           // of the program, for answers that name their writer
	Clock   func() time.Time // nil means time.Now
	// ReadLines bounds the lines that read_file shows of a file without a range; 0
	// means DefaultReadLines.
	ReadLines int
	// Words are the options of the index of words and vectors of a root.
	Words l1fts.Options
	// NoEmbedder says why Words lacks an embedder that the caller configured, ""
	// when the caller configured none.
	NoEmbedder string
	// Fusion is the way to make one score of a lexical and a semantic one.
	Fusion search.Fusion
	// Resident says that the process stays, so that reading the vectors into
	// memory pays, and servers may answer questions after the answer.
	Resident bool
	// VectorWait bounds what a question waits for the vectors of its root, while
	// they are read; 0 means DefaultVectorWait.
	VectorWait time.Duration
	// Budget bounds the bytes of all caches together; nil is no limit. Each root in
	// use raises it by PerFile a file.
	Budget *budget.Budget
	// Prover proves the edges of call graphs; nil proves none. The caller closes it
	// after the Service.
	Prover callgraph.Prover
}

// Service answers the six tools. It is safe for concurrent use.
type Service struct {
	engine    *engine.Engine
	symbols   *symbols.Service
	search    *search.Service
	callgraph *callgraph.Service
	impact    *impact.Service
	manage    *manage.Service
}

// New makes the service over the roots of one SEXTANT_HOME.
func New(opt Options) *Service {
	e := engine.New(engine.Options{Roots: opt.Roots, Version: opt.Version, Clock: opt.Clock, Words: opt.Words, NoEmbedder: opt.NoEmbedder, Resident: opt.Resident, VectorWait: opt.VectorWait, Budget: opt.Budget})
	s := &Service{engine: e, symbols: symbols.New(e, opt.ReadLines)}
	s.search = search.New(e, s.symbols, opt.Fusion)
	s.callgraph = callgraph.New(e, s.symbols, opt.Prover)
	s.impact = impact.New(e)
	s.manage = manage.New(e, opt.Prover)
	return s
}

// Close ends what goes on in the background.
func (s *Service) Close() { s.engine.Close() }

// Idle returns when nothing goes on in the background.
func (s *Service) Idle() { s.engine.Idle() }

// Settled reports whether every call site of a root is settled ahead at a
// generation. Answers do not depend on it, only how soon they come.
func (s *Service) Settled(root *jit.Root, generation int64) bool {
	return s.engine.Settled(root, generation)
}

// FilesLike returns the indexed files that a path which is not there may mean, from
// the root that owns dir: those of its base name in other folders, else those
// whose base name is few letters from it; nearest first, at most five. None in
// a folder that is not indexed.
func (s *Service) FilesLike(ctx context.Context, dir, file string) (paths []string, err error) {
	return s.symbols.FilesLike(ctx, dir, file)
}

// Search answers search_codebase.
func (s *Service) Search(ctx context.Context, req contract.SearchRequest) (*contract.SearchAnswer, error) {
	return s.search.Search(ctx, req)
}

// Outline answers file_outline: the declarations of one file, from the bytes
// that are on disk now.
func (s *Service) Outline(ctx context.Context, req contract.OutlineRequest) (*contract.OutlineAnswer, error) {
	return s.symbols.Outline(ctx, req)
}

// CallGraph answers call_graph: who calls a symbol, and whom it calls, as far
// as syntax settles it; the rest is counted and said. Of a change it tells what
// that touches.
func (s *Service) CallGraph(ctx context.Context, req contract.GraphRequest) (*contract.GraphAnswer, error) {
	if req.SymbolRef.Diff != nil {
		return s.impact.Impact(ctx, req)
	}
	return s.callgraph.CallGraph(ctx, req)
}

// Read answers read_file: the text of a file or of a symbol in it, as it is
// on disk now.
func (s *Service) Read(ctx context.Context, req contract.ReadRequest) (*contract.ReadAnswer, error) {
	return s.symbols.Read(ctx, req)
}

// Manage answers manage_index: it makes, renews, brings up to date, describes,
// mends and removes the index of a root.
func (s *Service) Manage(ctx context.Context, req contract.ManageRequest) (*contract.ManageAnswer, error) {
	return s.manage.Manage(ctx, req)
}

// ListCodebases answers list_codebases. A root that cannot be opened is listed
// as failed, never left out.
func (s *Service) ListCodebases(ctx context.Context, req contract.ListRequest) (contract.ListAnswer, error) {
	return s.manage.ListCodebases(ctx, req)
}

// Services returns the services of the workspace that holds a path, what they answer,
// and the calls between them.
func (s *Service) Services(ctx context.Context, path string) (*contract.ServiceMap, error) {
	return servicemap.Services(ctx, s.engine, path)
}
