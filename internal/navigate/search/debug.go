package search

import (
	"fmt"
	"time"

	"sextant/internal/navigate/contract"
)

// asksDebug reports whether the request wants debugging data, and whether that includes the
// candidates.
func asksDebug(r *contract.SearchRequest) (any, ranking bool) {
	all := r.Debug || r.DebugMode == contract.DebugFull
	return all || r.DebugMode != contract.DebugNone && r.DebugMode != "", all || r.DebugMode == contract.DebugRanking
}

// stopwatch measures the phases of one attempt at an answer.
type stopwatch struct {
	since  time.Time
	phases []contract.DebugPhase
}

func (w *stopwatch) begin() { w.since, w.phases = time.Now(), nil }

// end ends a phase and begins the next.
func (w *stopwatch) end(phase string) {
	now := time.Now()
	w.phases = append(w.phases, contract.DebugPhase{Name: phase, Micros: now.Sub(w.since).Microseconds()})
	w.since = now
}

// debugged adds the debugging data to the answer. found holds every candidate, best first;
// those beyond the token budget are omitted.
func (r *search) debugged(found []candidate) {
	any, ranking := asksDebug(r.req)
	if !any {
		return
	}
	d := &contract.SearchDebug{Terms: r.terms.list, Lanes: map[string]int{}, Phases: r.watch.phases,
		Filter: contract.DebugFilter{Prefix: r.filter.Prefix, Classes: r.filter.Classes, Services: r.filter.Dirs,
			Changed: len(r.changed)}}
	for i := range found {
		for _, lane := range found[i].matchedBy {
			d.Lanes[lane]++
		}
	}
	r.budget.Spend(d)
	if ranking {
		for i := range found {
			c := r.debugRank(&found[i])
			if !r.budget.Fits(c) {
				break
			}
			d.Candidates = append(d.Candidates, c)
		}
	}
	if r.answer.Hints == nil {
		r.answer.Hints = &contract.Hints{}
	}
	r.answer.Hints.Debug = d
}

func (r *search) debugRank(c *candidate) contract.DebugRank {
	d := contract.DebugRank{Place: fmt.Sprintf("%s:%d", c.path, c.start), Score: round(c.score), Worth: round(c.worth),
		Lexical: round(c.lexical), Cosine: round(c.cosine),
		Naming: round(c.naming), Covered: round(c.covered), Held: round(c.held), MatchedBy: c.matchedBy}
	if c.row != nil {
		d.Label = c.row.Symbol.QualifiedName
	}
	for _, res := range r.answer.Results {
		file, span := res.Place()
		d.Shown = d.Shown || file == c.path && span.StartLine == c.start
	}
	return d
}
