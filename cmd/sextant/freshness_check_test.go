package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sextant/internal/navigate/contract"
	"sextant/jit"
)

// found is the answer of search_codebase.
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

// call calls a tool, again while the answer warns that changes are still being
// indexed. A busy machine does not index every change in time.
func (c *checker) call(tool string, args any) (text string, isError bool) {
	for range 100 {
		if text, isError = c.client.call(tool, args); !strings.Contains(text, jit.WarnPending) {
			return text, isError
		}
		c.pending++
	}
	c.errorf("%s %v: the changes are never indexed: %s", tool, args, text)
	return text, isError
}

// search requests one page and compares every result with the files on disk.
func (c *checker) search(query, mode, cursor string) (a found) {
	args := map[string]any{"path": c.ws, "query": query, "scope": "mixed", "resultMode": mode, "limit": 50,
		"maxTokens": 25000}
	if cursor != "" {
		args["cursor"] = cursor
	}
	text, isError := c.call("search_codebase", args)
	if err := json.Unmarshal([]byte(text), &a); isError || err != nil {
		c.editor.t.Fatalf("search_codebase %v: %v: %s", args, err, text)
	}
	c.answers++
	c.searches++
	if a.FreshnessDecision.Gate.FilesChecked < len(c.now.texts) {
		c.vouched++
	}
	if a.Status != "ok" || a.Matches != nil && !a.Matches.Complete && len(c.now.locked) == 0 {
		c.errorf("%q: status %s, matches %+v, warnings %v: %.1500s", query, a.Status, a.Matches, a.Warnings, text)
	}
	for _, r := range a.Results {
		if c.now.withheld[r.File] && r.Preview == "" && r.Content == "" && len(r.MatchedLines) == 0 {
			continue
		}
		if _, ok := c.now.texts[r.File]; !ok {
			c.errorf("%q: %s is found, and is gone%s", query, r.File, c.evidence(r.File))
			continue
		}
		text, ok := c.now.lines(r.File, r.Span.StartLine, r.Span.EndLine)
		if !ok || r.Content != "" && r.Content != text {
			c.errorf("%q: lines %d-%d of %s are %q, not %q", query, r.Span.StartLine, r.Span.EndLine,
				r.File, text, r.Content)
		}
		if p := r.PreviewSpan; p != nil {
			if text, ok := c.now.lines(r.File, p.StartLine, p.EndLine); !ok || plain(text) != plain(r.Preview) {
				c.errorf("%q: lines %d-%d of %s are %q, not %q", query, p.StartLine, p.EndLine, r.File, text, r.Preview)
			}
		}
		if p := r.SymbolSpan; p != nil {
			if text, ok := c.now.lines(r.File, p.StartLine, p.EndLine); !ok ||
				!strings.Contains(text, r.SymbolLabel[strings.LastIndexByte(r.SymbolLabel, '.')+1:]) {
				c.errorf("%q: symbol %s is not in lines %d-%d of %s: %q", query, r.SymbolLabel, p.StartLine,
					p.EndLine, r.File, text)
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

// evidence returns what git and the disk say of a file that an answer should not
// show, to tell a stale row from a wrong reading of git's rules.
func (c *checker) evidence(file string) string {
	info, err := os.Lstat(filepath.Join(c.ws, file))
	if err != nil {
		return ": " + err.Error()
	}
	tracked, _ := gitCommand(c.ws, "ls-files", "-s", "--", file).CombinedOutput()
	rule, _ := gitCommand(c.ws, "check-ignore", "-v", "--no-index", "--", file).CombinedOutput()
	return fmt.Sprintf(": it has %d bytes since %v; tracked: %q; rule: %q", info.Size(), info.ModTime(), tracked, rule)
}

// plain returns text without line ends (LF or CRLF), as in previews.
func plain(text string) string {
	return strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\r\n")
}

// walk returns every matched line of an exhaustive query, page by page.
func (c *checker) walk(query string) (places []string) {
	for cursor := ""; ; {
		a := c.search(query, "grouped", cursor)
		for _, r := range a.Results {
			for _, l := range r.MatchedLines {
				places = append(places, lineAt(r.File, l.Line))
			}
		}
		if cursor = a.Cursor; cursor == "" {
			slices.Sort(places)
			return places
		}
	}
}

// checkWord searches for every line that contains a word.
func (c *checker) checkWord(word string) {
	want := slices.Sorted(slices.Values(c.now.places[word]))
	if got := c.walk("must:" + word); !slices.Equal(got, want) {
		c.errorf("must:%s: found at %q, stands at %q", word, got, want)
	}
}

// checkAll searches for every line that contains any token or name.
func (c *checker) checkAll() {
	for prefix, pattern := range map[string]string{"must:uq00": `uq\d`, `regex:"Sym[0-9]{7}"`: `Sym\d{7}`} {
		var want []string
		for file, text := range c.now.texts {
			for i, line := range strings.Split(text, "\n") {
				if strings.HasPrefix(pattern, "uq") && strings.Contains(line, "uq00") ||
					strings.HasPrefix(pattern, "Sym") && namePattern.MatchString(line) {
					want = append(want, lineAt(file, i+1))
				}
			}
		}
		slices.Sort(want)
		if got := c.walk(prefix); !slices.Equal(got, want) {
			c.errorf("%s: found at %q, stands at %q", prefix, got, want)
		}
	}
}

// checkRanked searches for a word as people do: if the file has the word whole,
// its place must come first.
func (c *checker) checkRanked(word string) {
	mode := pick(c.rng, []string{"grouped", "raw"})
	a := c.search(word, mode, "")
	at := c.now.places[word]
	if len(at) == 0 {
		return // search has compared the results with the disk already
	}
	for _, r := range a.Results {
		for line := r.Span.StartLine; line <= r.Span.EndLine; line++ {
			if slices.Contains(at, lineAt(r.File, line)) {
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

// checkSymbol opens a symbol by the id that an earlier outline of the file gave. The answer must be
// the symbol of that name at its present place, or nothing if it is gone. If a symbolic link is now
// on the path of the file, the answer is about the file that it leads to, which may have a copy of
// the symbol.
func (c *checker) checkSymbol(file string) {
	s := pick(c.rng, c.known[file])
	if s.Name == "" || c.ownRoot(file) {
		return
	}
	c.answers++
	got, _ := c.call("read_file", map[string]any{"path": filepath.Join(c.ws, file),
		"open_symbol": map[string]any{"symbolId": s.SymbolID,
			"symbolInstanceId": s.CallGraphHint.SymbolRef.SymbolInstanceID}})
	if target, err := filepath.EvalSymlinks(filepath.Join(c.ws, file)); err == nil &&
		target != filepath.Join(c.ws, file) {
		file = strings.TrimPrefix(target, c.ws+"/")
		if _, indexed := c.now.texts[file]; !indexed {
			return
		}
	}
	var moved struct { // an answer with warnings is JSON, another is plain text
		Status, Content string
		Span            lineRange
	}
	answer := got
	if json.Unmarshal([]byte(got), &moved) == nil && moved.Status != "" {
		got = moved.Content
		if lines, ok := c.now.lines(file, moved.Span.StartLine, moved.Span.EndLine); moved.Status == "ok" &&
			(!ok || lines != got) {
			c.errorf("open_symbol %s of %s: lines %d-%d are %q, not %q: %s", s.Name, file, moved.Span.StartLine,
				moved.Span.EndLine, lines, got, answer)
		}
	}
	at, whole := declarations(file, c.now.texts[file])
	switch {
	case !whole:
	case at[s.Name] == 0 && namePattern.MatchString(got):
		c.errorf("open_symbol %s of %s, which is gone: %q", s.Name, file, got)
	case at[s.Name] != 0 && (!strings.Contains(got, s.Name) ||
		len(namePattern.FindAllString(got, -1)) != 1 || !strings.Contains(c.now.texts[file], got)):
		c.errorf("open_symbol %s of %s: %q, of %q", s.Name, file, got, c.now.texts[file])
	}
}

// checkGraph requests the calls of a declaration. The graph must start at its
// present place, or not exist if the declaration is gone.
func (c *checker) checkGraph(name string) {
	if !namePattern.MatchString(name) {
		return
	}
	c.answers++
	var a struct {
		Status string
		Nodes  []struct {
			SymbolLabel, File string
			Span              lineRange
		}
	}
	text, _ := c.call("call_graph", map[string]any{"path": c.ws, "symbolRef": map[string]any{"symbolLabel": name},
		"deadlineMs": contract.MaxDeadline}) // a busy machine may be slow
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		c.errorf("call_graph %s: %v: %s", name, err, text)
	}
	for _, n := range a.Nodes {
		if lines, ok := c.now.lines(n.File, n.Span.StartLine, n.Span.EndLine); !ok || !strings.Contains(lines, name) {
			c.errorf("call_graph %s: %s is not at lines %d-%d of %s: %q", name, n.SymbolLabel, n.Span.StartLine,
				n.Span.EndLine, n.File, lines)
		}
	}
	declared := false
	for _, at := range c.now.places[name] {
		file := at[:strings.LastIndexByte(at, ':')]
		_, whole := declarations(file, c.now.texts[file])
		declared = declared || whole
	}
	// A name may be declared twice: git checkout can bring a copy back, and a file
	// that was moved out of a locked directory still counts as being there too.
	if a.Status == "ambiguous" && (len(c.now.places[name]) > 1 || len(c.now.locked) > 0) {
		return
	}
	if declared && (a.Status != "ok" || len(a.Nodes) == 0) {
		c.errorf("call_graph %s, which stands at %q: %s", name, c.now.places[name], text)
	}
}

func (c *checker) checkRead(file string) {
	c.answers++
	got, _ := c.call("read_file", map[string]any{"path": filepath.Join(c.ws, file)})
	if c.ownRoot(file) {
		if disk, _ := os.ReadFile(filepath.Join(c.ws, file)); tokenPattern.MatchString(got) && got != string(disk) {
			c.errorf("read_file %s, of a codebase within: %q, want %q", file, got, disk)
		}
		return
	}
	want, visible := c.now.texts[file]
	if visible && got != want && !(want == "" && !tokenPattern.MatchString(got)) {
		c.errorf("read_file %s: %q, want %q", file, got, want)
	}
	if !visible && !c.linked(file) && (tokenPattern.MatchString(got) || namePattern.MatchString(got)) {
		c.errorf("read_file %s, which is not to be read: %q", file, got)
	}
}

// ownRoot reports whether a file belongs to a separate checkout, which reading
// a file of it has indexed as a codebase with its own rules.
func (c *checker) ownRoot(file string) bool {
	for dir, role := range c.now.checkouts {
		if role == "apart" && strings.HasPrefix(file, dir+"/") {
			return true
		}
	}
	return false
}

// linked reports whether a symbolic link is on the path of file. Reading the
// path then may show another file.
func (c *checker) linked(file string) bool {
	abs := filepath.Join(c.ws, file)
	real, err := filepath.EvalSymlinks(abs)
	return err == nil && real != abs
}

func (c *checker) checkOutline(file string) {
	c.answers++
	var a struct {
		Status  string
		Outline *struct{ Symbols []symbol }
	}
	text, isError := c.call("file_outline", map[string]any{"path": c.ws, "file": file})
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		c.errorf("file_outline %s: %v: %s", file, err, text)
	}
	body, visible := c.now.texts[file]
	want, whole := declarations(file, body)
	if !visible && !c.linked(file) && a.Outline != nil && len(a.Outline.Symbols) > 0 {
		c.errorf("file_outline %s, which is not to be read: %s", file, text)
	}
	if !visible || blocks[filepath.Ext(file)] == nil {
		return
	}
	if isError || a.Status != "ok" || a.Outline == nil {
		c.errorf("file_outline %s of %q: %s", file, body, text)
		return
	}
	c.known[file] = a.Outline.Symbols
	seen := 0
	for _, s := range a.Outline.Symbols {
		if lines, ok := c.now.lines(file, s.Span.StartLine, s.Span.EndLine); !ok ||
			!strings.Contains(lines, s.Name) ||
			whole && namePattern.MatchString(s.Name) && want[s.Name] != s.Span.StartLine {
			c.errorf("file_outline %s: %s is not at lines %d-%d: %q", file, s.Name,
				s.Span.StartLine, s.Span.EndLine, body)
		}
		if want[s.Name] != 0 {
			seen++
		}
	}
	if whole && seen != len(want) {
		c.errorf("file_outline %s: %d of the %d names in %q: %s", file, seen, len(want), body, text)
	}
}
