package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sextant/jit"
)

// ready returns the path to work on and makes sure that its codebase is
// indexed. If it is not indexed yet, ready says so and builds the index.
func (a *app) ready(ctx context.Context) (string, error) {
	path, err := a.where(ctx)
	if err != nil {
		return "", err
	}
	root, _, err := a.roots.Resolve(ctx, path)
	switch {
	case err == nil:
		return path, a.finish(ctx, root)
	case !errors.Is(err, jit.ErrNotTracked):
		return "", err
	}
	dir, err := a.toIndex(path)
	if err != nil {
		return "", err
	}
	a.tell("%s is not indexed yet; indexing it first.", dir)
	root, err = a.roots.Adopt(ctx, dir)
	if err != nil {
		return "", err
	}
	a.tellProblems(root)
	return path, a.watchBuild(ctx, root, "create")
}

// finish waits until the index of root is ready. It returns an error if
// building it failed.
func (a *app) finish(ctx context.Context, root *jit.Root) error {
	a.tellProblems(root)
	status, err := root.Status(ctx)
	if err != nil || status.State == jit.StateReady {
		return err
	}
	if status.State == jit.StateFailed {
		return fmt.Errorf("the index of %s could not be made: %s; sextant index --repair %s mends it", root.Path(),
			status.Error, quote(root.Path()))
	}
	if _, other := a.roots.Kept(root.Path()); other && status.State == jit.StateNotIndexed {
		a.tell("%s was indexed by another version of sextant; indexing it anew.", root.Path())
	}
	return a.watchBuild(ctx, root, "create")
}

// tellProblems prints the problems of root's ignore and configuration rules as
// warnings, each once.
func (a *app) tellProblems(root *jit.Root) {
	for _, p := range root.Problems() {
		if !a.told[p] {
			a.warn(p)
			a.told[p] = true
		}
	}
}

// build tracks the folder dir as a root and indexes it.
func (a *app) build(ctx context.Context, dir string) error {
	root, err := a.roots.Track(ctx, dir, jit.Policy{})
	if err != nil {
		return err
	}
	a.tellProblems(root)
	return a.watchBuild(ctx, root, "create")
}

// watchBuild builds the index of root and shows its progress. If another
// process is building it, watchBuild waits for that process.
func (a *app) watchBuild(ctx context.Context, root *jit.Root, action string) error {
	bar := newBar(a)
	err := root.Build(ctx, action, bar.show)
	var held *jit.HeldError
	if errors.As(err, &held) {
		err = a.waitForOther(ctx, root, bar)
	}
	return a.made(ctx, root, bar, err)
}

// made ends a build: it removes the progress bar, tidies the index and prints
// its summary. err is the error of the build, which made returns.
func (a *app) made(ctx context.Context, root *jit.Root, bar *bar, err error) error {
	if err == nil {
		_ = root.Tidy(ctx) // optional: an idle server does what is left
	}
	bar.done()
	if err != nil {
		return err
	}
	return a.summary(ctx, root, bar)
}

// pollEvery is the interval between two looks at the progress of another
// process.
const pollEvery = 200 * time.Millisecond

// waitForOther shows the progress of the process that builds root's index until
// the index is ready or failed.
func (a *app) waitForOther(ctx context.Context, root *jit.Root, bar *bar) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		status, err := root.Status(ctx)
		if err != nil {
			return err
		}
		bar.show(status.Progress)
		switch status.State {
		case jit.StateReady:
			return nil
		case jit.StateFailed:
			return errors.New(status.Error)
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
func (a *app) summary(ctx context.Context, root *jit.Root, bar *bar) error {
	a.tellProblems(root)
	status, err := root.Status(ctx)
	if err != nil {
		return err
	}
	var c jit.Coverage
	err = root.View(ctx, func(v *jit.View) (err error) { c, err = jit.Covered(ctx, v); return err })
	if err != nil {
		return err
	}
	a.tell("Indexed %s of %s in %s (%d skipped, %s on disk).", count(c.Indexed, "file"), root.Path(),
		bar.elapsed(), c.Files-c.Indexed, size(status.Bytes))
	return nil
}

// count formats a count with its noun: "1 file", "2 files".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// size formats a number of bytes: "512 B", "1.5 MB".
func size(n int64) string {
	const unit = 1024
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	value, prefix := float64(n), ""
	for _, p := range []string{"K", "M", "G", "T"} {
		if value < unit {
			break
		}
		value, prefix = value/unit, p
	}
	return fmt.Sprintf("%.1f %sB", value, prefix)
}

func (a *app) indexCommand() *cobra.Command {
	var opt indexOptions
	cmd := &cobra.Command{
		Use: "index [FOLDER]", GroupID: "index", Short: "Index a codebase or a workspace, or bring its index up to date",
		Long: `Index a codebase or a workspace, or bring its index up to date. The other
commands do both by themselves; this one does nothing else.

Interrupted, it keeps what is done, and the next command goes on from there.`,
		Args: a.atMostPath,
		RunE: func(c *cobra.Command, _ []string) error { return a.index(c.Context(), opt) },
	}
	cmd.Flags().BoolVar(&opt.force, "force", false, "drop the index and make it anew")
	cmd.Flags().BoolVar(&opt.repair, "repair", false, "check the index and mend it")
	cmd.Flags().BoolVar(&opt.own, "own", false, "give a folder within an indexed codebase an index of its own")
	return cmd
}

// indexOptions are the flags of the index command.
type indexOptions struct{ force, repair, own bool }

// index creates, updates, repairs or rebuilds the index of the path, then makes
// missing vectors.
func (a *app) index(ctx context.Context, opt indexOptions) error {
	if opt.force && opt.repair {
		return &usageError{errors.New("--force makes the index anew whatever its state, --repair only when it is damaged; " +
			"give one of them")}
	}
	path, err := a.where(ctx)
	if err != nil {
		return err
	}
	if folder := folderOf(path); folder != path {
		return &usageError{fmt.Errorf("%s is a file; index takes the folder of a codebase, for example sextant index %s",
			path, quote(a.repositoryTop(folder)))}
	}
	root, rel, err := a.roots.Resolve(ctx, path)
	within := err == nil && rel != ""
	switch {
	case errors.Is(err, jit.ErrNotTracked) || within && opt.own:
		err = a.build(ctx, path)
	case err != nil:
	case within:
		err = ownedBy(root.Path(), path,
			fmt.Sprintf("sextant index%s %s is for all of that, and sextant index --own %s makes an index for this folder "+
				"alone", opt.flag(), quote(root.Path()), quote(path)))
	case opt.repair:
		err = a.repair(ctx, root)
	case opt.force:
		err = a.rebuild(ctx, root)
	default:
		err = a.update(ctx, root)
	}
	if err != nil {
		return err
	}
	return a.embed(ctx, path)
}

// flag returns the option as the user wrote it, with a leading space, "" for
// none.
func (o indexOptions) flag() string {
	switch {
	case o.force:
		return " --force"
	case o.repair:
		return " --repair"
	}
	return ""
}

// ownedBy returns the error for the folder path, which has no index of its own
// because it belongs to the codebase root. do names the commands that help.
func ownedBy(root, path, do string) error {
	return fmt.Errorf("%s is part of %s, whose index answers for it; %s", path, root, do)
}

// rebuild drops the index of root and builds it anew.
func (a *app) rebuild(ctx context.Context, root *jit.Root) error {
	bar := newBar(a)
	if err := root.Rebuild(ctx, "reindex"); err != nil {
		return err
	}
	return a.made(ctx, root, bar, root.Wait(ctx, bar.show))
}

// embed makes missing vectors if the embedder runs apart from indexing
// (Options.Trailing). Failures are warnings only: the index works without
// vectors.
func (a *app) embed(ctx context.Context, path string) error {
	if a.meaning.missing != "" {
		a.warnMeaning(a.meaning.missing)
		return nil
	}
	root, _, err := a.roots.Resolve(ctx, path)
	if err != nil {
		return err
	}
	if a.meaning.words.Trailing {
		a.tell("Making vectors with %s…", a.meaning.words.Embedder.Fingerprint())
	}
	err = root.CatchUp(ctx)
	var held *jit.HeldError
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case errors.As(err, &held):
		a.tell("Process %d makes the vectors.", held.Holder.PID)
	default:
		a.warnMeaning(strings.TrimPrefix(err.Error(), "catch up "+root.Path()+": "))
	}
	return nil
}

// warnMeaning warns that semantic search is unavailable, and why.
func (a *app) warnMeaning(why string) {
	a.warn("semantic search is unavailable: " + why)
}

// repair checks the index of root and rebuilds it if it is damaged.
func (a *app) repair(ctx context.Context, root *jit.Root) error {
	bar := newBar(a)
	rebuilt, rep, err := root.Repair(ctx)
	if err != nil {
		return err
	}
	if !rebuilt {
		a.changed(root, rep, "The index of %s is sound")
		return nil
	}
	a.tell("The index of %s was damaged; making it anew.", root.Path())
	return a.made(ctx, root, bar, root.Wait(ctx, bar.show))
}

// update finishes an interrupted build, then indexes the files that changed.
func (a *app) update(ctx context.Context, root *jit.Root) error {
	if err := a.finish(ctx, root); err != nil {
		return err
	}
	rep, err := root.Sync(ctx)
	if err != nil {
		return err
	}
	a.changed(root, rep, "%s is up to date")
	return nil
}

// changed prints how many files a synchronization added, modified and removed,
// after format with the root's path.
func (a *app) changed(root *jit.Root, rep jit.Report, format string) {
	a.tellProblems(root)
	a.tell(format+": %d added, %d modified, %d removed.", root.Path(), len(rep.Added),
		len(rep.Modified), len(rep.Removed))
	if rep.Pending > 0 {
		a.tell("%s still to be indexed; the next command does that.", count(rep.Pending, "changed file"))
	}
}
