package search

import (
	"context"
	"slices"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search/rank"
)

// mostWindows bounds the candidates whose declarations are looked up, the first ones by words.
const mostWindows = 24

// addDeclared looks up the best declaration of candidates that are no symbols. Short declarations without
// chunks of their own lie in such a window, of
//
//	var (
//		ErrClosed  = errors.New("file already closed")
//		ErrInvalid = errors.New("invalid argument")
//		…
//	)
//
// a query for one of them asks for its line. A file that the query names, and a window with a rare literal of
// it, stay as they are.
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

// mostDeclared bounds the lines of a declaration without a chunk of its own.
const mostDeclared = 3

// settle makes a window its best declaration, if that holds much of the query.
func (c *candidate) settle() {
	if c.row != nil || c.declared == nil || c.declares < rank.Current.Pool.Values.Declared {
		return
	}
	c.row, c.symbol = c.declared, c.declared.Index
	c.start, c.end = c.row.Symbol.Span.StartLine, c.row.Symbol.Span.EndLine
}
