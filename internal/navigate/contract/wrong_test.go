package contract

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// wrong lists requests that Normalize declines, with the fields that it names.
func wrong() []struct {
	request Request
	fields  string
} {
	revision, less, ref := "HEAD", -0.1, SymbolRef{SymbolLabel: "F"}
	change := SymbolRef{Diff: &revision}
	long := strings.Repeat("x", MaxQueryBytes+1)
	return []struct {
		request Request
		fields  string
	}{
		{&ListRequest{Delivery: Delivery{Format: "yaml"}}, "format"},
		{&ListRequest{Delivery: Delivery{MaxTokens: MaxMaxTokens + 1}}, "maxTokens"},

		{&SearchRequest{Path: "/r", Query: "a\x00"}, "query"},
		{&SearchRequest{Path: "/r", Query: "a\xff"}, "query"},
		{&SearchRequest{Path: "/r", Query: long}, "query"},
		{&SearchRequest{Path: "/r\x00", Query: "a"}, "path"},
		{&SearchRequest{Query: "a"}, "path"},
		{&SearchRequest{Path: "/r", Query: "a", ResultMode: "x", GroupBy: "x", RankingMode: "x", DebugMode: "x",
			Detail: "x", Context: 11, DisclosureLimit: 51, Service: "\x00", Cursor: long},
			"resultMode groupBy rankingMode context disclosureLimit debugMode detail service cursor"},

		{&OutlineRequest{Path: "/r", File: "/a.go"}, "file"},
		{&OutlineRequest{Path: "/r", File: `\a.go`}, "file"},
		{&OutlineRequest{Path: "/r", File: `z:\a.go`}, "file"},
		{&OutlineRequest{Path: "/r", File: "a/../b.go"}, "file"},
		{&OutlineRequest{Path: "/r", File: `a\..\b.go`}, "file"},
		{&OutlineRequest{Path: "/r", StartLine: 3, EndLine: 2}, "start_line"},
		{&OutlineRequest{Path: "/r", LimitSymbols: MaxSymbolLimit + 1, ResolveMode: ResolveExact, Detail: DetailBodies},
			"limitSymbols resolveMode detail"},
		{&OutlineRequest{Path: "/r", Cursor: "r1"}, "cursor"},
		{&OutlineRequest{Path: "/r", Cursor: "-1"}, "cursor"},

		{&GraphRequest{Path: "/r"}, "symbolRef"},
		{&GraphRequest{Path: "/r", SymbolRef: SymbolRef{SymbolLabel: "F", File: "..", SymbolID: long,
			SymbolInstanceID: long, Span: &LineSpan{StartLine: 2, EndLine: 1}}},
			"symbolRef.file symbolRef.symbolId symbolRef.symbolInstanceId symbolRef.span.startLine"},
		{&GraphRequest{Path: "/r", SymbolRef: SymbolRef{Diff: &revision, SymbolLabel: "F"}}, "symbolRef"},
		{&GraphRequest{Path: "/r", SymbolRef: change, Direction: DirectionCallees, View: ViewTree,
			Include: []string{"a"}, Detail: DetailBodies}, "direction view include detail"},
		{&GraphRequest{Path: "/r", SymbolRef: ref, Detail: DetailBodies, View: ViewMermaid}, "view"},
		{&GraphRequest{Path: "/r", SymbolRef: ref, Depth: MaxDepth + 1, Limit: MaxEdgeLimit + 1, Verify: "x",
			DeadlineMs: -1, MinConfidence: &less, Expand: []Fold{FoldTests, "x"},
			Include: slices.Repeat([]string{"x"}, 21),
			Exclude: []string{"["}, Cursor: "\x00"},
			"depth limit expand[1] include exclude verify deadlineMs minConfidence cursor"},
		{&GraphRequest{Path: "/r", SymbolRef: ref, Include: []string{strings.Repeat("x", MaxPathBytes+1)}}, "include"},

		{&ReadRequest{}, "path"},
		{&ReadRequest{Path: "/r", Delivery: Delivery{Implied: true}}, "file"},
		{&ReadRequest{Path: "/r", SymbolRef: &ref, OpenSymbol: &OpenSymbol{SymbolLabel: "F"}}, "symbolRef"},
		{&ReadRequest{Path: "/r", SymbolRef: &change}, "symbolRef.diff"},
		{&ReadRequest{Path: "/r", Mode: "x", Identifiers: make([]string, 21), EndLine: 1, StartLine: 2},
			"start_line mode identifiers"},
		{&ReadRequest{Path: "/r", Identifiers: []string{"a", " ", "a\nb"}}, "identifiers[1] identifiers[2]"},
		{&ReadRequest{Path: "/r", OpenSymbol: &OpenSymbol{}}, "open_symbol"},
		{&ReadRequest{Path: "/r", OpenSymbol: &OpenSymbol{ContractVersion: 3, SymbolLabel: "F"}},
			"open_symbol.contractVersion"},
		{&ReadRequest{Path: "/r", OpenSymbol: &OpenSymbol{SymbolLabel: "F", Context: &SymbolContext{}}},
			"open_symbol.context"},
		{&ReadRequest{Path: "/r", OpenSymbol: &OpenSymbol{ContractVersion: 2, SymbolLabel: "F", SymbolID: "s_1",
			StartLine: 2, EndLine: 1, Context: &SymbolContext{Preset: "x", MaxLines: -1}}},
			"open_symbol.start_line open_symbol open_symbol.context.preset open_symbol.context.maxLines"},
		{&ReadRequest{Path: "/r", OpenSymbol: &OpenSymbol{ContractVersion: 2}}, "open_symbol"},

		{&ManageRequest{Path: "/r"}, "action"},
		{&ManageRequest{Path: "/r", Action: "x", Detail: "x", DeadlineMs: MaxWait + 1, CustomExtensions: []string{""},
			IgnorePatterns: make([]string, MaxListItems+1)},
			"action customExtensions[0] ignorePatterns detail deadlineMs"},
	}
}

// TestWrongArguments checks that a wrong argument is named by its path in the arguments, in their
// order, and that nothing else is.
func TestWrongArguments(t *testing.T) {
	for _, c := range wrong() {
		text, err := Encode(c.request)
		if err != nil {
			text = []byte(err.Error())
		}
		var invalid *InvalidArguments
		if err := c.request.Normalize(); !errors.As(err, &invalid) {
			t.Errorf("%s: %v, want problems of %s", Clip(string(text)), err, c.fields)
			continue
		}
		var got []string
		for _, p := range invalid.Problems {
			got = append(got, p.Field)
			if len(p.Message) > 400 || strings.ContainsRune(p.Message, 0) {
				t.Errorf("the message about %s quotes too much: %q", p.Field, p.Message)
			}
		}
		if list := strings.Join(got, " "); list != c.fields || invalid.Tool != c.request.Tool() {
			t.Errorf("%s of %s: problems of %s, want %s", Clip(string(text)), invalid.Tool, list, c.fields)
		}
	}
}

// TestBoundsAreAccepted checks the outermost numbers that requests may have.
func TestBoundsAreAccepted(t *testing.T) {
	one, none := 1.0, 0.0
	ref := SymbolRef{SymbolLabel: "F"}
	for _, r := range []Request{
		&SearchRequest{Path: "/r", Query: strings.Repeat("x", MaxQueryBytes), Limit: MaxSearchLimit,
			Context: MaxContextLines, Delivery: Delivery{MaxTokens: MinMaxTokens}},
		&SearchRequest{Path: "/r", Query: "x", Limit: 1, Delivery: Delivery{MaxTokens: MaxMaxTokens,
			Format: FormatPack2}},
		&OutlineRequest{Path: "/r", File: "a..b/..c.go", StartLine: 2, EndLine: 2, Cursor: "0"},
		&OutlineRequest{Path: "/r", File: "1:a.go", StartLine: 2, LimitSymbols: MaxSymbolLimit},
		&OutlineRequest{Path: "/r", ResolveMode: ResolveExact, SymbolIDExact: "s_1"},
		&OutlineRequest{Path: "/r", ResolveMode: ResolveExact, SymbolLabelExact: "F"},
		&GraphRequest{Path: "/r", SymbolRef: ref, Depth: MaxDepth, Limit: MaxEdgeLimit, MinConfidence: &one,
			DeadlineMs: MaxDeadline, Include: []string{"*.go", "web"}},
		&GraphRequest{Path: "/r", SymbolRef: SymbolRef{SymbolID: "s_1"}, DeadlineMs: 1, MinConfidence: &none},
		&GraphRequest{Path: "/r", SymbolRef: SymbolRef{SymbolInstanceID: "i"}, Detail: DetailBodies},
		&ReadRequest{Path: "/r", OpenSymbol: &OpenSymbol{ContractVersion: 1, StartLine: 3}},
		&ReadRequest{Path: "/r", OpenSymbol: &OpenSymbol{ContractVersion: 2, SymbolID: "s_1"}},
		&ReadRequest{Path: "/r", Identifiers: []string{"a", "b"}, Delivery: Delivery{Implied: true}, File: "a.go"},
		&ManageRequest{Path: "/r", Action: ManageRepair, DeadlineMs: MaxWait, IgnorePatterns: []string{"*.min.js"}},
	} {
		if err := r.Normalize(); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// TestChangeSetsItsDefaults checks the defaults of a graph that depend on other arguments.
func TestChangeSetsItsDefaults(t *testing.T) {
	revision := ""
	for _, c := range []struct {
		name                 string
		request              GraphRequest
		direction            Direction
		depth, limit, tokens int
	}{
		{"a change", GraphRequest{SymbolRef: SymbolRef{Diff: &revision}}, DirectionCallers, MaxDepth, DefaultTestLimit,
			DefaultMaxTokens},
		{"text", GraphRequest{SymbolRef: SymbolRef{SymbolID: "s"}, Delivery: Delivery{Format: FormatText}},
			DirectionBoth, DefaultDepth, DefaultTextEdges, DefaultMaxTokens},
		{"bodies", GraphRequest{SymbolRef: SymbolRef{SymbolID: "s"}, Detail: DetailBodies}, DirectionBoth, DefaultDepth,
			DefaultEdgeLimit, DefaultReadTokens},
		{"bodies within a budget", GraphRequest{SymbolRef: SymbolRef{SymbolID: "s"}, Detail: DetailBodies,
			Delivery: Delivery{MaxTokens: 500}}, DirectionBoth, DefaultDepth, DefaultEdgeLimit, 500},
	} {
		r := c.request
		r.Path = "/r"
		if err := r.Normalize(); err != nil || r.Direction != c.direction || r.Depth != c.depth || r.Limit != c.limit ||
			r.MaxTokens != c.tokens || !*r.CrossService {
			t.Errorf("%s: %+v, %v", c.name, r, err)
		}
	}
}

// TestLinesBehindAFile checks that a place as answers print it, such as a.go:10-20, is read as a
// file with lines.
func TestLinesBehindAFile(t *testing.T) {
	for _, c := range []struct {
		request    ReadRequest
		file       string
		start, end int
	}{
		{ReadRequest{File: "a.go:10-20"}, "a.go", 10, 20},
		{ReadRequest{File: "a.go:10"}, "a.go", 10, 10},
		{ReadRequest{File: "ab:c.go:10"}, "ab:c.go", 10, 10},
		{ReadRequest{File: "a.go:x"}, "a.go:x", 0, 0},
		{ReadRequest{File: "a.go:1234567890"}, "a.go:1234567890", 0, 0},
		{ReadRequest{File: "a.go:10-20", StartLine: 3}, "a.go:10-20", 3, 0},
		{ReadRequest{File: "a.go:10-20", EndLine: 3}, "a.go:10-20", 0, 3},
		{ReadRequest{File: "a.go:10-20", SymbolRef: &SymbolRef{SymbolLabel: "F"}}, "a.go", 0, 0},
		{ReadRequest{File: "a.go:10-20", OpenSymbol: &OpenSymbol{SymbolLabel: "F"}}, "a.go", 0, 0},
	} {
		r := c.request
		r.Path = "/r"
		if err := r.Normalize(); err != nil || r.File != c.file || r.StartLine != c.start || r.EndLine != c.end {
			t.Errorf("%q: %q, lines %d to %d, %v", c.request.File, r.File, r.StartLine, r.EndLine, err)
		}
	}
	var refusal *Refusal
	err := (&ReadRequest{Path: "a.go"}).Normalize()
	if !errors.As(err, &refusal) || refusal.Reason != ReasonRelative || refusal.Hints.NextSteps[0].Tool != ToolList ||
		!strings.HasPrefix(err.Error(), string(ReasonRelative)+": ") {
		t.Errorf("a relative path: %v", err)
	}
}
