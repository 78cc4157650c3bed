package compact

import (
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

// TestTerminal checks that a drawing has line numbers, command-line flags instead of arguments,
// paths as Terminal.Shown returns them, and warnings in Drawing.Notes.
func TestTerminal(t *testing.T) {
	terminal := Terminal{
		Shown: func(file string) string { return "../" + file },
		Flag: func(argument, value string) string {
			if argument == "cursor" {
				return "--cursor " + value
			}
			return ""
		},
	}
	a := &contract.SearchAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, Path: "/ws",
		CodebaseRoot: "/elsewhere",
		Warnings:     contract.Warnings{{Code: "A", Message: "half of it"}}, Cursor: "r2",
		Truncated: &contract.Truncation{What: "results", Omitted: 1, Cause: contract.CauseLimit},
		Results: []contract.SearchResult{&contract.Group{File: "a.go", Span: contract.LineSpan{StartLine: 9,
			EndLine: 30},
			SymbolKind: "function", SymbolLabel: "f", Preview: "\n{\n\tone()\n\n\ttwo()\n}\n",
			PreviewSpan: &contract.LineSpan{StartLine: 10, EndLine: 14}}}}
	drawn, err := Draw(&contract.SearchRequest{}, a, terminal)
	var got strings.Builder
	for _, line := range drawn.Lines {
		for _, part := range line {
			got.WriteString(part.Text)
		}
		got.WriteByte('\n')
	}
	want := `../a.go:9-30 function f
     11  {
     12    one()
     14    two()
     15  }
+1 more result (limit)   --cursor r2
`
	if err != nil || got.String() != want || strings.Join(drawn.Notes, "|") != "half of it" {
		t.Errorf("%v, notes %q\n%s\nwant\n%s", err, drawn.Notes, got.String(), want)
	}
	outline := &contract.OutlineAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, Fields: 2, Unexported: 1,
		Outline: &contract.Outline{Symbols: contract.List[contract.OutlineSymbol]{
			{Name: "T", Kind: code.KindClass, Signature: "class T", Span: code.Span{StartLine: 1, EndLine: 120}},
			{Name: "f", Kind: code.KindMethod, Span: code.Span{StartLine: 3, EndLine: 3}, ParentPath: []string{"T"}}}}}
	drawn, err = Draw(&contract.OutlineRequest{}, outline, terminal)
	got.Reset()
	for _, line := range drawn.Lines {
		for _, part := range line {
			got.WriteString(part.Text)
		}
		got.WriteByte('\n')
	}
	if want := "1-120  class T\n    3    method f\n+1 unexported\n+2 fields\n"; err != nil || got.String() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got.String(), want)
	}
}
