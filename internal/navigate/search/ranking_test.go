package search

import (
	"testing"

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
