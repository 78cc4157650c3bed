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
	// relatedTo is the number of the best candidates whose relatives, such as symbols of the same name,
	// are looked up.
	relatedTo = 8
	// mostNamesakes bounds the number of declarations of one name. If a name has more
	// declarations, as close or String may have, a good candidate of that name does not make the
	// others candidates.
	mostNamesakes = 8
	// leastRelatedName is the least length in bytes of a name for which symbols of the same or a similar
	// name are looked up.
	leastRelatedName = 4
)

// addRelatives adds the relatives of the best candidates: other declarations of the same name,
// declarations in the same file whose name begins with the candidate's or the reverse, and the
// types that the candidates belong to. For the first few candidates it also adds short functions
// that call them, and supertypes. For example, the comment of an interface's method describes its
// implementations, and the comment of OpenWith describes Open, which only calls it.
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

// relatives returns the symbols with the name of a given one, and those in its file whose name
// begins with its name or the reverse. Unless the query asks where something is done, the type that
// the symbol belongs to is added. Some may occur twice.
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

// namesakes returns the symbols with the same name and kind as row, or none if there are many.
func (p *pool) namesakes(ctx context.Context, row *l2meta.Row) ([]l2meta.Row, error) {
	const most = 4 * mostNamesakes // limit before tests and similar files are dropped
	rows, err := p.service.Facts.Namesakes(ctx, p.view, row, most)
	if len(rows) == most {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(r l2meta.Row) bool { return !p.passes(r.Path, r.Language, r.Class) })
	if len(rows) > mostNamesakes {
		return nil, err
	}
	return rows, err
}

// addRelative adds row, a relative of c such as a symbol of the same name, as a candidate with a part of
// c's scores, and returns the candidate. It returns nil if row is a candidate already.
func (p *pool) addRelative(c *candidate, row *l2meta.Row) *candidate {
	key := candidateKey{file: row.FileID, symbol: row.Index}
	if p.all[key] != nil {
		return nil
	}
	added, kinship := candidateOf(row), rank.Current.Pool.Values.Kinship
	added.lexical, added.wordRank, added.cosine = kinship*c.lexical, kinship*c.wordRank, kinship*c.cosine
	for _, lane := range c.matchedBy {
		if lane != "exact" {
			added.note(lane)
		}
	}
	p.all[key] = added
	return added
}
