// Command mutate measures how well the tests of a package constrain it: it
// makes one change at a time and counts how often a test fails.
//
//	go run ./cmd/dev/mutate -n 200 ./l2meta/resolve
//	go run ./cmd/dev/mutate --tests ./l2meta/languages ./l2meta/languages/golang
//
// Changes are drawn at random, by seed, from all possible ones: of comparisons,
// boolean operators, conditions, constants and statements. Files on disk are
// not modified: go test reads the changed file through an overlay. A change
// that does not compile is replaced by another one.
package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"
)

// options holds the flags of the command.
type options struct {
	n       int           // number of compiling mutations per package
	seed    uint64        // seed of the random choice
	tests   []string      // further packages whose tests count
	run     string        // the -run flag of go test
	timeout time.Duration // of one go test; it counts as a failure when exceeded
	want    int           // least percentage that must be killed
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
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
			var err error
			for _, pkg := range packages {
				enough, failed := opts.measure(cmd.Context(), pkg)
				if failed != nil {
					return fmt.Errorf("%s: %w", pkg, failed)
				}
				if !enough {
					err = errTooFew
				}
			}
			return err
		},
	}
	f := cmd.Flags()
	f.IntVarP(&opts.n, "number", "n", 200, "mutations of each package")
	f.Uint64Var(&opts.seed, "seed", 1, "seed of the draw")
	f.StringSliceVar(&opts.tests, "tests", nil, "packages whose tests count, too")
	f.StringVar(&opts.run, "run", "", "run only the tests that match, as of go test")
	f.DurationVar(&opts.timeout, "timeout", 5*time.Minute, "limit of one run of the tests")
	f.IntVar(&opts.want, "want", 80, "fail where fewer are killed, in percent")
	return cmd
}

// measure tries mutations of one package and prints those that no test detects.
// It reports whether enough are killed.
func (o *options) measure(ctx context.Context, pkg string) (bool, error) {
	sites, err := sitesOf(ctx, pkg)
	if err != nil {
		return false, err
	}
	packages := append([]string{pkg}, o.tests...)
	if result, out, err := o.try(ctx, packages, nil); err != nil || result != survived {
		return false, fmt.Errorf("the tests must pass without a mutation: %v\n%s", err, out)
	}
	draw := rand.New(rand.NewPCG(o.seed, 0))
	draw.Shuffle(len(sites), func(i, j int) { sites[i], sites[j] = sites[j], sites[i] })
	tried, killed := 0, 0
	for i := range sites {
		if tried == o.n || ctx.Err() != nil {
			break
		}
		result, _, err := o.try(ctx, packages, &sites[i])
		if err != nil {
			return false, err
		}
		switch result {
		case invalid:
			continue
		case dead:
			killed++
		case survived:
			fmt.Printf("survived  %s\n", &sites[i])
		}
		tried++
	}
	if tried == 0 {
		return false, fmt.Errorf("nothing to mutate")
	}
	percent := 100 * killed / tried
	fmt.Printf("%s: %d of %d killed, %d %% (seed %d, %d sites)\n", pkg, killed, tried, percent, o.seed, len(sites))
	return percent >= o.want, ctx.Err()
}
