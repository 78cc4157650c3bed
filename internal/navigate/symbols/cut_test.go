package symbols_test

import (
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// narrow is the smallest budget, which no answer as JSON keeps to.
var narrow = contract.Delivery{MaxTokens: contract.MinMaxTokens, Format: contract.FormatJSON}

// TestOutlinePagesAdvance checks that the pages of an outline and of a skeleton reach the end of the file even if
// the budget is too small for a single symbol or line.
func TestOutlinePagesAdvance(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.go": "package a\n\n\n" + longSource(3)})
	for _, detail := range []contract.Detail{contract.DetailSummary, contract.DetailSkeleton} {
		req := contract.OutlineRequest{Path: b.Dir, File: "a.go", Detail: detail, Delivery: narrow}
		symbols, lines := 0, ""
		for range 20 {
			a, err := b.Service.Outline(t.Context(), navigatetest.Normal(t, req))
			if err != nil {
				t.Fatal(err)
			}
			symbols += len(a.Outline.Symbols)
			lines += a.Skeleton
			if req.Cursor = a.Cursor; a.Cursor == "" {
				break
			}
		}
		if req.Cursor != "" || symbols != 3 && detail == contract.DetailSummary ||
			strings.Count(lines, "func") != 3 && detail == contract.DetailSkeleton {
			t.Errorf("%s: %d symbols, cursor %q, lines\n%s", detail, symbols, req.Cursor, lines)
		}
	}
}

// TestLongLineIsCut checks that a line beyond the budget is cut in a skeleton and an annotated text, that the answer
// says so, and that annotated pages go on behind it.
func TestLongLineIsCut(t *testing.T) {
	long := "x = '" + strings.Repeat("token ", 20000) + "'\n"
	b := navigatetest.Of(t, map[string]string{"min.py": long + "def f():\n    return 1\n"})
	a, err := b.Service.Outline(t.Context(), navigatetest.Normal(t, contract.OutlineRequest{Path: b.Dir, File: "min.py",
		Detail: contract.DetailSkeleton}))
	if err != nil {
		t.Fatal(err)
	}
	if cost := contract.Tokens(a.Skeleton); cost > 2*navigatetest.WholeAnswer || a.Cursor == "" ||
		!strings.Contains(strings.Join(a.Warnings, " "), "LINE_CUT:A line is cut at byte") {
		t.Errorf("a skeleton of %d tokens, cursor %q, warnings %v", cost, a.Cursor, a.Warnings)
	}
	req := contract.ReadRequest{Path: b.Dir + "/min.py", Mode: contract.ReadAnnotated, Delivery: narrow}
	text := ""
	for pages := 0; ; pages++ {
		r, err := b.Read(req)
		if err != nil {
			t.Fatal(err)
		}
		if text += r.Content; pages == 0 && (len(r.Warnings) != 1 || r.Warnings[0].Code != "LINE_CUT") {
			t.Errorf("warnings of the cut line: %+v", r.Warnings)
		}
		if r.Truncated == nil {
			break
		}
		if req = *r.Truncated.Next.Args.(*contract.ReadRequest); pages > 5 {
			t.Fatalf("the next call is always %+v", req)
		}
	}
	if !strings.HasSuffix(text, "def f():\n    return 1\n") {
		t.Errorf("the pages end with %q", text[max(0, len(text)-40):])
	}
}

// TestWholeSymbolIsNotCut checks that a symbol with bytes that are not UTF-8, at the end of a file without a final
// newline, is not said to be cut.
func TestWholeSymbolIsNotCut(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.py": "def last():\n    x = 'caf\xe9 \xe9'"})
	a, err := b.Read(contract.ReadRequest{Path: b.Dir, OpenSymbol: &contract.OpenSymbol{SymbolLabel: "last",
		ContractVersion: 2}})
	if err != nil || a.HasMore || a.Truncated != nil || a.Span.EndLine != 2 {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestIdentifiersGoOn checks that the calls suggested by an excerpt lead to its end: with lines in place of a symbol,
// and with an end_line before the symbol.
func TestIdentifiersGoOn(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.go": "package a\n\nvar x = 1\n\nfunc f() {\n" +
		strings.Repeat("\tprintln(\"the word of this line is token\")\n", 60) + "}\n"})
	for _, req := range []contract.ReadRequest{
		{Path: b.Dir + "/a.go", OpenSymbol: &contract.OpenSymbol{StartLine: 1, EndLine: 60}},
		{Path: b.Dir, OpenSymbol: &contract.OpenSymbol{SymbolLabel: "f"}, EndLine: 3},
	} {
		req.Identifiers, req.Delivery = []string{"token"}, narrow
		last := 0
		for pages := 0; ; pages++ {
			a, err := b.Read(req)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(a.Excerpt.Lines); n > 0 {
				last = a.Excerpt.Lines[n-1].Line
			}
			if a.Truncated == nil {
				break
			}
			if req = *a.Truncated.Next.Args.(*contract.ReadRequest); pages > 70 {
				t.Fatalf("the next call is always %+v", req)
			}
		}
		if last < 60 {
			t.Errorf("%+v: the last line is %d", req, last)
		}
	}
}

// TestFolderWithDotIsNoFile checks that a symbol is found below a folder whose name has a dot.
func TestFolderWithDotIsNoFile(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"conf.d/a.go": "package a\n\nfunc Load() {}\n"})
	a, err := b.Read(contract.ReadRequest{Path: b.Dir + "/conf.d", OpenSymbol: &contract.OpenSymbol{SymbolLabel: "Load"}})
	if err != nil || a.Status != contract.StatusOK {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestFullMapKeepsToBudget checks that the map of a folder shows fewer symbols of a file that exceeds the budget alone.
func TestFullMapKeepsToBudget(t *testing.T) {
	source := "package a\n\n" + strings.ReplaceAll(longSource(900), "func f", "func F")
	b := navigatetest.Of(t, map[string]string{"a.go": source, "b/b.go": "package b\n\nfunc B() {}\n"})
	req := navigatetest.Normal(t, contract.OutlineRequest{Path: b.Dir, Detail: contract.DetailFull,
		Delivery: contract.Delivery{MaxTokens: 2000, Format: contract.FormatJSON}})
	a, err := b.Service.Outline(t.Context(), req)
	if err != nil || len(a.Folder.Entries) == 0 {
		t.Fatalf("%+v, %v", a, err)
	}
	if e := a.Folder.Entries[0]; contract.Cost(a) > req.MaxTokens || len(e.Symbols) < 20 ||
		e.Hidden != 900-len(e.Symbols) {
		t.Errorf("%d tokens, %d symbols, %d hidden", contract.Cost(a), len(e.Symbols), e.Hidden)
	}
}
