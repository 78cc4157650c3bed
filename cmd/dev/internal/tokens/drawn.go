package tokens

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// shortWays lists the ways to answer in the short table: with this project's tools, and as either
// of the two agents with grep.
var shortWays = []struct{ way, title string }{{"default", "Sextant"}, {"lean", "lean"}, {"reading", "reading"}}

// Short returns a table for the README: the figures for the largest number of questions at once, by
// size of the repository. Below it are the cases in which grep is better.
func (f *Figures) Short() string {
	var out strings.Builder
	batch := slices.Max(f.batches())
	fmt.Fprintf(&out, "| size | tasks |")
	for _, w := range shortWays {
		fmt.Fprintf(&out, " %s |", w.title)
	}
	fmt.Fprintf(&out, "\n|---|---|%s\n", strings.Repeat("---|", len(shortWays)))
	for _, size := range append(slices.Clone(sizes), "") {
		title := size
		if size == "" {
			title = "**all**"
		}
		of := func(way string) Cell {
			return f.sum(func(c *Cell) bool {
				return c.Way == way && c.Batch == batch && (size == "" || c.Size == size)
			})
		}
		tasks := of(shortWays[0].way)
		fmt.Fprintf(&out, "| %s | %d |", title, tasks.Tasks)
		for _, w := range shortWays {
			c := of(w.way)
			fmt.Fprintf(&out, " %s |", c.share())
		}
		fmt.Fprintln(&out)
	}
	fmt.Fprintln(&out)
	f.losses(&out, batch)
	return out.String()
}

// share returns the tokens per success and the share of tasks that succeeded.
func (c *Cell) share() string {
	if c.Successes == 0 {
		return "none"
	}
	return fmt.Sprintf("%.0f, %.0f %%", c.Tokens/float64(c.Successes), 100*float64(c.Successes)/float64(c.Tasks))
}

// Losses writes the cases (kinds of tasks and sizes of repositories) in which grep is better than
// this project's tools.
func (f *Figures) Losses(out io.Writer) {
	for _, batch := range f.batches() {
		f.losses(out, batch)
	}
}

// losses writes the kinds of tasks and sizes of repositories in which either agent with grep costs
// less per success than this project's tools, and those in which it succeeds more often.
func (f *Figures) losses(out io.Writer, batch int) {
	var dearer, worse []string
	for _, kind := range Kinds {
		var costs, fails []string
		for _, size := range sizes {
			of := func(way string) Cell {
				return f.sum(func(c *Cell) bool {
					return c.Way == way && c.Batch == batch && c.Kind == kind && c.Size == size
				})
			}
			ours := of(shortWays[0].way)
			for _, w := range shortWays[1:] {
				other := of(w.way)
				if other.perSuccess() < ours.perSuccess() && !slices.Contains(costs, size) {
					costs = append(costs, size)
				}
				if other.Successes > ours.Successes && !slices.Contains(fails, size) {
					fails = append(fails, size)
				}
			}
		}
		dearer, worse = appendCells(dearer, kind, costs), appendCells(worse, kind, fails)
	}
	asked := "one question at a time"
	if batch > 1 {
		asked = fmt.Sprintf("%d questions at once", batch)
	}
	fmt.Fprintf(out, "- With %s, grep costs less for %s.\n- With %s, grep succeeds more often for %s.\n",
		asked, enumerate(dearer), asked, enumerate(worse))
}

// perSuccess returns the tokens per success. If there was no success, it returns a number above all
// others.
func (c *Cell) perSuccess() float64 {
	if c.Successes == 0 {
		return 1e9
	}
	return c.Tokens / float64(c.Successes)
}

// appendCells appends to list a phrase such as "callers (small, large)": a kind of task with the
// sizes of repositories, which are omitted if they are all. It appends nothing if there are no
// sizes.
func appendCells(list []string, kind Kind, of []string) []string {
	switch len(of) {
	case 0:
		return list
	case len(sizes):
		return append(list, string(kind))
	}
	return append(list, fmt.Sprintf("%s (%s)", kind, strings.Join(of, ", ")))
}

func enumerate(list []string) string {
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, ", ")
}

const heldOutHead = `## Two draws

The first draw of tasks was looked at while all of this was built: the program was changed where it lost, and the scripted agents, the choice of tasks, and the rules by which an answer shows a place were changed where they seemed unfair to either side. Its figures are fitted.

The second draw (testdata/tokens/held-out, by the same miner with another seed, has no answer in common with the first) was asked once, after all that; nothing was changed because of its answers, and a task of it that makes little sense counts as it is. It has the repositories of the first draw and three more, which other tests of this project had used.

The figures of the first draw are of a later build, so the draws differ by the changes since, too.

The agent with this project's tools asks one question a call in all tables: it sends lists only where the type of an argument allows them, and here a description says so. Those with grep join their questions.

`

// PrintDraws compares the figures of two sets of tasks that were drawn independently: first on the
// repositories of both, then on those of the second alone.
func PrintDraws(out io.Writer, first, second *Figures) {
	known := map[string]bool{}
	for _, c := range first.Cells {
		known[c.Repository] = true
	}
	ways := first.ways()
	fmt.Fprintf(out, "%s| draw | repositories | at once | tasks |", heldOutHead)
	for _, w := range ways {
		fmt.Fprintf(out, " %s |", w)
	}
	fmt.Fprintf(out, "\n|---|---|---|---|%s\n", strings.Repeat("---|", len(ways)))
	for _, batch := range first.batches() {
		for _, row := range []struct {
			draw string
			of   *Figures
			old  bool
		}{{"first", first, true}, {"held out", second, true}, {"held out", second, false}} {
			of := func(way string) Cell {
				return row.of.sum(func(c *Cell) bool {
					return c.Way == way && c.Batch == batch && known[c.Repository] == row.old
				})
			}
			tasks := of(ways[0])
			fmt.Fprintf(out, "| %s | %s | %d | %d |", row.draw, row.of.names(func(n string) bool {
				return known[n] == row.old
			}),
				batch, tasks.Tasks)
			for _, w := range ways {
				c := of(w)
				fmt.Fprintf(out, " %s |", c.text())
			}
			fmt.Fprintln(out)
		}
	}
	fmt.Fprintln(out)
}

// names returns the names of the repositories for which accept returns true, separated by commas.
func (f *Figures) names(accept func(string) bool) string {
	var out []string
	for _, c := range f.Cells {
		if accept(c.Repository) && !slices.Contains(out, c.Repository) {
			out = append(out, c.Repository)
		}
	}
	return strings.Join(out, ", ")
}
