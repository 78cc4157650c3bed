package tokens

import (
	"fmt"
	"iter"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestViewOfAnswers checks which places are in view after an answer: the places
// that it names in each of its formats, and no others.
func TestViewOfAnswers(t *testing.T) {
	known := func(path string) bool { return slices.Contains([]string{"db.go", "net/http/server.go"}, path) }
	method := Place{File: "db.go", Line: 767, From: 750}
	site := Place{File: "db.go", Line: 782}
	for _, c := range []struct {
		name, file, answer string
		place              Place
		want               bool
	}{
		{"JSON group", "", `{"results":[{"file":"db.go","span":{"startLine":750,"endLine":783}}]}`, method, true},
		{"JSON group of another file", "",
			`{"results":[{"file":"tx.go","span":{"startLine":750,"endLine":783}}]}`, method, false},
		{"JSON file around symbols", "",
			`{"file":"db.go","outline":{"symbols":[{"span":{"startLine":767,"endLine":783}}]}}`, method, true},
		{"JSON edge", "", `{"edges":[{"site":{"file":"db.go","startLine":782}}]}`, site, true},
		{"JSON matching line", "", `{"results":[{"file":"db.go","matchedLines":[{"line":782,"text":"x"}]}]}`, site,
			true},
		{"a span around a site does not show it", "",
			`{"file":"db.go","span":{"startLine":767,"endLine":783}}`, site, false},
		{"a span around a method does not name it", "",
			`{"file":"db.go","span":{"startLine":1,"endLine":900}}`, method, false},
		{"text", "", "db.go:750-783 method DB.Begin\n  // Begin starts a new transaction.\n", method, true},
		{"text of another file", "", "net/http/server.go:750-783 method DB.Begin\n", method, false},
		{"text below a heading", "",
			"callers of DB.beginTx (net/http/server.go:792)\ndb.go\n  DB.Begin 782: return db.beginTx()\n", site, true},
		{"a number in source", "", "db.go\n  DB.Begin 700: wait(782)\n", site, false},
		{"several lines of a path", "", "unresolved: db.go:700, :782\n", site, true},
		{"outline", "db.go", "767-783 (db *DB) Begin(writable bool)\n", method, true},
		{"lines of a path", "", "db.go:700,782 DB.Begin: beginTx()\n", site, true},
		{"lines of a path, and how many more", "", "db.go:700,782,+3 DB.Begin: beginTx()\n", site, true},
		{"how many more lines of a path", "", "db.go:700,+782 DB.Begin: beginTx()\n", site, false},
		{"lines of a heading with a class", "", "db.go (config)\n  700,782 DB.Begin: beginTx()\n", site, true},
		{"lines of a heading", "", "db.go\n  700,782 DB.Begin: beginTx()\n", site, true},
		{"lines below an inline path", "",
			"net/http/server.go\n  db.go:1 f at 2\n  782 g: db.beginTx()\n", site, false},
		{"a call site of a callee", "",
			"callees of f (db.go:1)\nnet/http/server.go\n  782 Server.Begin at 767: s.Begin()\n", site, false},
		{"a number in an excerpt", "", "db.go:1-9 function f\n  return 782\n", site, false},
		{"a line of a short span", "", "db.go:781-783\n  return db.line782()\n", site, true},
		{"a line of a long span", "", "db.go:767-790 method DB.Begin\n  return db.line782()\n", site, false},
		{"a line of another span", "", "db.go:781-783\ntx.go:1-3\n  return db.line782()\n", site, false},
	} {
		var v View
		v.Show(Answer{Text: c.answer, File: c.file, Known: known,
			Line: func(_ string, n int) string { return fmt.Sprintf("\treturn db.line%d()", n) }})
		if got := v.Has(c.place); got != c.want {
			t.Errorf("%s: in view %t, want %t", c.name, got, c.want)
		}
	}
}

// TestTargets checks that every target must be in view, by any of its places.
func TestTargets(t *testing.T) {
	targets := []Target{{{File: "a.go", Line: 3}, {File: "a.go", Line: 9}}, {{File: "b.go", Line: 1}}}
	var v View
	v.Source("a.go", 5, 10)
	if v.Answers(targets) {
		t.Error("one of two targets is in view, and counts as both")
	}
	v.Line("b.go", 1)
	if !v.Answers(targets) {
		t.Error("both targets are in view, and do not count")
	}
}

// counted is a set of tools that merges all requests into one call. Its answer consists of the
// requested lines.
type counted struct{ calls int }

func (c *counted) Merge(requests []*Request) []Call {
	return []Call{{Tool: "T", Requests: requests, Run: func(v *View) (string, error) {
		c.calls++
		text := ""
		for _, r := range requests {
			line := r.Args["line"].(int)
			v.Line("a.go", line)
			r.Answer = fmt.Sprint(line)
			text += fmt.Sprintf("a.go:%d\n", line)
		}
		return text, nil
	}}}
}

// upTo asks for the lines from 1 to a bound.
func upTo(bound int) Agent {
	return func(*Task) iter.Seq[*Request] {
		return func(yield func(*Request) bool) {
			for n := 1; n <= bound; n++ {
				r := &Request{Tool: "T", Args: map[string]any{"line": n}}
				if !yield(r) {
					return
				}
				if r.Answer != fmt.Sprint(n) {
					panic("the agent goes on without an answer")
				}
			}
		}
	}
}

// TestPlay checks that a batch shares its calls and their costs, that a task
// stops when its targets are in view, and that one fails when its agent has
// nothing left to try.
func TestPlay(t *testing.T) {
	count, err := NewCounter()
	if err != nil {
		t.Fatal(err)
	}
	at := func(line int) *Task { return &Task{Targets: []Target{{{File: "a.go", Line: line}}}} }
	tools := &counted{}
	played, err := Play(count, tools, upTo(3), []*Task{at(1), at(3), at(9)})
	if err != nil {
		t.Fatal(err)
	}
	if o := played.Outcomes; len(o[1].Missing) != 0 || len(o[2].Missing) != 1 {
		t.Errorf("missing: %v, %v", o[1].Missing, o[2].Missing)
	}
	var success []bool
	sum, calls := 0.0, 0.0
	for _, o := range played.Outcomes {
		success = append(success, o.Success)
		sum, calls = sum+o.Tokens, calls+o.Calls
	}
	if !reflect.DeepEqual(success, []bool{true, true, false}) {
		t.Errorf("successes %v", success)
	}
	if tools.calls != 3 || calls < 2.999 || calls > 3.001 {
		t.Errorf("%d calls were made, and %g charged, for a task of one step and two of three", tools.calls, calls)
	}
	if first := played.Outcomes[0]; first.Calls > 0.34 || first.Tokens >= played.Outcomes[1].Tokens {
		t.Errorf("the first task has a third of one call: %+v", first)
	}
	written, err := count.Call("T", nil)
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, n := range played.Answers["T"] {
		read += n
	}
	if want := float64(3*written + read); sum < want-.001 || sum > want+.001 {
		t.Errorf("%g tokens are charged, %g were written and read", sum, want)
	}
}

// TestCount compares with tokens known of o200k_base.
func TestCount(t *testing.T) {
	count, err := NewCounter()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"": 0, "hello world": 2, "tiktoken is great!": 6} {
		if got, err := count.Text(text); err != nil || got != want {
			t.Errorf("%q has %d tokens, want %d: %v", text, got, want, err)
		}
	}
}

// TestTasks checks that tasks survive a file, and that a comment is blanked
// without moving a line.
func TestTasks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tasks.jsonl")
	tasks := []Task{{Repository: "r", Kind: Describe, Text: "waits <for> a lock", Blank: &Lines{"a.go", 2, 3},
		Targets: []Target{{{File: "a.go", Line: 4, From: 2}}}}}
	if err := WriteTasks(file, tasks); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadTasks(file); err != nil || !reflect.DeepEqual(got, tasks) {
		t.Errorf("%+v, %v", got, err)
	}
	text := "package a\n// lock waits\n// for a lock.\nfunc lock() {}\n"
	if got := string(Blanked("a.go", []byte(text), tasks)); got != "package a\n\n\nfunc lock() {}\n" {
		t.Errorf("%q", got)
	}
	if got := string(Blanked("b.go", []byte(text), tasks)); got != text {
		t.Errorf("the comment of another file is blanked: %q", got)
	}
}

// TestFigures checks that the tokens per success include those of failed tasks, and that the lengths of answers
// are those of single questions only.
func TestFigures(t *testing.T) {
	task := &Task{Kind: Locate}
	var f Figures
	f.Add(Run{"lean", "small", "r", 1},
		Played{Outcomes: []Outcome{{task, true, 100, 1, nil}, {task, false, 300, 2, nil}},
			Answers: map[string][]int{"Bash": {10, 20, 30}}})
	f.Add(Run{"lean", "small", "r", 10}, Played{Outcomes: []Outcome{{task, true, 50, 1, nil}},
		Answers: map[string][]int{"Bash": {5000}}})
	if got := f.Line("r", "lean"); got != "batch 10: 50, batch 1: 400 (50 %)" {
		t.Error(got)
	}
	file := filepath.Join(t.TempDir(), "figures.jsonl")
	if err := f.Write(file); err != nil {
		t.Fatal(err)
	}
	var again Figures
	again.Add(Run{"lean", "small", "other", 1}, Played{Outcomes: []Outcome{{task, true, 7, 1, nil}},
		Answers: map[string][]int{"Bash": {7}}})
	if err := again.Write(file); err != nil {
		t.Fatal(err)
	}
	held, err := ReadFigures(file)
	if err != nil || len(held.Cells) != 3 || len(held.Answers) != 2 ||
		!reflect.DeepEqual(held.Answers[1].Lengths, []int{10, 20, 30}) {
		t.Errorf("%+v, %v", held, err)
	}
	page := Page(held, held, []Impacted{{Repository: "r", Tests: 2, Found: 1, Named: 5, Tokens: 300, NearFound: 2,
		NearNamed: 40}, {Repository: "r", Tests: 2, Found: 2, Named: 7, Tokens: 100, NearNamed: 20}})
	for _, row := range []string{"| locate | small | 3 | 204 (67 %) |", "| lean | `Bash` | 4 | 20 | 30 |",
		"| r | 2 | 4 | 75 % | 50 % | 7 | 300 | 300 | 50 % | 40 |"} {
		if !strings.Contains(page, row) {
			t.Errorf("no %q in:\n%s", row, page)
		}
	}
}

// TestLosses checks that the cells where grep costs less, and those where it
// succeeds more often, are named.
func TestLosses(t *testing.T) {
	var f Figures
	add := func(way, size string, kind Kind, success bool, cost float64) {
		f.Add(Run{way, size, "r-" + size, 1}, Played{Outcomes: []Outcome{{&Task{Kind: kind}, success, cost, 1, nil}}})
	}
	for _, size := range sizes {
		add("default", size, Literal, true, 80)
		add("lean", size, Literal, true, 60)
		add("reading", size, Literal, true, 90)
	}
	add("default", "small", Trace, false, 50)
	add("lean", "small", Trace, true, 500)
	add("default", "large", Trace, true, 50)
	add("lean", "large", Trace, false, 10)
	var out strings.Builder
	f.Losses(&out)
	want := "- With one question at a time, grep costs less for trace (small), literal.\n" +
		"- With one question at a time, grep succeeds more often for trace (small).\n"
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
}

// TestImpact checks which tests an answer names, and which are in the folders of a change.
func TestImpact(t *testing.T) {
	files := []string{"a/src/main/x/A.java", "a/src/test/x/ATest.java", "a/src/test/y/BTest.java", "web/run.ts",
		"web/run.spec.ts", "web/deep/other.spec.ts"}
	c := Commit{Code: []string{"a/src/main/x/A.java", "web/run.ts"},
		Tests: []string{"a/src/test/x/ATest.java", "web/deep/other.spec.ts"}}
	near := c.Near(files)
	if want := []string{"a/src/test/x/ATest.java", "web/run.spec.ts"}; !slices.Equal(near, want) {
		t.Errorf("near: %v", near)
	}
	text := "callers of A (a/src/main/x/A.java:3)\nweb/deep/other.spec.ts\n  7 test: A()\ngone.spec.ts:1 test\n"
	named := TestsIn(text, func(path string) bool { return slices.Contains(files, path) })
	if !slices.Equal(named, []string{"web/deep/other.spec.ts"}) {
		t.Errorf("named: %v", named)
	}
	if got := c.Judge(named, near, 9); got.Tests != 2 || got.Found != 1 || got.Named != 1 ||
		got.NearFound != 1 || got.Tokens != 9 {
		t.Errorf("%+v", got)
	}
}
