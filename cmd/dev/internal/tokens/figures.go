package tokens

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
)

// Run identifies a measured conversation: the way in which tasks were answered (with this project's
// tools, or as an agent with grep), the repository, and the number of questions asked at once.
type Run struct {
	Way        string
	Size       string // size of the repository
	Repository string
	Batch      int
}

// Cell holds sums over the tasks of one kind, on one repository. Way names the tools or the agent
// that answered them.
type Cell struct {
	Way        string  `json:"way"`
	Batch      int     `json:"batch"` // number of questions asked at once
	Size       string  `json:"size"`
	Repository string  `json:"repository"`
	Kind       Kind    `json:"kind"`
	Tasks      int     `json:"tasks"`
	Successes  int     `json:"successes"`
	Tokens     float64 `json:"tokens"` // tokens of all tasks, including failed ones
	Calls      float64 `json:"calls"`
}

// Answers holds the lengths of the answers of one tool, in tokens, sorted.
type Answers struct {
	Way        string `json:"way"`
	Repository string `json:"repository"`
	Tool       string `json:"tool"`
	Lengths    []int  `json:"lengths"`
}

// Figures holds the measurements of one run of the program. A file may hold figures of several
// runs: each replaces the figures of the ways and repositories that it measured.
type Figures struct {
	Cells   []Cell
	Answers []Answers
}

// Add adds the outcomes of a conversation to the figures.
func (f *Figures) Add(run Run, played Played) {
	for _, o := range played.Outcomes {
		c := f.cell(run, o.Task.Kind)
		c.Tasks++
		if o.Success {
			c.Successes++
		}
		c.Tokens += o.Tokens
		c.Calls += o.Calls
	}
	if run.Batch > 1 {
		return // the budget of an answer does not grow with its questions
	}
	for tool, lengths := range played.Answers {
		f.lengths(run, tool, lengths)
	}
}

// lengths adds the lengths of answers of a tool.
func (f *Figures) lengths(run Run, tool string, lengths []int) {
	for i := range f.Answers {
		if a := &f.Answers[i]; a.Way == run.Way && a.Repository == run.Repository && a.Tool == tool {
			a.Lengths = append(a.Lengths, lengths...)
			return
		}
	}
	f.Answers = append(f.Answers, Answers{run.Way, run.Repository, tool, lengths})
}

// cell returns the cell for a kind of task in a run, which it creates if needed.
func (f *Figures) cell(run Run, kind Kind) *Cell {
	c := Cell{Way: run.Way, Batch: run.Batch, Size: run.Size, Repository: run.Repository, Kind: kind}
	for i := range f.Cells {
		o := &f.Cells[i]
		if o.Way == c.Way && o.Batch == c.Batch && o.Repository == c.Repository && o.Kind == c.Kind {
			return o
		}
	}
	f.Cells = append(f.Cells, c)
	return &f.Cells[len(f.Cells)-1]
}

// finish rounds the figures and sorts them, for the output.
func (f *Figures) finish() {
	for i := range f.Cells {
		c := &f.Cells[i]
		c.Tokens, c.Calls = math.Round(c.Tokens), math.Round(c.Calls*10)/10
	}
	for i := range f.Answers {
		slices.Sort(f.Answers[i].Lengths)
	}
	slices.SortStableFunc(f.Cells, func(a, b Cell) int {
		return cmp.Or(wayOrder(a.Way, b.Way), cmp.Compare(a.Repository, b.Repository), cmp.Compare(b.Batch, a.Batch),
			cmp.Compare(slices.Index(Kinds, a.Kind), slices.Index(Kinds, b.Kind)))
	})
	slices.SortStableFunc(f.Answers, func(a, b Answers) int {
		return cmp.Or(wayOrder(a.Way, b.Way), cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Repository, b.Repository))
	})
}

// wayOrder compares two ways of answering for sorting. The agents with a shell (lean, reading) come
// before this project's tools.
func wayOrder(a, b string) int {
	order := []string{"json", "default", "reading", "lean"}
	return cmp.Or(slices.Index(order, b)-slices.Index(order, a), cmp.Compare(a, b))
}

// replace adds to f those figures of held that f does not replace: the ones of other ways and
// repositories.
func (f *Figures) replace(held *Figures) {
	measured := map[[2]string]bool{}
	for _, c := range f.Cells {
		measured[[2]string{c.Way, c.Repository}] = true
	}
	for _, c := range held.Cells {
		if !measured[[2]string{c.Way, c.Repository}] {
			f.Cells = append(f.Cells, c)
		}
	}
	for _, a := range held.Answers {
		if !measured[[2]string{a.Way, a.Repository}] {
			f.Answers = append(f.Answers, a)
		}
	}
}

// sum returns the sum of the cells for which accept returns true.
func (f *Figures) sum(accept func(*Cell) bool) (out Cell) {
	for i := range f.Cells {
		if c := &f.Cells[i]; accept(c) {
			out.Tasks, out.Successes = out.Tasks+c.Tasks, out.Successes+c.Successes
			out.Tokens, out.Calls = out.Tokens+c.Tokens, out.Calls+c.Calls
		}
	}
	return out
}

// text returns the tokens per success, and the share of successes if not all
// tasks succeeded.
func (c *Cell) text() string {
	switch {
	case c.Tasks == 0:
		return ""
	case c.Successes == 0:
		return "none"
	case c.Successes < c.Tasks:
		return fmt.Sprintf("%.0f (%.0f %%)", c.Tokens/float64(c.Successes), 100*float64(c.Successes)/float64(c.Tasks))
	}
	return fmt.Sprintf("%.0f", c.Tokens/float64(c.Successes))
}

// Line formats the figures of one repository and way of answering in one line of text.
func (f *Figures) Line(repository, way string) string {
	var out []string
	for _, batch := range f.batches() {
		c := f.sum(func(c *Cell) bool { return c.Repository == repository && c.Way == way && c.Batch == batch })
		out = append(out, fmt.Sprintf("batch %d: %s", batch, c.text()))
	}
	return strings.Join(out, ", ")
}

// batches returns the numbers of questions asked at once, the largest first.
func (f *Figures) batches() (out []int) {
	for i := range f.Cells {
		if b := f.Cells[i].Batch; !slices.Contains(out, b) {
			out = append(out, b)
		}
	}
	slices.SortFunc(out, func(a, b int) int { return b - a })
	return out
}

// ways returns the ways of answering, in the order of the cells.
func (f *Figures) ways() (out []string) {
	for i := range f.Cells {
		if w := f.Cells[i].Way; !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// Print writes the tables as Markdown.
func (f *Figures) Print(out io.Writer) { f.print(out, "") }

// print writes the tables, each under a title that begins with prefix.
func (f *Figures) print(out io.Writer, prefix string) {
	f.finish()
	for _, batch := range f.batches() {
		title := "One question at a time"
		if batch > 1 {
			title = fmt.Sprintf("%d questions at once", batch)
		}
		f.table(out, batch, prefix+title)
	}
	fmt.Fprintf(out, "## %sLengths of answers\n\n", prefix)
	f.printLengths(out)
}

func (f *Figures) printLengths(out io.Writer) {
	fmt.Fprintf(out, "| way | tool | answers | p50 | p95 |\n|---|---|---|---|---|\n")
	for i := 0; i < len(f.Answers); {
		way, tool := f.Answers[i].Way, f.Answers[i].Tool
		var all []int
		for ; i < len(f.Answers) && f.Answers[i].Way == way && f.Answers[i].Tool == tool; i++ {
			all = append(all, f.Answers[i].Lengths...)
		}
		slices.Sort(all)
		at := func(share float64) int { return all[int(share*float64(len(all)-1)+0.5)] }
		fmt.Fprintf(out, "| %s | `%s` | %d | %d | %d |\n", way, tool, len(all), at(.5), at(.95))
	}
}

// sizes lists the sizes of repositories, in the order of the tables. Copies of repositories with
// renamed identifiers count as the size "renamed".
var sizes = []string{"small", "medium", "large", "renamed"}

func (f *Figures) table(out io.Writer, batch int, title string) {
	ways := f.ways()
	fmt.Fprintf(out, "## %s\n\n| kind | size | tasks |", title)
	for _, w := range ways {
		fmt.Fprintf(out, " %s |", w)
	}
	fmt.Fprintf(out, "\n|---|---|---|%s\n", strings.Repeat("---|", len(ways)))
	row := func(kind, size string, accept func(*Cell) bool) {
		tasks := f.sum(func(c *Cell) bool { return c.Batch == batch && c.Way == ways[0] && accept(c) })
		if tasks.Tasks == 0 {
			return
		}
		fmt.Fprintf(out, "| %s | %s | %d |", kind, size, tasks.Tasks)
		for _, w := range ways {
			c := f.sum(func(c *Cell) bool { return c.Batch == batch && c.Way == w && accept(c) })
			fmt.Fprintf(out, " %s |", c.text())
		}
		fmt.Fprintln(out)
	}
	for _, kind := range Kinds {
		for _, size := range sizes {
			row(string(kind), size, func(c *Cell) bool { return c.Kind == kind && c.Size == size })
		}
	}
	for _, size := range sizes {
		row("**all**", size, func(c *Cell) bool { return c.Size == size })
	}
	row("**all**", "**all**", func(*Cell) bool { return true })
	fmt.Fprintln(out)
}

// Write writes the figures to a file. Figures of other ways and repositories stay in the file.
func (f *Figures) Write(file string) error {
	held, err := ReadFigures(file)
	if err == nil {
		f.replace(held)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f.finish()
	var out strings.Builder
	for _, c := range f.Cells {
		if err := line(&out, c); err != nil {
			return err
		}
	}
	for _, a := range f.Answers {
		if err := line(&out, a); err != nil {
			return err
		}
	}
	return os.WriteFile(file, []byte(out.String()), 0o644)
}

// line writes a row as a line of JSON.
func line(out *strings.Builder, row any) error {
	text, err := json.Marshal(row)
	out.Write(text)
	out.WriteByte('\n')
	return err
}

// ReadFigures reads a file that Write wrote, with one row per line. A row with a field lengths
// is an Answers, any other row a Cell.
func ReadFigures(file string) (*Figures, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var f Figures
	for row := range strings.Lines(string(text)) {
		var c Cell
		var a Answers
		if err := errors.Join(json.Unmarshal([]byte(row), &c), json.Unmarshal([]byte(row), &a)); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if a.Lengths != nil {
			f.Answers = append(f.Answers, a)
		} else {
			f.Cells = append(f.Cells, c)
		}
	}
	return &f, nil
}

const head = `# What answers cost

Made by ` + "`make tokens TOKENS=--write`" + ` from testdata/tokens, and with --data testdata/tokens/held-out for the second draw; a test keeps it true.

The tables have the tokens (o200k_base) that a scripted agent writes and reads per success: the tokens of all tasks of a cell, divided by the tasks that succeeded. A share of successes stands where not all did. A task succeeds when every place that answers it is in view, with file and line, within 25,000 tokens.

- **lean** uses ripgrep's hit lines, cut to 120 columns: patterns of declarations first, counts where many lines match, windows of 40 lines last.
- **reading** lists the files that match, and reads around the matches.
- **default** and the formats are this project's tools, asked over MCP, and continued as their answers suggest.

The questions come from compilers and parsers: go/types and go/parser, the TypeScript compiler, pyright and Python's ast, javac and Universal Ctags. **renamed** is a copy of a repository in which every identifier of its own has another name.

| kind | question |
|---|---|
| locate | where is the declaration of this name? |
| describe | where is the declaration that does this? (key words of its doc comment) |
| recall | where is the declaration that does this? (a sentence; its comment is blanked) |
| definition | what does this call site call? |
| callers | which call sites call this function? (all of them) |
| trace | what does this function call, two levels deep? (all of it) |
| outline | what does this file export? (all of it) |
| impact | which tests call this function, directly or through one other? |
| literal | which line holds this text? |

`

// Page returns the text of docs/tokens.md. It shows the figures of two independent draws of tasks,
// and the figures about changes, for which tests are to be named.
func Page(first, second *Figures, changes []Impacted) string {
	var out strings.Builder
	out.WriteString(head)
	PrintDraws(&out, first, second)
	second.print(&out, "Held out: ")
	fmt.Fprint(&out,
		"\nWhere grep is better in the held-out draw, by kind (and size, where it is not all of them):\n\n")
	second.Losses(&out)
	fmt.Fprintln(&out)
	first.print(&out, "First draw: ")
	if len(changes) > 0 {
		out.WriteString("\n## Tests that a change concerns\n\n" + changesHead)
		PrintImpact(&out, changes)
	}
	return out.String()
}

const changesHead = `The code of real commits is changed in a tree of their parents, without their tests; the test files that a commit changed, as far as they were there before, are the truth (testdata/tokens/impact.jsonl). One call of call_graph with {"diff": "HEAD"} as symbolRef asks; its answer counts for the test files that it names. **same folder** names the tests in the folders of the changed files.

These five repositories are held out: the weights of the ranking were chosen on ten commits each of gin, raft, caddy, httpx, werkzeug, celery, scrapy, gson, jsoup, retrofit, hono, zod and vuejs/core, of whose 196 test files 89 % are named (p50 30 files, p95 1,415 tokens; same folder 44 %). Six more, click, fiber, commons-collections, date-fns, paramiko and nsq, were asked once after that: 81 % of 72 test files (p50 17 files, p95 896 tokens; same folder 46 %).

`
