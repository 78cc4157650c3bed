package search

import "sextant/internal/navigate/search/rank"

// Observer receives the candidates of each search with ranked results, best first, before any are
// dropped. Programs that fit the weights of the ranking use it. It must not change the features.
type Observer func(q rank.Query, found []Observed)

// Observed is one candidate and the features that it was ranked by.
type Observed struct {
	File     string // relative to the root, '/'-separated
	Label    string // qualified name of the symbol, "" for text outside of symbols
	Line     int    // first line of the symbol or of the text, 1-based
	Features rank.Features
}

// observe passes the candidates to the service's observer, if there is one.
func (r *search) observe(found []candidate) {
	if r.service.observer == nil {
		return
	}
	out := make([]Observed, len(found))
	for i := range found {
		c := &found[i]
		out[i] = Observed{File: c.path, Line: c.start, Features: r.features(c)}
		if c.row != nil {
			out[i].Label, out[i].Line = c.row.Symbol.QualifiedName, c.row.Symbol.Span.StartLine
		}
	}
	r.service.observer(r.weighed(), out)
}
