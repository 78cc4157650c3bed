package search

import (
	"slices"
	"testing"
	"time"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/internal/navigate/search/rank"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta"
)

// TestCheckCursor checks that each kind of query accepts its own cursors alone, and that none is needed.
func TestCheckCursor(t *testing.T) {
	for _, c := range []struct {
		query, cursor string
		ok            bool
	}{
		{"a", "", true}, {"must:a", "", true}, {"a", contract.RankCursor(5, 0), true}, {"must:a", "1.0@3", true},
		{"must:a", pageAt{12, 3, 9}.cursor(7), true}, {"a", "x", false}, {"must:a", "x", false}, {"a", "1.0@3", false},
		{"must:a", "5", false}, {"a", contract.RankCursor(5, 9), true}, {"a", "r5.x", false},
		{"subclasses of A", "1.0@3", true}, {"subclasses of A", contract.RankCursor(5, 9), true},
		{"subclasses of A", "x", false},
	} {
		query, err := ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		if err := CheckCursor(&query, c.cursor); (err == nil) != c.ok {
			t.Errorf("%q with %q: %v", c.query, c.cursor, err)
		}
	}
}

// TestAsksDebug checks which requests want debugging data, and which of them the candidates.
func TestAsksDebug(t *testing.T) {
	for _, c := range []struct {
		debug        bool
		mode         contract.DebugMode
		any, ranking bool
	}{
		{false, "", false, false}, {false, contract.DebugNone, false, false}, {false, "summary", true, false},
		{false, "freshness", true, false}, {false, contract.DebugRanking, true, true}, {false, contract.DebugFull, true, true},
		{true, "", true, true}, {true, contract.DebugNone, true, true},
	} {
		r := contract.SearchRequest{DebugMode: c.mode}
		r.Debug = c.debug
		if all, ranking := asksDebug(&r); all != c.any || ranking != c.ranking {
			t.Errorf("%+v: %t, %t", c, all, ranking)
		}
	}
}

// TestQualifiedFirst checks that the symbols with the queried qualified name come first, in their order, and
// that a query of several words has none.
func TestQualifiedFirst(t *testing.T) {
	window := candidate{path: "window", exact: rank.NamedFull}
	same, full, other := symbolAt(1, 0, code.KindMethod, "a"), symbolAt(2, 0, code.KindMethod, "b"),
		symbolAt(3, 0, code.KindMethod, "c")
	full.exact, other.exact = rank.NamedFull, rank.NamedFull
	for text, want := range map[string][]string{
		"A.b": {"2.go", "3.go", "1.go", "window"}, "A.b c": {"1.go", "2.go", "window", "3.go"},
	} {
		found := []candidate{same, full, window, other}
		(&search{query: l1fts.Query{Text: text}}).qualifiedFirst(found)
		var got []string
		for i := range found {
			got = append(got, found[i].path)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestGoOn checks that an answer has a cursor exactly if it is whole and more was found.
func TestGoOn(t *testing.T) {
	result := contract.List[contract.SearchResult]{&contract.Group{}, &contract.Group{}}
	for _, c := range []struct {
		name   string
		answer contract.SearchAnswer
		more   bool
		want   string
	}{
		{"more", contract.SearchAnswer{Results: result}, true, contract.RankCursor(2, 0)},
		{"all", contract.SearchAnswer{Results: result}, false, ""},
		{"more of a later page", contract.SearchAnswer{Results: result, From: 4, List: 7}, true, contract.RankCursor(6, 7)},
		{"all of a later page", contract.SearchAnswer{Results: result, From: 4}, false, ""},
		{"nothing", contract.SearchAnswer{}, true, ""},
		{"cut", contract.SearchAnswer{Results: result, Truncated: &contract.Truncation{}}, true, ""},
	} {
		r := &search{answer: &c.answer}
		if r.goOn(c.more); c.answer.Cursor != c.want {
			t.Errorf("%s: cursor %q, want %q", c.name, c.answer.Cursor, c.want)
		}
	}
}

// TestKindPasses checks that a query for kinds finds symbols of these kinds alone.
func TestKindPasses(t *testing.T) {
	method, class, window := symbolAt(1, 0, code.KindMethod, "m"), symbolAt(1, 1, code.KindClass, "C"), candidate{}
	for _, c := range []struct {
		kinds []code.Kind
		want  [3]bool
	}{
		{nil, [3]bool{true, true, true}}, {[]code.Kind{code.KindMethod}, [3]bool{true, false, false}},
		{[]code.Kind{code.KindEnum, code.KindClass}, [3]bool{false, true, false}},
	} {
		r := &search{query: l1fts.Query{Kinds: c.kinds}}
		if got := [3]bool{r.kindPasses(&method), r.kindPasses(&class), r.kindPasses(&window)}; got != c.want {
			t.Errorf("%v: %v, want %v", c.kinds, got, c.want)
		}
	}
}

// TestNoise checks from which share of tests and documents among the first five results an answer suggests a
// search without them.
func TestNoise(t *testing.T) {
	classes := map[string]code.Class{"a": code.ClassSource, "c": code.ClassConfig, "t": code.ClassTest, "d": code.ClassDocs}
	for _, c := range []struct {
		files string
		scope contract.Scope
		query l1fts.Query
		want  string
	}{
		{"ttt", "", l1fts.Query{}, "3 of the first 3 results are no production source."},
		{"tta", "", l1fts.Query{}, "2 of the first 3 results are no production source."},
		{"taa", "", l1fts.Query{}, ""}, {"tt", "", l1fts.Query{}, ""}, {"ttac", "", l1fts.Query{}, ""},
		{"tdtaa", "", l1fts.Query{}, "3 of the first 5 results are no production source."},
		{"tdaaattt", "", l1fts.Query{}, ""}, {"ddd", contract.ScopeDocs, l1fts.Query{}, ""},
		{"ttt", "", l1fts.Query{Must: []string{"x"}}, ""},
	} {
		r := &search{req: &contract.SearchRequest{Query: "x", Scope: c.scope}, query: c.query, classes: classes,
			answer: &contract.SearchAnswer{}}
		for _, file := range c.files {
			r.answer.Results = append(r.answer.Results, &contract.Group{File: string(file)})
		}
		r.noise()
		got := ""
		if h := r.answer.Hints; h != nil && h.NoiseMitigation != nil {
			got = h.NoiseMitigation.Reason
		}
		if got != c.want {
			t.Errorf("%s in scope %q: %q, want %q", c.files, c.scope, got, c.want)
		}
	}
}

// TestDeclarer checks which candidate a line with its own name belongs to: the outermost one whose first
// occurrence it is.
func TestDeclarer(t *testing.T) {
	span := func(c candidate, first, last int) *candidate {
		c.row.Symbol.Span.StartLine, c.row.Symbol.Span.EndLine = first, last
		return &c
	}
	folded := symbolAt(1, 9, code.KindClass, "Reader")
	folded.exact = rank.NamedFold
	all := map[candidateKey]*candidate{
		{file: 1, symbol: 2}:  span(symbolAt(1, 2, code.KindClass, "Reader"), 3, 9),
		{file: 1, symbol: 4}:  span(symbolAt(1, 4, code.KindConstructor, "Reader"), 3, 5),
		{file: 1, symbol: 5}:  span(symbolAt(1, 5, code.KindMethod, "other"), 3, 5),
		{file: 1, symbol: 9}:  span(folded, 1, 20),
		{file: 1, symbol: -1}: {fileID: 1, symbol: -1, exact: rank.NamedSame},
		{file: 2, symbol: 1}:  span(symbolAt(2, 1, code.KindClass, "Reader"), 3, 9),
	}
	at := func(file int64, line int) occurrence {
		return occurrence{file: l1fts.Candidate{FileID: file}, line: line}
	}
	found := []occurrence{at(1, 2), at(1, 3), at(1, 9), at(2, 3), at(2, 9), at(2, 10)}
	for _, c := range []struct {
		o    occurrence
		want int // symbol, 0 for none
	}{{at(1, 2), 0}, {at(1, 3), 2}, {at(1, 9), 0}, {at(2, 3), 1}, {at(2, 9), 0}, {at(2, 10), 0}} {
		got := 0
		if d := declarer(all, literal{text: "Reader"}, c.o, found); d != nil {
			got = d.symbol
		}
		if got != c.want {
			t.Errorf("line %d of file %d belongs to symbol %d, want %d", c.o.line, c.o.file.FileID, got, c.want)
		}
	}
}

// TestCandidateAt checks whose candidate a line with a literal becomes: that of the symbol around it, cut to
// the symbol's lines, of a part of the file, or of the file; an old candidate moves to the line if it is
// outside.
func TestCandidateAt(t *testing.T) {
	rows := []l2meta.Row{{FileID: 1, Index: 7}}
	rows[0].Symbol.Span.StartLine, rows[0].Symbol.Span.EndLine = 4, 20
	at := func(line int) occurrence {
		return occurrence{file: l1fts.Candidate{FileID: 1, Path: "a"}, line: line, last: 30}
	}
	for _, c := range []struct {
		by                 contract.Grouping
		line               int
		symbol, start, end int
	}{
		{contract.GroupBySymbol, 10, 7, 8, 12}, {contract.GroupBySymbol, 5, 7, 4, 7}, {contract.GroupBySymbol, 20, 7, 18, 20},
		{contract.GroupBySymbol, 1, -1, 1, 3}, {contract.GroupBySymbol, 30, -1, 28, 30}, {contract.GroupByFile, 10, -1, 8, 12},
	} {
		p := emptyPool(c.by, "word")
		got := p.candidateAt(rows, at(c.line))
		if got.symbol != c.symbol || got.start != c.start || got.end != c.end || (got.row != nil) != (c.symbol >= 0) {
			t.Errorf("line %d by %s: %+v", c.line, c.by, *got)
		}
		if again := p.candidateAt(rows, at(c.line)); again != got || len(p.all) != 1 {
			t.Errorf("line %d by %s: another candidate for the same line", c.line, c.by)
		}
	}
	p := emptyPool(contract.GroupBySymbol, "word")
	first := p.candidateAt(rows, at(6))
	if second := p.candidateAt(rows, at(15)); second != first || first.start != 13 || first.end != 17 {
		t.Errorf("a line outside of the old chunk: %+v", *first)
	}
	if p.candidateAt(rows, at(13)); first.start != 13 || first.end != 17 {
		t.Errorf("a line in the old chunk moves it: %+v", *first)
	}
}

// TestLifts checks how much a line counts for a literal, and which literals are code.
func TestLifts(t *testing.T) {
	for _, c := range []struct {
		alone bool
		fit   fit
		lines int
		want  float64
	}{{true, whole, 9, foundFirst}, {true, inName, 9, foundFirst}, {true, inWord, 9, foundWithin}, {false, whole, 4, 2.5},
		{false, inWord, 1, foundFirst}} {
		if got := (literal{text: "x", alone: c.alone}).lift(c.fit, c.lines); got != c.want {
			t.Errorf("%+v: %g", c, got)
		}
	}
	for text, want := range map[string]bool{"close": false, "Close": false, "closeAll": true, "utf8": true, "X-Id": true,
		"a_b": true, "well-known": false} {
		if (literal{text: text}).isCode() != want {
			t.Errorf("%q is code: %t", text, !want)
		}
	}
	c := &candidate{matchedBy: []string{"lexical"}}
	c.lift(2, 7)
	c.lift(3, 9)
	if c.lifted != 5 || c.focus != 7 || !slices.Equal(c.matchedBy, []string{"exact", "lexical"}) {
		t.Errorf("a candidate with two literals: %+v", *c)
	}
}

// TestAddRelative checks that a relative inherits a part of the scores, and no exact match.
func TestAddRelative(t *testing.T) {
	p := emptyPool(contract.GroupBySymbol, "word")
	of := &candidate{lexical: 0.5, wordRank: 1, cosine: 0.4, matchedBy: []string{"exact", "lexical", "semantic"}}
	row := symbolAt(1, 3, code.KindMethod, "m").row
	kinship := rank.Current.Pool.Values.Kinship
	r := p.addRelative(of, row)
	if r == nil || r.lexical != kinship*0.5 || r.wordRank != kinship || r.cosine != kinship*0.4 || r.symbol != 3 ||
		!slices.Equal(r.matchedBy, []string{"lexical", "semantic"}) {
		t.Errorf("a relative: %+v", r)
	}
	if p.addRelative(of, row) != nil {
		t.Error("a candidate is added again")
	}
}

// TestStaleness checks from which age on an entry of the index is aging, and stale.
func TestStaleness(t *testing.T) {
	now := time.Date(2025, 1, 31, 0, 0, 0, 0, time.UTC)
	s := &Service{Engine: &engine.Engine{Clock: func() time.Time { return now }}}
	for age, want := range map[time.Duration]string{0: "fresh", 24*time.Hour - 1: "fresh", 24 * time.Hour: "aging",
		7*24*time.Hour - 1: "aging", 7 * 24 * time.Hour: "stale"} {
		if got := s.staleness(now.Add(-age)); got != want {
			t.Errorf("%s old: %s, want %s", age, got, want)
		}
	}
}

// TestWarnBroken checks from which share of unparsed bytes a file of the results is named, once.
func TestWarnBroken(t *testing.T) {
	row := func(path string, bad int) jit.FileRow {
		f := jit.FileRow{Path: path, BadBytes: bad}
		f.Key.Size = 1000
		return f
	}
	known := map[string]jit.FileRow{"whole": row("whole", 0), "fine": row("fine", 9), "bad": row("bad", 10)}
	for _, c := range []struct {
		files []string
		want  int
	}{{[]string{"whole", "fine"}, 0}, {[]string{"bad"}, 1}, {[]string{"bad", "whole", "bad"}, 1}, {nil, 0}} {
		r := &search{answer: &contract.SearchAnswer{}}
		for _, f := range c.files {
			r.answer.Results = append(r.answer.Results, &contract.Group{File: f})
		}
		if r.warnBroken(known); len(r.answer.Warnings) != c.want {
			t.Errorf("%v: %v", c.files, r.answer.Warnings)
		}
	}
}

// TestOwnerOfMembersInAnyOrder checks that a type lists the ways by which its members are found in a fixed
// order, although the members come from a map.
func TestOwnerOfMembersInAnyOrder(t *testing.T) {
	words, meaning := &candidate{matchedBy: []string{"lexical", "path"}}, &candidate{matchedBy: []string{"semantic"}}
	row := symbolAt(1, 3, code.KindClass, "C").row
	for _, members := range [][]*candidate{{words, meaning}, {meaning, words}} {
		p := emptyPool(contract.GroupBySymbol, "word")
		p.addOwner(row, members)
		got := p.all[candidateKey{file: 1, symbol: 3}].matchedBy
		if !slices.Equal(got, []string{"lexical", "semantic", "path"}) {
			t.Errorf("found by %q", got)
		}
	}
}
