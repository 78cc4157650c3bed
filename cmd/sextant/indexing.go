package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sextant/jit"
)

// indexing brings the index of one root up to date and shows the progress.
type indexing struct {
	*console
	roots *jit.Roots
	root  *jit.Root
	bar   *bar
}

func (a *app) indexing(root *jit.Root) *indexing {
	return &indexing{console: &a.console, roots: a.roots, root: root, bar: newBar(&a.console)}
}

// finish waits until the index of root is ready, and builds it if no process does. It returns an
// error if building it failed.
func (x *indexing) finish(ctx context.Context) error {
	x.tellProblems(x.root)
	status, err := x.root.Status(ctx)
	if err != nil || status.State == jit.StateReady {
		return err
	}
	if _, other := x.roots.Kept(x.root.Path()); other && status.State == jit.StateNotIndexed {
		x.tell("%s was indexed by another version of sextant; indexing it anew.", x.root.Path())
	}
	if p := status.Progress; status.State == jit.StateIndexing && p.FilesTotal > 0 {
		format := "%s is being indexed (%d%%); waiting."
		if status.Halted {
			format = "The indexing of %s was interrupted (%d%%); going on."
		}
		x.tell(format, x.root.Path(), 100*p.FilesDone/p.FilesTotal)
	}
	return x.build(ctx, "create")
}

// build builds the index of root and shows its progress. If another process is
// building it, build waits for that process; if that process ends early, build
// takes over.
func (x *indexing) build(ctx context.Context, action string) error {
	for {
		err := x.root.Build(ctx, action, x.bar.show)
		var held *jit.HeldError
		if errors.As(err, &held) {
			err = x.waitForOther(ctx)
		}
		if !errors.Is(err, errHalted) {
			return x.made(ctx, err)
		}
	}
}

// errHalted is the error if the process that was building the index is gone.
var errHalted = errors.New("the build was interrupted")

// made finishes a build: it tidies the index, removes the progress bar and
// prints a summary. err is the error of the build; made returns it if it is not
// nil.
func (x *indexing) made(ctx context.Context, err error) error {
	if err == nil {
		_ = x.root.Tidy(ctx) // tidying is optional, because an idle server does it as well
	}
	x.bar.done()
	if err != nil && ctx.Err() == nil {
		return &unmadeError{x.root.Path(), err}
	}
	if err != nil {
		return err
	}
	return x.summary(ctx)
}

// unmadeError says that the index of a root could not be made.
type unmadeError struct {
	root  string
	cause error
}

func (e *unmadeError) Error() string {
	return fmt.Sprintf("the index of %s could not be made: %v", e.root, e.cause)
}

func (e *unmadeError) Unwrap() error { return e.cause }

// pollEvery is the interval at which the progress of another process is read.
const pollEvery = 200 * time.Millisecond

// waitForOther shows the progress of the process that builds root's index until
// the index is ready or failed, or that process is gone.
func (x *indexing) waitForOther(ctx context.Context) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		status, err := x.root.Status(ctx)
		if err != nil {
			return err
		}
		x.bar.show(status.Progress)
		switch status.State {
		case jit.StateReady:
			return nil
		case jit.StateFailed:
			return errors.New(status.Error)
		}
		if status.Halted {
			return errHalted
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// summary prints the number of files indexed and skipped, the time and the size
// of the index.
func (x *indexing) summary(ctx context.Context) error {
	x.tellProblems(x.root)
	status, err := x.root.Status(ctx)
	if err != nil {
		return err
	}
	var c jit.Coverage
	err = x.root.View(ctx, func(v *jit.View) (err error) { c, err = jit.Covered(ctx, v); return err })
	if err != nil {
		return err
	}
	x.tell("Indexed %s of %s in %s (%d skipped, %s on disk).", count(c.Indexed, "file"), x.root.Path(),
		x.bar.elapsed(), c.Files-c.Indexed, size(status.Bytes))
	return nil
}

// rebuild drops the index of root and builds it anew.
func (x *indexing) rebuild(ctx context.Context) error {
	if err := x.root.Rebuild(ctx, "reindex"); err != nil {
		return err
	}
	return x.made(ctx, x.root.Wait(ctx, x.bar.show))
}

// repair checks the index of root and rebuilds it if it is damaged.
func (x *indexing) repair(ctx context.Context) error {
	rebuilt, rep, err := x.root.Repair(ctx)
	if err != nil {
		return err
	}
	if !rebuilt {
		x.changed(rep, "The index of %s is sound")
		return nil
	}
	x.tell("The index of %s was damaged; making it anew.", x.root.Path())
	return x.made(ctx, x.root.Wait(ctx, x.bar.show))
}

// update finishes an interrupted build, then indexes the files that changed.
func (x *indexing) update(ctx context.Context) error {
	if err := x.finish(ctx); err != nil {
		return err
	}
	rep, err := x.root.Sync(ctx)
	if err != nil {
		return err
	}
	x.changed(rep, "%s is up to date")
	return nil
}

// changed prints a line such as "/src is up to date: 1 added, 2 modified, 0
// removed.", which starts with format filled with the root's path, and the number
// of changed files that are still to be indexed.
func (x *indexing) changed(rep jit.Report, format string) {
	x.tellProblems(x.root)
	x.tell(format+": %d added, %d modified, %d removed.", x.root.Path(), len(rep.Added),
		len(rep.Modified), len(rep.Removed))
	if rep.Pending > 0 {
		x.tell("%s still to be indexed; the next command does that.", count(rep.Pending, "changed file"))
	}
}
