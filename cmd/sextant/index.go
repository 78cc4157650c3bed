package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"sextant/jit"
)

// ready returns the path that the command works on and makes sure that its
// codebase is indexed. If it is not indexed yet, ready says so and builds the
// index.
func (a *app) ready(ctx context.Context) (string, error) {
	path, err := a.where(ctx)
	if err != nil {
		return "", err
	}
	root, _, err := a.roots.Resolve(ctx, path)
	switch {
	case err == nil:
		return path, a.indexing(root).finish(ctx)
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
	return path, a.indexing(root).build(ctx, "create")
}

// build tracks the folder dir as a root and indexes it.
func (a *app) build(ctx context.Context, dir string) error {
	root, err := a.roots.Track(ctx, dir, jit.Policy{})
	if err != nil {
		return err
	}
	a.tellProblems(root)
	return a.indexing(root).build(ctx, "create")
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
		Use: "index [FOLDER]", GroupID: "index",
		Short: "Index a codebase or a workspace, or bring its index up to date",
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

// indexOptions holds the flags of the index command.
type indexOptions struct{ force, repair, own bool }

// index creates, updates, repairs or rebuilds the index of the path, then computes missing
// vectors.
func (a *app) index(ctx context.Context, opt indexOptions) error {
	if opt.force && opt.repair {
		return &usageError{errors.New(
			"--force makes the index anew whatever its state, --repair only when it is damaged; " +
				"give one of them")}
	}
	path, err := a.where(ctx)
	if err != nil {
		return err
	}
	if folder := folderOf(path); folder != path {
		return &usageError{fmt.Errorf(
			"%s is a file; index takes the folder of a codebase, for example sextant index %s",
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
			fmt.Sprintf(
				"sextant index%s %s is for all of that, and sextant index --own %s makes an index for this folder "+
					"alone", opt.flag(), quote(root.Path()), quote(path)))
	case opt.repair:
		err = a.indexing(root).repair(ctx)
	case opt.force:
		err = a.indexing(root).rebuild(ctx)
	default:
		err = a.indexing(root).update(ctx)
	}
	if err != nil {
		return err
	}
	return a.embed(ctx, path)
}

// flag returns " --force" or " --repair" if that flag was given, else "".
func (o indexOptions) flag() string {
	switch {
	case o.force:
		return " --force"
	case o.repair:
		return " --repair"
	}
	return ""
}

// ownedBy returns the error for the folder at path, which has no index of its own
// because it is part of the codebase at root. do names the commands that help.
func ownedBy(root, path, do string) error {
	return fmt.Errorf("%s is part of %s, whose index answers for it; %s", path, root, do)
}

// embed computes the vectors that are still missing, if the embedder is too slow or unreliable to
// run during indexing. Failures are warnings only: the index works without vectors.
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
func (c *console) warnMeaning(why string) {
	c.warn("semantic search is unavailable: " + why)
}
