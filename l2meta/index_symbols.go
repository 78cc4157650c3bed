package l2meta

import (
	"context"
	"encoding/json"

	"sextant/internal/code"
	"sextant/internal/store"
)

// OfFile returns the symbols of a file, in document order.
func (Index) OfFile(ctx context.Context, v *store.View, fileID int64) ([]Row, error) {
	return scanRows(v.Query(ctx, rowQuery+"WHERE s.id BETWEEN ?1<<20 AND (?1<<20)+1048575 ORDER BY s.id", fileID))
}

// OfKinds returns the symbols of a file that are of one of the kinds, in document order. Most symbols of a large file
// are fields and values.
func (Index) OfKinds(ctx context.Context, v *store.View, fileID int64, kinds []code.Kind) ([]Row, error) {
	list, err := json.Marshal(kinds)
	if err != nil {
		return nil, err
	}
	return scanRows(v.Query(ctx, rowQuery+`WHERE s.id BETWEEN ?1<<20 AND (?1<<20)+1048575
		AND s.kind IN (SELECT value FROM json_each(?2)) ORDER BY s.id`, fileID, string(list)))
}

// Signatures returns the signatures of the symbols of a file, in document order.
func (Index) Signatures(ctx context.Context, v *store.View, fileID int64) ([]string, error) {
	return store.Column[string](ctx, v,
		"SELECT signature FROM symbols WHERE id BETWEEN ?1<<20 AND (?1<<20)+1048575 ORDER BY id", fileID)
}

// First returns the symbols of a file, in document order, at most limit.
func (Index) First(ctx context.Context, v *store.View, fileID int64, limit int) ([]Row, error) {
	return scanRows(v.Query(ctx, rowQuery+"WHERE s.id BETWEEN ?1<<20 AND (?1<<20)+1048575 ORDER BY s.id LIMIT ?2",
		fileID, limit))
}

// Around returns the symbols of a file that include one of the lines first to last, in document order. A file may
// have more symbols than can be read while a question waits.
func (Index) Around(ctx context.Context, v *store.View, fileID int64, first, last int) ([]Row, error) {
	return scanRows(v.Query(ctx, rowQuery+`WHERE s.id BETWEEN ?1<<20 AND (?1<<20)+1048575 AND s.start_line <= ?3
		AND s.end_line >= ?2 ORDER BY s.id`, fileID, first, last))
}

// Within returns the symbols of a file that lie within lines first to last and have at most
// maxLines lines, in document order.
func (Index) Within(ctx context.Context, v *store.View, fileID int64, first, last, maxLines int) ([]Row, error) {
	return scanRows(v.Query(ctx, rowQuery+`WHERE s.id BETWEEN ?1<<20 AND (?1<<20)+1048575 AND s.start_line >= ?2
		AND s.end_line <= ?3 AND s.end_line - s.start_line < ?4 ORDER BY s.id`, fileID, first, last, maxLines))
}

// AtLine returns the symbols of a file that include a line, in document order.
func (Index) AtLine(ctx context.Context, v *store.View, fileID int64, line int) ([]Row, error) {
	return scanRows(v.Query(ctx, rowQuery+
		`WHERE s.id BETWEEN ?1<<20 AND (?1<<20)+1048575 AND s.start_line <= ?2 AND s.end_line >= ?2
		ORDER BY s.id`, fileID, line))
}

// At returns one symbol of a file; false if the file has no symbol of that index.
func (Index) At(ctx context.Context, v *store.View, fileID int64, index int) (Row, bool, error) {
	rows, err := scanRows(v.Query(ctx, rowQuery+"WHERE s.id = ?", fileID<<symbolBits+int64(index)))
	if err != nil || len(rows) == 0 {
		return Row{}, false, err
	}
	return rows[0], true, nil
}
