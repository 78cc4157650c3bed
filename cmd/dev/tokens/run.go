package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"sextant/cmd/dev/internal/stdio"
	"sextant/cmd/dev/internal/tokens"
	"sextant/cmd/dev/internal/tokens/grep"
)

// runner holds the flags of one run of the program.
type runner struct {
	corpus, data, home, binary string
	heldOutOf                  []string // files with the tasks of earlier draws
	repositories, kinds, ways  []string
	batch, times               int
	seed                       uint64
	all, write, show, each     bool
}

// These constants are the ways to answer tasks. Any other name, such as json, is a format of this
// project's tools.
const (
	byLines   = "lean"
	byReading = "reading"
	byDefault = "default"
)

var allWays = []string{byLines, byReading, byDefault, "json"}

// batchSize is the number of questions that an agent asks in one call if it has
// several about one repository.
const batchSize = 10

// prepare creates the directory for trees and indexes. done removes it unless --home named it.
func (r *runner) prepare() (done func(), err error) {
	if r.home != "" {
		r.home, err = filepath.Abs(r.home)
		return func() {}, errors.Join(err, os.MkdirAll(r.home, 0o755))
	}
	r.home, err = os.MkdirTemp("", "tokens-*")
	return func() { _ = os.RemoveAll(r.home) }, err
}

// run measures the selected ways to answer tasks and prints the tables. With --write it also writes
// the figures.
func (r *runner) run(ctx context.Context) error {
	list, err := r.selected()
	if err != nil {
		return err
	}
	tasks, err := tokens.ReadTasks(filepath.Join(r.data, "tasks.jsonl"))
	if err != nil {
		return err
	}
	done, err := r.prepare()
	if err != nil {
		return err
	}
	defer done()
	if err := r.build(ctx); err != nil {
		return err
	}
	var all tokens.Figures
	for i := range list {
		repo := &list[i]
		own := slices.DeleteFunc(slices.Clone(tasks), func(t tokens.Task) bool { return t.Repository != repo.name })
		err := r.measure(ctx, repo, own, &all)
		if errors.Is(err, errAbsent) && !r.all {
			fmt.Println("left out:", repo.name+":", err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", repo.name, err)
		}
	}
	all.Print(os.Stdout)
	if !r.write {
		return nil
	}
	if err := all.Write(filepath.Join(r.data, "figures.jsonl")); err != nil {
		return err
	}
	return r.page()
}

// committed is the directory of the published figures. heldOut is the directory below it with the
// tasks and figures of the second, held-out draw.
const (
	committed = "testdata/tokens"
	heldOut   = "held-out"
)

// page writes docs/tokens.md, which shows the committed figures.
func (r *runner) page() error {
	text, err := pageOf(committed)
	if err != nil {
		return err
	}
	return os.WriteFile("docs/tokens.md", []byte(text), 0o644)
}

// pageOf returns the text of docs/tokens.md for the figures in a directory.
func pageOf(data string) (string, error) {
	first, err := tokens.ReadFigures(filepath.Join(data, "figures.jsonl"))
	if err != nil {
		return "", err
	}
	second, err := tokens.ReadFigures(filepath.Join(data, heldOut, "figures.jsonl"))
	if err != nil {
		return "", err
	}
	changes, err := readRows[tokens.Impacted](filepath.Join(data, "impact-figures.jsonl"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return tokens.Page(first, second, changes), nil
}

// build builds the program to measure, unless --binary names one.
func (r *runner) build(ctx context.Context) error {
	if r.binary != "" {
		return nil
	}
	r.binary = filepath.Join(r.home, "sextant")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", r.binary, "./cmd/sextant")
	cmd.Stderr = os.Stderr
	return cmd.Run()
}

// measure answers the tasks on one repository in all selected ways, such as with this project's
// tools and with grep, and adds the figures to all.
func (r *runner) measure(ctx context.Context, repo *repository, tasks []tokens.Task, all *tokens.Figures) (err error) {
	dir := filepath.Join(r.home, "trees", repo.name)
	if err := r.tree(ctx, repo, dir, tasks); err != nil {
		return err
	}
	text, err := grep.Read(dir)
	if err != nil {
		return err
	}
	conn, err := stdio.Serve(ctx, r.binary, filepath.Join(r.home, "index"), dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if err := conn.Call("manage_index", map[string]any{"action": "create", "path": dir, "wait": true,
		"deadlineMs": 600_000}, &struct{}{}); err != nil {
		return err
	}
	count, err := tokens.NewCounter()
	if err != nil {
		return err
	}
	ours := &toolset{conn: conn, dir: dir, alias: "/src/" + repo.name, known: text.Has, line: text.Line}
	if err := ours.learn(); err != nil {
		return err
	}
	sizes := []int{batchSize, 1}
	if r.batch > 0 {
		sizes = []int{r.batch}
	}
	for _, way := range r.ways {
		shell := &grep.Shell{Repository: text}
		var tools tokens.Tools = shell
		agent := shell.Lean
		switch way {
		case byLines:
		case byReading:
			agent = shell.Reading
		default:
			if ours.format = way; way == byDefault {
				ours.format = ""
			}
			tools, agent = ours, ours.Agent
		}
		if r.show {
			tools = shown{tools}
		}
		for _, size := range sizes {
			for part := range slices.Chunk(r.wanted(tasks), size) {
				played, err := tokens.Play(count, tools, agent, part)
				if err != nil {
					return err
				}
				all.Add(tokens.Run{Way: way, Size: repo.size, Repository: repo.name, Batch: size}, played)
				r.report(way, size, played)
			}
		}
		fmt.Printf("%-14s %-8s %s\n", repo.name, way, all.Line(repo.name, way))
	}
	return nil
}

// wanted returns the tasks of the kinds that the flags select.
func (r *runner) wanted(tasks []tokens.Task) (out []*tokens.Task) {
	for i := range tasks {
		if len(r.kinds) == 0 || slices.Contains(r.kinds, string(tasks[i].Kind)) {
			out = append(out, &tasks[i])
		}
	}
	return out
}

// tree fills dir with the files of a repository, unless an earlier run has done
// so.
func (r *runner) tree(ctx context.Context, repo *repository, dir string, tasks []tokens.Task) error {
	mark := dir + ".tasks"
	now := fmt.Sprintf("%s %v", repo.commit, blanks(tasks))
	if held, err := os.ReadFile(mark); err == nil && string(held) == now {
		return nil
	}
	if err := os.RemoveAll(mark); err != nil {
		return err
	}
	if err := repo.bring(ctx, r.corpus, dir, tasks); err != nil {
		return err
	}
	return os.WriteFile(mark, []byte(now), 0o644)
}

// blanks returns the comments that are blanked in the tree for the tasks.
func blanks(tasks []tokens.Task) (out []tokens.Lines) {
	for _, t := range tasks {
		if t.Blank != nil {
			out = append(out, *t.Blank)
		}
	}
	return out
}

// report prints the outcome of every task, with --each or --show only.
func (r *runner) report(way string, size int, played tokens.Played) {
	if !r.each && !r.show {
		return
	}
	for _, o := range played.Outcomes {
		t := o.Task
		asked := t.Symbol
		for _, s := range []string{t.Name, t.Text, t.File} {
			if asked == "" {
				asked = s
			}
		}
		fmt.Printf("%-14s %-8s of %2d %-10s %5t %7.0f tokens %4.1f calls  %s\n", t.Repository, way, size, t.Kind,
			o.Success, o.Tokens, o.Calls, asked)
		for i, m := range o.Missing {
			if i == 5 {
				fmt.Printf("    and %d more\n", len(o.Missing)-i)
				break
			}
			fmt.Printf("    not in view: %s:%d\n", m[0].File, m[0].Line)
		}
	}
}

// shown is a tokens.Tools that also prints each call and its answer.
type shown struct{ tokens.Tools }

func (s shown) Merge(requests []*tokens.Request) []tokens.Call {
	calls := s.Tools.Merge(requests)
	for i := range calls {
		call := calls[i]
		calls[i].Run = func(v *tokens.View) (string, error) {
			text, err := call.Run(v)
			fmt.Printf("> %s %v\n%s\n", call.Tool, call.Args, text)
			return text, err
		}
	}
	return calls
}
