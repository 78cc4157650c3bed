package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/build"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sextant/jit"
)

const (
	// ripgrepQueries is the number of queries on each tree.
	ripgrepQueries = 70
	// ripgrepLines bounds the lines that match one query. Its answer then has at
	// most some dozens of pages, which test the cursor as well as more would.
	ripgrepLines = 1500
)

// TestAgreesWithRipgrep follows the cursors of must: and regex: queries to the
// end and compares the lines with those that ripgrep finds in the indexed
// files.
func TestAgreesWithRipgrep(t *testing.T) {
	requireTool(t, "rg", "apt-get install ripgrep")
	for _, tree := range []struct {
		name string
		dir  func() (string, error)
	}{
		{"distribution", func() (string, error) { return filepath.Join(build.Default.GOROOT, "src", "net"), nil }},
		{"module", func() (string, error) {
			out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/tools").Output()
			return strings.TrimSpace(string(out)), err
		}},
		{"npm", npmTree},
	} {
		t.Run(tree.name, func(t *testing.T) {
			t.Parallel()
			dir, err := tree.dir()
			if errors.Is(err, os.ErrNotExist) && os.Getenv("SEXTANT_REQUIRE_TOOLS") == "" {
				t.Skipf("SKIPPED: %v: make tools", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			j := newJudged(t, dir)
			files, lines := 0, 0
			for i := range ripgrepQueries {
				q, want := j.draw(i)
				f, l := j.compare(q, want)
				files, lines = files+f, lines+l
			}
			if lines < ripgrepQueries {
				t.Errorf("only %d lines were compared", lines)
			}
			t.Logf("%s: %d indexed files, %d queries: %d lines in %d files agree, in %d answers", dir, len(j.paths),
				ripgrepQueries, lines, files, j.pages)
		})
	}
}

func npmTree() (string, error) {
	dir, err := filepath.Abs(filepath.Join("..", "..", "testdata", "node", "node_modules", "@types", "node"))
	if err == nil {
		_, err = os.Stat(dir)
	}
	return dir, err
}

// judged is a tree that both Sextant and ripgrep search.
type judged struct {
	t     *testing.T
	dir   string
	tool  *client
	rng   *rand.Rand
	paths []string // indexed files
	texts map[string][]byte
	pages int
}

func newJudged(t *testing.T, dir string) *judged {
	t.Helper()
	s := newSite(t, "--no-watch")
	s.ws, s.own = dir, true
	j := &judged{t: t, dir: dir, tool: s.serve(), rng: rand.New(rand.NewPCG(5, uint64(len(dir)))),
		texts: map[string][]byte{}}
	t.Cleanup(j.tool.close)
	j.tool.track(s)
	j.list(s.home)
	if len(j.paths) < 10 {
		t.Fatalf("only %d files of %s are indexed", len(j.paths), dir)
	}
	return j
}

// list reads the indexed files from the database in home, not through the
// server.
func (j *judged) list(home string) {
	j.t.Helper()
	env := func(k string) string { return map[string]string{"SEXTANT_HOME": home, "SEXTANT_WATCH": "off"}[k] }
	a := newApp(streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard, env: env})
	defer a.close()
	if _, err := a.open(j.t.Context()); err != nil {
		j.t.Fatal(err)
	}
	root, _, err := a.roots.Resolve(j.t.Context(), j.dir)
	if err != nil {
		j.t.Fatal(err)
	}
	err = root.View(j.t.Context(), func(v *jit.View) error {
		return v.Files(j.t.Context(), func(f jit.FileRow) (err error) {
			if f.Skip == "" {
				j.paths = append(j.paths, f.Path)
				j.texts[f.Path], err = os.ReadFile(filepath.Join(j.dir, f.Path))
			}
			return err
		})
	})
	if err != nil {
		j.t.Fatal(err)
	}
}

// judgement is a query and the equivalent search in ripgrep.
type judgement struct {
	query    string
	patterns []string
	literal  bool
	holds    []string // literals that a file must contain, all of them
	lacks    string   // a literal that a file must not contain; "" for none
}

// draw returns a query of kind i that at most ripgrepLines lines match, and
// ripgrep's answer.
func (j *judged) draw(i int) (judgement, map[string][]int) {
	for {
		q := j.query(i)
		want := j.ripgrep(q)
		lines := 0
		for _, l := range want {
			lines += len(l)
		}
		if lines <= ripgrepLines {
			return q, want
		}
		i += 16 // the same kind with another text
	}
}

// ripgrep returns the matching lines of each indexed file.
func (j *judged) ripgrep(q judgement) map[string][]int {
	j.t.Helper()
	args := []string{"-n", "--no-heading", "--hidden", "--no-ignore", "--no-config", "--null", "--color", "never",
		"--text", "--encoding", "none"}
	if q.literal {
		args = append(args, "--fixed-strings")
	}
	for _, p := range q.patterns {
		args = append(args, "-e", p)
	}
	cmd := exec.Command("rg", append(args, ".")...)
	cmd.Dir = j.dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1 && stderr.Len() == 0) { // 1: no match
		j.t.Fatalf("rg %q: %v: %s", q.patterns, err, stderr.String())
	}
	found := map[string][]int{}
	for line := range bytes.Lines(out) {
		path, rest, _ := bytes.Cut(line, []byte{0})
		number, _, _ := bytes.Cut(rest, []byte{':'})
		n, err := strconv.Atoi(string(number))
		if err != nil {
			j.t.Fatalf("rg %q wrote %q", q.patterns, line)
		}
		p := filepath.Clean(string(path))
		text, indexed := j.texts[p]
		if !indexed || q.lacks != "" && bytes.Contains(text, []byte(q.lacks)) {
			continue
		}
		if slices.ContainsFunc(q.holds, func(s string) bool { return !bytes.Contains(text, []byte(s)) }) {
			continue
		}
		found[p] = append(found[p], n)
	}
	return found
}

// walk returns the matching lines of each file according to search_codebase,
// page by page.
func (j *judged) walk(q judgement) map[string][]int {
	j.t.Helper()
	at := map[string][]int{}
	for cursor := ""; ; {
		args := map[string]any{"path": j.dir, "query": q.query, "limit": 50, "maxTokens": 25000}
		if cursor != "" {
			args["cursor"] = cursor
		}
		var a found
		j.tool.ask("search_codebase", args, &a)
		if a.Status != "ok" || a.Matches == nil || !a.Matches.Complete {
			j.t.Fatalf("%s: %+v", q.query, a)
		}
		j.pages++
		for _, r := range a.Results {
			if len(r.MatchedLines) == 0 {
				j.t.Errorf("%s: %s is a result without a line that matches", q.query, r.File)
			}
			for _, l := range r.MatchedLines {
				at[r.File] = append(at[r.File], l.Line)
			}
		}
		if cursor = a.Cursor; cursor == "" {
			return at
		}
	}
}

// compare compares the answer of search_codebase with ripgrep's and counts the
// files and lines that agree.
func (j *judged) compare(q judgement, want map[string][]int) (files, lines int) {
	j.t.Helper()
	got := j.walk(q)
	for path, w := range want {
		if g := got[path]; !slices.Equal(g, w) {
			j.t.Errorf("%s: %s: lines %v, ripgrep %v", q.query, path, g, w)
		}
		lines += len(w)
	}
	for path, g := range got {
		if want[path] == nil {
			j.t.Errorf("%s: %s: lines %v, ripgrep none", q.query, path, g)
		}
	}
	return len(want), lines
}

// snippet returns at most n bytes from one line of a random file, without
// characters that a query cannot quote.
func (j *judged) snippet(n int) string {
	for {
		text := j.texts[pick(j.rng, j.paths)]
		if len(text) <= n {
			continue
		}
		at := j.rng.IntN(len(text) - n)
		line, _, _ := bytes.Cut(text[at:at+n], []byte{'\n'})
		s := strings.Trim(strings.ToValidUTF8(string(line), ""), "\r")
		if strings.TrimSpace(s) != "" && !strings.ContainsAny(s, "\\\"\x00\r") {
			return s
		}
	}
}

var wordPattern = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]{2,}`)

func (j *judged) word() string {
	for {
		if w := wordPattern.FindString(j.snippet(60)); w != "" {
			return w
		}
	}
}

func mustLiteral(s string) judgement {
	return judgement{query: `must:"` + s + `"`, patterns: []string{s}, literal: true}
}

// unicodeOff rewrites classes and word boundaries to ASCII, which they mean in
// Go's syntax, for ripgrep, where they cover Unicode.
var unicodeOff = strings.NewReplacer(`\w`, `[0-9A-Za-z_]`, `\d`, `[0-9]`, `\s`, `[\t\f\r ]`, `\S`, `[^\t\n\f\r ]`,
	`\W`, `[^0-9A-Za-z_]`, `\b`, `(?-u:\b)`)

func mustRegex(re string) judgement {
	return judgement{query: `regex:"` + strings.ReplaceAll(re, `"`, `\"`) + `"`,
		patterns: []string{unicodeOff.Replace(re)}}
}

// query returns a query of kind i, with text of the tree in it.
func (j *judged) query(i int) judgement {
	meta := regexp.QuoteMeta
	switch i % 16 {
	case 0, 1, 2:
		return mustLiteral(j.snippet(3 + j.rng.IntN(40)))
	case 3:
		return mustLiteral(j.word())
	case 4:
		return mustLiteral(j.snippet(2))
	case 5:
		a, b := j.word(), j.snippet(6)
		return judgement{query: `must:"` + a + `" must:"` + b + `"`, patterns: []string{a, b}, literal: true,
			holds: []string{a, b}}
	case 6:
		a, b := j.word(), j.word()
		return judgement{query: "must:" + a + " exclude:" + b, patterns: []string{a}, literal: true, lacks: b}
	case 7:
		return mustRegex(`(?i)` + j.word())
	case 8:
		return mustRegex(`\b` + j.word() + `\b`)
	case 9:
		return mustRegex(j.word() + `|` + j.word() + `|` + meta(j.snippet(8)))
	case 10:
		return mustRegex(`^\s*` + meta(strings.TrimSpace(j.snippet(30))))
	case 11:
		return mustRegex(meta(strings.TrimSpace(j.snippet(12))) + `\s*$`)
	case 12:
		w := j.word()
		return mustRegex(w[:len(w)/2] + `\w*\(`)
	case 13:
		return mustRegex(meta(j.snippet(6)) + `.*` + meta(j.snippet(4)))
	case 14:
		return mustRegex(fmt.Sprintf(`[^a-f]\d{%d,}[xyz,;)]`, 3+j.rng.IntN(5)))
	}
	return mustRegex(`^[^\s]{` + strconv.Itoa(60+j.rng.IntN(40)) + `,}$`)
}
