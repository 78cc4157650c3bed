package compact

import (
	"fmt"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
)

// TestManyOfOneName checks that of many symbols with the queried name, the first one and overloads
// are shown with source, and the others as one line each.
func TestManyOfOneName(t *testing.T) {
	answer := func(labels ...string) string {
		a := &contract.SearchAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, Query: "load",
			Named: len(labels)}
		for i, l := range labels {
			a.Results = append(a.Results, &contract.Group{Kind: "group", File: fmt.Sprintf("f%d.go", i),
				Span:       contract.LineSpan{StartLine: 3, EndLine: 5},
				SymbolKind: "method", SymbolLabel: l, Preview: fmt.Sprintf("source of %d", i)})
		}
		text, err := Text(&contract.SearchRequest{}, a)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for _, c := range []struct {
		labels []string
		want   string // the numbers of those with source
	}{
		{[]string{"A.load", "B.load"}, "0"},
		{[]string{"A.load", "B.load", "C.load", "D.load"}, "0"},
		{[]string{"A.load", "B.load", "C.load", "C.load"}, "0 2 3"},
	} {
		text := answer(c.labels...)
		var with []string
		for i := range c.labels {
			if strings.Contains(text, fmt.Sprintf("source of %d\n", i)) {
				with = append(with, fmt.Sprint(i))
			}
			if !strings.Contains(text, fmt.Sprintf("f%d.go:3-5 method %s\n", i, c.labels[i])) {
				t.Errorf("%v lacks a place:\n%s", c.labels, text)
			}
		}
		if got := strings.Join(with, " "); got != c.want {
			t.Errorf("%v: %s have source, want %s:\n%s", c.labels, got, c.want, text)
		}
	}
}

// TestTwinsHaveTheirSourceOnce checks that among symbols with the queried name, equal source is
// shown once, as for a function with a file for each platform. Results for words are all shown with
// source.
func TestTwinsHaveTheirSourceOnce(t *testing.T) {
	a := &contract.SearchAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, Query: "mmap", Named: 2}
	for _, f := range []string{"mmap_unix.go", "mmap_aix.go"} {
		a.Results = append(a.Results, &contract.Group{Kind: "group", File: f,
			Span: contract.LineSpan{StartLine: 3, EndLine: 30}, SymbolKind: "function", SymbolLabel: "mmap",
			Preview: "func mmap(db *DB) error {"})
	}
	for named, want := range map[int]string{
		2: "mmap_unix.go:3-30\n  func mmap(db *DB) error {\nmmap_aix.go:3-30 function mmap\n",
		0: "mmap_unix.go:3-30 function mmap\n  func mmap(db *DB) error {\n" +
			"mmap_aix.go:3-30 function mmap\n  func mmap(db *DB) error {\n",
	} {
		a.Named = named
		if text, err := Text(&contract.SearchRequest{}, a); err != nil || text != want {
			t.Errorf("%d named: %v\n%s", named, err, text)
		}
	}
}

// TestSourceIsShownOnce checks that a result which matches by lines of an earlier one is written without them:
// a function and the one declared in it, a class and its method.
func TestSourceIsShownOnce(t *testing.T) {
	a := &contract.SearchAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, Query: "cancel refund"}
	add := func(file, label string, first, last, from, to int, source string) {
		a.Results = append(a.Results, &contract.Group{Kind: "group", File: file,
			Span: contract.LineSpan{StartLine: first, EndLine: last}, SymbolKind: "method", SymbolLabel: label,
			Preview: source, PreviewSpan: &contract.LineSpan{StartLine: from, EndLine: to}})
	}
	add("order.js", "cancel.success", 20, 60, 30, 32, "a(refund)\nb(refund)\nc(refund)")
	add("order.js", "cancel", 10, 70, 31, 33, "b(refund)\nc(refund)\nd()")     // two lines of three
	add("order.js", "cancel.error", 40, 70, 32, 33, "c(refund)\nd(refund)")    // one of two
	add("pay.js", "cancel", 10, 70, 30, 32, "a(refund)\nb(refund)\nc(refund)") // another file
	add("pay.js", "cancel.error", 30, 40, 33, 33, "e(refund)")                 // other lines
	add("pay.js", "all", 1, 90, 33, 33, "e(refund)")                           // the same one
	want := `order.js:20-60 method cancel.success
  a(refund)
  b(refund)
  c(refund)
order.js:10-70 method cancel
order.js:40-70 method cancel.error
  c(refund)
  d(refund)
pay.js:10-70 method cancel
  a(refund)
  b(refund)
  c(refund)
pay.js:30-40 method cancel.error
  e(refund)
pay.js:1-90 method all
`
	if text, err := Text(&contract.SearchRequest{}, a); err != nil || text != want {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestOverloadsShareAHeading checks that declarations of one name in one file are written below one
// heading, each with its lines and its source.
func TestOverloadsShareAHeading(t *testing.T) {
	a := &contract.SearchAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, Query: "size of a store"}
	add := func(label string, first int, source string) {
		span := contract.LineSpan{StartLine: first, EndLine: first + 9}
		a.Results = append(a.Results, &contract.Group{Kind: "group", File: "Store.java", Span: span,
			SymbolKind: "method", SymbolLabel: label, Preview: source, PreviewSpan: &span})
	}
	add("Store.size", 10, "int size() {")
	add("Store.get", 40, "Item get(int at) {")
	add("Store.size", 20, "int size(int from) {")
	add("Store.size", 30, "int size(int from,\n    int to) {")
	want := `Store.java:10-19 method Store.size
  int size() {
  20-29: int size(int from) {
  30-39:
  int size(int from,
      int to) {
Store.java:40-49 method Store.get
  Item get(int at) {
`
	if text, err := Text(&contract.SearchRequest{}, a); err != nil || text != want {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestJoinKeepsOverloads checks that an overload that no earlier answer shows is written below one that does.
func TestJoinKeepsOverloads(t *testing.T) {
	first, second := "a.java:1-9 method A.f\n  int f() {\n", "  11-19: int f(int x) {\n"
	got := Join([]Titled{{"q", first}, {"r", first + second}, {"s", first + second}})
	want := "== q\n" + first + "== r\na.java:1-9 method A.f (above)\n" + second + "== s\na.java:1-9 method A.f (above)\n"
	if got != want {
		t.Error(got)
	}
}

// TestKnownNameIsNotRepeated checks that a result with source leaves out its name if the query is
// that name.
func TestKnownNameIsNotRepeated(t *testing.T) {
	for query, want := range map[string]string{
		"Store.size": "a.go:1-9\n  func (s *Store) size() int {\n",
		"size":       "a.go:1-9 method Store.size\n  func (s *Store) size() int {\n",
	} {
		span := contract.LineSpan{StartLine: 1, EndLine: 9}
		a := &contract.SearchAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, Query: query, Named: 1,
			Results: []contract.SearchResult{&contract.Group{Kind: "group", File: "a.go", Span: span,
				SymbolKind: "method", SymbolLabel: "Store.size", Preview: "func (s *Store) size() int {"}}}
		if text, err := Text(&contract.SearchRequest{}, a); err != nil || text != want {
			t.Errorf("%s: %v\n%s", query, err, text)
		}
	}
}

// TestOwnerOfAMatch checks that a matching line names its symbol without the type that the file is
// named for.
func TestOwnerOfAMatch(t *testing.T) {
	for _, c := range []struct{ file, label, want string }{
		{"src/Store.java", "Store.close", "close"},
		{"src/Store.java", "Store.Lock.release", "Lock.release"},
		{"src/Store.java", "Store", "Store"},
		{"src/Store.java", "Stores.close", "Stores.close"},
		{"src/Other.java", "Store.close", "Store.close"},
	} {
		a := &contract.SearchAnswer{Outcome: contract.Outcome{Status: contract.StatusOK},
			Matches: &contract.Matches{Files: 1, Lines: 1, Complete: true},
			Results: []contract.SearchResult{&contract.Group{Kind: "group", File: c.file, SymbolKind: "method",
				SymbolLabel: c.label, MatchedLines: []contract.MatchedLine{{Line: 9, Text: "\tfree(x);"}}}}}
		text, err := Text(&contract.SearchRequest{}, a)
		if want := c.file + ":9 " + c.want + ": free(x);\n"; err != nil || text != want {
			t.Errorf("%s in %s: %q, want %q (%v)", c.label, c.file, text, want, err)
		}
	}
}

// TestBeside checks the list of what a file declares besides the results.
func TestBeside(t *testing.T) {
	a := &contract.SearchAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, Confidence: contract.Low,
		Query: "which are kept", Results: contract.List[contract.SearchResult]{
			&contract.Group{File: "plan.go", Span: contract.LineSpan{StartLine: 1, EndLine: 9}, SymbolKind: "method",
				SymbolLabel: "Plan.Run", Preview: "run()",
				PreviewSpan: &contract.LineSpan{StartLine: 2, EndLine: 2}}},
		Beside: []contract.Beside{{File: "plan.go", Omitted: 2, Symbols: contract.List[contract.BesideSymbol]{
			{SymbolLabel: "decide", Kind: "function", Span: contract.LineSpan{StartLine: 12, EndLine: 40}},
			{SymbolLabel: "Plan", Kind: "struct", Span: contract.LineSpan{StartLine: 42, EndLine: 42}}}}}}
	const want = `weak match: nothing really answers the query; the nearest are
plan.go:1-9 method Plan.Run
  run()
also in plan.go:
  12-40 decide
  42 Plan
+2   file_outline file: "plan.go"
`
	if got := rendered(t, &contract.SearchRequest{}, a); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
