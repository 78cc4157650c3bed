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

// usesMeasurer measures how well one kind of use is resolved, such as reads of members that run a
// getter. The figures of one repository can be committed alone, unlike those of calls.
type usesMeasurer struct {
	*options
	use accuracy.Use
}

// usesCommand returns the subcommand that measures one kind of use.
func usesCommand(o *options, use accuracy.Use) *cobra.Command {
	short := map[accuracy.Use]string{
		accuracy.Accessed: "Measure reads and assignments of properties against compilers",
		accuracy.Taken:    "Measure functions that are used as values against compilers",
	}
	return &cobra.Command{
		Use: string(use), Short: short[use], Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return usesMeasurer{o, use}.run(cmd.Context()) },
	}
}

// run measures the chosen repositories in languages with an oracle for the kind of use.
func (m usesMeasurer) run(ctx context.Context) error {
	entries, err := accuracy.ReadCorpus(m.lock)
	if err != nil {
		return err
	}
	var lacking error
	for i := range entries {
		e := &entries[i]
		if !m.wants(e) || !accuracy.HasOracle(m.use.Of(e.Language)) {
			continue
		}
		if err := m.measure(ctx, e); err != nil {
			lacking = errors.Join(lacking, fmt.Errorf("%s: %w", e.Repo, err))
		}
	}
	if m.write {
		lacking = errors.Join(lacking, writeDocument())
	}
	return lacking
}

// measure compares the resolved uses of one repository with the truth, the targets that a compiler
// found. It prints the figures, and samples of wrong edges and missed uses.
func (m usesMeasurer) measure(ctx context.Context, e *accuracy.Entry) error {
	dir, err := e.Dir(ctx, m.corpus)
	if err != nil {
		return err
	}
	file := e.UseFile(m.corpus, m.use)
	if _, err := os.Stat(file); m.refresh || errors.Is(err, fs.ErrNotExist) {
		if err := accuracy.MakeTruth(ctx, m.use.Of(e.Language), dir, file); err != nil {
			return err
		}
	}
	truth, err := accuracy.ReadTruthFile(file)
	if err != nil || m.truthOnly {
		return err
	}
	got := accuracy.Uses{Use: m.use, Language: e.Language, Repo: e.Repo, Commit: e.Version(), Split: e.Split}
	runner := &runner{options: m.options}
	if err := runner.indexed(ctx, dir, func(x *index) error {
		return m.judge(x, &got, accuracy.NewSites(truth))
	}); err != nil {
		return err
	}
	fmt.Printf("%s (%s, %s): precision %s, recall %s\n", e.Repo, e.Language, e.Split, got.Precision, got.Recall)
	if m.write && m.lock == corpusLock {
		return accuracy.WriteUses(&got)
	}
	return nil
}

// judge compares the uses in the files of an index with the truth, the targets that a compiler
// found. It adds the result to got, and prints at most --wrong wrong edges and --misses missed uses.
func (m usesMeasurer) judge(x *index, got *accuracy.Uses, truth *accuracy.Sites) error {
	wrong, missed := 0, 0
	for _, file := range truth.Files {
		if !x.has(file) {
			continue
		}
		edges, err := x.uses(file, m.use)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		falsely, without := got.Add(truth.Of(file), edges, x.has)
		for _, e := range falsely {
			if wrong++; wrong <= m.wrong {
				fmt.Printf("wrong  %s:%d:%d %s -> %s:%d (%s; %s)\n", file, e.Line, e.Column, e.Name, e.Target.File,
					e.Target.Line, e.Strategy, e.Reason)
			}
		}
		for _, t := range without {
			if missed++; missed <= m.misses {
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
