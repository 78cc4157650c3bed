package main

import (
	"context"
	"errors"
	"fmt"

	"sextant/cmd/dev/internal/quality"
	"sextant/internal/navigate"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search"
	"sextant/internal/navigate/search/rank"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l1fts/embed"
	"sextant/l2meta"
)

// engine is the index of one directory, with several ways to search it.
type engine struct {
	dir      string
	roots    *jit.Roots
	root     *jit.Root
	words    *l1fts.Index
	lexical  *navigate.Service // service without an embedder
	complete *navigate.Service
	symbols  l2meta.Index
	observer search.Observer // observes the candidates of both services; nil for none
}

// open indexes dir and returns its engine, which the caller must close.
func open(ctx context.Context, home, dir string) (_ *engine, err error) {
	opt := l1fts.Options{Embedder: embed.Builtin()}
	eng := &engine{dir: dir, words: l1fts.New(opt)}
	index := navigate.IndexOptions(home, opt)
	index.Watch, index.Version = jit.WatchOff, "quality"
	if eng.roots, err = jit.Open(ctx, index); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, eng.roots.Close())
		}
	}()
	if eng.root, err = eng.roots.Track(ctx, dir, jit.Policy{}); err != nil {
		return nil, err
	}
	if err = eng.root.Build(ctx, "create", nil); err != nil {
		return nil, err
	}
	observe := func(q rank.Query, found []search.Observed) {
		if eng.observer != nil {
			eng.observer(q, found)
		}
	}
	eng.lexical = navigate.New(navigate.Options{Roots: eng.roots, Version: "quality", Observer: observe})
	eng.complete = navigate.New(navigate.Options{Roots: eng.roots, Version: "quality", Words: opt, Observer: observe})
	if _, err = eng.root.Sync(ctx); err != nil {
		return nil, err
	}
	// An index that an earlier run left may have vectors of another version of the embedder's
	// table.
	if err = eng.root.CatchUp(ctx); err != nil {
		return nil, err
	}
	return eng, nil
}

func (e *engine) close() error { return e.roots.Close() }

// depth is the number of results that are judged.
const depth = 10

// byWords returns the results of BM25 alone, each symbol or file once.
func (e *engine) byWords(ctx context.Context, question string,
	files, functions bool) (out []quality.Answer, err error) {
	q, err := l1fts.Parse(question)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", question, err)
	}
	err = e.root.View(ctx, func(v *jit.View) error {
		hits, _, err := e.words.Search(ctx, v, q, l1fts.SearchOptions{Limit: 60})
		if err == nil {
			out, err = e.places(ctx, v, hits, files, functions)
		}
		return err
	})
	return out, err
}

// byMeaning returns the results of the embedder alone.
func (e *engine) byMeaning(ctx context.Context, question string,
	files, functions bool) (out []quality.Answer, err error) {
	vector, err := embed.Builtin().Query(ctx, question)
	if err != nil {
		return nil, err
	}
	err = e.root.View(ctx, func(v *jit.View) error {
		hits, state, err := e.words.Near(ctx, v, vector, l1fts.Query{}, l1fts.SearchOptions{Limit: 60})
		if err != nil {
			return err
		}
		if state.Skipped || !state.Complete {
			return fmt.Errorf("the vectors of %s are not all there", e.dir)
		}
		out, err = e.places(ctx, v, hits, files, functions)
		return err
	})
	return out, err
}

// places returns the files that contain the hits, or their symbols unless files is set, without
// duplicates. Overloads are one result, as they are for search_codebase.
func (e *engine) places(ctx context.Context, v *jit.View, hits []l1fts.Hit,
	files, functions bool) ([]quality.Answer, error) {
	seen := map[quality.Answer]bool{}
	var out []quality.Answer
	for _, h := range hits {
		answer := quality.Answer{File: h.Path}
		if !files {
			if h.Symbol < 0 {
				continue
			}
			row, ok, err := e.symbols.At(ctx, v, h.FileID, h.Symbol)
			if err != nil {
				return nil, err
			}
			if !ok || functions && !row.Symbol.Kind.Callable() {
				continue
			}
			answer.Symbol, answer.Line = row.Symbol.QualifiedName, row.Symbol.Span.StartLine
		}
		if seen[answer] {
			continue
		}
		seen[answer] = true
		if out = quality.Join(out, answer); quality.Results(out) > depth {
			return out[:len(out)-1], nil
		}
	}
	return out, nil
}

// search returns the results of the tool search_codebase. If functions is set, it returns only
// functions, as the baselines do. low reports that the answer has low confidence.
func (e *engine) search(ctx context.Context, s *navigate.Service, question string,
	files, functions bool) (out []quality.Answer, low bool, err error) {
	req := contract.SearchRequest{Path: e.dir, Query: question, Limit: 30}
	if files {
		req.GroupBy, req.Limit = contract.GroupByFile, depth
	}
	if err := req.Normalize(); err != nil {
		return nil, false, err
	}
	req.MaxTokens = 100_000
	answer, err := s.Search(ctx, req)
	if err != nil {
		return nil, false, fmt.Errorf("%q: %w", question, err)
	}
	for _, result := range answer.Results {
		g, ok := result.(*contract.Group)
		if !ok {
			continue
		}
		a := quality.Answer{File: g.File, Symbol: g.SymbolLabel}
		if a.Line = g.Span.StartLine; g.SymbolSpan != nil { // set if it differs from Span
			a.Line = g.SymbolSpan.StartLine
		}
		if functions && !callable[g.SymbolKind] {
			continue
		}
		if out = quality.Join(out, a); quality.Results(out) > depth {
			return out[:len(out)-1], answer.Confidence == contract.Low, nil
		}
		for _, o := range g.Overloads {
			a.Line = o.StartLine
			out = quality.Join(out, a)
		}
	}
	return out, answer.Confidence == contract.Low, nil
}

// observed searches for a question and calls keep once, with the candidates that the search ranked
// last. It does not call keep if there were none.
func (e *engine) observed(ctx context.Context, s *navigate.Service, question string, files bool,
	keep search.Observer) error {
	var query rank.Query
	var last []search.Observed
	e.observer = func(q rank.Query, found []search.Observed) { query, last = q, found }
	defer func() { e.observer = nil }()
	if _, _, err := e.search(ctx, s, question, files, false); err != nil {
		return err
	}
	if last != nil {
		keep(query, last)
	}
	return nil
}

var callable = map[string]bool{"function": true, "method": true, "constructor": true, "component": true,
	"hook": true, "macro": true}
