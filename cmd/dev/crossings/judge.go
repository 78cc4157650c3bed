package main

import (
	"fmt"
	"strings"

	"sextant/l2meta/endpoint"
)

// outcome is the degree to which an edge of the truth, a call between services that was read by
// hand, was found. The values are ordered from worst to best.
type outcome int

const (
	silent    outcome = iota // neither an edge nor a note names its call
	noted                    // a note reports that its call has no handler
	candidate                // its handler is among the candidates
	right                    // its handler answers its call
)

// judgement compares the crossings that were found in a workspace, calls between services, with its
// truth, the crossings that were read by hand.
type judgement struct {
	*runner
	truth    *truth
	back     map[string]bool   // keys of the crossings that their handlers know of
	scores   map[string]*score // kind → score
	outcomes []outcome         // outcome of each edge of the truth
}

// judge compares the found crossings, calls between services, with the truth. It returns the counts
// for each kind of crossing, such as http.
func (r *runner) judge(t *truth, all *found) map[string]*score {
	j := judgement{runner: r, truth: t, back: map[string]bool{}, scores: map[string]*score{},
		outcomes: make([]outcome, len(t.edges))}
	for i := range all.in {
		j.back[t.key(&all.in[i])] = true
	}
	for i := range all.out {
		x := &all.out[i]
		switch {
		case !t.holds(t.path(x.File.Path)):
		case x.Handler.Valid():
			j.edge(x)
		default:
			j.note(x)
		}
	}
	for k := range t.edges {
		j.count(&t.edges[k], j.outcomes[k])
	}
	return j.scores
}

// of returns the score of a kind of crossing, which it creates if necessary.
func (j *judgement) of(kind string) *score {
	if j.scores[kind] == nil {
		j.scores[kind] = &score{}
	}
	return j.scores[kind]
}

// reach sets the outcome of the edges with the given indexes in the truth to o, unless they have a
// better one.
func (j *judgement) reach(edges []int, o outcome) {
	for _, k := range edges {
		j.outcomes[k] = max(j.outcomes[k], o)
	}
}

// note counts a note, which says that no handler was found for a call. It ignores a call to a host
// outside the workspace: such a note does not say that a crossing is missing. If the truth does
// have one there, the crossing counts as missed silently.
func (j *judgement) note(x *endpoint.Crossing) {
	if x.Outside {
		return
	}
	_, near := j.truth.match(j.truth.edges, x)
	_, beside := j.truth.match(j.truth.right, x)
	j.reach(near, noted)
	if strings.Contains(j.show, "n") {
		fmt.Printf("  note: %s %s:%d %s (%s)\n", x.Kind, j.truth.path(x.File.Path),
			x.Call.NameSpan.StartLine, x.Via, x.Why)
	}
	if len(near) == 0 && len(beside) == 0 {
		j.of(string(x.Kind)).notes++
	}
}

// edge counts a crossing that was found, from a call to a handler, as right, wrong or a candidate.
// It ignores a crossing that the truth does not list if both ends are in one service of the truth.
func (j *judgement) edge(x *endpoint.Crossing) {
	matched, _ := j.truth.match(j.truth.edges, x)
	also, _ := j.truth.match(j.truth.right, x)
	if len(matched) == 0 && j.truth.within(x) {
		return
	}
	if !j.back[j.truth.key(x)] {
		j.of(string(x.Kind)).oneWay++
		j.line('w', "one way", x)
	}
	switch {
	case x.Confidence <= answered:
		j.reach(matched, candidate)
		j.line('c', fmt.Sprintf("candidate, right %v", len(matched)+len(also) > 0), x)
	case len(matched) > 0:
		j.reach(matched, right)
		j.line('r', "right", x)
	case len(also) > 0:
		j.line('r', "right as well", x)
	default:
		j.of(string(x.Kind)).wrong++
		j.line('w', "wrong", x)
	}
}

// count adds an edge of the truth with its outcome to the counts of its kind. It prints a missed
// edge if --show requests that.
func (j *judgement) count(e *edge, o outcome) {
	s := j.of(e.kind)
	letter, word := 'm', "missed, a note says so"
	switch o {
	case right:
		s.right++
		return
	case candidate:
		s.candidates++
		word = "missed, a candidate"
	case noted:
		s.noted++
	default:
		letter, word = 's', "missed silently"
	}
	s.missed++
	if strings.ContainsRune(j.show, letter) || strings.Contains(j.show, "m") {
		fmt.Printf("  %s: %s\n", word, e)
	}
}

// line prints a crossing after the text word, if the flag --show contains the letter.
func (j *judgement) line(letter rune, word string, x *endpoint.Crossing) {
	if strings.ContainsRune(j.show, letter) {
		fmt.Printf("  %s: %.2f %s %s:%d -> %s:%d %s (%s)\n", word, x.Confidence, x.Kind, j.truth.path(x.File.Path),
			x.Call.NameSpan.StartLine, j.truth.path(x.Handler.File.Path), x.At.StartLine, x.Via, x.Provenance)
	}
}
