package fit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/search/rank"
)

// made returns n questions of seven repositories. The right candidates have many calls (Busy) and little
// Meaning, whatever the current weights prefer.
func made(seed uint64, n int) (out []Example) {
	r := rand.New(rand.NewPCG(seed, seed))
	for i := range n {
		e := Example{Repository: fmt.Sprint("r", i%7), Query: rank.Query{Kind: rank.Ask}, Weight: 1}
		for range 20 {
			f := rank.Features{Class: code.ClassSource, Busy: r.Float64(), Meaning: r.Float64()}
			e.Candidates = append(e.Candidates, Candidate{Features: f, Right: f.Busy > 0.9 && f.Meaning < 0.5})
		}
		out = append(out, e)
	}
	return out
}

// TestFit checks that fitted weights rank better, on other questions too, and that the model keeps
// its own.
func TestFit(t *testing.T) {
	m := rank.Current
	before := m.Kinds[rank.Ask].Weights
	examples, others := made(1, 120), made(2, 120)
	with := *m
	with.Kinds = map[rank.Kind]*rank.Fitted{rank.Ask: {Weights: Fit(m, rank.Ask, examples)}}
	if was, now := measure(m, others), measure(&with, others); now < was+0.2 {
		t.Errorf("%.3f before, %.3f after", was, now)
	}
	if m.Kinds[rank.Ask].Weights != before {
		t.Error("the model has changed")
	}
	if again := Fit(m, rank.Ask, examples); again != with.Kinds[rank.Ask].Weights {
		t.Errorf("%+v, then %+v", with.Kinds[rank.Ask].Weights, again)
	}
}

// TestCrossValidated checks that an example is ranked by weights of other repositories: where the
// right answers of one repository are the opposite of the rest, it ranks worse.
func TestCrossValidated(t *testing.T) {
	examples := made(3, 70)
	for i := range examples {
		if examples[i].Repository == "r0" {
			for j := range examples[i].Candidates {
				c := &examples[i].Candidates[j]
				c.Right = c.Features.Busy < 0.1
			}
		}
	}
	ranks := CrossValidated(rank.Current, rank.Ask, examples)
	mean := func(in bool) (sum float64) {
		n := 0.0
		for i, r := range ranks {
			if (examples[i].Repository == "r0") == in && r > 0 {
				sum, n = sum+1/float64(r), n+1
			}
		}
		return sum / n
	}
	if odd, rest := mean(true), mean(false); odd > rest-0.3 {
		t.Errorf("%.3f for the odd repository, %.3f for the others", odd, rest)
	}
}

// TestRanks checks that of equal scores the earlier candidate ranks first, and that a question
// without a right candidate has no rank.
func TestRanks(t *testing.T) {
	f := rank.Features{Class: code.ClassSource, Meaning: 0.5}
	e := Example{Query: rank.Query{Kind: rank.Ask}, Weight: 1,
		Candidates: []Candidate{{f, false}, {f, true}, {f, false}}}
	if got := e.rank(rank.Current); got != 2 {
		t.Errorf("rank %d, not 2", got)
	}
	e.Candidates[1].Right = false
	if got := e.rank(rank.Current); got != 0 {
		t.Errorf("rank %d, not 0", got)
	}
}
