package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"sextant/cmd/dev/internal/fit"
	"sextant/cmd/dev/internal/quality"
	"sextant/internal/navigate/search"
	"sextant/internal/navigate/search/rank"
)

const (
	// sentenceShare is the weight of a question that was made from a sentence of documentation; a
	// hand-written question has the weight 1. Agents ask questions like the hand-written ones, but
	// these are few; sentences cover more cases.
	sentenceShare = 0.6
	// leastExamples is the least number of examples for which the weights of a kind
	// of query are fitted.
	leastExamples = 150
)

// fitter collects the candidates of the search for each validation question.
type fitter struct {
	runner
	weights  string // path of the file with the weights
	examples map[rank.Kind][]fit.Example
}

// run fits the weights of each kind of query, and the numbers of [rank.Pool], on the validation
// split. It prints the gain on repositories that the fit did not use. With --write it writes the
// weights and numbers whose gain is larger than chance explains.
func (f *fitter) run(ctx context.Context) error {
	remove, err := f.makeHome()
	if err != nil {
		return err
	}
	defer remove()
	text, err := os.ReadFile(f.weights)
	if err != nil {
		return err
	}
	model, err := rank.Read(text)
	if err != nil {
		return err
	}
	f.split, f.examples = quality.Validation, map[rank.Kind][]fit.Example{}
	if err := f.collect(ctx); err != nil {
		return err
	}
	for kind := rank.Words; kind <= rank.Files; kind++ {
		f.fit(model, kind)
	}
	if err := f.fitPool(ctx, model); err != nil {
		return err
	}
	if !f.write {
		return nil
	}
	if text, err = json.MarshalIndent(model, "", "  "); err != nil {
		return err
	}
	return os.WriteFile(f.weights, append(text, '\n'), 0o644)
}

// fit fits the weights of one kind of query and prints the figures. It changes the model if the
// gain on left-out repositories is larger than chance explains.
func (f *fitter) fit(m *rank.Model, kind rank.Kind) {
	examples := f.examples[kind]
	if len(examples) < leastExamples {
		fmt.Printf("%-9s %4d examples are too few; its weights stay\n", kind, len(examples))
		return
	}
	now := fit.Ranks(m, examples)
	held := fit.CrossValidated(m, kind, examples)
	mean, interval := quality.Difference(held, now)
	weights := fit.Fit(m, kind, examples)
	changed := *m
	changed.Kinds = map[rank.Kind]*rank.Fitted{kind: {Weights: weights}}
	fmt.Printf("%-9s %4d examples  MRR %.3f  fitted %.3f  on repositories left out %.3f, %+.3f [%+.3f, %+.3f]\n",
		kind, len(examples), quality.Measure(now).MRR, quality.Measure(fit.Ranks(&changed, examples)).MRR,
		quality.Measure(held).MRR, mean, interval[0], interval[1])
	if interval[0] > 0 {
		source := fmt.Sprintf("fitted on %d validation questions; on repositories left out %+.3f [%+.3f, %+.3f] MRR",
			len(examples), mean, interval[0], interval[1])
		m.Kinds[kind] = &rank.Fitted{Source: source, Weights: weights}
	}
}

// collect searches for the validation questions and stores the candidates as
// examples.
func (f *fitter) collect(ctx context.Context) error {
	for _, kind := range f.kinds {
		sets, err := f.sets(kind)
		if err != nil {
			return err
		}
		for i := range sets {
			err := f.collectSet(ctx, kind, &sets[i])
			if errors.Is(err, errAbsent) && !f.all {
				fmt.Printf("%-9s %-28s left out: %v\n", kind, sets[i].Repository, err)
				continue
			}
			if err != nil {
				return fmt.Errorf("%s of %s: %w", kind, sets[i].Repository, err)
			}
		}
	}
	return nil
}

// collectSet stores two examples for each question of a set: the candidates of a search with the embedder, and
// those of one without. Questions about files (of the kind commits) have only the first.
func (f *fitter) collectSet(ctx context.Context, kind string, set *quality.Set) error {
	return f.overTrees(ctx, kind, set, func(eng *engine, q *quality.Question) error {
		if q.Unanswerable {
			return nil
		}
		files, functions := kind == "commits", kind == "sentences"
		keep := func(query rank.Query, found []search.Observed) {
			e := fit.Example{Repository: set.Repository, Query: query, Weight: 1}
			if functions && query.Kind == rank.Ask {
				e.Weight = sentenceShare
			}
			e.Candidates = judged(q, found, functions)
			f.examples[query.Kind] = append(f.examples[query.Kind], e)
		}
		if err := eng.observed(ctx, eng.complete, q.Query, files, keep); err != nil || files {
			return err // files are weighed alike without an embedder
		}
		return eng.observed(ctx, eng.lexical, q.Query, files, keep)
	})
}

// judged returns the candidates of a search, each marked with whether it answers q. If functions is
// set, it returns only functions.
func judged(q *quality.Question, found []search.Observed, functions bool) (out []fit.Candidate) {
	for i := range found {
		o := &found[i]
		if s := o.Features.Symbol; functions && (s == nil || !callable[string(s.Kind)]) {
			continue
		}
		right := q.Rank([]quality.Answer{{File: o.File, Symbol: o.Label, Line: o.Line}}) == 1
		out = append(out, fit.Candidate{Features: o.Features, Right: right})
	}
	return out
}
