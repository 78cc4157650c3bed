package navigate

import (
	"fmt"
	"time"

	"sextant/internal/code"
)

// SearchDebug says how an answer of search_codebase came about. It is in
// hints.debug when debug or debugMode asks for it.
type SearchDebug struct {
	Terms      []string       `json:"terms"` // of the query, as they are ranked
	Filter     DebugFilter    `json:"filter"`
	Lanes      map[string]int `json:"lanes"` // exact, lexical, semantic, path → candidates that it found
	Phases     []DebugPhase   `json:"phases"`
	Candidates []DebugRank    `json:"candidates,omitempty"` // the best, as far as the budget goes
}

// DebugFilter is what a file has to be.
type DebugFilter struct {
	Prefix   string       `json:"prefix,omitempty"`
	Classes  []code.Class `json:"classes,omitempty"` // none for all
	Services []string     `json:"services,omitempty"`
	Changed  int          `json:"changed"` // files that git says changed, where they are lifted
}

// DebugPhase is a part of the work on the last pass.
type DebugPhase struct {
	Name   string `json:"name"`
	Micros int64  `json:"micros"`
}

// DebugRank is a candidate with what its place rests on.
type DebugRank struct {
	Place     string   `json:"place"` // file:line
	Label     string   `json:"label,omitempty"`
	Score     float64  `json:"score"`
	Worth     float64  `json:"worth"` // by itself, before its neighbours count
	Lexical   float64  `json:"lexical"`
	Cosine    float64  `json:"cosine"`
	Naming    float64  `json:"naming"`  // share of the query that names it
	Covered   float64  `json:"covered"` // share of the query that it holds
	Held      float64  `json:"held"`    // the same in other words too, of a question
	MatchedBy []string `json:"matchedBy"`
	Shown     bool     `json:"shown"`
}

// asksDebug reports whether the request wants to see how it was answered, and
// the candidates as well.
func (r *SearchRequest) asksDebug() (any, ranking bool) {
	all := r.Debug || r.DebugMode == "full"
	return all || r.DebugMode != "none" && r.DebugMode != "", all || r.DebugMode == "ranking"
}

// stopwatch takes the times of the phases of one pass.
type stopwatch struct {
	since  time.Time
	phases []DebugPhase
}

func (w *stopwatch) begin() { w.since, w.phases = time.Now(), nil }

// end ends a phase and begins the next.
func (w *stopwatch) end(phase string) {
	now := time.Now()
	w.phases = append(w.phases, DebugPhase{phase, now.Sub(w.since).Microseconds()})
	w.since = now
}

// debugged adds how the answer came about. found is every candidate, the best
// first; what the budget has no room for is left out.
func (r *search) debugged(found []candidate) {
	any, ranking := r.req.asksDebug()
	if !any {
		return
	}
	d := &SearchDebug{Terms: r.terms, Lanes: map[string]int{}, Phases: r.watch.phases,
		Filter: DebugFilter{r.filter.Prefix, r.filter.Classes, r.filter.Dirs, len(r.changed)}}
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
		r.answer.Hints = &Hints{}
	}
	r.answer.Hints.Debug = d
}

func (r *search) debugRank(c *candidate) DebugRank {
	d := DebugRank{Place: fmt.Sprintf("%s:%d", c.path, c.start), Score: round(c.score), Worth: round(c.worth), Lexical: round(c.lexical), Cosine: round(c.cosine),
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
