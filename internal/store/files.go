package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path"
	"time"

	"github.com/zeebo/xxh3"

	"sextant/internal/code"
)

// filesSchema is the table of files, which all indexes share. Version log:
//
//	1: first
//	2: directory and base name, by which resolution finds packages and modules
//	3: every page ends in a checksum
//	4: the classes of copied and bundled libraries, and of folders of tests
var filesSchema = Schema{Name: "f", Version: 4, SQL: `
CREATE TABLE IF NOT EXISTS files(
	id INTEGER PRIMARY KEY,
	path TEXT NOT NULL UNIQUE,
	dir TEXT NOT NULL,
	base TEXT NOT NULL,
	size INTEGER NOT NULL, mtime INTEGER NOT NULL, ctime INTEGER NOT NULL, inode INTEGER NOT NULL, mode INTEGER NOT NULL,
	read_at INTEGER NOT NULL,
	hash BLOB NOT NULL,
	language TEXT NOT NULL,
	class TEXT NOT NULL,
	lines INTEGER NOT NULL,
	bad_bytes INTEGER NOT NULL,
	parsed INTEGER NOT NULL,
	skip TEXT NOT NULL,
	indexed_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS files_dir ON files(dir);
CREATE INDEX IF NOT EXISTS files_base ON files(base);
CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`}

// FileRow is one file of the root, indexed or skipped for a reason.
type FileRow struct {
	ID        int64
	Path      string // relative to the root, '/'-separated
	Key       code.StatKey
	ReadAt    int64     // ns since the epoch at which Key and the bytes were read
	Hash      code.Hash // of the bytes; zero if skipped
	Language  string
	Class     code.Class
	Lines     int
	BadBytes  int // bytes of the text that the grammar could not parse
	Parsed    bool
	Skip      string // reason why the file is not indexed; "" if it is indexed
	IndexedAt time.Time
}

// HashText returns the content hash of text.
func HashText(text []byte) code.Hash { return xxh3.Hash128(text).Bytes() }

const fileColumns = `id, path, size, mtime, ctime, inode, mode, read_at, hash, language, class, lines,
	bad_bytes, parsed, skip, indexed_at`

// PutFile inserts or updates the row of row.Path and returns its id; row.ID is
// ignored. A path keeps its id as long as it stays in the table.
//
// It looks up the path first, rather than running an upsert that returns the
// id. Such an upsert opens a savepoint, at which every FTS5 table writes out
// its pending terms: one segment per file.
func (tx *Tx) PutFile(ctx context.Context, row FileRow) (id int64, err error) {
	k := row.Key
	args := []any{k.Size, k.MTime, k.CTime, int64(k.Inode), k.Mode, row.ReadAt, row.Hash[:], row.Language,
		string(row.Class), row.Lines, row.BadBytes, row.Parsed, row.Skip, row.IndexedAt.UnixMilli()}
	found, err := tx.QueryRow(ctx, "SELECT id FROM files WHERE path=?", []any{row.Path}, &id)
	if err == nil && found {
		_, err = tx.Exec(ctx, `UPDATE files SET size=?, mtime=?, ctime=?, inode=?, mode=?, read_at=?, hash=?,
			language=?, class=?, lines=?, bad_bytes=?, parsed=?, skip=?, indexed_at=? WHERE id=?`, append(args, id)...)
	} else if err == nil {
		var res sql.Result
		args = append(args, row.Path, code.Dir(row.Path), path.Base(row.Path))
		res, err = tx.Exec(ctx, `INSERT INTO files(size, mtime, ctime, inode, mode, read_at, hash, language, class,
			lines, bad_bytes, parsed, skip, indexed_at, path, dir, base) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`, args...)
		if err == nil {
			id, err = res.LastInsertId()
		}
	}
	if err != nil {
		return 0, fmt.Errorf("put file %s: %w", row.Path, err)
	}
	return id, nil
}

// PutKey replaces the stat key of a file whose bytes have not changed.
func (tx *Tx) PutKey(ctx context.Context, id int64, key code.StatKey, readAt int64) error {
	_, err := tx.Exec(ctx, "UPDATE files SET size=?, mtime=?, ctime=?, inode=?, mode=?, read_at=? WHERE id=?",
		key.Size, key.MTime, key.CTime, int64(key.Inode), key.Mode, readAt, id)
	return err
}

// DeleteFile deletes the row from the table files. Rows of other tables for that id stay; their
// owners delete them.
func (tx *Tx) DeleteFile(ctx context.Context, id int64) error {
	_, err := tx.Exec(ctx, "DELETE FROM files WHERE id=?", id)
	return err
}

// File returns the file with that path. It reports false if there is none.
func (v *View) File(ctx context.Context, path string) (FileRow, bool, error) {
	return v.oneFile(ctx, "SELECT "+fileColumns+" FROM files WHERE path=?", path)
}

// FileByID returns the file with that id. It reports false if there is none.
func (v *View) FileByID(ctx context.Context, id int64) (FileRow, bool, error) {
	return v.oneFile(ctx, "SELECT "+fileColumns+" FROM files WHERE id=?", id)
}

// FilesByID returns the files with the given ids, in no particular order. Ids
// without a file are left out.
func (v *View) FilesByID(ctx context.Context, ids []int64) (files []FileRow, err error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	rows, err := v.Query(ctx, "SELECT "+fileColumns+" FROM files WHERE id IN (SELECT value FROM json_each(?))",
		string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		row, err := scanFile(rows)
		if err != nil {
			return nil, err
		}
		files = append(files, row)
	}
	return files, rows.Err()
}

// oneFile returns the file that a query for at most one finds. It reports false
// if there is none.
func (v *View) oneFile(ctx context.Context, query string, arg any) (row FileRow, found bool, err error) {
	rows, err := v.Query(ctx, query, arg)
	if err != nil {
		return row, false, err
	}
	defer rows.Close()
	if !rows.Next() {
		return row, false, rows.Err()
	}
	row, err = scanFile(rows)
	return row, err == nil, err
}

// FileRef is the part of an indexed file's row that identifies the file and its text.
type FileRef struct {
	ID       int64
	Path     string
	Hash     code.Hash
	Language string
	Class    code.Class
}

const refColumns = "id, path, hash, language, class"

// FilesIn returns the indexed files directly in dir ("" is the root), ordered
// by path.
func (v *View) FilesIn(ctx context.Context, dir string) ([]FileRef, error) {
	return v.fileRefs(ctx, "SELECT "+refColumns+" FROM files WHERE dir=? AND skip='' ORDER BY path", dir)
}

// FilesBelow returns the indexed files in dir ("" is the root) and below it,
// ordered by path.
func (v *View) FilesBelow(ctx context.Context, dir string) ([]FileRef, error) {
	if dir == "" {
		return v.fileRefs(ctx, "SELECT "+refColumns+" FROM files WHERE skip='' ORDER BY path")
	}
	return v.fileRefs(ctx, "SELECT "+refColumns+
		" FROM files WHERE (dir=?1 OR dir>=?1||'/' AND dir<?1||'0') AND skip='' ORDER BY path", dir)
}

// Dirs returns the directories that directly contain indexed files, in order.
func (v *View) Dirs(ctx context.Context) ([]string, error) {
	return Column[string](ctx, v, "SELECT DISTINCT dir FROM files WHERE skip='' ORDER BY dir")
}

// FilesNamed returns the indexed files with that base name, ordered by path.
func (v *View) FilesNamed(ctx context.Context, base string) ([]FileRef, error) {
	return v.fileRefs(ctx, "SELECT "+refColumns+" FROM files WHERE base=? AND skip='' ORDER BY path", base)
}

// FilesBetween returns the indexed files whose base name is in [low, high) by its bytes, ordered by
// path. For all names that begin with "a.", low is "a." and high "a/".
func (v *View) FilesBetween(ctx context.Context, low, high string) ([]FileRef, error) {
	return v.fileRefs(ctx, "SELECT "+refColumns+
		" FROM files WHERE base>=? AND base<? AND skip='' ORDER BY path", low, high)
}

// FileNames returns at most limit distinct base names of files, in order.
func (v *View) FileNames(ctx context.Context, limit int) ([]string, error) {
	return Column[string](ctx, v, "SELECT DISTINCT base FROM files ORDER BY base LIMIT ?", limit)
}

// FileAt returns a list with the indexed file at path p, or an empty list.
func (v *View) FileAt(ctx context.Context, p string) ([]FileRef, error) {
	return v.fileRefs(ctx, "SELECT "+refColumns+" FROM files WHERE path=? AND skip=''", p)
}

// FileOf returns a list with the indexed file with that id, or an empty list.
func (v *View) FileOf(ctx context.Context, id int64) ([]FileRef, error) {
	return v.fileRefs(ctx, "SELECT "+refColumns+" FROM files WHERE id=? AND skip=''", id)
}

// AnyBelow reports whether there is an indexed file in dir or below it; "" is the root.
func (v *View) AnyBelow(ctx context.Context, dir string) (bool, error) {
	var one int
	if dir == "" {
		return v.QueryRow(ctx, "SELECT 1 FROM files WHERE skip='' LIMIT 1", nil, &one)
	}
	return v.QueryRow(ctx, anyBelow, []any{dir}, &one)
}

// anyBelow finds a file in or below a folder by the index on dir. With one more alternative in its condition, SQLite
// would read all files.
const anyBelow = "SELECT 1 FROM files WHERE (dir=?1 OR dir>=?1||'/' AND dir<?1||'0') AND skip='' LIMIT 1"

// fileRefs returns the files that a query over refColumns finds.
func (v *View) fileRefs(ctx context.Context, query string, args ...any) (out []FileRef, err error) {
	rows, err := v.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var f FileRef
		var hash []byte
		var class string
		if err := rows.Scan(&f.ID, &f.Path, &hash, &f.Language, &class); err != nil {
			return nil, err
		}
		copy(f.Hash[:], hash)
		f.Class = code.Class(class)
		out = append(out, f)
	}
	return out, rows.Err()
}

// Files calls fn for every file, ordered by path. It stops at an error of fn.
func (v *View) Files(ctx context.Context, fn func(FileRow) error) error {
	return v.eachFile(ctx, "SELECT "+fileColumns+" FROM files ORDER BY path", fn)
}

// Broken calls fn for every indexed file with text that its grammar could not parse, in no
// particular order. It stops at an error of fn.
func (v *View) Broken(ctx context.Context, fn func(FileRow) error) error {
	return v.eachFile(ctx, "SELECT "+fileColumns+" FROM files WHERE bad_bytes > 0 AND skip = ''", fn)
}

// eachFile calls fn for each file that a query over fileColumns finds.
func (v *View) eachFile(ctx context.Context, query string, fn func(FileRow) error) error {
	rows, err := v.Query(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		row, err := scanFile(rows)
		if err != nil {
			return err
		}
		if err := fn(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// scanFile decodes a row of a query over fileColumns.
func scanFile(rows *sql.Rows) (row FileRow, err error) {
	var hash []byte
	var class string
	var inode, indexedAt int64
	k := &row.Key
	err = rows.Scan(&row.ID, &row.Path, &k.Size, &k.MTime, &k.CTime, &inode, &k.Mode, &row.ReadAt, &hash,
		&row.Language, &class, &row.Lines, &row.BadBytes, &row.Parsed, &row.Skip, &indexedAt)
	k.Inode, row.Class, row.IndexedAt = uint64(inode), code.Class(class), time.UnixMilli(indexedAt)
	copy(row.Hash[:], hash)
	return row, err
}

// Meta returns the value of key in the table meta, "" if it was never set.
func (v *View) Meta(ctx context.Context, key string) (value string, err error) {
	_, err = v.QueryRow(ctx, "SELECT value FROM meta WHERE key=?", []any{key}, &value)
	return value, err
}

// SetMeta sets the value of key in the table meta.
func (tx *Tx) SetMeta(ctx context.Context, key, value string) error {
	const upsert = "INSERT INTO meta(key, value) VALUES(?,?) ON CONFLICT(key) DO UPDATE SET value=excluded.value"
	_, err := tx.Exec(ctx, upsert, key, value)
	return err
}
