// Command quality measures search on the questions in testdata/quality, and
// compares it with words alone, vectors alone and a keyword search with
// ripgrep.
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
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
}

func command() *cobra.Command {
	var r runner
	c := &cobra.Command{
		Use: "quality", Short: "Measure search on committed questions", Args: cobra.NoArgs, SilenceUsage: true,
		SilenceErrors: true,
		RunE:          func(c *cobra.Command, _ []string) error { return r.run(c.Context()) },
	}
	p := c.PersistentFlags()
	p.StringVar(&r.corpus, "corpus", os.Getenv("SEXTANT_CORPUS"),
		"directory of clones, each as owner+name or owner+name/repo")
	p.StringVar(&r.data, "data", "testdata/quality", "directory of questions and figures")
	p.StringVar(&r.home, "home", "", "directory for indexes; a temporary one without")
	p.StringSliceVar(&r.repositories, "repo", nil, "only these repositories")
	p.StringVar(&r.split, "split", "test", "validation or test")
	f := c.Flags()
	f.StringSliceVar(&r.kinds, "kind", []string{"sentences", "commits", "questions", tokens}, "kinds of questions")
	f.StringSliceVar(&r.ways, "way", allWays, "ways to search")
	f.Uint64Var(&r.seed, "seed", 1, "by which tokens are drawn")
	f.BoolVar(&r.keep, "keep", false, "leave trees and indexes in --home, where the next run finds them")
	f.BoolVar(&r.misses, "misses", false, "show what is not among the first five; not of the test split")
	f.IntVar(&r.limit, "limit", 0, "questions a repository and kind; 0 means all")
	f.BoolVar(&r.all, "all", false, "fail when a repository is not there")
	f.BoolVar(&r.write, "write", false, "write the figures")
	mine := &cobra.Command{
		Use: "mine", Short: "Make the questions from the repositories of the list", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return r.mine(c.Context()) },
	}
	mine.Flags().StringVar(&r.list, "list", "testdata/embedder.lock", "list of repositories")
	c.AddCommand(mine)
	return c
}
