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
	// linkedTo is the number of the best candidates whose callers and supertypes are looked up. It is
	// small because each look-up reads the index's records of several files.
	linkedTo = 3
	// mostCalling is the largest number of files that call a candidate. If more files call a function, its
	// callers say nothing about it.
	mostCalling = 4
	// mostWrapping is the largest number of lines of a caller that counts as a wrapper.
	mostWrapping = 12
)

// linked returns the short functions that call a symbol, and the types that its type extends or implements.
// Some rows may occur twice. The comment of a wrapper often describes the function that it calls, and the
// comment of an interface its implementations, so the words of the query may occur only in these comments.
func (p *pool) linked(ctx context.Context, row *l2meta.Row) ([]l2meta.Row, error) {
	wrappers, err := p.wrappers(ctx, row)
	if err != nil {
		return nil, err
	}
	supertypes, err := p.supertypes(ctx, row)
	return append(wrappers, supertypes...), err
}

// wrappers returns the short functions that call a function, or none if many files call it.
func (p *pool) wrappers(ctx context.Context, callee *l2meta.Row) (out []l2meta.Row, err error) {
	if !callee.Symbol.Kind.Callable() {
		return nil, nil
	}
	ids, err := p.service.Facts.Calling(ctx, p.view, callee.Symbol.Name)
	if err != nil || len(ids) > 4*mostCalling { // ids also contains files that are omitted later, such as tests
		return nil, err
	}
	files, err := p.view.FilesByID(ctx, ids)
	files = slices.DeleteFunc(files, func(f jit.FileRow) bool {
		return f.Class != callee.Class || f.Language != callee.Language || !p.passes(f.Path, f.Language, f.Class)
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
			if call.Callee == callee.Symbol.Name && call.Caller >= 0 &&
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
func (p *pool) supertypes(ctx context.Context, symbol *l2meta.Row) (out []l2meta.Row, err error) {
	owner := symbol.Symbol.Parent
	if symbols.IsType(symbol.Symbol.Kind) {
		owner = symbol.Index
	}
	if owner < 0 {
		return nil, nil
	}
	facts, err := p.service.Facts.Facts(ctx, p.view, symbol.FileID)
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
			continue // there are too many types of that name to tell which one is meant
		}
		for _, r := range rows {
			if symbols.IsType(r.Symbol.Kind) && r.Language == symbol.Language && p.passes(r.Path, r.Language, r.Class) {
				out = append(out, r)
			}
		}
	}
	return out, nil
}
