package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"sextant/internal/navigate"
	"sextant/jit"
)

// ready is the path to work on, its root indexed: on the first question the
// index is made, and that is said.
func (a *app) ready(ctx context.Context) (string, error) {
	if _, err := a.open(ctx); err != nil {
		return "", err
	}
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
	dir := path
	if a.path != "" {
		dir = repositoryTop(path)
	}
	fmt.Fprintf(a.err, "%s is not indexed yet; indexing it first.\n", dir)
	return path, a.build(ctx, dir, jit.Policy{})
}

// finish waits for an index that is still being made.
func (a *app) finish(ctx context.Context, root *jit.Root) error {
	status, err := root.Status(ctx)
	if err != nil || status.State == jit.StateReady {
		return err
	}
	if status.State == jit.StateFailed {
		return fmt.Errorf("the index of %s could not be made: %s; try sextant index --repair", root.Path(), status.Error)
	}
	return a.watchBuild(ctx, root, "create")
}

func (a *app) build(ctx context.Context, dir string, policy jit.Policy) error {
	root, err := a.roots.Track(ctx, dir, policy)
	if err != nil {
		return err
	}
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
	status, err := root.Status(ctx)
	if err != nil {
		return err
	}
	c := status.Coverage
	fmt.Fprintf(a.err, "Indexed %d files of %s in %s (%d skipped, %s on disk).\n", c.Indexed, root.Path(), bar.elapsed().Round(10*time.Millisecond), c.Files-c.Indexed, size(status.Bytes))
	return nil
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
	var force, repair bool
	cmd := &cobra.Command{
		Use: "index [PATH]", GroupID: "index", Short: "Index a codebase or a workspace, or bring its index up to date",
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				a.path = args[0]
			}
			return a.index(c.Context(), force, repair)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "drop the index and make it anew")
	cmd.Flags().BoolVar(&repair, "repair", false, "check the index and mend it")
	return cmd
}

func (a *app) index(ctx context.Context, force, repair bool) error {
	if _, err := a.open(ctx); err != nil {
		return err
	}
	path, err := a.where(ctx)
	if err != nil {
		return err
	}
	root, _, err := a.roots.Resolve(ctx, path)
	if errors.Is(err, jit.ErrNotTracked) {
		return a.build(ctx, path, jit.Policy{})
	}
	if err != nil {
		return err
	}
	switch {
	case repair:
		if _, _, err := root.Repair(ctx); err != nil {
			return err
		}
	case force:
		if err := root.Rebuild(ctx, "reindex"); err != nil {
			return err
		}
	default:
		if err := a.finish(ctx, root); err != nil {
			return err
		}
		rep, err := root.Sync(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.err, "%s is up to date: %d added, %d modified, %d removed.\n", root.Path(), len(rep.Added), len(rep.Modified), len(rep.Removed))
		return nil
	}
	bar := newBar(a)
	err = root.Wait(ctx, bar.show)
	bar.done()
	if err != nil {
		return err
	}
	return a.summary(ctx, root, bar)
}

func (a *app) manage(ctx context.Context, req navigate.ManageRequest) (*navigate.ManageAnswer, error) {
	if _, err := a.open(ctx); err != nil {
		return nil, err
	}
	path, err := a.where(ctx)
	if err != nil {
		return nil, err
	}
	req.Path = path
	if err := req.Normalize(); err != nil {
		return nil, &usageError{err}
	}
	return a.service.Manage(ctx, req)
}
