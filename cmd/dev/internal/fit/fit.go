// Package fit chooses the weights of a ranking. It maximises the mean reciprocal rank of questions
// with known answers by coordinate ascent (Metzler and Croft, 2007), which needs no gradient: the
// measure is a step function of the weights.
package fit

import (
	"math"
	"reflect"
	"slices"

	"sextant/internal/navigate/search/rank"
)

// Example is one question and the candidates that the search found for it.
type Example struct {
	Repository string
	Query      rank.Query
	Weight     float64 // weight of the question in the mean, 1 for most
	Candidates []Candidate
}

// Candidate is one result that the ranking may put first.
type Candidate struct {
	Features rank.Features
	Right    bool // whether it answers the question
}

// Ranks returns the rank of the first right candidate of each example, from 1; 0 if there is none.
// Of equal scores, the earlier candidate ranks first.
func Ranks(m *rank.Model, examples []Example) []int {
	out := make([]int, len(examples))
	for i := range examples {
		out[i] = examples[i].rank(m)
	}
	return out
}

// rank returns the rank of the first right candidate; see Ranks.
func (e *Example) rank(m *rank.Model) int {
	scores := make([]float64, len(e.Candidates))
	best := -1
	for i := range e.Candidates {
		_, scores[i] = m.Score(&e.Query, &e.Candidates[i].Features)
		if e.Candidates[i].Right && (best < 0 || scores[i] > scores[best]) {
			best = i
		}
	}
	if best < 0 {
		return 0
	}
	before := 0
	for i, s := range scores {
		if s > scores[best] || s == scores[best] && i < best {
			before++
		}
	}
	return 1 + before
}

// worst is the greatest rank that counts in the measure; a right candidate
// below it counts as missing.
const worst = 10

// measure returns the weighted mean reciprocal rank of examples.
func measure(m *rank.Model, examples []Example) float64 {
	sum, all := 0.0, 0.0
	for i := range examples {
		e := &examples[i]
		all += e.Weight
		if r := e.rank(m); r > 0 && r <= worst {
			sum += e.Weight / float64(r)
		}
	}
	return sum / max(all, math.SmallestNonzeroFloat64)
}

const (
	// leastGain is the least gain in the measure for which a new value of a weight is kept. With
	// 1,000 questions, a smaller gain may be due to chance in one or two of them.
	leastGain = 1e-3
	// mostRounds is the largest number of rounds over all weights.
	mostRounds = 12
	// step is the precision of a weight. The questions are too few to determine more digits.
	step = 0.01
)

var (
	// factors lists the numbers by which a weight that is not zero is multiplied to get new
	// values to try.
	factors = []float64{0, 0.5, 0.75, 0.9, 1.1, 1.3, 1.6, 2.2}
	// starts lists the values to try for a weight that is zero.
	starts = []float64{-0.3, -0.1, -0.03, 0.03, 0.1, 0.3, 1}
)

// Fit returns the weights with which examples of one kind of query rank best. It starts with the
// weights of m and does not change m. The result depends on nothing but its arguments.
func Fit(m *rank.Model, kind rank.Kind, examples []Example) rank.Weights {
	trial := *m
	now := *m.Kinds[kind]
	trial.Kinds = map[rank.Kind]*rank.Fitted{kind: &now}
	best := measure(&trial, examples)
	for range mostRounds {
		gained := false
		for _, weight := range fields(&now.Weights) {
			kept := *weight
			for _, next := range steps(kept) {
				was := *weight
				*weight = next
				if score := measure(&trial, examples); score > best+leastGain {
					best, gained = score, true
				} else {
					*weight = was
				}
			}
		}
		if !gained {
			break
		}
	}
	return now.Weights
}

// steps returns the values to try in place of a weight.
func steps(weight float64) (out []float64) {
	if weight == 0 {
		return starts
	}
	for _, f := range factors {
		out = append(out, math.Round(weight*f/step)*step)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// fields returns pointers to all weights except Ranks. That weight is used only for embedders
// without comparable cosines.
func fields(w *rank.Weights) (out []*float64) {
	v := reflect.ValueOf(w).Elem()
	for i := range v.NumField() {
		if p := v.Field(i).Addr().Interface().(*float64); p != &w.Ranks {
			out = append(out, p)
		}
	}
	return out
}

// folds is the number of parts into which the repositories are divided for cross-validation.
const folds = 5

// CrossValidated returns the ranks of the right answers, in the order of examples. Each is computed
// with weights that were fitted without the example's repository.
func CrossValidated(m *rank.Model, kind rank.Kind, examples []Example) []int {
	var names []string
	for i := range examples {
		names = append(names, examples[i].Repository)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	out := make([]int, len(examples))
	for fold := range folds {
		var others []Example
		held := func(e *Example) bool { return slices.Index(names, e.Repository)%folds == fold }
		for i := range examples {
			if !held(&examples[i]) {
				others = append(others, examples[i])
			}
		}
		with := *m
		with.Kinds = map[rank.Kind]*rank.Fitted{kind: {Weights: Fit(m, kind, others)}}
		for i := range examples {
			if held(&examples[i]) {
				out[i] = examples[i].rank(&with)
			}
		}
	}
	return out
}
