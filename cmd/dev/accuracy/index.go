package main

import (
	"context"

	"sextant/cmd/dev/internal/accuracy"
	"sextant/cmd/dev/internal/indexed"
	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta/resolve"
)

// index is a snapshot of the index of a work tree.
type index struct {
	files    map[string]store.FileRow // path → row of a file with text
	resolver *resolve.Resolver
	assume   float64 // copy of options.assume
}

// indexed indexes the work tree dir and runs fn on the index.
func (r *runner) indexed(ctx context.Context, dir string, fn func(*index) error) error {
	return indexed.Run(ctx, r.home, dir, func(tree *indexed.Tree) error {
		idx := &index{files: map[string]store.FileRow{}, resolver: tree.Resolver, assume: r.assume}
		if err := tree.View.Files(ctx, func(f store.FileRow) error {
			if f.Skip == "" {
				idx.files[f.Path] = f
			}
			return nil
		}); err != nil {
			return err
		}
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

// answers returns the resolver's answers for all call sites of an indexed file. language is the
// language for which the repository is measured.
func (x *index) answers(file, language string) ([]accuracy.Answer, error) {
	row := x.files[file]
	sites, err := x.resolver.Sites(row.ID)
	if err != nil {
		return nil, err
	}
	out := make([]accuracy.Answer, 0, len(sites))
	for _, s := range sites {
		if s.Call.Kind == code.CallAccess ||
			s.Call.Kind == code.CallReference && accuracy.HasOracle(accuracy.Taken.Of(row.Language)) {
			continue // the method uses returns these
		}
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
		out = append(out, a)
	}
	return out, nil
}

// uses returns the resolved uses of one kind in an indexed file: reads and assignments that run a
// getter or setter, or functions that are used as values.
func (x *index) uses(file string, use accuracy.Use) (out []accuracy.Answer, err error) {
	kind := code.CallAccess
	if use == accuracy.Taken {
		kind = code.CallReference
	}
	sites, err := x.resolver.Sites(x.files[file].ID)
	if err != nil {
		return nil, err
	}
	for _, s := range sites {
		if s.Call.Kind == kind && s.Outcome == resolve.Settled {
			out = append(out, accuracy.Answer{
				Line: s.Call.NameSpan.StartLine, Column: s.Call.NameSpan.StartColumn, Name: s.Call.Callee,
				Write:   s.Call.Args > 0,
				Outcome: accuracy.OutcomeSettled, Confidence: s.Confidence, Strategy: string(s.Strategy),
				Reason: s.Provenance,
				Target: accuracy.Place{File: s.Target.File.Path, Line: s.Target.Symbol().NameSpan.StartLine},
			})
		}
	}
	return out, nil
}
