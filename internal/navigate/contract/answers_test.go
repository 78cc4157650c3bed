package contract

import (
	"strings"
	"testing"
	"time"

	"sextant/internal/code"
)

// TestListOfRoots checks the list as it is sent, and that two lists are joined by section.
func TestListOfRoots(t *testing.T) {
	if got := (ListAnswer{}).Markdown(); !strings.Contains(got,
		`{"action":"create","path":"/absolute/path/to/codebase"}`) {
		t.Errorf("no root: %s", got)
	}
	a := ListAnswer{Owner: RuntimeOwner{PID: 7, Version: "v1"},
		Ready: List[ReadyRoot]{{Path: "/a", SymbolQuality: "high", Files: 3, Symbols: 9, LastSync: "now",
			Services: []RootService{{Name: "web", Language: "go"}, {Name: "db", Path: "deploy/db"}}}},
		Failed: List[StoppedRoot]{{Path: "/d", Reason: "gone"}}}
	a.Add(ListAnswer{Ready: List[ReadyRoot]{{Path: "/b"}}, Indexing: List[IndexingRoot]{{Path: "/c", Percent: 12.34}},
		RequiresReindex: List[StoppedRoot]{{Path: "/e", Reason: "old"}}, Failed: List[StoppedRoot]{{Path: "/f",
			Reason: "?"}}})
	want := "## Codebases\n" +
		"\n### Ready\n- `/a` symbolQuality=high files=3 symbols=9 services=2 lastSync=now\n  - web `.` go\n" +
		"  - db `deploy/db`\n- `/b` symbolQuality= files=0 symbols=0 services=0 lastSync=\n" +
		"\n### Indexing\n- `/c` (12.3%)\n\n### Requires Reindex\n- `/e` (old)\n\n### Failed\n- `/d` (gone)\n- `/f` (?)\n" +
		"\nTotal tracked: 6\nRuntime owners: 1 live (pid=7 sextant@v1)."
	if got := a.Markdown(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := strings.Join(a.Paths(), " "); got != "/a /b /c /e /d /f" || a.Total() != 6 {
		t.Errorf("%d roots: %s", a.Total(), got)
	}
}

// TestShownFiles checks which files an answer shows, for the comparison of its cost with theirs.
func TestShownFiles(t *testing.T) {
	at := LineSpan{StartLine: 1}
	ok := Outcome{Status: StatusOK}
	for _, c := range []struct {
		name   string
		answer Shown
		want   string
	}{
		{"results", &SearchAnswer{CodebaseRoot: "/r", Results: []SearchResult{&Group{File: "b.go"},
			&Chunk{File: "a.go"},
			&Group{File: "b.go"}}}, "/r/a.go /r/b.go"},
		{"an outline", &OutlineAnswer{CodebaseRoot: "/r", File: "a.go",
			Outline: &Outline{Symbols: List[OutlineSymbol]{{}}}}, "/r/a.go"},
		{"an outline without symbols", &OutlineAnswer{CodebaseRoot: "/r", File: "a.go", Outline: &Outline{}}, ""},
		{"a skeleton", &OutlineAnswer{CodebaseRoot: "/r", File: "a.go", Skeleton: "x"}, "/r/a.go"},
		{"a folder", &OutlineAnswer{CodebaseRoot: "/r", Folder: &FolderMap{Folder: "web", Entries: List[MapEntry]{
			{Path: "a.go", Symbols: List[MapName]{{}}}, {Path: "b.md"}}}}, "/r/web/a.go"},
		{"a text", &ReadAnswer{Outcome: ok, CodebaseRoot: "/r", File: "a.go",
			Related: List[RelatedExcerpt]{{File: "a_test.go"}}}, "/r/a.go /r/a_test.go"},
		{"nothing", &ReadAnswer{Outcome: Outcome{Status: StatusNotFound}, CodebaseRoot: "/r", File: "a.go"}, ""},
		{"a graph", &GraphAnswer{CodebaseRoot: "/r", Nodes: []Node{{File: "b.go", Span: at}, {File: "b.go", Span: at},
			{File: "x.go", Span: at, External: true}, {File: "y.go"}, {File: "a.go", Span: at, CodebaseRoot: "/other"}},
			TestReferences: List[TestReference]{{File: "b_test.go"}}}, "/other/a.go /r/b.go /r/b_test.go"},
		{"a change", &GraphAnswer{CodebaseRoot: "/r", Impact: &Impact{Files: List[ChangedFile]{{File: "a.go"}},
			Tests: List[ConcernedTest]{{File: "a_test.go"}}, Callers: List[ConcernedCaller]{{File: "c.go"}}}},
			"/r/a.go /r/a_test.go /r/c.go"},
	} {
		if got := strings.Join(c.answer.ShownFiles(), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestLimits checks how long a call may take.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		request Request
		want    time.Duration
	}{
		{&SearchRequest{}, AnswerLimit}, {&GraphRequest{DeadlineMs: 1500}, 1500 * time.Millisecond},
		{&ManageRequest{DeadlineMs: 1500}, AnswerLimit}, {&ManageRequest{DeadlineMs: 1500, Wait: true},
			AnswerLimit + 1500*time.Millisecond},
	} {
		if got := Within(c.request); got != c.want {
			t.Errorf("%T: %v, want %v", c.request, got, c.want)
		}
	}
	if got := LastMoment(time.Unix(0, 0), 10*time.Second); got.Sub(time.Unix(0,
		0)) != 11*time.Second+50*time.Millisecond {
		t.Errorf("an answer of ten seconds is abandoned at %v", got)
	}
	if o := TooLate(ToolGraph, 3*time.Second); o.Reason != ReasonDeadline || o.Status != StatusNotReady ||
		!strings.HasPrefix(o.Message, "call_graph was not ready within 3s. ") {
		t.Errorf("%+v", o)
	}
}

// TestCursorsAndOperators checks small texts that a caller passes back.
func TestCursorsAndOperators(t *testing.T) {
	for text, want := range map[string]int{"r0": 0, "r17.481": 17, "r17.": -1, "r17.-1": -1, "r17.70000": -1, "r17": 17, "r1000": 1000, "r1001": -1, "17": -1, "r-1": -1, "r": -1,
		"rx": -1, "": -1} {
		got, list, ok := ParseRankCursor(text)
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("%q: %d, %t", text, got, ok)
		}
		if ok && RankCursor(got, list) != text {
			t.Errorf("%q is written %q", text, RankCursor(got, list))
		}
	}
	for value, want := range map[string]string{"a": "a", "a b": `"a b"`, `a"b`: `"a\"b"`, "": ""} {
		if got := QuoteOperator(value); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if Plural(1, "file") != "1 file" || Plural(0, "file") != "0 files" || Plural(2, "file") != "2 files" {
		t.Error("Plural")
	}
	if short, cut := Clip(strings.Repeat("x", 80)), Clip(strings.Repeat("x", 79)+"é"); len(short) != 80 ||
		cut != strings.Repeat("x", 79)+"…" {
		t.Errorf("clipped to %q and %q", short, cut)
	}
	for query, want := range map[string]Scope{"where are sessions": ScopeRuntime, "must:session": ScopeMixed} {
		if got := defaultScope(query); got != want {
			t.Errorf("%s is sought in %s", query, got)
		}
	}
}

// TestCountsOfGraphsAdd checks that every count of one graph is added to another's, each to its own.
func TestCountsOfGraphsAdd(t *testing.T) {
	one := GraphCounts{Outgoing: OutgoingCounts{Symbols: 1, Sites: 2, Settled: 3, External: 4, Builtin: 5, Value: 6,
		Unresolved: 7, Dynamic: 8, Suppressed: 9, Services: 10, Imports: 11, Unanswered: 12},
		Inbound: InboundCounts{Symbols: 13, Settled: 14, Unresolved: 15, Suppressed: 16, Services: 17, Imports: 18}}
	sum := one
	sum.Add(&one)
	want := GraphCounts{Outgoing: OutgoingCounts{Symbols: 2, Sites: 4, Settled: 6, External: 8, Builtin: 10, Value: 12,
		Unresolved: 14, Dynamic: 16, Suppressed: 18, Services: 20, Imports: 22, Unanswered: 24},
		Inbound: InboundCounts{Symbols: 26, Settled: 28, Unresolved: 30, Suppressed: 32, Services: 34, Imports: 36}}
	if sum != want {
		t.Errorf("%+v, want %+v", sum, want)
	}
}

// TestOutcomes checks that a condition gives its status, reason and message, with paths quoted where they
// need it, and that NeverReasons lists no reason of the table.
func TestOutcomes(t *testing.T) {
	r := CondMissingFile.Refuse("/r", nil, "no %s in %d files", "a\nb", 3)
	if r.Status != StatusNotFound || r.Reason != ReasonMissingFile || r.Message != `no "a\nb" in 3 files` ||
		r.Path != "/r" {
		t.Errorf("%+v", r)
	}
	for _, row := range Conditions() {
		if why, never := NeverReasons()[string(row.Reason)]; never {
			t.Errorf("%s is given for %s, and never: %s", row.Reason, row.Condition, why)
		}
	}
	a := Suggest(&ReadRequest{Path: "/r"}).Because("it was cut")
	if a.Tool != ToolRead || a.Reason != "it was cut" {
		t.Errorf("%+v", a)
	}
	if got := Lines(code.Span{StartLine: 2, EndLine: 5}); got != (LineSpan{StartLine: 2, EndLine: 5}) {
		t.Errorf("%+v", got)
	}
}

// TestBudgetSpends checks what a budget has left, in the price of its answer's format.
func TestBudgetSpends(t *testing.T) {
	b := NewBudget(&Delivery{MaxTokens: 100, Price: func(part any) int { return part.(int) }})
	for _, c := range []struct {
		part, left int
		fits       bool
	}{{30, 40, true}, {41, 40, false}, {40, 0, true}, {1, 0, false}, {0, 0, true}} {
		if b.Price(c.part) != c.part || b.Fits(c.part) != c.fits || b.Left() != c.left {
			t.Errorf("%d tokens: %d are left, want %d", c.part, b.Left(), c.left)
		}
	}
	b.Spend(5)
	b.Take(5)
	if b.Left() != 0 || b.Fits(0) {
		t.Error("what was spent beyond the budget leaves something")
	}
	plain := NewBudget(&Delivery{MaxTokens: noticeTokens + 10})
	if plain.SpendText("one two three"); plain.Left() != 10-Tokens("one two three") {
		t.Errorf("%d tokens are left", plain.Left())
	}
	if d := (&Delivery{}); d.Size("one") != Cost("one") || Cost(func() {}) != 0 {
		t.Error("sizes of answers")
	}
}
