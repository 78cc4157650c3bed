package l2meta

import (
	"context"

	"sextant/internal/store"
)

// Counts holds the numbers of symbols, calls and files that are stored for a root.
type Counts struct {
	Symbols, Calls   int
	FilesWithSymbols int
	ByLanguage       map[string]int // language → symbols
}

// Count returns the numbers of symbols, calls and files with symbols.
func (Index) Count(ctx context.Context, v *store.View) (Counts, error) {
	c := Counts{ByLanguage: map[string]int{}}
	rows, err := v.Query(ctx, `SELECT f.language, sum(t.symbols), sum(t.calls), sum(t.symbols > 0)
		FROM facts t JOIN files f ON f.id = t.file_id GROUP BY f.language HAVING sum(t.symbols)+sum(t.calls)>0`)
	if err != nil {
		return c, err
	}
	defer rows.Close()
	for rows.Next() {
		var language string
		var symbols, calls, files int
		if err := rows.Scan(&language, &symbols, &calls, &files); err != nil {
			return c, err
		}
		c.Symbols, c.Calls, c.FilesWithSymbols = c.Symbols+symbols, c.Calls+calls, c.FilesWithSymbols+files
		c.ByLanguage[language] = symbols
	}
	return c, rows.Err()
}
