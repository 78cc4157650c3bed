package search

import (
	"strings"
	"testing"

	"sextant/internal/budget"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search/rank"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l1fts/embed"
)

// TestWeights checks the weights and the depth for each kind of query.
func TestWeights(t *testing.T) {
	for name, c := range map[string]struct {
		query  string
		group  contract.Grouping
		vector bool
		want   rank.Kind
		depth  int
	}{
		"question": {"where are idle connections closed by the server", contract.GroupBySymbol,
			true, rank.Ask, proseDepth},
		"sentence": {"Returns the number of idle connections of a server", contract.GroupBySymbol, true,
			rank.Sentence, proseDepth},
		"few terms":   {"what is the shutdown of a server", contract.GroupBySymbol, true, rank.Few, wordsDepth},
		"no question": {"the graceful shutdown of a server", contract.GroupBySymbol, true, rank.Names, wordsDepth},
		"name":        {"parseConfig", contract.GroupBySymbol, true, rank.Names, wordsDepth},
		"files": {"where are idle connections closed by the server", contract.GroupByFile, true,
			rank.Files, wordsDepth},
		"without vector": {"where are idle connections closed by the server", contract.GroupBySymbol, false,
			rank.Words, wordsDepth},
	} {
		r := &search{req: &contract.SearchRequest{GroupBy: c.group}, query: l1fts.Query{Text: c.query},
			terms: terms{list: queryTerms(c.query)},
			work:  asksForWork(c.query, len(queryTerms(c.query))), meant: c.vector}
		if c.vector && c.group != contract.GroupByFile && !r.fewTerms() {
			r.question = embed.Ask(c.query)
		}
		if got := r.weighed().Kind; got != c.want || r.rereadDepth() != c.depth {
			t.Errorf("%s: kind %d, depth %d", name, got, r.rereadDepth())
		}
	}
}

// TestConfidenceOfAQuestion checks that the confidence depends on the score of the best result,
// without the boost for changed files, and on its words.
func TestConfidenceOfAQuestion(t *testing.T) {
	r := &search{req: &contract.SearchRequest{GroupBy: contract.GroupBySymbol},
		terms:    terms{list: []string{"idle", "connection", "close", "server"}},
		question: embed.Ask("idle connections are closed by a server"),
		meant:    true, work: true, nearest: 0.6, answer: &contract.SearchAnswer{}}
	for _, c := range []struct {
		worth, covered, score float64
		want                  contract.Level
	}{{2.5, 0.3, 9, contract.Low}, {3.2, 0.6, 1, contract.Medium}, {4, 0.9, 1, contract.High}} {
		if got := r.confidence([]candidate{{worth: c.worth, covered: c.covered, score: c.score}}); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	r.terms.list = append(r.terms.list, "after", "the", "deadline", "passed")
	if got := r.confidence([]candidate{{worth: 2.9, covered: 0.4}}); got != contract.Medium {
		t.Errorf("as much of a long question: %s", got)
	}
	r.terms.list = r.terms.list[:4]
	if got := r.confidence([]candidate{{worth: 2.9, covered: 0.4}}); got != contract.Low {
		t.Errorf("as much of a short one: %s", got)
	}
	// The words of one result and the score of another are no answer.
	if got := r.confidence([]candidate{{worth: 3.3, covered: 0.1}, {worth: 2.4, covered: 0.8}}); got != contract.Low {
		t.Errorf("half an answer twice: %s", got)
	}
}

// TestConfidenceOfAPartialIndex checks that nothing is sure while files are missing from the index.
func TestConfidenceOfAPartialIndex(t *testing.T) {
	r := &search{req: &contract.SearchRequest{}, terms: terms{list: []string{"close"}},
		answer: &contract.SearchAnswer{}}
	found := []candidate{{exact: rank.NamedFull, covered: 1}}
	if got := r.confidence(found); got != contract.High {
		t.Errorf("of a whole index: %s", got)
	}
	r.answer.Warnings.Add(contract.Warning{Code: jit.WarnBuilding})
	if got := r.confidence(found); got != contract.Medium {
		t.Errorf("of a partial one: %s", got)
	}
}

// TestConfidenceByKind checks which bounds apply to which kind of query, and what makes a result sure
// whatever its score.
func TestConfidenceByKind(t *testing.T) {
	one, four := []string{"close"}, []string{"idle", "connection", "close", "server"}
	sentence := l1fts.Query{Text: "idle connections are closed by a server"}
	request := func(scope contract.Scope, by contract.Grouping) *contract.SearchRequest {
		return &contract.SearchRequest{Scope: scope, GroupBy: by}
	}
	plain := request(contract.ScopeRuntime, contract.GroupBySymbol)
	for _, c := range []struct {
		name   string
		search search
		found  candidate
		want   contract.Level
	}{
		{"no words", search{req: plain}, candidate{worth: 9}, contract.Medium},
		{"a name, and half of a question", search{req: plain, terms: terms{list: four}},
			candidate{exact: rank.NamedSame},
			contract.Low},
		{"a name that is the query", search{req: plain, terms: terms{list: four}},
			candidate{exact: rank.NamedSame, covered: 1}, contract.High},
		{"a name in a sentence", search{req: plain, terms: terms{list: four}, query: sentence},
			candidate{exact: rank.NamedSame}, contract.High},
		{"words, but no name", search{req: plain, terms: terms{list: one}}, candidate{covered: 1}, contract.Medium},
		{"a rare literal", search{req: plain, terms: terms{list: four}}, candidate{lifted: foundFirst}, contract.High},
		{"half a word", search{req: plain, terms: terms{list: one}}, candidate{covered: 0.4}, contract.Low},
		{"half of a sentence without vectors", search{req: plain, terms: terms{list: four}, query: sentence},
			candidate{worth: 2, covered: 0.3}, contract.Low},
		{"most of a sentence without vectors", search{req: plain, terms: terms{list: four}, query: sentence},
			candidate{worth: 3, covered: 0.9}, contract.High},
	} {
		r := c.search
		r.answer = &contract.SearchAnswer{}
		if got := r.level(&c.found); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestMatchListsAreFew checks that a list replaces the one of its query, that the oldest goes first, and
// that a list goes when the budget needs its bytes.
func TestMatchListsAreFew(t *testing.T) {
	c := &matchCache{}
	for i := range maxMatchLists + 2 {
		c.put(&matched{key: string(rune('a' + i))})
	}
	c.put(&matched{key: "d", lines: 7})
	var keys []string
	for _, m := range c.list {
		keys = append(keys, m.key)
	}
	if got := strings.Join(keys, ""); got != "cefd" || c.get("d").lines != 7 || c.get("a") != nil {
		t.Errorf("lists %s", got)
	}
	few := budget.New(1000)
	c = &matchCache{budget: few}
	c.put(&matched{key: "old", files: make([]fileMatch, 2)})
	c.put(&matched{key: "large", files: make([]fileMatch, 2000)})
	if c.get("old") != nil {
		t.Error("a list stays beyond the budget")
	}
}
