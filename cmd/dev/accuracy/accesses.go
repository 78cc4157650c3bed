package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sextant/cmd/dev/internal/accuracy"
)

// accessing measures how well accesses are resolved: reads and assignments, such as o.size = 1,
// that run a getter or setter. The figures of one repository can be committed alone, unlike those
// of calls.
type accessing struct{ *options }

// accessesCommand returns the subcommand accesses, which measures accesses: reads and assignments
// that run a getter or setter.
func accessesCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use: "accesses", Short: "Measure reads and assignments of properties against compilers", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return accessing{o}.run(cmd.Context()) },
	}
}

// run measures the chosen repositories in languages with an oracle, a program that lists accesses
// with the targets that a compiler found.
func (a accessing) run(ctx context.Context) error {
	entries, err := accuracy.ReadCorpus(a.lock)
	if err != nil {
		return err
	}
	var lacking error
	for i := range entries {
		e := &entries[i]
		if !a.wants(e) || !accuracy.HasOracle(e.Language+accuracy.AccessesOf) {
			continue
		}
		if err := a.measure(ctx, e); err != nil {
			lacking = errors.Join(lacking, fmt.Errorf("%s: %w", e.Repo, err))
		}
	}
	if a.write {
		lacking = errors.Join(lacking, writeDocument())
	}
	return lacking
}

// measure compares the resolved accesses of one repository with the truth, the targets that a
// compiler found. It prints the figures, and samples of wrong edges and missed accesses.
func (a accessing) measure(ctx context.Context, e *accuracy.Entry) error {
	dir, err := e.Dir(ctx, a.corpus)
	if err != nil {
		return err
	}
	file := e.AccessFile(a.corpus)
	if _, err := os.Stat(file); a.refresh || errors.Is(err, fs.ErrNotExist) {
		if err := accuracy.MakeTruth(ctx, e.Language+accuracy.AccessesOf, dir, file); err != nil {
			return err
		}
	}
	truth, err := accuracy.ReadTruthFile(file)
	if err != nil || a.truthOnly {
		return err
	}
	got := accuracy.Accesses{Language: e.Language, Repo: e.Repo, Commit: e.Version(), Split: e.Split}
	runner := &runner{options: a.options}
	if err := runner.indexed(ctx, dir, func(x *index) error {
		return a.judge(x, &got, accuracy.NewSites(truth))
	}); err != nil {
		return err
	}
	fmt.Printf("%s (%s, %s): precision %s, recall %s\n", e.Repo, e.Language, e.Split, got.Precision, got.Recall)
	if a.write && a.lock == corpusLock {
		return accuracy.WriteAccesses(&got)
	}
	return nil
}

// judge compares the accesses in the files of an index with the truth, the targets that a compiler
// found. It adds the result to got, and prints at most --wrong wrong edges and --misses missed
// accesses.
func (a accessing) judge(x *index, got *accuracy.Accesses, truth *accuracy.Sites) error {
	wrong, missed := 0, 0
	for _, file := range truth.Files {
		if !x.has(file) {
			continue
		}
		edges, err := x.accesses(file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		falsely, without := got.Add(truth.Of(file), edges, x.has)
		for _, e := range falsely {
			if wrong++; wrong <= a.wrong {
				fmt.Printf("wrong  %s:%d:%d %s -> %s:%d (%s; %s)\n", file, e.Line, e.Column, e.Name, e.Target.File,
					e.Target.Line, e.Strategy, e.Reason)
			}
		}
		for _, t := range without {
			if missed++; missed <= a.misses {
				fmt.Printf("missed %s:%d:%d %s -> %s\n", file, t.Line, t.Column, t.Name, places(t.Targets))
			}
		}
	}
	return nil
}

// places formats the places of targets as "FILE:LINE FILE:LINE".
func places(targets []accuracy.Place) string {
	var out []string
	for _, p := range targets {
		out = append(out, fmt.Sprintf("%s:%d", p.File, p.Line))
	}
	return strings.Join(out, " ")
}
