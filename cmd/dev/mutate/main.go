// Command mutate measures how well tests constrain a package: it makes one
// change at a time and counts how often a test fails.
//
//	go run ./cmd/dev/mutate -n 200 ./l2meta/resolve
//	go run ./cmd/dev/mutate --tests './l2meta/languages=TestDecoys/^go$' ./l2meta/languages/golang
//
// Changes are drawn at random, by seed, from all possible ones: of comparisons, boolean
// operators, conditions, numbers and statements, in functions. Changes that do not compile are
// replaced by others. The test binaries are built once and contain all changes (see schemata);
// an environment variable switches one on. Files on disk are not modified: the go command reads
// changed ones through an overlay. A run without a change shows which tests reach which changes.
// For each change only the tests that reach it are run, the quick ones first. Tests write many
// files: with TMPDIR=/dev/shm, a file system in memory, they are twice as quick.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

// options holds the flags of the command.
type options struct {
	n       int           // number of compiling mutations per package
	seed    uint64        // seed of the random choice
	tests   []string      // PACKAGE or PACKAGE=PATTERN: further tests to run, besides the package's own
	timeout time.Duration // limit for one test without a mutation
	except  string        // pattern of the names of files that are left alone
	jobs    int           // mutations tried at the same time
	want    int           // least percentage that must be killed
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

var errTooFew = errors.New("too few mutations are killed")

func command() *cobra.Command {
	var opts options
	cmd := &cobra.Command{
		Use: "mutate PACKAGE...", Short: "Measure how much of a package its tests hold",
		Args: cobra.MinimumNArgs(1), SilenceUsage: true, SilenceErrors: true,
		RunE: func(cmd *cobra.Command, packages []string) error {
			enough, err := opts.measure(cmd.Context(), packages)
			if err == nil && !enough {
				err = errTooFew
			}
			return err
		},
	}
	f := cmd.Flags()
	f.IntVarP(&opts.n, "number", "n", 200, "mutations of each package")
	f.Uint64Var(&opts.seed, "seed", 1, "seed of the draw")
	f.StringSliceVar(&opts.tests, "tests", nil, "tests that count, too: PACKAGE, or PACKAGE=PATTERN as of go test -run")
	f.DurationVar(&opts.timeout, "timeout", 5*time.Minute, "limit of one test without a mutation")
	f.StringVar(&opts.except, "except", "", "leave files alone whose name matches this pattern")
	f.IntVarP(&opts.jobs, "jobs", "j", 2, "mutations tried at the same time")
	f.IntVar(&opts.want, "want", 80, "fail where fewer are killed, in percent")
	return cmd
}

// measure tries mutations of packages. It reports whether in each package at
// least o.want percent of them make a test fail.
func (o *options) measure(ctx context.Context, packages []string) (bool, error) {
	dir, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	all := make([][]site, len(packages))
	for p, pkg := range packages {
		if all[p], err = sitesOf(ctx, pkg, o.except); err != nil {
			return false, err
		}
		random := rand.New(rand.NewPCG(o.seed, 0))
		random.Shuffle(len(all[p]), func(i, j int) { all[p][i], all[p][j] = all[p][j], all[p][i] })
	}
	sample, err := draw(ctx, dir, packages, slices.Clone(all), o.n)
	if err != nil {
		return false, err
	}
	units, err := o.rehearsed(ctx, dir, packages, sample.flags)
	if err != nil {
		return false, err
	}
	verdicts, err := o.verdicts(ctx, sample.sites, units)
	if err != nil {
		return false, err
	}
	enough := true
	for p, pkg := range packages {
		killed, tried := count(sample.sites, verdicts, filepath.Dir(all[p][0].file))
		percent := 100 * killed / tried
		fmt.Printf("%s: %d of %d killed, %d %% (seed %d, %d sites)\n", pkg, killed, tried, percent, o.seed, len(all[p]))
		enough = enough && percent >= o.want
	}
	return enough, nil
}

// rehearsed builds the tests and runs each without a mutation. It returns them with their times and
// the mutations that they reach, the quickest first.
func (o *options) rehearsed(ctx context.Context, dir string, packages, flags []string) ([]tried, error) {
	units, err := binaries(ctx, dir, slices.Concat(packages, o.tests), flags)
	if err != nil {
		return nil, err
	}
	var out []tried
	for _, u := range units {
		t, err := u.rehearse(ctx, o.timeout)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	slices.SortStableFunc(out, func(a, b tried) int { return cmp.Compare(a.took, b.took) })
	return out, nil
}

// verdicts tries every mutation and returns for each whether a test detects it: dead, survived or
// unreached. It prints each undetected mutation at once.
func (o *options) verdicts(ctx context.Context, sites []site, units []tried) ([]string, error) {
	verdicts, failures := make([]string, len(sites)), make([]error, o.jobs)
	var next atomic.Int64
	var workers sync.WaitGroup
	for w := range o.jobs {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(sites) && failures[w] == nil; i = int(next.Add(1)) - 1 {
				verdicts[i], failures[w] = kill(ctx, units, i)
				if failures[w] == nil && verdicts[i] != dead {
					fmt.Printf("%-10s %s\n", verdicts[i], &sites[i])
				}
			}
		})
	}
	workers.Wait()
	return verdicts, errors.Join(failures...)
}

// count returns the number of mutations in a folder that a test detected, and the number of all
// mutations that were tried there.
func count(sites []site, verdicts []string, folder string) (killed, tried int) {
	for i := range sites {
		if filepath.Dir(sites[i].file) != folder {
			continue
		}
		tried++
		if verdicts[i] == dead {
			killed++
		}
	}
	return killed, tried
}
