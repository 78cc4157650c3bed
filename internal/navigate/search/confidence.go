package search

import (
	"math"
	"slices"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search/rank"
	"sextant/jit"
)

// bounds separates the levels of confidence: a value below low is Low, and a value of at least
// high is High.
type bounds struct{ low, high float64 }

func (b bounds) level(x float64) contract.Level {
	switch {
	case x >= b.high:
		return contract.High
	case x >= b.low:
		return contract.Medium
	}
	return contract.Low
}

// The bounds for questions and sentences apply to the variable sum in the function level. They
// were chosen on the questions about five libraries of the validation split and 56 questions
// about two applications: each low bound is the lowest at which four of five questions without an
// answer get Low. With askBounds, 20 of 23 such questions get Low, and so do 31 of 130 that have
// an answer (6 of 40 about applications); of 39 answers with High, 36 have a right result among
// the first five. With wordBounds, which apply without vectors, 31 of 37 questions without an
// answer get Low, and 33 of 135 with one. With sentenceBounds, one in ten sentences about
// documented symbols gets Low.
var (
	askBounds      = bounds{5.4, 6.4}
	sentenceBounds = bounds{5.4, 7.2}
	wordBounds     = bounds{4.5, 6}
)

// The bounds for queries of a few words. nameBounds apply to the similarity in meaning plus the
// weighted share of the words that a result contains. textBounds apply without vectors, to that
// share alone: a result with nearly all words is High, one with less than half of them Low.
var (
	nameBounds = bounds{0.85, 1.15}
	textBounds = bounds{0.5, 0.85}
)

// These are the weights, in the confidence in a result, of the share of the query's words that it
// contains. They were chosen together with the bounds.
const (
	coveredLong  = 2.0  // for a long question, whose words seldom occur together by chance
	coveredShort = 0.6  // for a few words
	coveredOne   = 0.8  // greatest share that counts for a single word, which half the files of a tree may contain
	coveredAll   = 0.99 // share from which every term counts as covered; shares are rounded
)

// confidence returns the confidence in the answer, which is that of the surest of the first few
// results.
func (r *search) confidence(picked []candidate) contract.Level {
	best := contract.Low
	for i := range picked[:min(len(picked), navigated)] {
		best = surer(best, r.sure(&picked[i]))
	}
	return best
}

// sure returns the confidence in one result: High if it has exactly the queried name or a rare
// literal that is the query or on a single line, at least Medium if it has any rare literal of the query, and
// Low if it does not really match. While files are missing from the index, no result is High,
// as a better one may be in these files.
func (r *search) sure(c *candidate) contract.Level {
	level := r.level(c)
	if c.focus > 0 {
		level = surer(level, contract.Medium)
	}
	if level == contract.High && r.partial() {
		return contract.Medium
	}
	return level
}

// level returns the confidence in one result, whether or not the index lacks files.
func (r *search) level(c *candidate) contract.Level {
	sum := c.worth + coveredLong*c.covered + math.Log(float64(max(len(r.terms.list), 1)))
	switch {
	case len(r.terms.list) == 0:
		return contract.Medium
	case c.exact >= rank.NamedSame && (r.prose() || c.covered > coveredAll) || c.lifted >= foundFirst:
		return contract.High
	case r.nearest > 0 && r.wordByWord() && r.req.Scope != contract.ScopeDocs && r.work:
		return askBounds.level(sum)
	case r.nearest > 0 && r.wordByWord() && r.req.Scope != contract.ScopeDocs:
		return sentenceBounds.level(sum)
	case r.nearest > 0:
		return nameBounds.level(c.cosine + coveredShort*c.covered)
	case !r.meant && r.prose() && r.req.GroupBy != contract.GroupByFile && r.req.Scope != contract.ScopeDocs:
		return wordBounds.level(sum)
	case len(r.terms.list) == 1:
		return textBounds.level(min(c.covered, coveredOne))
	}
	return textBounds.level(c.covered)
}

// endsAt reports whether the first page ends before picked[i]: results before it have a rare literal of the
// query, such as max_per_hour in "rename the setting max_per_hour", and the rest has none and does not really
// match the query. A question of many words is also about code around the literal, and its page is full. A
// query that is one quoted text, such as a message, asks for the lines that have it, whatever else has its words.
func (r *search) endsAt(picked []candidate, i int) bool {
	holds := func(c candidate) bool { return c.focus > 0 }
	if r.answer.From > 0 || len(r.answer.Results) == 0 || slices.ContainsFunc(picked[i:], holds) {
		return false
	}
	return r.verbatim && len(r.query.Quoted) > 0 ||
		!r.work && holds(picked[0]) && picked[0].row != nil && r.sure(&picked[i]) == contract.Low
}

// partial reports whether files are missing from the index.
func (r *search) partial() bool {
	return slices.ContainsFunc(r.answer.Warnings, func(w contract.Warning) bool {
		return w.Code == jit.WarnBuilding || w.Code == jit.WarnPending
	})
}

// levels lists the levels of confidence, the surest first.
var levels = []contract.Level{contract.High, contract.Medium, contract.Low}

// surer returns the surer of two levels.
func surer(a, b contract.Level) contract.Level {
	return levels[min(slices.Index(levels, a), slices.Index(levels, b))]
}

// lessSure returns the less sure of two levels.
func lessSure(a, b contract.Level) contract.Level {
	return levels[max(slices.Index(levels, a), slices.Index(levels, b))]
}

// nearBounds separates cosines of the built-in embedder. In three of four repositories that
// answer a question, the nearest chunk reaches low; in repositories that do not answer it, one in
// ten does.
var nearBounds = bounds{0.6, 0.8}

// semanticMatch returns the level of a result's similarity in meaning.
func semanticMatch(c *candidate) contract.Level {
	if !c.near {
		return contract.Unavailable
	}
	return nearBounds.level(c.cosine)
}
