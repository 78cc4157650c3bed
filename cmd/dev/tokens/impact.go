package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sextant/cmd/dev/internal/quality"
	"sextant/cmd/dev/internal/stdio"
	"sextant/cmd/dev/internal/tokens"
	"sextant/cmd/dev/internal/tokens/mine"
)

// changesOf is the number of commits that are measured per repository.
const changesOf = 10

// codeEnding maps a language to the ending of its files. A commit is measured by the code and tests
// in such files.
var codeEnding = map[string]string{"go": ".go", "python": ".py", "java": ".java", "typescript": ".ts"}

// impact measures which tests the program names for a change of code. For each commit it checks out
// the parent, applies the changes of the commit except those of tests, and asks the program which
// tests the difference concerns.
func (r *runner) impact(ctx context.Context) error {
	list, err := r.selected()
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
	var rows []tokens.Impacted
	for i := range list {
		if list[i].renamed || codeEnding[list[i].language] == "" {
			continue
		}
		measured, err := r.impactOf(ctx, &list[i])
		if errors.Is(err, errAbsent) && !r.all {
			fmt.Println("left out:", list[i].name+":", err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", list[i].name, err)
		}
		rows = append(rows, measured...)
	}
	tokens.PrintImpact(os.Stdout, rows)
	if !r.write {
		return nil
	}
	file := filepath.Join(r.data, "impact-figures.jsonl")
	held, err := readRows[tokens.Impacted](file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	held = slices.DeleteFunc(held, func(h tokens.Impacted) bool {
		return slices.ContainsFunc(rows, func(row tokens.Impacted) bool { return row.Repository == h.Repository })
	})
	if err := writeRows(file, append(held, rows...)); err != nil {
		return err
	}
	return r.page()
}

// commits returns the committed list of commits of a repository to measure. It creates the list
// if there is none.
func (r *runner) commits(ctx context.Context, repo *repository, clone quality.Clone) ([]tokens.Commit, error) {
	file := filepath.Join(r.data, "impact.jsonl")
	all, err := readRows[tokens.Commit](file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	own := slices.DeleteFunc(slices.Clone(all), func(c tokens.Commit) bool { return c.Repository != repo.name })
	if len(own) > 0 {
		return own, nil
	}
	if own, err = mine.Commits(ctx, clone.Dir, repo.commit, codeEnding[repo.language], changesOf); err != nil {
		return nil, err
	}
	for i := range own {
		own[i].Repository = repo.name
	}
	return own, writeRows(file, append(all, own...))
}

// impactOf measures the changes of one repository.
func (r *runner) impactOf(ctx context.Context, repo *repository) (out []tokens.Impacted, err error) {
	clone, err := quality.Find(r.corpus, repo.source)
	if err != nil {
		return nil, absent(err)
	}
	commits, err := r.commits(ctx, repo, clone)
	if err != nil {
		return nil, absent(err)
	}
	dir := filepath.Join(r.home, "changes", repo.name)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if _, err := mine.Git(ctx, clone.Dir, "clone", "-q", "--shared", "--no-checkout", clone.Dir, dir); err != nil {
			return nil, absent(err)
		}
	}
	count, err := tokens.NewCounter()
	if err != nil {
		return nil, err
	}
	for i := range commits {
		c := &commits[i]
		if err := apply(ctx, dir, c); err != nil {
			return nil, absent(err)
		}
		row, err := r.change(ctx, repo, dir, c, count)
		if err != nil {
			return nil, err
		}
		fmt.Printf("%-10s %.8s %d of %d test files, of %d named, %d tokens; same folder %d of %d\n", row.Repository,
			row.Commit, row.Found, row.Tests, row.Named, row.Tokens, row.NearFound, row.NearNamed)
		out = append(out, row)
	}
	return out, nil
}

// apply checks out the parent of a commit in dir, and then the files of the
// commit except its tests.
func apply(ctx context.Context, dir string, c *tokens.Commit) error {
	if _, err := mine.Git(ctx, dir, "checkout", "-q", "-f", c.Parent); err != nil {
		return err
	}
	if _, err := mine.Git(ctx, dir, append([]string{"checkout", "-q", c.Commit, "--"}, c.Code...)...); err != nil {
		return err
	}
	_, err := mine.Git(ctx, dir, "reset", "-q")
	return err
}

// change asks the program which tests a change concerns. If the tool call_graph accepts a
// reference to the difference, it sends one request; otherwise it requests the callers of each
// changed function.
func (r *runner) change(ctx context.Context, repo *repository, dir string, c *tokens.Commit,
	count tokens.Counter) (row tokens.Impacted, err error) {
	conn, err := stdio.Serve(ctx, r.binary, filepath.Join(r.home, "index"), dir)
	if err != nil {
		return row, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if err := conn.Call("manage_index", map[string]any{"action": "create", "path": dir, "wait": true,
		"deadlineMs": 600_000}, &struct{}{}); err != nil {
		return row, err
	}
	listed, err := mine.Git(ctx, dir, "ls-files", "-z")
	if err != nil {
		return row, err
	}
	files := strings.Split(listed, "\x00")
	known := map[string]bool{}
	for _, f := range files {
		known[f] = true
	}
	s := &toolset{conn: conn, dir: dir, alias: "/src/" + repo.name, known: func(p string) bool { return known[p] }}
	if err := s.learn(); err != nil {
		return row, err
	}
	requests, err := s.changed(ctx, dir, c)
	if err != nil {
		return row, err
	}
	var named []string
	cost := 0
	for _, call := range s.Merge(requests) {
		var view tokens.View
		text, err := call.Run(&view)
		if err != nil {
			return row, err
		}
		if r.show {
			fmt.Printf("> %s %v\n%s\n", call.Tool, call.Args, text)
		}
		written, err := count.Call(call.Tool, call.Args)
		if err != nil {
			return row, err
		}
		read, err := count.Text(text)
		if err != nil {
			return row, err
		}
		cost += written + read
		for _, t := range tokens.TestsIn(text, s.known) {
			if !slices.Contains(named, t) {
				named = append(named, t)
			}
		}
	}
	return c.Judge(named, c.Near(files), cost), nil
}

var hunk = regexp.MustCompile(`^@@ -\S+ \+(\d+)`)

// changed returns the requests about the change in the work tree.
func (s *toolset) changed(ctx context.Context, dir string, c *tokens.Commit) (out []*tokens.Request, err error) {
	request := func(ref any) *tokens.Request {
		r := &tokens.Request{Tool: "call_graph", Args: map[string]any{"symbolRef": ref}}
		if s.has("call_graph", "expand") {
			r.Args["expand"] = []any{"tests"}
		}
		return r
	}
	if s.schema["call_graph"].Properties["symbolRef"].Properties["diff"] != nil {
		// Without a long deadline, the tests that are named would depend on how busy the machine
		// is.
		return []*tokens.Request{{Tool: "call_graph",
			Args: map[string]any{"symbolRef": map[string]any{"diff": "HEAD"}, "deadlineMs": 60_000}}}, nil
	}
	text, err := mine.Git(ctx, dir, append([]string{"diff", "-U0", "HEAD", "--"}, c.Code...)...)
	if err != nil {
		return nil, err
	}
	file := ""
	for row := range strings.Lines(text) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(row), "+++ b/"); ok {
			file = path
		}
		if m := hunk.FindStringSubmatch(row); m != nil && file != "" {
			r := request(file + ":" + m[1])
			r.Args["direction"], r.Args["depth"] = "callers", 3
			out = append(out, r)
		}
	}
	return out, nil
}

// readRows reads a file with one JSON value per line.
func readRows[T any](file string) (out []T, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for row := range bytes.Lines(text) {
		var v T
		if err := json.Unmarshal(row, &v); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, v)
	}
	return out, nil
}

// writeRows writes one JSON value per line, for readRows.
func writeRows[T any](file string, rows []T) error {
	var out bytes.Buffer
	for _, v := range rows {
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		out.Write(append(text, '\n'))
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}
