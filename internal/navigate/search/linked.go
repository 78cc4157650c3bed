package search

import (
	"context"
	"slices"

	"sextant/internal/code"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l2meta"
)

const (
	// linkedTo is the number of the best candidates whose callers and supertypes are looked up, for which the
	// facts of their files are read.
	linkedTo = 3
	// mostCalling bounds the files with callers of a candidate: those of a function that many call say nothing
	// of it.
	mostCalling = 4
	// mostWrapping bounds the lines of such a caller.
	mostWrapping = 12
)

// linked returns the short functions that call a symbol, and the types that its type extends or implements,
// some twice. The comment of a wrapper says what the function does that it calls, and that of an interface
// what its implementations are for: the words of the query may occur in these alone.
func (p *pool) linked(ctx context.Context, row *l2meta.Row) ([]l2meta.Row, error) {
	wrappers, err := p.wrappers(ctx, row)
	if err != nil {
		return nil, err
	}
	supertypes, err := p.supertypes(ctx, row)
	return append(wrappers, supertypes...), err
}

// wrappers returns the short functions that call a function, none if many files do.
func (p *pool) wrappers(ctx context.Context, of *l2meta.Row) (out []l2meta.Row, err error) {
	if !of.Symbol.Kind.Callable() {
		return nil, nil
	}
	ids, err := p.service.Facts.Calling(ctx, p.view, of.Symbol.Name)
	if err != nil || len(ids) > 4*mostCalling { // with those that do not pass, as tests
		return nil, err
	}
	files, err := p.view.FilesByID(ctx, ids)
	files = slices.DeleteFunc(files, func(f jit.FileRow) bool {
		return f.Class != of.Class || f.Language != of.Language || !p.passes(f.Path, f.Language, f.Class)
	})
	if err != nil || len(files) > mostCalling {
		return nil, err
	}
	var keys []l2meta.Key
	for _, f := range files {
		facts, err := p.service.Facts.Facts(ctx, p.view, f.ID)
		if err != nil {
			return nil, err
		}
		for _, call := range facts.Calls() {
			if call.Callee == of.Symbol.Name && call.Caller >= 0 &&
				facts.Symbols[call.Caller].Span.Lines() <= mostWrapping {
				keys = append(keys, l2meta.Key{FileID: f.ID, Index: call.Caller})
			}
		}
	}
	rows, err := p.service.Facts.All(ctx, p.view, keys)
	for _, k := range keys {
		if row := rows[k]; row != nil {
			out = append(out, *row)
		}
	}
	return out, err
}

// supertypes returns the types that the type of a symbol extends or implements.
func (p *pool) supertypes(ctx context.Context, of *l2meta.Row) (out []l2meta.Row, err error) {
	owner := of.Symbol.Parent
	if symbols.IsType(of.Symbol.Kind) {
		owner = of.Index
	}
	if owner < 0 {
		return nil, nil
	}
	facts, err := p.service.Facts.Facts(ctx, p.view, of.FileID)
	if err != nil {
		return nil, err
	}
	for _, f := range facts.Facts() {
		if f.Kind != code.FactBase && f.Kind != code.FactImpl || f.Owner != owner {
			continue
		}
		rows, err := p.service.Facts.Named(ctx, p.view, l2meta.TypeName(f.Type), mostNamesakes)
		if err != nil {
			return nil, err
		}
		if len(rows) == mostNamesakes {
			continue // too many to be told apart by the name
		}
		for _, r := range rows {
			if symbols.IsType(r.Symbol.Kind) && r.Language == of.Language && p.passes(r.Path, r.Language, r.Class) {
				out = append(out, r)
			}
		}
	}
	return out, nil
}
