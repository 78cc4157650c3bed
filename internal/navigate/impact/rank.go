package impact

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/jit"
	"sextant/l1fts"
)

// evidence holds everything that links one test file to the change, and its score.
type evidence struct {
	id   int64
	path string

	calls   *step   // the best path of calls to the change, nil for none
	mayCall *step   // the best path with a call that may dispatch elsewhere
	imports *step   // the best path with an import
	tests   []*step // tests in it that reach the change by calls

	mentions float64 // match of its text with the words of the changed code, weighted by rarity; 1 for the best
	words    float64 // the same for the words of its path
	near     float64 // similarity of its folder's path to the folder of a changed file; see nearness
	mate     bool    // it has the name of a changed file: foo_test.go for foo.go
	changed  bool    // it is a changed file itself

	score    float64
	evidence contract.TestEvidence // the surest kind, "" for none
	fair     bool                  // whether it is shown by default
}

// add adds a path from the file to the change.
func (e *evidence) add(s *step) {
	best := &e.calls
	switch {
	case s.imported():
		best = &e.imports
	case s.dynamic:
		best = &e.mayCall
	}
	if *best == nil || compareSteps(s, *best) < 0 {
		*best = s
	}
	if best != &e.imports && s.ref.Index >= 0 {
		e.tests = append(e.tests, s)
	}
}

// These constants are the weights of the kinds of evidence, and the factors for less certain
// paths. They were chosen on 130 commits of 13 public repositories in four languages. Halving or
// doubling one of them moves at most 2 % of the right test files out of the first 30.
const (
	mentionsWeight = 3.0
	wordsWeight    = 2.0
	nearWeight     = 2.0
	reachWeight    = 2.0
	mateWeight     = 1.0

	mayCallFactor = 0.6
	importFactor  = 0.4
)

// leastWords is the least score of shared words that counts as evidence by itself. Most test files
// have some score below it.
const leastWords = 0.25

// settle computes the score and the strongest kind of evidence.
func (e *evidence) settle() {
	weight := func(s *step) float64 {
		if s == nil {
			return 0
		}
		return s.weight
	}
	reach := max(weight(e.calls), mayCallFactor*weight(e.mayCall), importFactor*weight(e.imports))
	e.score = mentionsWeight*e.mentions + wordsWeight*e.words + nearWeight*e.near + reachWeight*reach
	if e.mate {
		e.score += mateWeight
	}
	switch {
	case e.changed:
		e.evidence, e.score = contract.TestChanged,
			e.score+mentionsWeight+wordsWeight+nearWeight+reachWeight+mateWeight
	case e.calls != nil:
		e.evidence = contract.TestCalls
	case e.mayCall != nil:
		e.evidence = contract.TestMayCall
	case e.imports != nil:
		e.evidence = contract.TestImports
	case e.mate || e.words >= leastWords:
		e.evidence = contract.TestNamedFor
	case e.mentions >= leastWords:
		e.evidence = contract.TestMentions
	}
	slices.SortFunc(e.tests, compareSteps)
}

// reaches reports whether calls lead from the file to the change, or the file itself has changed.
func (e *evidence) reaches() bool { return e.changed || e.calls != nil || e.mayCall != nil }

// unasked returns 1 for a file that is only shown on request, else 0.
func (e *evidence) unasked() int {
	if e.fair {
		return 0
	}
	return 1
}

// way returns the best path from the file to the change, or nil.
func (e *evidence) way() *step {
	for _, s := range []*step{e.calls, e.mayCall, e.imports} {
		if s != nil {
			return s
		}
	}
	return nil
}

// compareSteps orders steps by weight, then by position.
func compareSteps(a, b *step) int {
	return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.ref.File.Path, b.ref.File.Path),
		cmp.Compare(a.line, b.line), cmp.Compare(a.ref.Index, b.ref.Index))
}

// These constants bound the search for the words of a change in the texts of tests.
const (
	maxHits     = 400 // largest number of chunks of tests that the search returns
	fileHits    = 3   // chunks that count per file: the first with factor 1, the second with 1/2, …
	maxTerms    = 200
	minTermSize = 3 // least number of bytes of a word that is searched for
)

// mention scores the tests whose texts contain words of the changed code.
func (q *question) mention(ctx context.Context, v *jit.View, tests map[int64]*evidence, found *findings) error {
	text := strings.Join(found.terms(), " ")
	if text == "" {
		return nil
	}
	ctx, cancel := context.WithDeadline(ctx, q.searchUntil)
	defer cancel()
	hits, _, err := q.service.Words(q.place.Root).Search(ctx, v, l1fts.Query{Text: text},
		l1fts.SearchOptions{Limit: maxHits, Filter: l1fts.Filter{Classes: []code.Class{code.ClassTest}}})
	if err != nil {
		if found.unsearched = ctx.Err() != nil; found.unsearched {
			return nil
		}
		return err
	}
	count, most := map[int64]int{}, 0.0
	for _, h := range hits {
		e := tests[h.FileID]
		if e == nil {
			continue
		}
		if count[h.FileID]++; count[h.FileID] <= fileHits {
			e.mentions += h.Score / float64(count[h.FileID])
		}
		most = max(most, e.mentions)
	}
	for _, e := range tests {
		if most > 0 {
			e.mentions /= most
		}
	}
	return nil
}

// terms returns the names of the changed symbols, then the words of the changed lines, each once.
func (found *findings) terms() (out []string) {
	seen := map[string]bool{}
	add := func(w string) {
		if !seen[w] && len(w) >= minTermSize {
			seen[w] = true
			out = append(out, w)
		}
	}
	var words []string
	for i := range found.changes {
		c := &found.changes[i]
		if !c.isCode() {
			continue
		}
		for _, s := range c.symbols {
			add(s.Name)
		}
		words = slices.AppendSeq(words, maps.Keys(c.words))
	}
	slices.Sort(words)
	for _, w := range words {
		add(w)
	}
	return out[:min(len(out), maxTerms)]
}
