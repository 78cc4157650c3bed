package compact

import (
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
)

// rendered returns the text of an answer to req.
func rendered(t *testing.T, req contract.Request, answer any) string {
	t.Helper()
	text, err := Text(req, answer)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func refused(status contract.Status, reason contract.Reason, message string) contract.Outcome {
	return contract.Outcome{Status: status, Reason: reason, Message: message}
}

// TestHead checks that an answer names its root only if the caller does not know it, and its outcome
// only if it is not plainly ok.
func TestHead(t *testing.T) {
	for _, c := range []struct {
		name             string
		implied, known   bool
		asked, root, out string
		outcome          contract.Outcome
	}{
		{"the root that was asked for", false, false, "/ws", "/ws", "", contract.Outcome{Status: contract.StatusOK}},
		{"a folder of the root", false, false, "/ws/a", "/ws", "root /ws\n",
			contract.Outcome{Status: contract.StatusOK}},
		{"a root with a line break", false, false, "/a", "/w\ns", "root \"/w\\ns\"\n",
			contract.Outcome{Status: contract.StatusOK}},
		{"a path that the call left out", true, false, "/ws", "/ws", "root /ws\n",
			contract.Outcome{Status: contract.StatusOK}},
		{"a root named before", true, true, "/ws", "/ws", "", contract.Outcome{Status: contract.StatusOK}},
		{"no root", true, false, "/ws", "", "", contract.Outcome{Status: contract.StatusOK}},
		{"a reason of its own", false, false, "/ws", "/ws", "not_found symbol_missing: no F\n",
			refused("not_found", "symbol_missing", "no F")},
		{"a reason that repeats the status", false, false, "/ws", "/ws", "not_found: no F\n",
			refused("not_found", "not_found", "no F")},
	} {
		t.Run(c.name, func(t *testing.T) {
			req := &contract.OutlineRequest{}
			req.Want().Implied, req.Want().RootKnown = c.implied, c.known
			got := rendered(t, req, &contract.OutlineAnswer{Outcome: c.outcome, Path: c.asked, CodebaseRoot: c.root})
			if got != c.out {
				t.Errorf("%q, want %q", got, c.out)
			}
		})
	}
}

// TestRefusalSuggestsCalls checks that a refusal lists at most three calls, those that remove the
// cause first, and that the calls request no format.
func TestRefusalSuggestsCalls(t *testing.T) {
	call := func(query string) *contract.Action {
		req := &contract.SearchRequest{Path: "/ws", Query: query}
		req.Want().Format = contract.FormatJSON
		return &contract.Action{Tool: "search_codebase", Args: req}
	}
	a := &contract.Refusal{Outcome: refused("not_indexed", "", "no index"), Hints: &contract.Hints{
		Status: call("status"), Create: call("create"), NextSteps: []contract.Action{*call("a"), *call("b")}}}
	want := `not_indexed: no index
try: search_codebase {"path":"/ws","query":"create"}
try: search_codebase {"path":"/ws","query":"status"}
try: search_codebase {"path":"/ws","query":"a"}
`
	if got := rendered(t, &contract.SearchRequest{}, a); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if _, err := Text(nil, 7); err == nil {
		t.Error("a number has a text form")
	}
}

func TestNotesOfCodes(t *testing.T) {
	got := Notes([]string{"PARSE_ERRORS", "PARSE_ERRORS:in a.go", "WATCH_LIMIT_REACHED", "SOMETHING_NEW",
		"CALL_GRAPH_VERIFICATION_PENDING:3"})
	if want := "parts of some files could not be parsed|in a.go|SOMETHING_NEW"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", got, want)
	}
	a := &contract.SearchAnswer{Outcome: contract.Outcome{Status: contract.StatusOK},
		Warnings: contract.Warnings{{Code: "A", Message: "half of it"}, {Code: "B"},
			{Code: "GRAPH_LISTS_OMITTED", Message: "of JSON"}}}
	if got, want := rendered(t, nil, a), "nothing found\nnote: half of it\nnote: B\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestBlock checks how a few lines of source are written below the heading of a result.
func TestBlock(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"shared indentation goes", "\t\tif x {\n\t\t\trun()\n\t\t\tstop()\n\t\t}\n",
			"  if x {\n    run()\n    stop()\n  }\n"},
		{"blank lines go", "\n\na\n\nb\n\n", "  a\n  b\n"},
		{"lone brackets around an excerpt go", "{\n  a()\n}\n", "  a()\n"},
		{"a line without a word stays alone", "}\n", "  }\n"},
		{"brackets of a longer block stay", "{\na\nb\n}\n", "  {\n  a\n  b\n  }\n"},
		{"blanks at the end go", "a \t\r\nb\n", "  a\n  b\n"},
	} {
		w := &writer{}
		if w.block(c.source, 0); w.String() != c.want {
			t.Errorf("%s: %q, want %q", c.name, w.String(), c.want)
		}
	}
}

func TestExcerpt(t *testing.T) {
	for text, want := range map[string]string{
		"  a  ":                              "a",
		strings.Repeat("x", maxWidth):        strings.Repeat("x", maxWidth),
		strings.Repeat("x", maxWidth+1):      strings.Repeat("x", maxWidth) + "…",
		strings.Repeat("x", 159) + "é" + "y": strings.Repeat("x", 159) + "…", // not within a character
	} {
		if got := excerpt(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestCounts(t *testing.T) {
	for n, want := range map[int]string{0: "0 files", 1: "1 file", 2: "2 files", 999: "999 files",
		1000: "1,000 files", 1234567: "1,234,567 files"} {
		if got := count(n, "file"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for span, want := range map[contract.LineSpan]string{
		{}: "a.go", {StartLine: 3}: "a.go:3", {StartLine: 3, EndLine: 3}: "a.go:3", {StartLine: 3,
			EndLine: 4}: "a.go:3-4",
	} {
		if got := place("a.go", span); got != want {
			t.Errorf("%v: %q, want %q", span, got, want)
		}
	}
}

// TestCost checks that a part costs the tokens of its lines, and any other value the envelope.
func TestCost(t *testing.T) {
	price := Cost(&contract.OutlineRequest{})
	long := strings.Repeat("word ", 100)
	if got := price(long); got < 90 || got > 120 {
		t.Errorf("100 words cost %d tokens", got)
	}
	if got := price(struct{}{}); got != envelope {
		t.Errorf("what is not written costs %d", got)
	}
	symbol := contract.OutlineSymbol{Name: "F", Signature: "func F()", Doc: long}
	full := Cost(&contract.OutlineRequest{Detail: contract.DetailFull})
	if brief, whole := price(symbol), full(symbol); whole < brief+90 {
		t.Errorf("a symbol costs %d tokens, with its documentation %d", brief, whole)
	}
	if one, two := price(contract.MatchedLine{Line: 1, Text: "a"}), price(&contract.Chunk{File: "a.go",
		Content: long}); one >= 10 ||
		two < 90 {
		t.Errorf("a line costs %d, a chunk %d", one, two)
	}
}
