package search

import (
	"context"
	"slices"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search/rank"
)

// mostWindows is the number of candidates in which declarations are looked up: the windows of
// lines that match the query's words best.
const mostWindows = 24

// addDeclared looks up the best declaration inside each candidate that is no symbol but a window of lines.
// Short declarations have no chunk of their own and are part of such a window. In
//
//	var (
//		ErrClosed  = errors.New("file already closed")
//		ErrInvalid = errors.New("invalid argument")
//		…
//	)
//
// a query about closed files asks for the line of ErrClosed. Candidates with a boost are left out: a file
// that the query names must stay whole, and a window with a literal of the query must keep that line.
func (p *pool) addDeclared(ctx context.Context) error {
	if p.req.GroupBy == contract.GroupByFile {
		return nil
	}
	claimed := map[candidateKey]bool{}
	list := slices.DeleteFunc(listed(p.all), func(c *candidate) bool { return c.symbol >= 0 || c.lifted != 0 })
	sortBy(list, lexicalOf)
	for _, c := range list[:min(len(list), mostWindows)] {
		rows, err := p.service.Facts.Within(ctx, p.view, c.fileID, c.start, c.end, mostDeclared)
		if err != nil {
			return err
		}
		for i := range rows {
			row := &rows[i]
			key := candidateKey{file: row.FileID, symbol: row.Index}
			if p.all[key] != nil || claimed[key] {
				continue
			}
			if share := p.terms.share(row.Symbol.QualifiedName + " " + row.Symbol.Signature); share > c.declares {
				c.declares, c.declared = share, row
			}
		}
		if c.declared != nil {
			claimed[candidateKey{file: c.fileID, symbol: c.declared.Index}] = true
		}
	}
	return nil
}

// mostDeclared is the largest number of lines of a declaration without a chunk of its own.
const mostDeclared = 3

// settle narrows a window of lines to the best declaration in it, if that contains much of the query.
func (c *candidate) settle() {
	if c.row != nil || c.declared == nil || c.declares < rank.Current.Pool.Values.Declared {
		return
	}
	c.row, c.symbol = c.declared, c.declared.Index
	c.start, c.end = c.row.Symbol.Span.StartLine, c.row.Symbol.Span.EndLine
}
