package main

import (
	"context"
	"errors"
	"fmt"

	"sextant/cmd/dev/internal/quality"
	"sextant/internal/navigate/search/rank"
)

// poolNumber is a field of [rank.Pool] and the values to try for it. The field decides which
// candidates a search considers, so each value requires new searches.
type poolNumber struct {
	name   string
	of     func(*rank.Pool) *float64
	values []float64
	ranks  [][]int // index of the value → ranks of the questions' answers
}

// poolNumbers returns the numbers of [rank.Pool] to fit, without ranks.
func poolNumbers() []*poolNumber {
	return []*poolNumber{
		{name: "kinship", of: func(p *rank.Pool) *float64 { return &p.Values.Kinship },
			values: []float64{0.1, 0.2, 0.3, 0.4, 0.55, 0.7, 0.9}},
		{name: "declared", of: func(p *rank.Pool) *float64 { return &p.Values.Declared },
			values: []float64{0.1, 0.2, 0.33, 0.5, 0.7}},
	}
}

// fitPool chooses the numbers of [rank.Pool]. It searches for the questions about symbols with each
// value to try, and prints how much the best values gain on repositories without which they were
// chosen. It changes m if the gain is larger than chance explains.
func (f *fitter) fitPool(ctx context.Context, m *rank.Model) error {
	numbers := poolNumbers()
	var now []int
	var repositories []string
	for _, kind := range f.kinds {
		if kind == "commits" {
			continue // results are files, which have no relatives
		}
		sets, err := f.sets(kind)
		if err != nil {
			return err
		}
		for i := range sets {
			functions := kind == "sentences"
			err := f.overTrees(ctx, kind, &sets[i], func(eng *engine, q *quality.Question) error {
				if q.Unanswerable {
					return nil
				}
				r, err := rankOf(ctx, eng, q, functions)
				now, repositories = append(now, r), append(repositories, sets[i].Repository)
				for _, n := range numbers {
					err = errors.Join(err, n.ask(ctx, eng, q, functions))
				}
				return err
			})
			if err != nil && !errors.Is(err, errAbsent) {
				return err
			}
		}
	}
	for _, n := range numbers {
		n.choose(&m.Pool, now, repositories)
	}
	return nil
}

// rankOf returns the rank of the answer to a question, 0 if it is not found.
func rankOf(ctx context.Context, eng *engine, q *quality.Question, functions bool) (int, error) {
	found, _, err := eng.search(ctx, eng.complete, q.Query, false, functions)
	return q.Rank(found), err
}

// ask searches for one question with each value to try, and records the ranks of its answer.
func (n *poolNumber) ask(ctx context.Context, eng *engine, q *quality.Question, functions bool) error {
	at := n.of(&rank.Current.Pool)
	defer func(was float64) { *at = was }(*at)
	n.ranks = append(n.ranks, make([][]int, len(n.values)-len(n.ranks))...)
	for i, v := range n.values {
		*at = v
		r, err := rankOf(ctx, eng, q, functions)
		if err != nil {
			return err
		}
		n.ranks[i] = append(n.ranks[i], r)
	}
	return nil
}

// choose prints the figures of each value. For each repository it chooses a value by the others,
// and measures the gain there. If the gain is larger than chance explains, it sets the value that
// is best for all.
func (n *poolNumber) choose(p *rank.Pool, now []int, repositories []string) {
	if len(now) < leastExamples {
		fmt.Printf("%-9s %4d questions are too few; it stays\n", n.name, len(now))
		return
	}
	for i, v := range n.values {
		fmt.Printf("%-9s %.2f  MRR %.4f\n", n.name, v, quality.Measure(n.ranks[i]).MRR)
	}
	chosen := map[string]int{}
	held := make([]int, len(now))
	for i, r := range repositories {
		if _, ok := chosen[r]; !ok {
			chosen[r] = n.best(func(q int) bool { return repositories[q] != r })
		}
		held[i] = n.ranks[chosen[r]][i]
	}
	mean, interval := quality.Difference(held, now)
	best := n.values[n.best(func(int) bool { return true })]
	fmt.Printf("%-9s %4d questions, now %.2f  best %.2f  on repositories left out %+.4f [%+.4f, %+.4f]\n", n.name,
		len(now), *n.of(p), best, mean, interval[0], interval[1])
	if interval[0] > 0 {
		*n.of(p) = best
		p.Source = fmt.Sprintf("%s fitted on %d validation questions; on repositories left out %+.3f [%+.3f, %+.3f] MRR",
			n.name, len(now), mean, interval[0], interval[1])
	}
}

// best returns the index of the value with the best ranks over the questions for which
// counts reports true.
func (n *poolNumber) best(counts func(question int) bool) (best int) {
	top := -1.0
	for i, ranks := range n.ranks {
		var of []int
		for q, r := range ranks {
			if counts(q) {
				of = append(of, r)
			}
		}
		if mrr := quality.Measure(of).MRR; mrr > top {
			best, top = i, mrr
		}
	}
	return best
}
