// Command bench measures the built program as an agent uses it: a cold index, and
// a session of every kind of call with one server, on trees of growing size. It
// prints a table in Markdown: medians over the runs, and their spread.
//
// CPU is the user and system time of the process. On a machine that others use
// too, it varies less between runs than wall time. Memory is RssAnon plus
// RssShmem, the memory that the process shares with no other.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench holds the flags of the command.
type bench struct {
	corpus, list, root, home, binary string
	sizes                            []int
	runs, calls                      int
	seed                             uint64
	settle                           bool
	peers                            []string // commands; see peerCommands
}

func command() *cobra.Command {
	var b bench
	cmd := &cobra.Command{
		Use: "bench", Short: "Measure the program on trees of growing size", Args: cobra.NoArgs,
		SilenceUsage: true, SilenceErrors: true,
		RunE: func(c *cobra.Command, _ []string) error { return b.run(c.Context()) },
	}
	f := cmd.Flags()
	f.StringVar(&b.corpus, "corpus", os.Getenv("SEXTANT_CORPUS"), "directory of clones, each as owner+name")
	f.StringVar(&b.list, "list", "testdata/corpus.lock", "list of repositories to make trees of")
	f.IntSliceVar(&b.sizes, "files", []int{1000, 5000, 20_000, 60_000, 200_000}, "sizes of trees")
	f.StringVar(&b.root, "root", "", "measure this tree alone")
	f.StringVar(&b.home, "home", "", "directory of an index of --root to measure calls on, instead of new ones")
	f.StringVar(&b.binary, "binary", "", "program to measure; it is built without")
	f.IntVar(&b.runs, "runs", 3, "runs of each measurement")
	f.IntVar(&b.calls, "calls", 60, "calls of each kind")
	f.Uint64Var(&b.seed, "seed", 1, "seed for choosing symbols and files")
	f.BoolVar(&b.settle, "settle", false, "also wait until the server rests, and measure its restart")
	f.StringArrayVar(&b.peers, "peer", peerCommands, "command of another tool to run in turn with the index")
	return cmd
}

// run builds the program if --binary names none, and measures it on each tree.
func (b *bench) run(ctx context.Context) (err error) {
	work, err := os.MkdirTemp("", "sextant-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	if b.binary == "" {
		b.binary = filepath.Join(work, "sextant")
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", b.binary, "./cmd/sextant")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("build: %w\n%s", err, out)
		}
	}
	// Without this, the work of language servers would be measured too.
	if err := os.Setenv("SEXTANT_MAX_SERVERS", "0"); err != nil {
		return err
	}
	if b.root != "" {
		return b.measure(ctx, work, b.root)
	}
	for _, size := range b.sizes {
		dir := filepath.Join(work, fmt.Sprint(size))
		err := b.tree(ctx, dir, size)
		if err == nil {
			err = b.measure(ctx, work, dir)
		}
		if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
			return err
		}
	}
	return nil
}

// measure measures the program on one tree and prints the table.
func (b *bench) measure(ctx context.Context, work, dir string) (err error) {
	var t table
	for run := range b.runs {
		home := b.home
		if home == "" {
			home = filepath.Join(work, fmt.Sprintf("home%d", run))
			if err := b.index(ctx, &t, home, dir); err != nil {
				return err
			}
		}
		err := b.session(ctx, &t, home, dir)
		if b.home == "" {
			err = errors.Join(err, os.RemoveAll(home))
		}
		if err != nil {
			return err
		}
	}
	files, bytes, err := size(dir)
	if err != nil {
		return err
	}
	fmt.Printf("\n%d files, %.0f MB; %d runs, %d calls of each kind; load %s\n\n", files, float64(bytes)/1e6,
		b.runs, b.calls, load())
	t.print(os.Stdout)
	return nil
}
