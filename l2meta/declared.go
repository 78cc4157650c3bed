package l2meta

import (
	"context"
	"slices"

	"sextant/internal/code"
	"sextant/internal/store"
)

// Declaration is a symbol as Declared returns it. A common name has thousands of them, which stay in
// memory, so it has only what tells declarations of one name apart.
type Declaration struct {
	FileID        int64
	Path          string
	Language      string
	Class         code.Class
	Index         int // in code.File.Symbols
	Kind          code.Kind
	Name          string
	QualifiedName string
	Parent        int // -1 at the top
}

// Declared returns the symbols whose name equals name in any ASCII case, at most limit.
func (Index) Declared(ctx context.Context, v *store.View, name string, limit int) (out []Declaration, err error) {
	rows, err := v.Query(ctx, `SELECT s.id, f.path, f.language, f.class, s.kind, s.name, s.qualified_name, s.parent
		FROM symbols s JOIN files f ON f.id = s.id>>20 WHERE s.name = ? COLLATE NOCASE LIMIT ?`, name, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	texts := map[string]string{} // each text once
	for rows.Next() {
		var d Declaration
		var id int64
		if err := rows.Scan(&id, &d.Path, &d.Language, &d.Class, &d.Kind, &d.Name, &d.QualifiedName, &d.Parent); err != nil {
			return nil, err
		}
		d.FileID, d.Index = id>>symbolBits, int(id&maxSymbols)
		once(texts, &d.Path, &d.Language, (*string)(&d.Class), (*string)(&d.Kind), &d.Name, &d.QualifiedName)
		out = append(out, d)
	}
	return slices.Clip(out), rows.Err()
}

// once replaces texts by equal ones that known has, and adds the others to known.
func once(known map[string]string, texts ...*string) {
	for _, t := range texts {
		if same, ok := known[*t]; ok {
			*t = same
		} else {
			known[*t] = *t
		}
	}
}
