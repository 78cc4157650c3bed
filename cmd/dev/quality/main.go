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
	var opts runner
	cmd := &cobra.Command{
		Use: "quality", Short: "Measure search on committed questions", Args: cobra.NoArgs, SilenceUsage: true,
		SilenceErrors: true,
		RunE:          func(c *cobra.Command, _ []string) error { return opts.run(c.Context()) },
	}
	p := cmd.PersistentFlags()
	p.StringVar(&opts.corpus, "corpus", os.Getenv("SEXTANT_CORPUS"),
		"directory of clones, each as owner+name or owner+name/repo")
	p.StringVar(&opts.data, "data", "testdata/quality", "directory of questions and figures")
	p.StringVar(&opts.home, "home", "", "directory for indexes; a temporary one without")
	p.StringSliceVar(&opts.repositories, "repo", nil, "only these repositories")
	p.StringVar(&opts.split, "split", "test", "validation or test")
	f := cmd.Flags()
	f.StringSliceVar(&opts.kinds, "kind", []string{"sentences", "commits", "questions", tokens}, "kinds of questions")
	f.StringSliceVar(&opts.ways, "way", allWays, "ways to search")
	f.Uint64Var(&opts.seed, "seed", 1, "seed for drawing tokens")
	f.BoolVar(&opts.keep, "keep", false, "leave trees and indexes in --home, where the next run finds them")
	f.BoolVar(&opts.misses, "misses", false,
		"show questions not answered among the first five results; not for the test split")
	f.IntVar(&opts.limit, "limit", 0, "questions per repository and kind; 0 means all")
	f.BoolVar(&opts.all, "all", false, "fail when a repository is not there")
	f.BoolVar(&opts.write, "write", false, "write the figures")
	mine := &cobra.Command{
		Use: "mine", Short: "Make the questions from the repositories of the list", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return opts.mine(c.Context()) },
	}
	mine.Flags().StringVar(&opts.list, "list", "testdata/embedder.lock", "list of repositories")
	cmd.AddCommand(mine, fitCommand(&opts))
	return cmd
}

// fitCommand returns the command fit, which shares the persistent flags of opts.
func fitCommand(opts *runner) *cobra.Command {
	f := fitter{weights: "internal/navigate/search/rank/weights.json"}
	cmd := &cobra.Command{
		Use: "fit", Short: "Fit the weights of the ranking on the validation split", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			f.corpus, f.data, f.home, f.repositories = opts.corpus, opts.data, opts.home, opts.repositories
			return f.run(c.Context())
		},
	}
	p := cmd.Flags()
	p.StringSliceVar(&f.kinds, "kind", []string{"sentences", "commits", "questions"}, "kinds of questions")
	p.BoolVar(&f.keep, "keep", false, "leave trees and indexes in --home, where the next run finds them")
	p.IntVar(&f.limit, "limit", 0, "questions per repository and kind; 0 means all")
	p.BoolVar(&f.all, "all", false, "fail when a repository is not there")
	p.BoolVar(&f.write, "write", false, "write the weights of the kinds that gain")
	return cmd
}
