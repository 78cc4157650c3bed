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

// ready is the path to work on, its root indexed: on the first question the
// index is made, and that is said.
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
	fmt.Fprintf(a.err, "%s is not indexed yet; indexing it first.\n", dir)
	root, err = a.roots.Adopt(ctx, dir)
	if err != nil {
		return "", err
	}
	a.tellProblems(root)
	return path, a.watchBuild(ctx, root, "create")
}

// finish waits for an index that is still being made.
func (a *app) finish(ctx context.Context, root *jit.Root) error {
	a.tellProblems(root)
	status, err := root.Status(ctx)
	if err != nil || status.State == jit.StateReady {
		return err
	}
	if status.State == jit.StateFailed {
		return fmt.Errorf("the index of %s could not be made: %s; sextant index --repair %s mends it", root.Path(), status.Error, quote(root.Path()))
	}
	if _, other := a.roots.Kept(root.Path()); other && status.State == jit.StateNotIndexed {
		fmt.Fprintf(a.err, "%s was indexed by another version of sextant; indexing it anew.\n", root.Path())
	}
	return a.watchBuild(ctx, root, "create")
}

// tellProblems says once what cannot be used of the rules of a root.
func (a *app) tellProblems(root *jit.Root) {
	for _, p := range root.Problems() {
		if !a.told[p] {
			fmt.Fprintf(a.err, "%s %s\n", a.errStyle.warn("warning:"), p)
			a.told[p] = true
		}
	}
}

func (a *app) build(ctx context.Context, dir string) error {
	root, err := a.roots.Track(ctx, dir, jit.Policy{})
	if err != nil {
		return err
	}
	a.tellProblems(root)
	return a.watchBuild(ctx, root, "create")
}

// watchBuild makes the index with a progress bar. Where another process is
// making it, its work is waited for.
func (a *app) watchBuild(ctx context.Context, root *jit.Root, action string) error {
	bar := newBar(a)
	err := root.Build(ctx, action, bar.show)
	var held *jit.HeldError
	if errors.As(err, &held) {
		err = a.waitForOther(ctx, root, bar)
	}
	return a.made(ctx, root, bar, err)
}

// made ends the making of an index, of which err is what became.
func (a *app) made(ctx context.Context, root *jit.Root, bar *bar, err error) error {
	if err == nil {
		_ = root.Tidy(ctx) // the index is whole without; what is left is done when a server is idle
	}
	bar.done()
	if err != nil {
		return err
	}
	return a.summary(ctx, root, bar)
}

// pollEvery is how often the progress of another process is looked at.
const pollEvery = 200 * time.Millisecond

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

func (a *app) summary(ctx context.Context, root *jit.Root, bar *bar) error {
	a.tellProblems(root)
	status, err := root.Status(ctx)
	if err != nil {
		return err
	}
	c := status.Coverage
	fmt.Fprintf(a.err, "Indexed %s of %s in %s (%d skipped, %s on disk).\n", count(c.Indexed, "file"), root.Path(), bar.elapsed(), c.Files-c.Indexed, size(status.Bytes))
	return nil
}

// count is n things, in words.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// size is a number of bytes for a reader.
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

// indexOptions are the flags of the command index.
type indexOptions struct{ force, repair, own bool }

func (a *app) index(ctx context.Context, opt indexOptions) error {
	if opt.force && opt.repair {
		return &usageError{errors.New("--force makes the index anew whatever its state, --repair only when it is damaged; give one of them")}
	}
	path, err := a.where(ctx)
	if err != nil {
		return err
	}
	if folder := folderOf(path); folder != path {
		return &usageError{fmt.Errorf("%s is a file; index takes the folder of a codebase, for example sextant index %s", path, quote(a.repositoryTop(folder)))}
	}
	root, rel, err := a.roots.Resolve(ctx, path)
	within := err == nil && rel != ""
	switch {
	case errors.Is(err, jit.ErrNotTracked) || within && opt.own:
		err = a.build(ctx, path)
	case err != nil:
	case within:
		err = ownedBy(root.Path(), path, fmt.Sprintf("sextant index%s %s is for all of that, and sextant index --own %s makes an index for this folder alone", opt.flag(), quote(root.Path()), quote(path)))
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

// flag is the option as it was given.
func (o indexOptions) flag() string {
	switch {
	case o.force:
		return " --force"
	case o.repair:
		return " --repair"
	}
	return ""
}

// ownedBy is the error for a folder without an index of its own in the codebase
// root. Do names the commands that do something instead.
func ownedBy(root, path, do string) error {
	return fmt.Errorf("%s is part of %s, whose index answers for it; %s", path, root, do)
}

func (a *app) rebuild(ctx context.Context, root *jit.Root) error {
	bar := newBar(a)
	if err := root.Rebuild(ctx, "reindex"); err != nil {
		return err
	}
	return a.made(ctx, root, bar, root.Wait(ctx, bar.show))
}

// embed makes the vectors that an embedder of its own time has not made yet.
// The index is whole without them, so that what keeps them is a warning.
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
		fmt.Fprintf(a.err, "Making vectors with %s…\n", a.meaning.words.Embedder.Fingerprint())
	}
	err = root.CatchUp(ctx)
	var held *jit.HeldError
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case errors.As(err, &held):
		fmt.Fprintf(a.err, "Process %d makes the vectors.\n", held.Holder.PID)
	default:
		a.warnMeaning(strings.TrimPrefix(err.Error(), "catch up "+root.Path()+": "))
	}
	return nil
}

// warnMeaning says why nothing is found by meaning.
func (a *app) warnMeaning(why string) {
	fmt.Fprintf(a.err, "%s nothing is found by meaning: %s\n", a.errStyle.warn("warning:"), why)
}

func (a *app) repair(ctx context.Context, root *jit.Root) error {
	bar := newBar(a)
	rebuilt, rep, err := root.Repair(ctx)
	if err != nil {
		return err
	}
	if !rebuilt {
		return a.changed(root, rep, "The index of %s is sound")
	}
	fmt.Fprintf(a.err, "The index of %s was damaged; making it anew.\n", root.Path())
	return a.made(ctx, root, bar, root.Wait(ctx, bar.show))
}

// update finishes an index and takes up what changed since.
func (a *app) update(ctx context.Context, root *jit.Root) error {
	if err := a.finish(ctx, root); err != nil {
		return err
	}
	rep, err := root.Sync(ctx)
	if err != nil {
		return err
	}
	return a.changed(root, rep, "%s is up to date")
}

func (a *app) changed(root *jit.Root, rep jit.Report, format string) error {
	a.tellProblems(root)
	_, err := fmt.Fprintf(a.err, format+": %d added, %d modified, %d removed.\n", root.Path(), len(rep.Added), len(rep.Modified), len(rep.Removed))
	if rep.Pending > 0 {
		fmt.Fprintf(a.err, "%s still to be indexed; the next command does that.\n", count(rep.Pending, "changed file"))
	}
	return err
}
