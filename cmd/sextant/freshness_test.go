package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// freshnessOps is the number of edits in each mode; SEXTANT_FRESHNESS_OPS sets
// another, SEXTANT_FRESHNESS_SEED repeats a run.
const freshnessOps = 300

func fromEnv(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	s := os.Getenv(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// TestNoStaleAnswer edits a workspace at random and asks a server at once,
// after every edit: no deleted text is found, no new text is missed, and every
// answer shows the lines that it names.
func TestNoStaleAnswer(t *testing.T) {
	requireTool(t, "git", "apt-get install git")
	n := int(fromEnv(t, "SEXTANT_FRESHNESS_OPS", freshnessOps))
	seed := fromEnv(t, "SEXTANT_FRESHNESS_SEED", uint64(time.Now().UnixNano()))
	for name, args := range map[string][]string{"watch": nil, "no-watch": {"--no-watch"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Logf("SEXTANT_FRESHNESS_SEED=%d", seed)
			s := newSite(t, args...)
			e := &editor{t: t, dir: s.ws, rng: rand.New(rand.NewPCG(seed, 4))}
			e.git("init", "-q")
			e.branches = []string{"main"}
			for range 30 {
				p := filepath.Join(e.dirName(), e.fileName())
				e.write(p, e.text(p))
			}
			c := &checker{client: s.serve(), editor: e, ws: s.ws}
			c.track(s)
			c.run(s, n)
			c.close()
			t.Logf("%d edits, %d answers, %d of %d searches without a sweep", n, c.answers, c.vouched, c.searches)
			if spared := c.vouched > c.searches/4; spared != (name == "watch") {
				t.Errorf("%d of %d searches were spared the sweep", c.vouched, c.searches)
			}
		})
	}
}

// checker asks a server about the workspace that its editor changes.
type checker struct {
	*client
	*editor
	ws       string
	now      picture
	answers  int
	searches int
	vouched  int // searches that did not look at every file
}

func (c *checker) run(s *site, n int) {
	c.now = look(c.editor.t, c.ws)
	for i := range n {
		edits := 1
		if c.rng.IntN(6) == 0 {
			edits = 2 + c.rng.IntN(6)
		}
		if c.rng.IntN(60) == 0 { // what was edited while nobody looked
			if c.rng.IntN(2) == 0 {
				c.client.close()
			} else {
				c.client.kill()
			}
			c.trace = append(c.trace, "server away")
			c.step()
			c.client = s.serve()
		}
		for range edits {
			c.step()
		}
		before := c.now
		c.now = look(c.editor.t, c.ws)
		c.check(before, i%8 == 7 || i == n-1)
		if c.editor.t.Failed() {
			c.editor.t.Fatalf("after edit %d: %q\nlocked: %q\nrules: %q", i, c.trace[max(0, len(c.trace)-12):], c.now.locked, c.now.rules)
		}
	}
}

func (c *checker) check(before picture, all bool) {
	gone, fresh, files := changed(before, c.now)
	for _, words := range [][]string{gone, fresh} {
		for range 2 {
			if w := pick(c.rng, words); w != "" {
				c.checkWord(w)
				c.checkRanked(w)
			}
		}
	}
	for range 2 {
		if f := pick(c.rng, files); f != "" {
			c.checkRead(f)
			c.checkOutline(f)
		}
	}
	if all {
		c.checkAll()
	}
}

// found is a search's answer, as a client reads it.
type found struct {
	Status   string
	Cursor   string
	Warnings []struct{ Code string }
	Matches  *struct {
		Files, Lines int
		Complete     bool
	}
	FreshnessDecision struct {
		Gate struct{ FilesChecked int }
	}
	Results []struct {
		File         string
		Span         lineRange
		PreviewSpan  *lineRange
		SymbolSpan   *lineRange
		SymbolLabel  string
		Preview      string
		Content      string
		MatchedLines []struct {
			Line int
			Text string
		}
	}
}

type lineRange struct{ StartLine, EndLine int }

func (c *checker) errorf(format string, args ...any) {
	c.editor.t.Helper()
	c.editor.t.Errorf(format, args...)
}

// search asks one page and holds every result to the disk.
func (c *checker) search(query, mode, cursor string) (a found) {
	args := map[string]any{"path": c.ws, "query": query, "scope": "mixed", "resultMode": mode, "limit": 50, "maxTokens": 25000}
	if cursor != "" {
		args["cursor"] = cursor
	}
	c.ask("search_codebase", args, &a)
	c.answers++
	c.searches++
	if a.FreshnessDecision.Gate.FilesChecked < len(c.now.texts) {
		c.vouched++
	}
	if a.Status != "ok" || a.Matches != nil && !a.Matches.Complete && len(c.now.locked) == 0 {
		c.errorf("%q: status %s, matches %+v, warnings %v", query, a.Status, a.Matches, a.Warnings)
	}
	for _, r := range a.Results {
		if c.now.withheld[r.File] && r.Preview == "" && r.Content == "" && len(r.MatchedLines) == 0 {
			continue
		}
		if _, ok := c.now.texts[r.File]; !ok {
			c.errorf("%q: %s is found, and is gone", query, r.File)
			continue
		}
		text, ok := c.now.lines(r.File, r.Span.StartLine, r.Span.EndLine)
		if !ok || r.Content != "" && r.Content != text {
			c.errorf("%q: lines %d-%d of %s are %q, not %q", query, r.Span.StartLine, r.Span.EndLine, r.File, text, r.Content)
		}
		if p := r.PreviewSpan; p != nil {
			if text, ok := c.now.lines(r.File, p.StartLine, p.EndLine); !ok || plain(text) != plain(r.Preview) {
				c.errorf("%q: lines %d-%d of %s are %q, not %q", query, p.StartLine, p.EndLine, r.File, text, r.Preview)
			}
		}
		if p := r.SymbolSpan; p != nil {
			if text, ok := c.now.lines(r.File, p.StartLine, p.EndLine); !ok || !strings.Contains(text, r.SymbolLabel) {
				c.errorf("%q: symbol %s is not in lines %d-%d of %s: %q", query, r.SymbolLabel, p.StartLine, p.EndLine, r.File, text)
			}
		}
		for _, l := range r.MatchedLines {
			if text, ok := c.now.lines(r.File, l.Line, l.Line); !ok || plain(text) != l.Text {
				c.errorf("%q: line %d of %s is %q, not %q", query, l.Line, r.File, text, l.Text)
			}
		}
	}
	return a
}

// plain is text as previews have it: without line ends of either kind.
func plain(text string) string {
	return strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\r\n")
}

// walk is every matched line of an exhaustive query, through its cursor.
func (c *checker) walk(query string) (places []string) {
	for cursor := ""; ; {
		a := c.search(query, "grouped", cursor)
		for _, r := range a.Results {
			for _, l := range r.MatchedLines {
				places = append(places, place(r.File, l.Line))
			}
		}
		if cursor = a.Cursor; cursor == "" {
			slices.Sort(places)
			return places
		}
	}
}

// checkWord asks for every line that holds a word.
func (c *checker) checkWord(word string) {
	want := slices.Sorted(slices.Values(c.now.places[word]))
	if got := c.walk("must:" + word); !slices.Equal(got, want) {
		c.errorf("must:%s: found at %q, stands at %q", word, got, want)
	}
}

// checkAll asks for every line that holds any word.
func (c *checker) checkAll() {
	for prefix, pattern := range map[string]string{"must:uq00": `uq\d`, `regex:"Sym[0-9]{7}"`: `Sym\d{7}`} {
		var want []string
		for file, text := range c.now.texts {
			for i, line := range strings.Split(text, "\n") {
				if strings.HasPrefix(pattern, "uq") && strings.Contains(line, "uq00") || strings.HasPrefix(pattern, "Sym") && namePattern.MatchString(line) {
					want = append(want, place(file, i+1))
				}
			}
		}
		slices.Sort(want)
		if got := c.walk(prefix); !slices.Equal(got, want) {
			c.errorf("%s: found at %q, stands at %q", prefix, got, want)
		}
	}
}

// checkRanked asks for a word as people do: where it stands whole, its place
// comes first.
func (c *checker) checkRanked(word string) {
	mode := pick(c.rng, []string{"grouped", "raw"})
	a := c.search(word, mode, "")
	at := c.now.places[word]
	if len(at) == 0 {
		return // the results were held to the disk, which has no such word
	}
	for _, r := range a.Results {
		for line := r.Span.StartLine; line <= r.Span.EndLine; line++ {
			if slices.Contains(at, place(r.File, line)) {
				return
			}
		}
	}
	c.errorf("%s (%s) stands at %q, and is not among %d results: %s", word, mode, at, len(a.Results), brief(a.Results))
}

func brief(v any) string {
	b, _ := json.Marshal(v)
	return fmt.Sprintf("%.2000s", b)
}

func (c *checker) checkRead(file string) {
	c.answers++
	got, _ := c.call("read_file", map[string]any{"path": filepath.Join(c.ws, file)})
	want, visible := c.now.texts[file]
	if visible && got != want && !(want == "" && !tokenPattern.MatchString(got)) {
		c.errorf("read_file %s: %q, want %q", file, got, want)
	}
	if info, err := os.Lstat(filepath.Join(c.ws, file)); !visible && (err != nil || info.Mode().IsRegular()) && (tokenPattern.MatchString(got) || namePattern.MatchString(got)) {
		c.errorf("read_file %s, which is not to be read: %q", file, got)
	}
}

func (c *checker) checkOutline(file string) {
	c.answers++
	var a struct {
		Status  string
		Outline *struct {
			Symbols []struct {
				Name string
				Span lineRange
			}
		}
	}
	text, isError := c.call("file_outline", map[string]any{"path": c.ws, "file": file})
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		c.errorf("file_outline %s: %v: %s", file, err, text)
	}
	body, visible := c.now.texts[file]
	want, whole := declarations(file, body)
	if info, err := os.Lstat(filepath.Join(c.ws, file)); !visible && (err != nil || info.Mode().IsRegular()) && a.Outline != nil && len(a.Outline.Symbols) > 0 {
		c.errorf("file_outline %s, which is not to be read: %s", file, text)
	}
	if !visible || blocks[filepath.Ext(file)] == nil {
		return
	}
	if isError || a.Status != "ok" || a.Outline == nil {
		c.errorf("file_outline %s of %q: %s", file, body, text)
		return
	}
	seen := 0
	for _, s := range a.Outline.Symbols {
		if lines, ok := c.now.lines(file, s.Span.StartLine, s.Span.EndLine); !ok || !strings.Contains(lines, s.Name) || whole && namePattern.MatchString(s.Name) && want[s.Name] != s.Span.StartLine {
			c.errorf("file_outline %s: %s is not at lines %d-%d: %q", file, s.Name, s.Span.StartLine, s.Span.EndLine, body)
		}
		if want[s.Name] != 0 {
			seen++
		}
	}
	if whole && seen != len(want) {
		c.errorf("file_outline %s: %d of the %d names in %q: %s", file, seen, len(want), body, text)
	}
}
