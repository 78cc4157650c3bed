package search

import (
	"slices"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search/rank"
	"sextant/jit"
	"sextant/l1fts"
)

// emptyPool returns a pool without candidates for a query of one word.
func emptyPool(by contract.Grouping, text string) *pool {
	return &pool{search: &search{req: &contract.SearchRequest{GroupBy: by}, query: l1fts.Query{Text: text}},
		all: map[candidateKey]*candidate{}}
}

// TestHitsOfACandidate checks that the best chunk of a symbol gives its place and score, and that the
// next ones count, up to mostParts.
func TestHitsOfACandidate(t *testing.T) {
	p := emptyPool(contract.GroupBySymbol, "word")
	for i, score := range []float64{2, 4, 1, 1, 1} {
		p.addHit(l1fts.Hit{FileID: 1, Symbol: 3, StartLine: 10 * (i + 1), EndLine: 10*(i+1) + 5, Score: score}, 4)
	}
	c := p.all[candidateKey{file: 1, symbol: 3}]
	if len(p.all) != 1 || c.start != 20 || c.end != 25 || c.lexical != 1 || c.chunks != 5 || c.parts != 0.5+0.25+0.25 ||
		!slices.Equal(c.matchedBy, []string{"lexical"}) {
		t.Errorf("%d candidates, %+v", len(p.all), c)
	}
	p.addHit(l1fts.Hit{FileID: 1, Symbol: 3, StartLine: 90, EndLine: 91, Score: 4}, 4)
	if c.start != 20 {
		t.Error("an equal chunk is no better one")
	}
	p.addHit(l1fts.Hit{FileID: 1, Symbol: -1, StartLine: 10}, 0)
	p.addHit(l1fts.Hit{FileID: 1, Symbol: -1, StartLine: 20}, 0)
	p.addHit(l1fts.Hit{FileID: 2, Symbol: 3, StartLine: 10}, 0)
	if len(p.all) != 4 || p.all[candidateKey{file: 1, symbol: -1, start: 20}].lexical != 0 {
		t.Errorf("parts of a file are candidates by their lines: %d", len(p.all))
	}
	p = emptyPool(contract.GroupByFile, "")
	p.addHit(l1fts.Hit{FileID: 1, Symbol: 3, StartLine: 10, EndLine: 12, Score: 1}, 1)
	p.addHit(l1fts.Hit{FileID: 1, Symbol: -1, StartLine: 20, EndLine: 22, Score: 1}, 1)
	c = p.all[candidateKey{file: 1, symbol: -1}]
	if len(p.all) != 1 || c.symbol != 3 || c.start != 10 || !slices.Equal(c.matchedBy, []string{"path"}) {
		t.Errorf("a file is one candidate: %d, %+v", len(p.all), c)
	}
}

// TestAddFile checks that a file that the query names becomes one candidate for the whole file,
// whether or not a part of it was a candidate before.
func TestAddFile(t *testing.T) {
	p := emptyPool(contract.GroupByFile, "word")
	p.addHit(l1fts.Hit{FileID: 1, Symbol: 3, StartLine: 10, EndLine: 12, Score: 1}, 1)
	p.addFile(jit.FileRow{ID: 1, Lines: 40}, 2)
	p.addFile(jit.FileRow{ID: 1, Lines: 40}, 0.5)
	p.addFile(jit.FileRow{ID: 2, Lines: 0}, 1)
	for id, want := range map[int64]candidate{
		1: {symbol: -1, start: 1, end: 40, lifted: 2.5, chunks: 1, matchedBy: []string{"exact", "lexical", "path"}},
		2: {symbol: -1, start: 1, end: 1, lifted: 1, chunks: 1, matchedBy: []string{"exact", "path"}},
	} {
		c := p.all[candidateKey{file: id, symbol: -1}]
		if c.symbol != want.symbol || c.start != want.start || c.end != want.end || c.lifted != want.lifted ||
			c.chunks != want.chunks || !slices.Equal(c.matchedBy, want.matchedBy) || c.row != nil {
			t.Errorf("file %d: %+v, want %+v", id, c, want)
		}
	}
}

// TestDeclares checks that only a candidate with exactly the name declares it.
func TestDeclares(t *testing.T) {
	p := emptyPool(contract.GroupBySymbol, "word")
	same, folded := symbolAt(1, 0, code.KindFunction, "Reader"), symbolAt(1, 1, code.KindFunction, "Writer")
	folded.exact = rank.NamedFold
	p.all[candidateKey{file: 1}], p.all[candidateKey{file: 1, symbol: 1}] = &same, &folded
	p.all[candidateKey{file: 2}] = &candidate{exact: rank.NamedSame}
	if !p.declares("Reader") || p.declares("reader") || p.declares("Writer") || p.declares("") {
		t.Error("another candidate declares the name")
	}
	p.query.Text = "Reader"
	if !p.identifier() {
		t.Error("the name of a symbol is no identifier")
	}
	p.query.Text = "Reader Writer"
	if p.identifier() {
		t.Error("two words are an identifier")
	}
	delete(p.all, candidateKey{file: 1})
	delete(p.all, candidateKey{file: 2})
	if p.query.Text = "Writer"; p.identifier() {
		t.Error("a name in another case is an identifier")
	}
}
