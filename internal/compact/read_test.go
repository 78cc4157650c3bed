package compact

import (
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

// TestRead checks the text of a range, of a symbol, of the lines that contain a name, and of a file
// or name that does not exist.
func TestRead(t *testing.T) {
	ok := contract.Outcome{Status: contract.StatusOK}
	f := &contract.OutlineSymbol{SymbolLabel: "T.f", Name: "f", Kind: code.KindMethod, Signature: "func (T) f()",
		Span: code.Span{StartLine: 3, EndLine: 9}}
	for _, c := range []struct {
		name   string
		answer contract.ReadAnswer
		want   string
	}{
		{"as on disk", contract.ReadAnswer{Plain: true, Text: []byte("a\n\n"), Outcome: ok}, "a\n\n"},
		{"cut after a line", contract.ReadAnswer{Plain: true, Text: []byte("a\n"), Continuation: "more",
			Span: &contract.LineSpan{StartLine: 1, EndLine: 1}, Outcome: ok}, "a\n+more   start_line: 2\n"},
		{"cut within a line", contract.ReadAnswer{Plain: true, Text: []byte("a"), Continuation: "more",
			Span: &contract.LineSpan{StartLine: 1, EndLine: 7}, Outcome: ok}, "a\n+more   start_line: 8\n"},
		{"cut without lines", contract.ReadAnswer{Plain: true, Text: []byte("a"), Continuation: " and so on",
			Outcome: ok},
			"a and so on"},
		{"a symbol and what belongs to it", contract.ReadAnswer{Outcome: ok, File: "a.go", Symbol: f,
			Content:   "func f() {}",
			Span:      &contract.LineSpan{StartLine: 3, EndLine: 6},
			Truncated: &contract.Truncation{What: "lines", Omitted: 3},
			Outline:   &contract.Outline{Symbols: contract.List[contract.OutlineSymbol]{*f}},
			Related: contract.List[contract.RelatedExcerpt]{{Role: "test", File: "a_test.go", Label: "TestF",
				Span: contract.LineSpan{StartLine: 7, EndLine: 8}, Content: "x\n"}}},
			"a.go:3-9 method T.f\nfunc f() {}\n+3 lines   start_line: 7\nsymbols:\n3-9 func (T) f()\n" +
				"test a_test.go:7-8 TestF\nx\n"},
		{"lines that hold a name", contract.ReadAnswer{Outcome: ok, File: "a.go", Symbol: f,
			Span: &contract.LineSpan{StartLine: 1, EndLine: 40},
			Excerpt: &contract.Excerpt{Lines: contract.List[contract.MatchedLine]{{Line: 4, Text: "\tx := 1"},
				{Line: 8, Text: "\t\tx++"}, {Line: 9}}, Missing: []string{"y", "z"}},
			Truncated: &contract.Truncation{What: "lines", Omitted: 2, Next: contract.Suggest(
				&contract.ReadRequest{StartLine: 10})}},
			"a.go:3-9 method T.f, 3 of 7 lines\nnone holds y, z\n4: x := 1\n8: \tx++\n9: \n" +
				"+2 lines that hold them   start_line: 10\n"},
		{"lines of a file", contract.ReadAnswer{Outcome: ok, File: "a.go",
			Span:    &contract.LineSpan{StartLine: 5, EndLine: 5},
			Excerpt: &contract.Excerpt{Lines: contract.List[contract.MatchedLine]{{Line: 5, Text: "x"}}}},
			"a.go:5, 1 of 1 line\n5: x\n"},
		{"several symbols of a name", contract.ReadAnswer{Outcome: refused("ambiguous", "", "several f"),
			Candidates: []contract.Candidate{{SymbolLabel: "T.f", File: "a.go", Kind: "method",
				Span: contract.LineSpan{StartLine: 3, EndLine: 9}, Signature: "func (T) f()"}, {SymbolLabel: "f",
				File: "b.go"}},
			Hints: &contract.Hints{Status: contract.Suggest(&contract.ReadRequest{Path: "/ws"})}},
			"ambiguous: several f\n  a.go:3-9 method T.f  func (T) f()\n  b.go f\n"},
		{"nothing", contract.ReadAnswer{Outcome: refused("not_found", "", "no f"),
			Hints: &contract.Hints{Status: contract.Suggest(&contract.ReadRequest{Path: "/ws"})}},
			"not_found: no f\ntry: read_file {\"path\":\"/ws\"}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := rendered(t, &contract.ReadRequest{}, &c.answer); got != c.want {
				t.Errorf("%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestFolder checks the lines of a map: of a service, of folders, of source, and of other files of one
// class together.
func TestFolder(t *testing.T) {
	m := &contract.FolderMap{Folder: ".", Files: 9, Hidden: 4, Entries: contract.List[contract.MapEntry]{
		{Path: "web", Files: 3, Service: "front", Language: "go", Kind: "application"},
		{Path: "lib", Files: 1, Service: "util", Kind: "library"},
		{Path: "etc", Files: 2},
		{Path: "a.go", Lines: 120, Hidden: 4, Symbols: contract.List[contract.MapName]{
			{SymbolLabel: "Server", Kind: code.KindClass, Line: 12}, {SymbolLabel: "Server.Close",
				Kind: code.KindMethod, Line: 40},
			{SymbolLabel: "main", Kind: code.KindFunction, Line: 90}}},
		{Path: "a.md", Class: code.ClassDocs}, {Path: "b c.md", Class: code.ClassDocs}, {Path: "a_test.go",
			Class: code.ClassTest},
		{Path: "z.go", Lines: 1},
	}}
	want := `./ 9 files
  web service front, 3 files go
  lib service util, 1 file (library)
  etc, 2 files
  a.go, 120 lines: 12 class Server, 40 .Close, 90 main, +4
  docs: a.md, b c.md
  test: a_test.go
  z.go, 1 line
+4 symbols in the lists above   detail: "full"
`
	a := &contract.OutlineAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, Folder: m}
	if got := rendered(t, &contract.OutlineRequest{}, a); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestJoin checks that a result of several questions is written once, and that its title is one line.
func TestJoin(t *testing.T) {
	got := Join([]Titled{
		{"first\n question", "a.go:3-9 method T.f\n  source of it\n\nplain: 3\n"},
		{"second", "b.go:1\n  of b\na.go:3-9 method T.f\n  source of it\na.go:30 method T.g\n  of g\n+2 more"},
		{"third", "a.go:3-9 method T.f\n  source of it\n"},
	})
	want := `== first question
a.go:3-9 method T.f
  source of it

plain: 3
== second
b.go:1
  of b
a.go:3-9 method T.f (above)
a.go:30 method T.g
  of g
+2 more
== third
a.go:3-9 method T.f (above)
`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
