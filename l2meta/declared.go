package l2meta

import (
	"context"
	"slices"

	"sextant/internal/code"
	"sextant/internal/store"
)

// Declaration is a symbol as Declared returns it. Thousands of symbols may have one name, and are
// kept in memory, so a Declaration has only the properties that tell such symbols apart.
type Declaration struct {
	FileID        int64
	Path          string
	Language      string
	Class         code.Class
	Index         int // index in code.File.Symbols
	Kind          code.Kind
	Name          string
	QualifiedName string
	Parent        int // index of the enclosing symbol, -1 at the top level
}

// Declared returns the symbols whose name equals name in any ASCII case, at most limit.
func (Index) Declared(ctx context.Context, v *store.View, name string, limit int) (out []Declaration, err error) {
	rows, err := v.Query(ctx, `SELECT s.id, f.path, f.language, f.class, s.kind, s.name, s.qualified_name, s.parent
		FROM symbols s JOIN files f ON f.id = s.id>>20 WHERE s.name = ? COLLATE NOCASE LIMIT ?`, name, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	texts := map[string]string{} // keeps one copy of equal strings
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

// once replaces each string by the equal one that known has, so that both share memory. It adds the
// other strings to known.
func once(known map[string]string, texts ...*string) {
	for _, t := range texts {
		if same, ok := known[*t]; ok {
			*t = same
		} else {
			known[*t] = *t
		}
	}
}

// Namesakes returns the symbols of any file that have the name and the kind of a given symbol,
// including that symbol itself, at most limit.
func (Index) Namesakes(ctx context.Context, v *store.View, of *Row, limit int) ([]Row, error) {
	return scanRows(v.Query(ctx, rowQuery+"WHERE s.name = ?1 COLLATE NOCASE AND s.name = ?1 AND s.kind = ?2 LIMIT ?3",
		of.Symbol.Name, string(of.Symbol.Kind), limit))
}

// Variants returns the symbols beside a given symbol whose names begin with its name, or whose
// names its own begins with: ParseFile and Par for Parse. They have its file, parent and kind, and
// include the symbol itself. They are in document order.
func (Index) Variants(ctx context.Context, v *store.View, of *Row) ([]Row, error) {
	s := &of.Symbol
	return scanRows(v.Query(ctx, rowQuery+`WHERE s.id BETWEEN ?1<<20 AND (?1<<20)+1048575 AND s.parent = ?2
		AND substr(s.name, 1, length(?3)) = substr(?3, 1, length(s.name)) AND s.kind = ?4 ORDER BY s.id`,
		of.FileID, s.Parent, s.Name, string(s.Kind)))
}
