package l1fts

import (
	"context"
	"fmt"

	"sextant/internal/code"
	"sextant/internal/store"
)

// Candidate is a file whose bytes have to be read to know whether it matches.
type Candidate struct {
	FileID   int64
	Path     string // relative to the root
	Language string
	Class    code.Class
}

// indexedFiles are the files that pass f, in order of path.
func indexedFiles(ctx context.Context, v *store.View, f *filter) ([]Candidate, error) {
	rows, err := v.Query(ctx, "SELECT id, path, language, class FROM files WHERE skip = '' AND (? = '' OR path >= ? AND path < ?) ORDER BY path",
		f.Prefix, f.Prefix+"/", f.Prefix+"0")
	if err != nil {
		return nil, fmt.Errorf("list files: %w", err)
	}
	defer rows.Close()
	var out []Candidate
	for rows.Next() {
		var c Candidate
		var class string
		if err := rows.Scan(&c.FileID, &c.Path, &c.Language, &class); err != nil {
			return nil, err
		}
		c.Class = code.Class(class)
		if f.passes(c.Path, c.Language, c.Class) {
			out = append(out, c)
		}
	}
	return out, rows.Err()
}
