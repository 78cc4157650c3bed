package manage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/jit"
)

// Service answers manage_index and list_codebases. It is safe for
// concurrent use.
type Service struct {
	*engine.Engine
	servers Servers
}

// Servers is the pool of running language servers.
type Servers interface {
	Pool() contract.L3State
}

// New returns the service over an engine. servers may be nil; then status shows no language servers.
func New(e *engine.Engine, servers Servers) *Service {
	return &Service{Engine: e, servers: servers}
}

// Manage answers manage_index: it creates, rebuilds, updates, describes, repairs or removes
// the index of a root.
func (s *Service) Manage(ctx context.Context, req contract.ManageRequest) (*contract.ManageAnswer, error) {
	limit := contract.Within(&req)
	once := func(ctx context.Context) (*contract.ManageAnswer, error) { return s.manageOnce(ctx, req) }
	ask := engine.Willing(req.Path, once)
	if req.Action == contract.ManageStatus || req.Action == contract.ManageSync {
		ask = engine.Steady(s.Engine, req.Path, once)
	}
	return engine.Bounded(ctx, s.Engine, limit, ask, func() *contract.ManageAnswer {
		a := &contract.ManageAnswer{Tool: contract.ToolManage, Version: 1, Action: req.Action, Path: req.Path,
			Outcome: contract.TooLate(contract.ToolManage, limit)}
		a.HumanText = humanText(a)
		return a
	})
}

// manageOnce runs the requested action on the index as it is now, and returns the answer.
func (s *Service) manageOnce(ctx context.Context, req contract.ManageRequest) (*contract.ManageAnswer, error) {
	a := &contract.ManageAnswer{Tool: contract.ToolManage, Version: 1, Action: req.Action, Path: req.Path}
	for _, name := range req.Ignored {
		a.Warnings.Add(contract.Warning{Code: "ARGUMENT_IGNORED", Severity: contract.SeverityInfo,
			Message: name + " has no meaning here and is ignored."})
	}
	var err error
	switch req.Action {
	case contract.ManageCreate:
		err = s.create(ctx, a, &req)
	case contract.ManageReindex:
		err = s.reindex(ctx, a, &req)
	case contract.ManageSync:
		err = s.syncRoot(ctx, a, &req)
	case contract.ManageStatus:
		err = s.status(ctx, a, &req)
	case contract.ManageRepair:
		err = s.repair(ctx, a, &req)
	case contract.ManageClear:
		err = s.clear(ctx, a, &req)
	}
	if err != nil {
		return nil, err
	}
	a.HumanText = humanText(a)
	return a, nil
}

// present returns the place of path, for an action that needs the source files. If there is
// none, it returns nil and sets the outcome of a.
func (s *Service) present(ctx context.Context, a *contract.ManageAnswer, path string) (*engine.Place, error) {
	p, outcome, hints, err := s.Locate(ctx, path)
	if err == nil && p == nil {
		a.Outcome, a.Hints = outcome, hints
	}
	return p, err
}

// create tracks a root and starts to build its first index.
func (s *Service) create(ctx context.Context, a *contract.ManageAnswer, req *contract.ManageRequest) error {
	info, err := os.Stat(req.Path)
	if err != nil {
		a.Outcome = contract.CondMissingPath.Outcome("%s does not exist. Give the absolute path of an existing folder.",
			req.Path)
		return nil
	}
	if !info.IsDir() {
		a.Outcome = contract.CondNotADirectory.Outcome("%s is a file. Give the folder to index, for example %s.",
			req.Path, filepath.Dir(req.Path))
		a.Hints = &contract.Hints{Create: contract.Suggest(req.Next(func(r *contract.ManageRequest) {
			r.Path = filepath.Dir(r.Path)
		}))}
		return nil
	}
	root, rel, err := s.Roots.Resolve(ctx, req.Path)
	switch {
	case errors.Is(err, jit.ErrNotTracked):
		return s.build(ctx, a, req, "create")
	case err != nil:
		return err
	case rel != "" && !req.Force:
		partOf(a, req.Path, root.Path(), "use any path below it as it stands; force tracks it on its own")
		return nil
	case rel != "":
		return s.build(ctx, a, req, "create")
	case len(req.CustomExtensions)+len(req.IgnorePatterns) > 0 || req.Force:
		return s.reindex(ctx, a, req)
	}
	return s.already(ctx, a, req, root)
}

// partOf answers that the folder at path is part of the tracked codebase at root, so that the
// action is refused. do tells the user the alternative.
func partOf(a *contract.ManageAnswer, path, root, do string) {
	a.Preflight = &contract.Preflight{Decision: "blocked", Reason: string(contract.ReasonTrackedAncestor), Owner: root}
	a.Outcome = contract.CondTrackedAncestor.Outcome(
		"%s is part of the tracked codebase %s, whose index answers for it: %s.", path, root, do)
	a.Hints = &contract.Hints{UseRoot: contract.Suggest(&contract.ManageRequest{Action: contract.ManageStatus,
		Path: root})}
}

// already answers the action create for a root that is tracked already: it updates the index, or
// builds it if there is none.
func (s *Service) already(ctx context.Context, a *contract.ManageAnswer, req *contract.ManageRequest,
	root *jit.Root) error {
	a.Preflight = &contract.Preflight{Decision: "noop", Owner: root.Path()}
	status, err := root.Status(ctx)
	if err != nil {
		return err
	}
	if status.State == jit.StateNotIndexed || status.State == jit.StateFailed {
		return s.build(ctx, a, req, "create")
	}
	return s.syncRoot(ctx, a, req)
}

// build tracks the root and starts to build its index. It waits for the index if the request
// says so.
func (s *Service) build(ctx context.Context, a *contract.ManageAnswer, req *contract.ManageRequest,
	action string) error {
	policy := jit.Policy{CustomExtensions: req.CustomExtensions, IgnorePatterns: req.IgnorePatterns}
	root, err := s.Roots.Track(ctx, req.Path, policy)
	if err != nil {
		return err
	}
	if err := root.Start(ctx, action); err != nil {
		return s.blocked(a, root.Path(), err)
	}
	return s.started(ctx, a, req, root, action)
}

// blocked sets the outcome if err says that another process writes the index of the root. It
// returns other errors.
func (s *Service) blocked(a *contract.ManageAnswer, root string, err error) error {
	var held *jit.HeldError
	if !errors.As(err, &held) {
		return err
	}
	h := held.Holder
	a.Outcome = contract.CondMutation.Outcome("Process %d (sextant %s) has been busy with %s of %s since %s. "+
		"Searches answer meanwhile; repeat this call when it is done.",
		h.PID, h.Version, h.Action, root, h.Since.UTC().Format(time.RFC3339))
	a.Operation = &contract.Operation{Action: h.Action, CanonicalRoot: root, Phase: contract.PhaseBlocked,
		Writer: contract.Writer{OwnerID: h.Owner, PID: h.PID, Version: h.Version}}
	a.Hints = &contract.Hints{Status: contract.Suggest(&contract.ManageRequest{Action: contract.ManageStatus,
		Path: root})}
	return nil
}

// started fills in the answer for a build that this process began. The answer says that the build
// runs or, if the request waits and there is time, gives its result.
func (s *Service) started(ctx context.Context, a *contract.ManageAnswer, req *contract.ManageRequest, root *jit.Root,
	action string) error {
	a.Status, a.State = contract.StatusOK, contract.IndexIndexing
	if !req.Wait && req.Progress == nil {
		a.Message = fmt.Sprintf(
			"Indexing %s has started. Search answers already while it runs; status tells how far it is.", root.Path())
		a.Hints = &contract.Hints{Status: contract.Suggest(&contract.ManageRequest{Action: contract.ManageStatus,
			Path: root.Path()})}
		return s.operation(ctx, a, root)
	}
	if err := s.await(ctx, req, root); err != nil {
		if !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		a.Message = fmt.Sprintf("Indexing %s is still under way; search answers meanwhile.", root.Path())
		a.Hints = &contract.Hints{Status: contract.Suggest(&contract.ManageRequest{Action: contract.ManageStatus,
			Path: root.Path()})}
		return s.operation(ctx, a, root)
	}
	return s.describe(ctx, a, root, false)
}

// await waits for the build as long as the request allows, and reports its progress.
func (s *Service) await(ctx context.Context, req *contract.ManageRequest, root *jit.Root) error {
	if !req.Wait {
		return context.DeadlineExceeded
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(req.DeadlineMs)*time.Millisecond)
	defer cancel()
	err := root.Wait(ctx, func(p jit.Progress) {
		if req.Progress != nil {
			req.Progress(contract.Progress{Done: float64(p.FilesDone), Total: float64(p.FilesTotal),
				Message: progressText(p)})
		}
	})
	if err == nil {
		// A process that serves a single request has no time later to add the rows that are
		// written last, such as vectors. If some are still missing, later answers report it.
		_ = root.CatchUp(ctx)
	}
	return err
}

func progressText(p jit.Progress) string {
	if p.FilesTotal == 0 {
		return "scanning"
	}
	text := fmt.Sprintf("%d of %d files", p.FilesDone, p.FilesTotal)
	if eta := p.ETA(); eta > time.Second {
		text += ", " + eta.Round(time.Second).String() + " left"
	}
	return text
}

// operation adds the progress of a root's build to the answer.
func (s *Service) operation(ctx context.Context, a *contract.ManageAnswer, root *jit.Root) error {
	status, err := root.Status(ctx)
	if err != nil {
		return err
	}
	known, err := s.Inventory(ctx, root)
	if err != nil {
		return err
	}
	s.fillOperation(a, root, &status, known.Merkle)
	return nil
}

// fillOperation sets the progress and the operation in the answer. It omits the operation if none
// has run yet. merkle is the Merkle root of the files.
func (s *Service) fillOperation(a *contract.ManageAnswer, root *jit.Root, status *jit.Status, merkle string) {
	p := status.Progress
	a.Progress = &contract.IndexProgress{Phase: p.Phase, FilesDone: p.FilesDone, FilesTotal: p.FilesTotal,
		EtaMs: p.ETA().Milliseconds()}
	if p.Action == "" {
		return
	}
	phase := p.Phase
	a.Operation = &contract.Operation{ID: fmt.Sprintf("%s-%d", p.Action, p.StartedAt.UnixMilli()), Action: p.Action,
		CanonicalRoot: root.Path(), Generation: merkle,
		AcceptedAt: engine.Stamp(p.StartedAt), Phase: phase, LastDurableTransitionAt: engine.Stamp(p.UpdatedAt),
		RuntimeFingerprint: "sextant@" + s.Version,
		Writer:             contract.Writer{OwnerID: p.Holder.Owner, PID: p.Holder.PID, Version: p.Holder.Version}}
}

// reindex rebuilds the whole index. It refuses a request that only adds ignore patterns, for which
// a sync suffices, unless AllowUnnecessaryReindex or Force is set.
func (s *Service) reindex(ctx context.Context, a *contract.ManageAnswer, req *contract.ManageRequest) error {
	p, err := s.present(ctx, a, req.Path)
	if p == nil {
		return err
	}
	root := p.Root
	if p.Rel != "" {
		partOf(a, req.Path, root.Path(),
			"only the whole of that can be made anew, and changed files are taken up without")
		a.Hints.Reindex = contract.Suggest(req.Next(func(r *contract.ManageRequest) { r.Path = root.Path() }))
		return nil
	}
	if len(req.IgnorePatterns) > 0 && len(req.CustomExtensions) == 0 && !req.AllowUnnecessaryReindex && !req.Force {
		a.Preflight = &contract.Preflight{Decision: "blocked", Reason: string(contract.ReasonUnnecessaryReindex)}
		a.Outcome = contract.CondUnnecessaryReindex.Outcome("Ignore rules are taken up without a reindex: put the " +
			"patterns into .sextantignore and call sync. allowUnnecessaryReindex does it all the same.")
		a.Hints = &contract.Hints{Sync: contract.Suggest(&contract.ManageRequest{Action: contract.ManageSync,
			Path: root.Path()})}
		return nil
	}
	if len(req.CustomExtensions)+len(req.IgnorePatterns) > 0 {
		policy := jit.Policy{CustomExtensions: req.CustomExtensions, IgnorePatterns: req.IgnorePatterns}
		if root, err = s.Roots.Track(ctx, root.Path(), policy); err != nil {
			return err
		}
	}
	if err := root.Rebuild(ctx, "reindex"); err != nil {
		return s.blocked(a, root.Path(), err)
	}
	return s.started(ctx, a, req, root, "reindex")
}

// syncRoot updates the index of a root to the files on disk.
func (s *Service) syncRoot(ctx context.Context, a *contract.ManageAnswer, req *contract.ManageRequest) error {
	p, err := s.present(ctx, a, req.Path)
	if p == nil {
		return err
	}
	rep, err := p.Root.Sync(ctx)
	if err != nil {
		return s.failedBuild(a, p.Root.Path(), err)
	}
	if rep.Mode == jit.ModeIndexing {
		return s.started(ctx, a, req, p.Root, "create")
	}
	if req.Wait {
		if err := s.await(ctx, req, p.Root); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
	}
	a.Status, a.State = contract.StatusOK, contract.IndexReady
	a.SyncStats = &contract.SyncStats{Added: len(rep.Added), Removed: len(rep.Removed), Modified: len(rep.Modified)}
	fresh := s.Freshness(rep)
	fresh.Mode = contract.FreshnessMode(rep.Mode)
	a.FreshnessDecision = &fresh
	for _, w := range s.Warn(p, rep) {
		a.Warnings.Add(w)
	}
	a.Message = fmt.Sprintf("%s is up to date: %d added, %d modified, %d removed.", p.Root.Path(), len(rep.Added),
		len(rep.Modified), len(rep.Removed))
	return s.operation(ctx, a, p.Root)
}

// failedBuild sets the outcome if err says that the index could not be built. It returns other
// errors.
func (s *Service) failedBuild(a *contract.ManageAnswer, root string, err error) error {
	a.Outcome, a.Hints, err = engine.Failed(root, err)
	return err
}

// repair checks the database, and rebuilds it if it is damaged.
func (s *Service) repair(ctx context.Context, a *contract.ManageAnswer, req *contract.ManageRequest) error {
	p, err := s.present(ctx, a, req.Path)
	if p == nil {
		return err
	}
	rebuilt, rep, err := p.Root.Repair(ctx)
	switch {
	case err != nil:
		return s.blocked(a, p.Root.Path(), err)
	case rebuilt:
		a.Warnings.Add(contract.Warning{Code: "INDEX_REBUILT", Severity: contract.SeverityInfo,
			Message: "The index was damaged and is being made anew."})
		return s.started(ctx, a, req, p.Root, "repair")
	}
	a.Status, a.State = contract.StatusOK, contract.IndexReady
	a.SyncStats = &contract.SyncStats{Added: len(rep.Added), Removed: len(rep.Removed), Modified: len(rep.Modified)}
	a.Message = fmt.Sprintf("The index of %s is sound and up to date.", p.Root.Path())
	return nil
}

// clear removes the index of a root. It returns after the files are gone.
func (s *Service) clear(ctx context.Context, a *contract.ManageAnswer, req *contract.ManageRequest) error {
	err := s.Roots.Clear(ctx, req.Path)
	switch {
	case err == nil:
		a.Status, a.State = contract.StatusOK, contract.IndexNotIndexed
		a.Message = fmt.Sprintf("The index of %s is removed; its source files are untouched.", req.Path)
		a.Hints = &contract.Hints{Create: contract.Suggest(&contract.ManageRequest{Action: contract.ManageCreate,
			Path: req.Path})}
		return nil
	case !errors.Is(err, jit.ErrNotTracked):
		return s.blocked(a, req.Path, err)
	}
	p, outcome, hints, err := s.Locate(ctx, req.Path)
	if err != nil {
		return err
	}
	if p == nil {
		a.Outcome, a.Hints = outcome, hints
		return nil
	}
	partOf(a, req.Path, p.Root.Path(), "only the whole of that can be cleared")
	a.Hints.Clear = contract.Suggest(req.Next(func(r *contract.ManageRequest) { r.Path = p.Root.Path() }))
	return nil
}

// humanText returns the answer as text for a person.
func humanText(a *contract.ManageAnswer) string {
	var b strings.Builder
	b.WriteString(a.Message)
	if p := a.Progress; p != nil && p.FilesTotal > 0 && p.FilesDone < p.FilesTotal {
		fmt.Fprintf(&b, " %d of %d files done.", p.FilesDone, p.FilesTotal)
	}
	for _, w := range a.Warnings {
		b.WriteString(" " + w.Message)
	}
	return strings.TrimSpace(b.String())
}
