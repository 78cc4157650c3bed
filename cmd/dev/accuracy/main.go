// Command accuracy measures the accuracy of resolved calls. It compares the
// resolver's answers for every call site of the repositories in
// testdata/corpus.lock with those of compilers, and prints or commits the
// figures.
//
// Run it in the top folder of the project. Missing prerequisites (a repository,
// a compiler) are reported and skipped; with --all they are an error.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"sextant/cmd/dev/internal/accuracy"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(1)
	}
}

// options holds the flags of the command line.
type options struct {
	corpus, home        string
	language, repo      string
	split               string
	lock, sites         string
	misses, wrong       int
	outside             int
	seed                uint64
	write, all          bool
	truthOnly, refresh  bool
	calibrate           bool
	classes, strategies []string
	reason              string
	assume              float64 // confidence to assume for every edge that a rule resolved; 0: the stated ones
}

func command() *cobra.Command {
	var opts options
	cmd := &cobra.Command{
		Use: "accuracy", Short: "Measure resolved calls against compilers", Args: cobra.NoArgs,
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, _ []string) error { return opts.run(cmd.Context()) },
	}
	flags := cmd.PersistentFlags()
	flags.StringVar(&opts.lock, "lock", corpusLock,
		"list of the repositories; figures of another list are printed, and not committed")
	flags.StringVar(&opts.corpus, "corpus", os.Getenv("SEXTANT_CORPUS"), "folder of the repositories")
	flags.StringVar(&opts.home, "home", "", "folder that keeps indexes between runs (default: none are kept)")
	flags.StringVar(&opts.language, "language", "", "measure this language alone")
	flags.StringVar(&opts.repo, "repo", "", "measure this repository alone (owner/name)")
	flags.StringVar(&opts.split, "split", "all", "dev, held or all")
	flags.IntVar(&opts.misses, "misses", 0, "print this many missed sites, and the counts by reason")
	flags.IntVar(&opts.wrong, "wrong", 0, "print this many wrong edges")
	flags.IntVar(&opts.outside, "outside", 0, "print this many internal calls that the resolver says are external")
	flags.StringVar(&opts.sites, "sites", "", "append every judged site, its truth and its answer to this file")
	flags.Uint64Var(&opts.seed, "seed", 1, "seed for choosing the printed sites")
	flags.StringSliceVar(&opts.classes, "class", nil, "print sites of these classes alone")
	flags.StringSliceVar(&opts.strategies, "strategy", nil, "print sites of these strategies alone")
	flags.StringVar(&opts.reason, "reason", "", "print sites whose reason contains this alone")
	flags.Float64Var(&opts.assume, "assume", 0,
		"assume this confidence for every edge that a rule resolved")
	flags.BoolVar(&opts.write, "write", false, "write the goldens and docs/accuracy.md")
	flags.BoolVar(&opts.calibrate, "calibrate", false,
		"write what the edges of each strategy state from now on; --write afterwards takes the figures")
	flags.BoolVar(&opts.all, "all", false, "fail when anything is absent, or differs from the goldens")
	flags.BoolVar(&opts.truthOnly, "truth-only", false, "create the truth and stop")
	flags.BoolVar(&opts.refresh, "refresh", false, "create the truth again")
	cmd.AddCommand(proveCommand(&opts), usesCommand(&opts, accuracy.Accessed), usesCommand(&opts, accuracy.Taken))
	return cmd
}

// corpusLock is the path of the list of measured repositories.
const corpusLock = "testdata/corpus.lock"

// run checks the flags, measures the chosen repositories and prints or writes
// the figures.
func (o *options) run(ctx context.Context) error {
	if o.corpus == "" {
		return fmt.Errorf("no folder of repositories; name one with --corpus or SEXTANT_CORPUS")
	}
	entries, err := accuracy.ReadCorpus(o.lock)
	if err != nil {
		return fmt.Errorf("%w; run this in the top folder of the project", err)
	}
	if o.write && (o.assume > 0 || o.calibrate) {
		return fmt.Errorf("--write needs the stated confidences; omit --assume and --calibrate")
	}
	if o.write && o.lock != corpusLock {
		return fmt.Errorf("--write needs the repositories of %s; omit --lock", corpusLock)
	}
	if o.calibrate {
		if o.partial() {
			return fmt.Errorf("--calibrate needs all repositories of a language; omit --repo, --split and --lock")
		}
		o.assume = 1 // measure edges of low confidence too
	}
	r := &runner{options: o, languages: map[string]*language{}}
	for i := range entries {
		if e := &entries[i]; o.wants(e) {
			if err := r.measure(ctx, e); err != nil {
				return err
			}
		}
	}
	if o.truthOnly {
		return r.absentees()
	}
	return r.finish()
}

// wants reports whether the flags select a repository.
func (o *options) wants(e *accuracy.Entry) bool {
	return (o.language == "" || o.language == e.Language) && (o.repo == "" || o.repo == e.Repo) &&
		(o.split == "all" || o.split == string(e.Split))
}

// partial reports whether the flags exclude some repositories of a language.
func (o *options) partial() bool { return o.repo != "" || o.split != "all" || o.lock != corpusLock }
