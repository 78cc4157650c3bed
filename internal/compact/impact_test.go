package compact

import (
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

// TestImpact checks that every part of an answer about a change is rendered, and that omitted items
// are counted.
func TestImpact(t *testing.T) {
	revision := "main..topic"
	span := func(line int) contract.LineSpan { return contract.LineSpan{StartLine: line, EndLine: line + 5} }
	many := contract.ChangedFile{File: "many.go", State: contract.ChangeModified, MoreSymbols: 3}
	for _, n := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		many.Symbols = append(many.Symbols,
			contract.ChangedSymbol{SymbolLabel: n, State: contract.ChangeAdded, Span: span(1)})
	}
	a := &contract.GraphAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, Path: "/ws",
		CodebaseRoot: "/ws", Cursor: "i2.1", Truncated: &contract.Truncation{Omitted: 4, Cause: contract.CauseLimit},
		Impact: &contract.Impact{From: "a", To: "b", TotalFiles: 8, TotalSymbols: 15, TotalTests: 5, TotalCallers: 2,
			Files: contract.List[contract.ChangedFile]{
				{File: "a.go", State: contract.ChangeModified, Symbols: contract.List[contract.ChangedSymbol]{
					{SymbolLabel: "T.f", State: contract.ChangeModified, Span: span(7)},
					{SymbolLabel: "old", State: contract.ChangeRemoved, Span: span(2)}}},
				{File: "b.go", Was: "old/b.go", State: contract.ChangeRenamed},
				{File: "c.go", State: contract.ChangeModified, OtherLines: true},
				{File: "d.go", State: contract.ChangeModified},
				{File: "e.yaml", State: contract.ChangeAdded, OtherLines: true},
				many,
			},
			Tests: contract.List[contract.ConcernedTest]{
				{File: "a_test.go", Evidence: contract.TestCalls, Distance: 2, Total: 3,
					Tests: contract.List[contract.TestReference]{{Label: "TestA"}, {Label: "TestB"},
						{Label: "TestC"}}},
				{File: "x_test.go", Evidence: contract.TestNamedFor},
			},
			Callers: contract.List[contract.ConcernedCaller]{{SymbolLabel: "run", File: "main.go", Line: 9,
				Kind: code.EdgeCall, Target: "T.f"}},
			Services: contract.List[contract.ConcernedService]{{Service: "web", To: "users", Kind: code.EdgeHTTP,
				Via: "GET /users", File: "web/c.ts", Line: 4}},
			Unwalked: contract.List[string]{"the walk stopped early"},
		}}
	got, err := Text(&contract.GraphRequest{SymbolRef: contract.SymbolRef{Diff: &revision}}, a)
	want := `changed in main..topic: 15 symbols in 8 files
  a.go: 7 T.f, removed old
  b.go (was old/b.go)
  c.go: lines outside of symbols
  d.go: comments or blank lines
  e.yaml (added)
  many.go: new 1 a, new 1 b, new 1 c, new 1 d, new 1 e, new 1 f, new 1 g, new 1 h, +5
  +3 symbols, +2 files   maxTokens: 25000
tests, likeliest first: 2 of 5 files
  a_test.go  [calls, 2 steps]: TestA, TestB, +1
  x_test.go  [by its name]
callers in other files, surest first: 1 of 2
  main.go: 9 run -> T.f
reached from other services
  web/c.ts:4 http GET /users  [web -> users]
+3 names in the lists above   detail: "full"
note: the walk stopped early
+4 more (limit)   cursor: "i2.1"
`
	if err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

// TestImpactExtent checks that a change of which files are not compared yet is not said to have no symbols.
func TestImpactExtent(t *testing.T) {
	for want, x := range map[string]contract.Impact{
		"1 symbol in 2 files":                                    {TotalSymbols: 1, TotalFiles: 2},
		"2 files, not compared yet":                              {TotalFiles: 2, Uncompared: 2},
		"0 symbols in 1 of 3 files, the others not compared yet": {TotalFiles: 3, Uncompared: 2},
	} {
		if got := extent(&x); got != want {
			t.Errorf("%+v: %q, want %q", x, got, want)
		}
	}
}
