package search

import (
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/l1fts"
	"sextant/l1fts/embed"
	"sextant/l2meta"
)

// Each kind of query has its weights, and its depth.
func TestWeights(t *testing.T) {
	for name, c := range map[string]struct {
		query  string
		group  contract.Grouping
		vector bool
		want   *weights
		depth  int
	}{
		"question":       {"where are idle connections closed by the server", contract.GroupBySymbol, true, &askWeights, proseDepth},
		"sentence":       {"Returns the number of idle connections of a server", contract.GroupBySymbol, true, &sentenceWeights, proseDepth},
		"few terms":      {"what is the shutdown of a server", contract.GroupBySymbol, true, &fewWeights, wordsDepth},
		"no question":    {"the graceful shutdown of a server", contract.GroupBySymbol, true, &nameWeights, wordsDepth},
		"name":           {"parseConfig", contract.GroupBySymbol, true, &nameWeights, wordsDepth},
		"files":          {"where are idle connections closed by the server", contract.GroupByFile, true, &fileWeights, wordsDepth},
		"without vector": {"where are idle connections closed by the server", contract.GroupBySymbol, false, &wordWeights, wordsDepth},
	} {
		r := &search{req: &contract.SearchRequest{GroupBy: c.group}, query: l1fts.Query{Text: c.query}, terms: queryTerms(c.query), work: asksForWork(c.query, len(queryTerms(c.query))), meant: c.vector}
		if c.vector && c.group != contract.GroupByFile && !r.fewTerms() {
			r.question = embed.Ask(c.query)
		}
		if got := r.weights(); got != c.want || r.rereadDepth() != c.depth {
			t.Errorf("%s: %+v, depth %d", name, *got, r.rereadDepth())
		}
	}
}

// What is exported, a test or of no symbol is worth what the weights say of it.
func TestPrior(t *testing.T) {
	r := &search{req: &contract.SearchRequest{GroupBy: contract.GroupBySymbol}, terms: []string{"a", "b", "c", "d"}, question: embed.Ask("a question"), meant: true, work: true}
	of := func(s code.Symbol) float64 {
		s.Span = code.Span{StartLine: 1, EndLine: 9}
		return r.prior(&candidate{path: "a.go", class: code.ClassSource, row: &l2meta.Row{Symbol: s}})
	}
	plain := of(code.Symbol{Kind: code.KindFunction})
	if got, want := of(code.Symbol{Kind: code.KindFunction, Exported: true}), plain*(1+askWeights.exported); got != want {
		t.Errorf("exported %f, not %f", got, want)
	}
	if got := of(code.Symbol{Kind: code.KindTest}); got >= plain {
		t.Errorf("a test %f, a function %f", got, plain)
	}
	if got := r.prior(&candidate{path: "a.go", class: code.ClassSource}); got >= plain {
		t.Errorf("text of no symbol %f, a function %f", got, plain)
	}
}

// The confidence of an answer to a question rests on what the best result is
// worth, and not on that git says it changed.
func TestConfidenceOfAQuestion(t *testing.T) {
	r := &search{req: &contract.SearchRequest{GroupBy: contract.GroupBySymbol}, terms: []string{"idle", "connection", "close", "server"}, question: embed.Ask("idle connections are closed by a server"),
		meant: true, work: true, nearest: 0.6, answer: &contract.SearchAnswer{Results: []contract.SearchResult{&contract.Group{}}}}
	for _, c := range []struct {
		worth, covered, score float64
		want                  contract.Level
	}{{2.5, 0.3, 9, contract.Low}, {3.6, 0.6, 1, contract.Medium}, {4, 0.9, 1, contract.High}} {
		if got := r.confidence([]candidate{{worth: c.worth, covered: c.covered, score: c.score}}); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	r.terms = append(r.terms, "after", "the", "deadline", "passed")
	if got := r.confidence([]candidate{{worth: 3.2, covered: 0.4}}); got != contract.Medium {
		t.Errorf("as much of a long question: %s", got)
	}
	r.terms = r.terms[:4]
	if got := r.confidence([]candidate{{worth: 3.2, covered: 0.4}}); got != contract.Low {
		t.Errorf("as much of a short one: %s", got)
	}
}
