package search

import (
	"context"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search/rank"
	"sextant/internal/navigate/symbols"
	"sextant/l2meta"
)

// fewestMembers is the number of members of a type that must be candidates for the type to become one.
const fewestMembers = 3

// addOwners adds the types of which several members are candidates. The words that describe a type are
// spread over the chunks of its members: in
//
//	type TxStats struct {
//		PageCount int64 // number of page allocations
//		…
//	}
//
// each field contains some words of a query about statistics, and no chunk contains all of them. If the
// query asks where something is done, no type is added, since it asks for the code that does it.
func (p *pool) addOwners(ctx context.Context) error {
	if p.work || p.req.GroupBy == contract.GroupByFile {
		return nil
	}
	members := map[l2meta.Key][]*candidate{}
	var keys []l2meta.Key
	for _, c := range p.all {
		if c.row == nil || c.row.Symbol.Parent < 0 || c.exact != rank.NotNamed {
			continue
		}
		key := l2meta.Key{FileID: c.fileID, Index: c.row.Symbol.Parent}
		if members[key] = append(members[key], c); len(members[key]) == fewestMembers {
			keys = append(keys, key)
		}
	}
	rows, err := p.service.Facts.All(ctx, p.view, keys)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if row := rows[key]; row != nil && symbols.IsType(row.Symbol.Kind) {
			p.addOwner(row, members[key])
		}
	}
	return nil
}

// addOwner adds a type as a candidate. Each of its scores is the best of those of its members.
func (p *pool) addOwner(row *l2meta.Row, members []*candidate) {
	key := candidateKey{file: row.FileID, symbol: row.Index}
	if p.all[key] != nil {
		return
	}
	c := candidateOf(row)
	for _, m := range members {
		c.lexical, c.wordRank, c.cosine = max(c.lexical, m.lexical), max(c.wordRank, m.wordRank),
			max(c.cosine, m.cosine)
		c.fileLexical, c.fileCosine = m.fileLexical, m.fileCosine
		for _, lane := range m.matchedBy {
			c.note(lane)
		}
	}
	p.all[key] = c
}
