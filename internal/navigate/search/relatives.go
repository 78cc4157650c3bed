package search

import (
	"context"
	"slices"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search/rank"
	"sextant/internal/navigate/symbols"
	"sextant/l2meta"
)

const (
	// relatedTo is the number of the best candidates whose relatives are looked up.
	relatedTo = 8
	// mostNamesakes bounds the declarations that bear one name: the many that implement close or String say
	// nothing of each other.
	mostNamesakes = 8
	// leastRelatedName is the length in bytes of the shortest name that others are looked up for.
	leastRelatedName = 4
)

// addRelatives adds the relatives of the best candidates: what else is declared by their names, what a
// candidate's file declares by a name that begins with its own, or the other way about, and the types that they
// belong to; and what is linked with the first of them. The comment of an interface's method says what its
// implementations do, and that of OpenWith says what Open does, which only calls it.
func (p *pool) addRelatives(ctx context.Context) error {
	if p.req.GroupBy == contract.GroupByFile || !p.prose() {
		return nil
	}
	var relatives []*candidate
	best := p.ordered()
	for i := range best[:min(len(best), relatedTo)] {
		c := &best[i]
		if c.row == nil {
			continue
		}
		rows, err := p.relatives(ctx, c.row)
		if err == nil && i < linkedTo {
			var more []l2meta.Row
			more, err = p.linked(ctx, c.row)
			rows = append(rows, more...)
		}
		if err != nil {
			return err
		}
		for j := range rows {
			if r := p.addRelative(c, &rows[j]); r != nil {
				relatives = append(relatives, r)
			}
		}
	}
	if len(relatives) == 0 || !p.meant || p.service.fusion != FuseScores {
		return nil
	}
	inherited := make([]float64, len(relatives))
	for i, r := range relatives {
		inherited[i] = r.cosine
	}
	kinship, err := rank.Current.Pool.Values.Kinship, p.cosines(ctx, relatives)
	for i, r := range relatives {
		r.cosine = max(r.cosine, (1-kinship)*r.cosine+inherited[i])
	}
	return err
}

// relatives returns the relatives of a symbol, some twice.
func (p *pool) relatives(ctx context.Context, row *l2meta.Row) (out []l2meta.Row, err error) {
	if len(row.Symbol.Name) >= leastRelatedName {
		if out, err = p.namesakes(ctx, row); err != nil {
			return nil, err
		}
		near, err := p.service.Facts.Variants(ctx, p.view, row)
		if err != nil {
			return nil, err
		}
		out = append(out, slices.DeleteFunc(near, func(r l2meta.Row) bool {
			return len(r.Symbol.Name) < leastRelatedName
		})...)
	}
	if p.work || row.Symbol.Parent < 0 {
		return out, nil
	}
	owner, found, err := p.service.Facts.At(ctx, p.view, row.FileID, row.Symbol.Parent)
	if found && symbols.IsType(owner.Symbol.Kind) {
		out = append(out, owner)
	}
	return out, err
}

// namesakes returns the symbols with the name and kind of a row, none if there are many.
func (p *pool) namesakes(ctx context.Context, of *l2meta.Row) ([]l2meta.Row, error) {
	const most = 4 * mostNamesakes // tests included, which may not pass
	rows, err := p.service.Facts.Namesakes(ctx, p.view, of, most)
	if len(rows) == most {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(r l2meta.Row) bool { return !p.passes(r.Path, r.Language, r.Class) })
	if len(rows) > mostNamesakes {
		return nil, err
	}
	return rows, err
}

// addRelative adds a relative of a candidate, and returns nil if it is a candidate already. It shares in the
// features of the other.
func (p *pool) addRelative(of *candidate, row *l2meta.Row) *candidate {
	key := candidateKey{file: row.FileID, symbol: row.Index}
	if p.all[key] != nil {
		return nil
	}
	c, kinship := candidateOf(row), rank.Current.Pool.Values.Kinship
	c.lexical, c.wordRank, c.cosine = kinship*of.lexical, kinship*of.wordRank, kinship*of.cosine
	for _, lane := range of.matchedBy {
		if lane != "exact" {
			c.note(lane)
		}
	}
	p.all[key] = c
	return c
}
