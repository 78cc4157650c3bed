// Command train-embedder trains the table of the built-in embedder; docs/embedder.md describes how.
// Its subcommand extract collects pairs of doc comments and declarations from clones of
// repositories. Its subcommand train learns the table from these pairs.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"sync"

	"github.com/spf13/cobra"

	"sextant/cmd/dev/internal/quality"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// flags holds the flags of the command line.
type flags struct {
	list, corpus, pairs string
	questions, glossary string
	workers             int
	rows, buckets       int
	out                 string
	test                bool
	settings
}

func command() *cobra.Command {
	var f flags
	root := &cobra.Command{Use: "train-embedder", SilenceUsage: true, SilenceErrors: true}
	p := root.PersistentFlags()
	p.StringVar(&f.list, "list", "testdata/embedder.lock", "list of repositories")
	p.StringVar(&f.corpus, "corpus", "", "directory of their clones, each as owner+name or owner+name/repo")
	p.StringVar(&f.pairs, "pairs", "", "directory of extracted pairs")
	p.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "goroutines; the result does not depend on it")
	root.AddCommand(&cobra.Command{Use: "extract", Args: cobra.NoArgs, RunE: func(c *cobra.Command, _ []string) error {
		return f.extract(c.Context())
	}}, f.trainCommand())
	return root
}

func (f *flags) trainCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "train", Args: cobra.NoArgs, RunE: func(c *cobra.Command, _ []string) error {
		return f.train(c.Context())
	}}
	p := cmd.Flags()
	p.StringVar(&f.questions, "questions", "testdata/embedder/questions.tsv",
		"questions about functions of the repositories")
	p.StringVar(&f.glossary, "glossary", "testdata/embedder/glossary.tsv", "explanations of words in names")
	p.IntVar(&f.rows, "rows", 32_768, "rows of the table")
	p.IntVar(&f.buckets, "buckets", 8192, "rows for n-grams among them")
	p.StringVar(&f.out, "out", "l1fts/embed/table.bin", "the table")
	p.BoolVar(&f.test, "test", false, "report the test split, too")
	p.IntVar(&f.Dimensions, "dimensions", 128, "length of a vector")
	p.IntVar(&f.Epochs, "epochs", 6, "passes over the pairs")
	p.IntVar(&f.Batch, "batch", 1024, "pairs that compete, a multiple of 16")
	p.Float64Var(&f.Learning, "learning", 0.003, "learning rate of the first step")
	p.Float64Var(&f.Dropout, "dropout", 0.3, "share of stems left out")
	p.Float64Var(&f.NameDropout, "name-dropout", 0.2, "share of documents without their name")
	p.Uint64Var(&f.Seed, "seed", 1, "seed of all random choices")
	return cmd
}

// train trains a model, prints its evaluation and writes its table.
func (f *flags) train(ctx context.Context) error {
	corpus, err := f.load(ctx, os.Stdout)
	if err != nil {
		return err
	}
	m, err := train(ctx, corpus, f.settings, f.workers, os.Stdout)
	if err != nil {
		return err
	}
	if err := report(ctx, corpus, m, quality.Test, os.Stdout); err != nil {
		return err
	}
	fingerprint, err := write(f.out, tableOf(corpus, m))
	fmt.Println(fingerprint)
	return err
}

// extract extracts the pairs of every source whose pairs are not stored yet,
// and stores them.
func (f *flags) extract(ctx context.Context) error {
	list, err := quality.ReadList(f.list)
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	work, errs := make(chan int), make([]error, len(list))
	for range f.workers {
		wg.Go(func() {
			for i := range work {
				pairs, err := pairsOf(ctx, list[i], f.corpus, f.pairs)
				if err != nil {
					errs[i] = fmt.Errorf("%s: %w", list[i].Repository, err)
					continue
				}
				documented := 0
				for j := range pairs {
					if pairs[j].Sentence != "" {
						documented++
					}
				}
				fmt.Println(list[i].Repository, len(pairs), documented)
			}
		})
	}
	for i := range list {
		work <- i
	}
	close(work)
	wg.Wait()
	return errors.Join(errs...)
}
