package navigate

import (
	"context"
	"time"

	"sextant/internal/budget"
	"sextant/internal/navigate/callgraph"
	"sextant/internal/navigate/callgraph/proof"
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

// Options are the options of New. Roots and Version are required.
type Options struct {
	Roots   *jit.Roots
	Version string           // version of the program, which some answers show
	Clock   func() time.Time // nil means time.Now
	// ReadLines is the largest number of lines that read_file shows if the request names no range;
	// 0 means DefaultReadLines.
	ReadLines int
	// Words configures the full-text index and the vector index.
	Words l1fts.Options
	// NoEmbedder is the reason why Words has no embedder, which computes vectors for texts, although the
	// caller configured one. It is "" if none is configured.
	NoEmbedder string
	// Fusion is the method that combines a lexical and a semantic score.
	Fusion search.Fusion
	// Observer receives the candidates of each search before any is left out; nil for none.
	Observer search.Observer
	// Resident is true if the process keeps running after an answer. Only then is it worth reading
	// the vectors into memory, and may language servers reply after the answer was sent.
	Resident bool
	// VectorWait is the longest time that a request waits until the vectors of its root are read
	// from disk; 0 means engine.DefaultVectorWait.
	VectorWait time.Duration
	// Budget bounds the size of all caches together, in bytes; nil is no limit. Each root in use
	// grants engine.PerFile for each of its files to the data that must stay in memory.
	Budget *budget.Budget
	// Prover asks language servers to confirm the edges of call graphs; nil for none. The caller
	// closes it after the Service.
	Prover proof.Prover
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

// New returns the service for the roots of one SEXTANT_HOME, the folder that holds the indexes.
func New(opt Options) *Service {
	e := engine.New(engine.Options{Roots: opt.Roots, Version: opt.Version, Clock: opt.Clock, Words: opt.Words,
		NoEmbedder: opt.NoEmbedder, Resident: opt.Resident, VectorWait: opt.VectorWait, Budget: opt.Budget})
	s := &Service{engine: e, symbols: symbols.New(e, opt.ReadLines)}
	s.search = search.New(e, s.symbols, opt.Fusion, opt.Observer)
	s.callgraph = callgraph.New(e, s.symbols, opt.Prover)
	s.impact = impact.New(e)
	s.manage = manage.New(e, opt.Prover)
	return s
}

// Close stops all background work.
func (s *Service) Close() { s.engine.Close() }

// Idle waits until no background work is running.
func (s *Service) Idle() { s.engine.Idle() }

// Settled reports whether every call site of a root is resolved in advance for a generation, a state of
// the index. The content of answers does not depend on it, only their delay.
func (s *Service) Settled(root *jit.Root, generation int64) bool {
	return s.engine.Settled(root, generation)
}

// FilesLike returns the indexed files that the path of a missing file may mean, from the root that
// contains dir: files of the same base name in other folders or, if there are none, files with a
// similar base name. It returns at most five, nearest first, and nil if the folder is not indexed.
func (s *Service) FilesLike(ctx context.Context, dir, file string) (paths []string, err error) {
	return s.symbols.FilesLike(ctx, dir, file)
}

// Search answers search_codebase.
func (s *Service) Search(ctx context.Context, req contract.SearchRequest) (*contract.SearchAnswer, error) {
	return s.search.Search(ctx, req)
}

// Outline answers file_outline: the declarations of one file, from its current content on disk.
func (s *Service) Outline(ctx context.Context, req contract.OutlineRequest) (*contract.OutlineAnswer, error) {
	return s.symbols.Outline(ctx, req)
}

// CallGraph answers call_graph: the callers and callees of a symbol. Calls that cannot be resolved
// from the source are counted. If the request names a change, such as the diff to a commit, the
// answer lists the symbols that the change affects.
func (s *Service) CallGraph(ctx context.Context, req contract.GraphRequest) (*contract.GraphAnswer, error) {
	if req.SymbolRef.Diff != nil {
		return s.impact.Impact(ctx, req)
	}
	return s.callgraph.CallGraph(ctx, req)
}

// Read answers read_file: the text of a file or of a symbol in it, from its current content on
// disk.
func (s *Service) Read(ctx context.Context, req contract.ReadRequest) (*contract.ReadAnswer, error) {
	return s.symbols.Read(ctx, req)
}

// ReadUntracked prints lines of a file that belongs to no codebase, and indexes nothing.
func (s *Service) ReadUntracked(req contract.ReadRequest) (*contract.ReadAnswer, error) {
	return s.symbols.ReadUntracked(req)
}

// Manage answers manage_index: it creates, rebuilds, updates, describes, repairs or removes the
// index of a root.
func (s *Service) Manage(ctx context.Context, req contract.ManageRequest) (*contract.ManageAnswer, error) {
	return s.manage.Manage(ctx, req)
}

// ListCodebases answers list_codebases. A root that cannot be opened is listed as failed.
func (s *Service) ListCodebases(ctx context.Context, req contract.ListRequest) (contract.ListAnswer, error) {
	return s.manage.ListCodebases(ctx, req)
}

// Services returns the services of the workspace that contains path, the endpoints that they
// answer, and the calls between them.
func (s *Service) Services(ctx context.Context, path string) (*contract.ServiceMap, error) {
	return servicemap.Services(ctx, s.engine, path)
}
