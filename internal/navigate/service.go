package navigate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"sextant/internal/budget"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// Options of New. Roots and Version are required.
type Options struct {
	Roots   *jit.Roots
	Version string           // of the program, for answers that name their writer
	Clock   func() time.Time // nil means time.Now
	// ReadLines is how many lines read_file shows of a file without a range; 0
	// means DefaultReadLines.
	ReadLines int
	// Words is how the index of words and vectors of a root is opened.
	Words l1fts.Options
	// NoEmbedder is why an embedder that was asked for is missing in Words, ""
	// when none was.
	NoEmbedder string
	// Fusion is how lexical and semantic scores become one.
	Fusion Fusion
	// Resident says that the process stays, so that reading the vectors into
	// memory pays, and that servers are asked behind an answer.
	Resident bool
	// Budget is what the caches may hold together; nil is no limit. Each root
	// that is asked raises it by PerFile a file.
	Budget *budget.Budget
	// Prover is what proves call graphs, nil for nothing. The caller closes it
	// after the Service.
	Prover Prover
}

// Service answers the six tools. It is safe for concurrent use.
type Service struct {
	roots      *jit.Roots
	lexical    sync.Map      // root path → *l1fts.Index: what it caches of word frequencies and vectors is the root's
	loading    sync.Map      // root path whose vectors are being read → what is closed when they are
	vectorWait time.Duration // of a question for them
	wordsOpt   l1fts.Options
	missing    string // why there is no embedder, "" when none was asked for
	fusion     Fusion
	resident   bool
	budget     *budget.Budget
	granted    sync.Map // root path → int, the files that the budget was raised for
	caches     sync.Map // root path → *resolve.Cache: what was derived from its files
	coverages  sync.Map // root path → coverageAt: counting it reads the whole files table
	matches    matchCache
	books      sync.Map // root path → *book: what language servers said of its calls
	symbols    l2meta.Index
	version    string
	clock      func() time.Time
	readLines  int

	prover  Prover
	proving backlog

	ctx    context.Context // of what goes on in the background
	cancel context.CancelFunc
	owned  sync.Mutex // guards wg against an Add behind Close's Wait
	wg     sync.WaitGroup
}

// New makes the service over the roots of one SEXTANT_HOME.
func New(opt Options) *Service {
	if opt.Clock == nil {
		opt.Clock = time.Now
	}
	if opt.ReadLines <= 0 {
		opt.ReadLines = DefaultReadLines
	}
	s := &Service{budget: opt.Budget, roots: opt.Roots, version: opt.Version, clock: opt.Clock, readLines: opt.ReadLines, wordsOpt: opt.Words, missing: opt.NoEmbedder, fusion: opt.Fusion,
		resident: opt.Resident, vectorWait: vectorWait, prover: opt.Prover}
	s.proving.spawn, s.matches.budget = s.spawn, opt.Budget
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// Close ends what goes on in the background.
func (s *Service) Close() {
	s.owned.Lock()
	s.cancel()
	s.owned.Unlock()
	s.wg.Wait()
}

// spawn runs fn in a goroutine that Close waits for; false once it is closed.
func (s *Service) spawn(fn func(context.Context)) bool {
	s.owned.Lock()
	defer s.owned.Unlock()
	if s.ctx.Err() != nil {
		return false
	}
	s.wg.Go(func() { fn(s.ctx) })
	return true
}

// book is what language servers said of a root's calls.
func (s *Service) book(root *jit.Root) *book {
	if b, ok := s.books.Load(root.Path()); ok {
		return b.(*book)
	}
	b, _ := s.books.LoadOrStore(root.Path(), newBook(s.budget))
	return b.(*book)
}

// words is the lexical index of a root.
func (s *Service) words(root *jit.Root) *l1fts.Index {
	if x, ok := s.lexical.Load(root.Path()); ok {
		return x.(*l1fts.Index)
	}
	x, _ := s.lexical.LoadOrStore(root.Path(), l1fts.New(s.wordsOpt))
	return x.(*l1fts.Index)
}

// derived is what questions on the calls of a root have derived so far.
func (s *Service) derived(root *jit.Root) *resolve.Cache {
	if c, ok := s.caches.Load(root.Path()); ok {
		return c.(*resolve.Cache)
	}
	c, _ := s.caches.LoadOrStore(root.Path(), resolve.NewCache(languages.All, s.budget))
	return c.(*resolve.Cache)
}

// PerFile is the bytes by which an indexed file raises the budget: what has to
// stay of it is the ledger of its calls, some 60 of 50 bytes each in real
// repositories, and the directory of its vectors, 12 of 57 bytes.
const PerFile = 4 << 10

// grant raises the budget by what the files of a root need.
func (s *Service) grant(ctx context.Context, root *jit.Root, generation int64) {
	known, err := s.coverage(ctx, root, generation)
	if err != nil {
		return // the caches do with what there is
	}
	before, _ := s.granted.Swap(root.Path(), known.Files)
	had, _ := before.(int)
	s.budget.Raise(PerFile * int64(known.Files-had))
}

// coverageAt is the coverage of one generation of a root's index.
type coverageAt struct {
	generation int64
	jit.Coverage
	// broken is the files that their grammars could not place as a whole, by path.
	broken map[string]jit.FileRow
}

// coverage is how much of a root is known at a generation.
func (s *Service) coverage(ctx context.Context, root *jit.Root, generation int64) (coverageAt, error) {
	if c, ok := s.coverages.Load(root.Path()); ok && c.(coverageAt).generation == generation {
		return c.(coverageAt), nil
	}
	counted := coverageAt{broken: map[string]jit.FileRow{}}
	err := root.View(ctx, func(v *jit.View) (err error) {
		if counted.generation, err = jit.Generation(ctx, v); err == nil {
			counted.Coverage, err = jit.Covered(ctx, v)
		}
		if err == nil && counted.ParseErrors > 0 {
			err = v.Broken(ctx, func(f jit.FileRow) error { counted.broken[f.Path] = f; return nil })
		}
		return err
	})
	if err == nil {
		s.coverages.Store(root.Path(), counted)
	}
	return counted, err
}

// place is a path within its root.
type place struct {
	root *jit.Root
	path string // as asked
	rel  string // relative to the root, "" for the root itself
	// begun says that this question was the reason to index the root.
	begun bool
}

// absolute is the path of a file of the root.
func (p *place) absolute(file string) string {
	return filepath.Join(p.root.Path(), filepath.FromSlash(file))
}

// lostRoot is the error for a tracked root whose folder is gone. Its index stays
// until it is cleared, so that a disk that was not mounted costs nothing.
type lostRoot struct{ path string }

func (e *lostRoot) Error() string { return e.path + " is tracked, and is no folder any more" }

func (e *lostRoot) answer() (Outcome, *Hints) {
	return CondMissingPath.Outcome("%v. Bring it back, then repeat the call; manage_index clear forgets it.", e),
		&Hints{Clear: Suggest(&ManageRequest{Action: "clear", Path: e.path}), NextSteps: []Action{*Suggest(&ListRequest{})}}
}

// open opens the root that owns path. The error is a *lostRoot when its folder
// is gone, and wraps jit.ErrNotTracked when there is no such root.
func (s *Service) open(ctx context.Context, path string) (*place, error) {
	root, rel, err := s.roots.Resolve(ctx, path)
	if err != nil {
		if owner, _, ownerErr := s.roots.Owner(ctx, path); ownerErr == nil && !isFolder(owner) {
			return nil, &lostRoot{owner} // which cannot be opened
		}
		return nil, err
	}
	if !isFolder(root.Path()) {
		return nil, &lostRoot{root.Path()}
	}
	return &place{root: root, path: path, rel: rel}, nil
}

// locate opens the root that owns path. Without one it returns the outcome that
// says so, and the calls that help.
func (s *Service) locate(ctx context.Context, path string) (*place, Outcome, *Hints, error) {
	p, err := s.open(ctx, path)
	var lost *lostRoot
	switch {
	case err == nil:
		return p, Outcome{Status: StatusOK}, nil, nil
	case errors.As(err, &lost):
		outcome, hints := lost.answer()
		return nil, outcome, hints, nil
	case !errors.Is(err, jit.ErrNotTracked):
		return nil, Outcome{}, nil, err
	}
	outcome, hints := s.untracked(ctx, path)
	return nil, outcome, hints, nil
}

// untracked is the answer for a path that no tracked root contains.
func (s *Service) untracked(ctx context.Context, path string) (Outcome, *Hints) {
	info, statErr := os.Stat(path)
	if errors.Is(statErr, os.ErrNotExist) {
		return CondMissingPath.Outcome("%s does not exist, and no tracked codebase contains it. Give an existing absolute path; list_codebases names the tracked ones.", path),
			&Hints{NextSteps: []Action{*Suggest(&ListRequest{})}}
	}
	create := path
	if statErr == nil && !info.IsDir() {
		create = filepath.Dir(path)
	}
	if top, around := s.otherCheckout(ctx, path); top != "" {
		return CondNotIndexed.Outcome("%s is in %s, a checkout of its own that is not indexed yet; the index of %s, around it, has nothing of it. Call manage_index with action create, then repeat this call.", path, top, around),
			&Hints{Create: Suggest(&ManageRequest{Action: "create", Path: top}), Status: Suggest(&ManageRequest{Action: "status", Path: top})}
	}
	return CondNotIndexed.Outcome("%s is not indexed yet. Call manage_index with action create, then repeat this call; it answers while the index is being made.", path),
		&Hints{Create: Suggest(&ManageRequest{Action: "create", Path: create}), Status: Suggest(&ManageRequest{Action: "status", Path: create})}
}

// otherCheckout is the checkout of a path that lies below a tracked root and is
// no part of it, and that root; "" for any other path.
func (s *Service) otherCheckout(ctx context.Context, path string) (top, root string) {
	list, err := s.roots.List(ctx)
	if err != nil {
		return "", "" // nothing can be said of it then
	}
	for _, t := range list {
		if len(t.Path) > len(root) && s.roots.Apart(t.Path, path) {
			root = t.Path
		}
	}
	if root == "" {
		return "", ""
	}
	return s.roots.Top(path), root
}

// stamp is a time as answers write it.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// freshness is the gate's report in the contract's form. verified is the
// report of the check on the files that the answer shows.
func (s *Service) freshness(reports ...jit.Report) Freshness {
	f := Freshness{Mode: FreshJITVerified, CheckedAt: stamp(s.clock()), Gate: &GateReport{}}
	var stats SyncStats
	for _, r := range reports {
		f.Gate.FilesChecked += r.FilesChecked
		f.Gate.FilesReindexed += r.FilesReindexed
		f.Gate.DirectoriesChecked += r.DirectoriesChecked
		f.DurationMs += r.Duration.Milliseconds()
		stats.Added += len(r.Added)
		stats.Removed += len(r.Removed)
		stats.Modified += len(r.Modified)
		switch r.Mode {
		case jit.ModeIndexing, jit.ModeMissingPath, jit.ModeIgnoreReconciled:
			f.Mode = FreshnessMode(r.Mode)
		}
		if r.Mode != jit.ModeIndexing && !r.CheckedAt.IsZero() {
			f.LastSyncAt = stamp(r.CheckedAt)
		}
	}
	if stats != (SyncStats{}) {
		f.Stats = &stats
	}
	return f
}

// warningTexts says what each code of the gate means to whoever reads an answer.
var warningTexts = map[string]Warning{
	jit.WarnPending:    {Severity: SeverityCaution, Message: "Files changed in bulk and are still being indexed; what is shown is verified, what is new may be missing. Repeat the call in a moment."},
	jit.WarnUnverified: {Severity: SeverityCaution, Message: "Some files or folders cannot be read; what the index knew of them is kept, their text is withheld."},
	jit.WarnWatchLimit: {Severity: SeverityInfo, Message: "Too many folders to watch on this system; every call sweeps the tree instead, which costs some milliseconds."},
	jit.WarnDamaged:    {Severity: SeverityDegraded, Message: "The index was found damaged and is being made anew from the files, which takes as long as the first time; nothing has to be done."},
	jit.WarnBuilding:   {Severity: SeverityDegraded, Message: "The index is still being made; files that are not in it yet are missing from this answer. Repeat the call later for a complete one."},
}

// warn turns the codes of reports into warnings.
func (s *Service) warn(p *place, reports ...jit.Report) (ws Warnings) {
	if p.begun {
		ws.Add(begunWarning(p))
	}
	for _, r := range reports {
		for _, c := range r.Warnings {
			w := warningTexts[c]
			w.Code = c
			if c == jit.WarnConfig {
				w = configWarning(p.root)
			}
			if c == jit.WarnBuilding || c == jit.WarnPending {
				w.Action = Suggest(&ManageRequest{Action: "status", Path: p.root.Path()})
			}
			ws.Add(w)
		}
	}
	return ws
}

// configWarning says what cannot be used of a root's rules.
func configWarning(root *jit.Root) Warning {
	list := root.Problems()
	more := ""
	if n := len(list); n > shownProblems {
		list, more = list[:shownProblems], fmt.Sprintf(" And %d more.", n-shownProblems)
	}
	return Warning{Code: jit.WarnConfig, Severity: SeverityCaution,
		Message: "What is indexed may not be what was configured. " + strings.Join(list, ". ") + "." + more}
}

// shownProblems bounds a warning: who has more is not helped by more.
const shownProblems = 5

// codes are the codes of warnings, for the tools that write them plain.
func codes(ws Warnings) (out []string) {
	for _, w := range ws {
		if w.Code == jit.WarnConfig {
			w.Code += ":" + w.Message
		}
		out = append(out, w.Code)
	}
	return out
}

// inPrefix reports whether a file of the root lies at or below rel.
func inPrefix(file, rel string) bool {
	return rel == "" || file == rel || strings.HasPrefix(file, rel+"/")
}

// statesOf is the services of a root as answers list them.
func statesOf(services []jit.ServiceSize) (out []ServiceState) {
	for _, s := range services {
		state := ServiceState{Name: s.Name, Path: s.Root, Language: s.Language, Files: s.Files}
		if len(s.Manifests) > 0 {
			state.Manifest = s.Manifests[0]
		}
		out = append(out, state)
	}
	return out
}
