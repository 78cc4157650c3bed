package search

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search/rank"
	"sextant/l1fts"
	"sextant/l2meta"
)

// The tests of this file check the bounds of pure functions: the last value on one side and the
// first on the other.

func TestBoundsOfWords(t *testing.T) {
	for _, c := range []struct {
		text string
		at   int
		want bool
	}{
		{"aZone", 1, true}, {"aAtom", 1, true}, {"1Atom", 1, true}, {"XAb", 1, true}, {"XA", 1, false}, {"XAZ", 1, false},
		{"XZ1", 1, false}, {"X_A", 2, true}, {"_zone", 1, true}, {"azone", 1, false}, {"ZA", 1, false}, {"AZa", 1, true},
	} {
		if got := partBegins(c.text, c.at); got != c.want {
			t.Errorf("a part begins at %d of %q: %t", c.at, c.text, got)
		}
	}
	for text, want := range map[string]string{
		"abc": "abc!", "ab": "", "'abc',": "abc!", "Get: X-Id": "", "a Get-Id": "Get-Id", "a a-b-c-d": "a-b-c-d", "a well-known": "",
		"a utf-16": "utf-16", "a x-Abc": "", "call readFile()": "readFile", "a_bcde b": "a_bcde", "a_bcd b": "",
		"aa_aaa bb_bbb cc_ccc dd_ddd ee_eee": "aa_aaa bb_bbb cc_ccc dd_ddd",
	} {
		var got []string
		for _, l := range literals(&l1fts.Query{Text: text}) {
			if got = append(got, l.text); l.alone {
				got[len(got)-1] += "!"
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("literals of %q: %q, want %q", text, got, want)
		}
	}
	for word, want := range map[string]bool{"readFile": true, "Read": false, "READ": true, "a_b": true, "end.": false,
		"a.b": true, "#1": false, "f(": true, "std::x": true, "p->x": true, "::": false, "read": false} {
		if looksLikeCode(word) != want {
			t.Errorf("%q looks like code: %t", word, !want)
		}
	}
	for text, want := range map[string]string{"of": "of", "a b": "", "read ok": "read ok", "read it all": "",
		"does readIt work": "readIt", "'readIt', please now": "readIt"} {
		if got := strings.Join(nameWords(text), " "); got != want {
			t.Errorf("names in %q: %q", text, got)
		}
	}
	for text, want := range map[string]string{"./a.go": "a.go", "server": "server", "the server starts": "",
		"see (a/b.go).": "see a/b.go", "look at a/b.go now": "a/b.go", "' '": ""} {
		if got := strings.Join(fileWords(text), " "); got != want {
			t.Errorf("files in %q: %q", text, got)
		}
	}
	for word, want := range map[string]string{"closing": "clos", "ring": "ring", "bring": "bring", "entries": "entr",
		"series": "seri", "used": "used", "loaded": "load", "boxes": "boxe", "matches": "match", "pools": "pool", "bus": "bus"} {
		if got := stem(word); got != want {
			t.Errorf("stem of %q: %q, want %q", word, got, want)
		}
	}
	if !overlap("连接", "接池") || overlap("连接", "池塘") || overlap("接", "接池") || overlap("连接", "接") ||
		overlap("ab", "bc") {
		t.Error("pairs of ideographs overlap in one that both have")
	}
	for _, c := range []struct {
		text string
		want bool
	}{{"map[Key]Value", true}, {"Key", true}, {"Keys", false}, {"aKey", false}, {"Keys Key", true}, {"Key1", false}, {"", false}} {
		if holdsWord(c.text, "Key") != c.want {
			t.Errorf("%q holds Key: %t", c.text, !c.want)
		}
	}
}

func TestBoundsOfFits(t *testing.T) {
	for text, want := range map[string]fit{"id": whole, "ID": wholeFold, "(id)": whole, "xid": inWord, "idx": inWord,
		"x-id": inName, "id-x": inName, "-id": whole, "id-": whole, " -id": whole, "id- ": whole, "x id": whole} {
		at := strings.Index(strings.ToLower(text), "id")
		if got := fitAt([]byte(text), at, "id"); got != want {
			t.Errorf("fit of %q: %d, want %d", text, got, want)
		}
	}
	found := occurrencesIn([]byte("a\nids id\n\nID\n"), ptr(foldWord("id")), "id")
	if len(found) != 2 || found[0].line != 2 || found[0].fit != whole || found[1].line != 4 || found[1].fit != wholeFold ||
		found[0].last != 4 ||
		found[1].last != 4 {
		t.Errorf("occurrences: %+v", found)
	}
}

func ptr[T any](x T) *T { return &x }

func TestBoundsOfLines(t *testing.T) {
	long := strings.Repeat("x", previewWidth)
	for _, c := range []struct {
		at   int
		line string
		want string
	}{
		{0, long, long}, {0, long + "y", long + "…"}, {previewWidth, long + "y", "…" + long[1:] + "y"},
		{previewWidth / 3, long + "y", long + "…"}, {previewWidth/3 + 1, long + "yz", "…" + long[1:] + "y…"},
		{0, "a\xff", "a\ufffd"},
	} {
		if got := cutLine([]byte(c.line), c.at); got != c.want {
			t.Errorf("%d of %d bytes at %d: %q", len(got), len(c.line), c.at, got)
		}
	}
	for text, want := range map[string]bool{"f(": true, "f(a, ": true, "f()": false, "": false} {
		if open([]byte(text)) != want {
			t.Errorf("%q is open: %t", text, !want)
		}
	}
	if got := termBits([]byte(strings.Repeat(" ", 4*previewWidth-1)+"ab"), []string{"ab", "a"}); got != 2 {
		t.Errorf("terms behind the bound: %b", got)
	}
	if popcount(0) != 0 || popcount(0b1011) != 3 {
		t.Error("bits are miscounted")
	}
	text := []byte("1\n2\n3\n4\n5\n6\n7\n8\n9\n")
	f := &shownFile{text: text, lines: code.NewLineIndex(text)}
	for _, c := range []struct{ start, end, focus, from, to int }{
		{1, 9, 5, 4, 6}, {1, 9, 1, 1, 3}, {1, 9, 9, 7, 9}, {2, 3, 3, 2, 3},
	} {
		shown, span := previewAround(f, &candidate{start: c.start, end: c.end, focus: c.focus}, 3)
		if span.StartLine != c.from || span.EndLine != c.to || strings.Count(shown, "\n") != c.to-c.from {
			t.Errorf("around %d of %d to %d: %+v, %q", c.focus, c.start, c.end, span, shown)
		}
	}
	for calls, want := range map[int]float64{0: 0, 1: 1.0 / 3, 3: 2.0 / 3, 7: 1, 20: 1} {
		if got := busy([]byte("func f() {\n" + strings.Repeat("g()\nx\n", calls))); math.Abs(got-want) > 1e-9 {
			t.Errorf("%d calls: %g", calls, got)
		}
	}
	for lines, want := range map[int]float64{1: math.Log(2) / math.Log(31), 30: 1, 90: 1} {
		if got := (&candidate{start: 5, end: 4 + lines}).size(); math.Abs(got-want) > 1e-9 {
			t.Errorf("%d lines: %g", lines, got)
		}
	}
}

// symbolAt returns a candidate for a symbol in a file.
func symbolAt(file int64, index int, kind code.Kind, name string) candidate {
	return candidate{
		fileID: file,
		symbol: index,
		path:   fmt.Sprintf("%d.go", file),
		exact:  rank.NamedSame,
		row: &l2meta.Row{
			FileID: file,
			Index:  index,
			Symbol: code.Symbol{Name: name, QualifiedName: name, Kind: kind, Parent: -1},
		},
	}
}

func TestBoundsOfOrder(t *testing.T) {
	for _, c := range []struct{ a, b candidate }{
		{candidate{score: 2, path: "z"}, candidate{score: 1, path: "a"}},
		{candidate{path: "a", start: 9}, candidate{path: "b", start: 1}},
		{candidate{start: 1, symbol: 9}, candidate{start: 2, symbol: 1}},
		{candidate{symbol: 9}, symbolAt(0, 1, code.KindFunction, "a")},
		{candidate{symbol: 1}, candidate{symbol: 2}},
	} {
		c.b.path = max(c.b.path, c.a.path)
		if c.a.row == nil && c.b.row != nil {
			c.b.path = c.a.path
		}
		if compareCandidates(c.a, c.b) >= 0 || compareCandidates(c.b, c.a) <= 0 {
			t.Errorf("%+v comes before %+v", c.a, c.b)
		}
	}
	all := map[candidateKey]*candidate{}
	for i, lexical := range []float64{0, 0.5, 1, 0.7} {
		all[candidateKey{file: int64(i)}] = &candidate{
			fileID:  int64(i / 2),
			path:    fmt.Sprint(i),
			lexical: lexical,
			cosine:  -lexical,
		}
	}
	shareFiles(all)
	rankWords(all)
	byRank(all)
	want := []candidate{
		{fileLexical: 0.5, lexical: 0, wordRank: 0}, {fileLexical: 0.5, lexical: 61.0 / 63, wordRank: 5.0 / 7},
		{fileLexical: 1, lexical: 1, wordRank: 1}, {fileLexical: 1, lexical: 61.0 / 62, wordRank: 5.0 / 6},
	}
	for i, w := range want {
		c := all[candidateKey{file: int64(i)}]
		if c.fileLexical != w.fileLexical || c.lexical != w.lexical || c.wordRank != w.wordRank || c.cosine > 0 {
			t.Errorf("candidate %d: %+v, want %+v", i, *c, w)
		}
	}
	levels := []contract.Level{contract.High, contract.Medium, contract.Low}
	for i, a := range levels {
		for j, b := range levels {
			if surer(a, b) != levels[min(i, j)] || lessSure(a, b) != levels[max(i, j)] {
				t.Errorf("%s and %s: %s, %s", a, b, surer(a, b), lessSure(a, b))
			}
		}
	}
	if semanticMatch(&candidate{cosine: 0.9}) != contract.Unavailable ||
		semanticMatch(&candidate{near: true, cosine: 0.9}) != contract.High {
		t.Error("only the nearest are similar in meaning")
	}
}

// TestTypesFirst checks that a type precedes a constructor of its name, whatever its score, and
// that a type of another file, or one that the query does not name, keeps its place.
func TestTypesFirst(t *testing.T) {
	made := symbolAt(1, 1, code.KindConstructor, "Reader")
	made.row.Symbol.Parent, made.score = 0, 5
	class, other, unnamed := symbolAt(
		1,
		0,
		code.KindClass,
		"Reader",
	), symbolAt(
		2,
		0,
		code.KindClass,
		"Reader",
	), symbolAt(
		1,
		0,
		code.KindClass,
		"Reader",
	)
	between := symbolAt(1, 7, code.KindMethod, "read")
	class.score, other.score, unnamed.exact = 1, 1, rank.NotNamed
	for _, c := range []struct {
		name string
		list []candidate
		want []int // symbols, in order
	}{
		{"behind", []candidate{made, between, class}, []int{0, 1, 7}},
		{"before", []candidate{class, made}, []int{0, 1}},
		{"of another file", []candidate{made, other}, []int{1, 0}},
		{"not named", []candidate{made, unnamed}, []int{1, 0}},
	} {
		typesFirst(c.list)
		var got []int
		for _, x := range c.list {
			got = append(got, x.symbol)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if c.name == "behind" && c.list[0].score != 5 {
			t.Errorf("%s: the type has %g", c.name, c.list[0].score)
		}
	}
}

// TestOccurrenceOwners checks which candidate a line with a literal belongs to, at the first and last
// lines of each.
func TestOccurrenceOwners(t *testing.T) {
	at := func(file int64, line int) occurrence {
		return occurrence{file: l1fts.Candidate{FileID: file}, line: line}
	}
	all := map[candidateKey]*candidate{
		{file: 1, symbol: 3, start: 3}:  {fileID: 1, symbol: 3, start: 3, end: 6},
		{file: 1, symbol: 4, start: 5}:  {fileID: 1, symbol: 4, start: 5, end: 6},
		{file: 1, symbol: 5, start: 5}:  {fileID: 1, symbol: 5, start: 5, end: 6},
		{file: 1, symbol: -1, start: 8}: {fileID: 1, symbol: -1, start: 8, end: 9},
		{file: 1, symbol: -1, start: 9}: {fileID: 1, symbol: -1, start: 9, end: 9},
	}
	symbol := func(c *candidate) int {
		if c == nil {
			return 0
		}
		return c.symbol*100 + c.start
	}
	for _, c := range []struct {
		o            occurrence
		lines        int
		member, part int
	}{
		{at(1, 2), 9, 0, 0}, {at(1, 3), 9, 303, 0}, {at(1, 5), 9, 405, 0}, {at(1, 6), 9, 405, 0}, {at(1, 7), 9, 0, 0},
		{at(2, 5), 9, 0, 0}, {at(1, 3), 5, 303, 0}, {at(1, 3), 4, 0, 0}, {at(1, 8), 9, 0, -92}, {at(1, 9), 9, 0, -92},
		{at(1, 10), 9, 0, 0}, {at(2, 8), 9, 0, 0},
	} {
		member, part := symbol(memberAt(all, c.o, c.lines)), symbol(partAt(all, c.o))
		if member != c.member || part != c.part {
			t.Errorf(
				"line %d of %d, below %d lines: member %d, part %d; want %d, %d",
				c.o.line,
				c.o.file.FileID,
				c.lines,
				member,
				part,
				c.member,
				c.part,
			)
		}
	}
}

func TestBoundsOfRepeats(t *testing.T) {
	span := func(first, last int) *contract.LineSpan { return &contract.LineSpan{StartLine: first, EndLine: last} }
	window := func(shown *contract.LineSpan) *contract.Group { return &contract.Group{File: "a", PreviewSpan: shown} }
	named := &contract.Group{File: "a", SymbolID: "s", SymbolSpan: span(3, 6)}
	for _, c := range []struct {
		res    *contract.Group
		better contract.SearchResult
		want   bool
	}{
		{window(span(3, 6)), named, true}, {window(span(2, 6)), named, false}, {window(span(3, 7)), named, false},
		{window(nil), named, false}, {&contract.Group{File: "b", PreviewSpan: span(3, 6)}, named, false},
		{&contract.Group{File: "a", SymbolID: "t", PreviewSpan: span(3, 6)}, named, false},
		{window(span(3, 4)), window(span(3, 4)), true}, {window(span(3, 4)), window(span(4, 5)), false},
	} {
		if got := repeats(c.res, []contract.SearchResult{c.better}); got != c.want {
			t.Errorf("%+v repeats %+v: %t", c.res, c.better, got)
		}
	}
}

func TestPageCursors(t *testing.T) {
	for cursor, want := range map[string]struct {
		at      pageAt
		ok      bool
		shifted bool
	}{
		"": {pageAt{}, true, false}, "0.0@7": {pageAt{}, true, false}, "3.2@7": {pageAt{3, 2, 0}, true, false},
		"3.2@8": {pageAt{3, 2, 0}, true, true}, "3.2": {pageAt{3, 2, 0}, true, true}, "3": {pageAt{}, false, false},
		"-1.2@7": {pageAt{}, false, false}, "1.-2@7": {pageAt{}, false, false}, "a.2@7": {pageAt{}, false, false},
		"1.b@7": {pageAt{}, false, false},
	} {
		var warnings contract.Warnings
		at, ok := parsePageCursor(cursor, 7, &warnings)
		if at != want.at || ok != want.ok || len(warnings) > 0 != want.shifted {
			t.Errorf("%q: %+v, %t, %v", cursor, at, ok, warnings)
		}
	}
}

// TestSettle checks from which share of the query a window becomes the declaration in it.
func TestSettle(t *testing.T) {
	declared := symbolAt(1, 0, code.KindFunction, "f").row
	declared.Symbol.Span.StartLine, declared.Symbol.Span.EndLine = 4, 5
	least := rank.Current.Pool.Values.Declared
	for share, want := range map[float64]int{least: 4, least - 0.01: 1} {
		c := candidate{symbol: -1, start: 1, end: 9, declared: declared, declares: share}
		if c.settle(); c.start != want || (c.symbol == 0) != (want == 4) {
			t.Errorf("share %g: %+v", share, c)
		}
	}
	own := candidate{
		symbol:   3,
		start:    1,
		end:      9,
		declared: declared,
		declares: 1,
		row:      symbolAt(1, 3, code.KindFunction, "g").row,
	}
	if own.settle(); own.symbol != 3 {
		t.Error("a symbol is no window")
	}
}

// TestPartOfANamedFile checks that a line belongs to the file that the query names, and not to its first part,
// in whichever order a map gives them.
func TestPartOfANamedFile(t *testing.T) {
	all := map[candidateKey]*candidate{
		{file: 1, symbol: -1, start: 1}: {fileID: 1, symbol: -1, start: 1, end: 8},
		{file: 1, symbol: -1}:           {fileID: 1, symbol: -1, start: 1, end: 8, chunks: 2},
	}
	for range 50 {
		if part := partAt(all, occurrence{file: l1fts.Candidate{FileID: 1}, line: 1}); part.chunks != 2 {
			t.Fatalf("%+v", part)
		}
	}
}
