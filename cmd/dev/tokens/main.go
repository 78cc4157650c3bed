// Command tokens measures how many tokens an agent needs for an answer about code: with this
// project's tools, and with two ways to use grep.
//
//	go run ./cmd/dev/tokens --corpus DIR              all tasks, all ways; a table by kind and size
//	go run ./cmd/dev/tokens --repo bbolt --way text   one repository, one way
//	go run ./cmd/dev/tokens --repo bbolt --kind callers --way text --show
//	                                                  every call with its answer, to read
//	go run ./cmd/dev/tokens --write                   keeps testdata/tokens/figures.jsonl and docs/tokens.md
//	go run ./cmd/dev/tokens impact                    the tests that are named for changes of code
//	go run ./cmd/dev/tokens mine                      draws the tasks anew
//	go run ./cmd/dev/tokens mine --data testdata/tokens/held-out --seed 2 --held-out-of testdata/tokens/tasks.jsonl
//	                                                  draws the second, held-out tasks
//	go run ./cmd/dev/tokens --data testdata/tokens/held-out --write
//	                                                  answers the held-out tasks; adapt nothing to them
//
// The ways are "lean" and "reading" (the agents of package grep), "default" (this project's tools
// in their default format), and other formats of the tools by name. --home keeps trees and indexes
// for the next run; --binary measures another build.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "tokens:", err)
		os.Exit(1)
	}
}

func command() *cobra.Command {
	var opts runner
	cmd := &cobra.Command{
		Use: "tokens", Short: "Measure what answers cost an agent", Args: cobra.NoArgs, SilenceUsage: true,
		SilenceErrors: true,
		RunE:          func(c *cobra.Command, _ []string) error { return opts.run(c.Context()) },
	}
	p := cmd.PersistentFlags()
	p.StringVar(&opts.corpus, "corpus", os.Getenv("SEXTANT_CORPUS"), "directory of clones, each as owner+name")
	p.StringVar(&opts.data, "data", committed, "directory of the lock file, tasks and figures")
	p.StringVar(&opts.home, "home", "", "directory for trees and indexes; a temporary one without")
	p.StringSliceVar(&opts.repositories, "repo", nil, "only these repositories, by their names in the lock file")
	p.StringSliceVar(&opts.kinds, "kind", nil, "only these kinds of tasks")
	p.StringVar(&opts.binary, "binary", "", "program to measure; without, it is built")
	p.BoolVar(&opts.show, "show", false, "show every call with its answer")
	p.BoolVar(&opts.all, "all", false, "fail when a repository is not there")
	p.BoolVar(&opts.write, "write", false, "write the figures and docs/tokens.md")
	f := cmd.Flags()
	f.StringSliceVar(&opts.ways, "way", allWays, "ways to answer")
	f.IntVar(&opts.batch, "batch", 0, "only batches of this size; without, of ten and of one")
	f.BoolVar(&opts.each, "each", false, "show the outcome of every task")
	mine := &cobra.Command{
		Use: "mine", Short: "Draw the tasks from the repositories of the lock file", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return opts.mine(c.Context()) },
	}
	mine.Flags().Uint64Var(&opts.seed, "seed", 1, "seed of the draw")
	mine.Flags().IntVar(&opts.times, "times", 1, "draw so many times the usual number of tasks")
	mine.Flags().StringSliceVar(&opts.heldOutOf, "held-out-of", nil, "files of tasks whose answers are not drawn again")
	impact := &cobra.Command{
		Use: "impact", Short: "Measure which tests are named for a change of code", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return opts.impact(c.Context()) },
	}
	cmd.AddCommand(mine, impact)
	return cmd
}
