package contract

import (
	"errors"
	"strings"
	"testing"
)

// TestDefaults checks that Normalize sets defaults, that it is idempotent, and that suggestions
// omit the defaults.
func TestDefaults(t *testing.T) {
	for _, c := range []struct {
		req       Request
		said, set string
	}{
		{&ListRequest{}, `{}`, `{"maxTokens":3000,"format":"json"}`},
		{&SearchRequest{Path: "/r/", Query: "x"}, `{"path":"/r/","query":"x"}`,
			`{"path":"/r","query":"x","scope":"runtime","resultMode":"grouped","groupBy":"symbol","rankingMode":"auto_changed_first","limit":10,"detail":"compact","disclosureLimit":10,"debugMode":"none","maxTokens":3000,"format":"json"}`},
		{&OutlineRequest{Path: "/r", File: "a.go", StartLine: -4}, `{"path":"/r","file":"a.go","start_line":-4}`,
			`{"path":"/r","file":"a.go","limitSymbols":500,"resolveMode":"outline","detail":"summary","maxTokens":3000,"format":"json"}`},
		{&GraphRequest{Path: "/r", SymbolRef: SymbolRef{SymbolLabel: "F"}, Direction: "bidirectional"},
			`{"path":"/r","symbolRef":{"symbolLabel":"F"},"direction":"bidirectional"}`,
			`{"path":"/r","symbolRef":{"symbolLabel":"F"},"direction":"both","depth":1,"limit":20,"view":"graph","detail":"compact","verify":"auto","deadlineMs":3000,"crossService":true,"minConfidence":0.5,"maxTokens":3000,"format":"json"}`},
		{&ReadRequest{Path: "/r/a.go"}, `{"path":"/r/a.go"}`,
			`{"path":"/r/a.go","mode":"plain","maxTokens":10000,"format":"json"}`},
		{&ManageRequest{Action: ManageCreate, Path: "/r"}, `{"action":"create","path":"/r"}`,
			`{"action":"create","path":"/r","detail":"summary","deadlineMs":60000,"maxTokens":3000,"format":"json"}`},
	} {
		text := func() string {
			out, err := Encode(c.req)
			if err != nil {
				t.Fatal(err)
			}
			return string(out)
		}
		if got := text(); got != c.said {
			t.Errorf("suggested as %s, want %s", got, c.said)
		}
		for range 2 {
			if err := c.req.Normalize(); err != nil {
				t.Fatalf("%s: %v", c.said, err)
			}
			if got := text(); got != c.set {
				t.Errorf("normalized to %s\nwant %s", got, c.set)
			}
		}
	}
}

// TestEveryProblem checks that the error of a request lists all problems, in the order of the
// arguments.
func TestEveryProblem(t *testing.T) {
	err := (&SearchRequest{Path: "src", Query: " ", Scope: "all", Limit: 51,
		Delivery: Delivery{MaxTokens: 1}}).Normalize()
	var invalid *InvalidArguments
	if !errors.As(err, &invalid) {
		t.Fatalf("error is %v", err)
	}
	var fields []string
	for _, p := range invalid.Problems {
		fields = append(fields, p.Field)
		if !strings.Contains(p.Message, "expected") || !strings.Contains(p.Message, "for example") {
			t.Errorf("%s: %q says neither what was expected nor an example", p.Field, p.Message)
		}
	}
	if got := strings.Join(fields, " "); got != "path query scope limit maxTokens" {
		t.Errorf("problems of %s", got)
	}
	if !strings.HasPrefix(err.Error(),
		`Error: Invalid arguments for 'search_codebase'. path: expected an absolute path, got "src"; for example "/home/me/project"; query: `) {
		t.Errorf("text is %s", err)
	}
}

// TestConditionsAreWhole checks that every condition has exactly one row.
func TestConditionsAreWhole(t *testing.T) {
	seen := map[Condition]bool{}
	for _, row := range Conditions() {
		if seen[row.Condition] || len(row.Tools) == 0 {
			t.Errorf("row %+v", row)
		}
		seen[row.Condition] = true
		if got := row.Condition.Row(); got.Status != row.Status || got.Reason != row.Reason {
			t.Errorf("row of %s is %+v", row.Condition, got)
		}
	}
}

// TestWarningsAreSorted checks that warnings are kept sorted by code, one of each.
func TestWarningsAreSorted(t *testing.T) {
	var ws Warnings
	for _, code := range []string{"B", "A", "C", "A"} {
		ws.Add(Warning{Code: code, Message: code + " of the first"})
	}
	if out, err := Encode(ws); err != nil || strings.Count(string(out), `"code"`) != 3 || ws[0].Code != "A" ||
		ws[2].Code != "C" {
		t.Errorf("%v %s", err, out)
	}
}

// TestUsualLimit checks that pages after the first of ranked results are longer, unless a limit is given.
func TestUsualLimit(t *testing.T) {
	for _, c := range []struct {
		cursor      string
		limit, want int
	}{
		{"", 0, DefaultSearchLimit}, {RankCursor(0, 0), 0, DefaultSearchLimit}, {RankCursor(10, 0), 0, LaterSearchLimit},
		{RankCursor(10, 0), 5, 5}, {"1.2@3", 0, DefaultSearchLimit},
	} {
		r := &SearchRequest{Path: "/ws", Query: "x", Cursor: c.cursor, Limit: c.limit}
		if err := r.Normalize(); err != nil || r.Limit != c.want {
			t.Errorf("%+v: limit %d, %v", c, r.Limit, err)
		}
	}
}
