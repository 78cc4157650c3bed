package main

import (
	"context"
	"errors"
	"os"

	"sextant/cmd/dev/internal/accuracy"
	"sextant/internal/store"
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// index is one generation of an indexed work tree.
type index struct {
	files    map[string]store.FileRow // files with text, by path
	resolver *resolve.Resolver
	assume   float64
}

// indexed indexes the work tree dir and runs fn on the index.
func (r *runner) indexed(ctx context.Context, dir string, fn func(*index) error) (err error) {
	home := r.home
	if home == "" {
		if home, err = os.MkdirTemp("", "accuracy-*"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	}
	roots, err := jit.Open(ctx, jit.Options{
		Home: home, Extract: languages.Extract, Tiers: []jit.Indexer{l2meta.Index{}},
		Schemas: []store.Schema{l2meta.Schema()},
		Watch:   jit.WatchOff, Version: "accuracy",
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, roots.Close()) }()
	root, err := roots.Track(ctx, dir, jit.Policy{})
	if err != nil {
		return err
	}
	if err := root.Build(ctx, "create", nil); err != nil {
		return err
	}
	if _, err := root.Sync(ctx); err != nil {
		return err
	}
	return root.View(ctx, func(view *jit.View) error {
		idx := &index{files: map[string]store.FileRow{}, assume: r.assume}
		if err := view.Files(ctx, func(f store.FileRow) error {
			if f.Skip == "" {
				idx.files[f.Path] = f
			}
			return nil
		}); err != nil {
			return err
		}
		generation, err := jit.Generation(ctx, view)
		if err != nil {
			return err
		}
		idx.resolver = resolve.New(ctx, view, resolve.NewCache(languages.All, nil), generation)
		return fn(idx)
	})
}

func (x *index) has(file string) bool { return x.files[file].ID != 0 }

// outcomes maps the outcomes of package resolve to those of package accuracy.
var outcomes = map[resolve.Outcome]accuracy.Outcome{
	resolve.Open: accuracy.OutcomeOpen, resolve.Settled: accuracy.OutcomeSettled,
	resolve.External: accuracy.OutcomeExternal, resolve.FuncValue: accuracy.OutcomeValue,
	resolve.NoCall: accuracy.OutcomeOpen,
}

// answers returns the resolver's answers for all call sites of an indexed file,
// in a repository measured for a language.
func (x *index) answers(file, language string) ([]accuracy.Answer, error) {
	row := x.files[file]
	sites, err := x.resolver.Sites(row.ID)
	if err != nil {
		return nil, err
	}
	out := make([]accuracy.Answer, len(sites))
	for i, s := range sites {
		a := accuracy.Answer{
			Line: s.Call.NameSpan.StartLine, Column: s.Call.NameSpan.StartColumn, Name: s.Call.Callee,
			Outcome: outcomes[s.Outcome], Confidence: s.Confidence,
			Strategy: accuracy.StrategyIn(string(s.Strategy), row.Language, language), Reason: s.Reason,
			Module: s.Module,
		}
		if s.Outcome == resolve.Settled {
			a.Target = accuracy.Place{File: s.Target.File.Path, Line: s.Target.Symbol().NameSpan.StartLine}
			a.Reason = s.Provenance
			if x.assume > 0 && s.Strategy != resolve.UniqueName {
				a.Confidence = x.assume
			}
		}
		out[i] = a
	}
	return out, nil
}
