package l2meta

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sextant/internal/code"
	"sextant/internal/lang"
	"sextant/internal/store"
)

// schemaVersion log:
//
//	1: first
//	2: packed spans are relative to the preceding span
//	3: packed symbols; tokens of base types and of names that imports and exports rename
//	4: verdicts
//	5: tokens of names that assignments rename
//	6: tokens of properties in which functions are stored, and of those functions
//	7: tokens of default exports, which each importer names itself,
//	   and of functions that are stored in members of local objects
//	8: tokens of the names that Bears returns
//	9: derived parts
//	10: accesses, and tokens of their names and of the properties that they run
//	11: packed calls and facts can be skipped
//	12: earlier facts
//	13: tokens of the last steps of paths that are passed to calls
//	14: links between services
const schemaVersion = 14

// Schema returns the tables of this tier. Its version includes ExtractorVersion, so that the
// index is out of date if the rules read other facts from the same bytes than before.
//
// A symbol's id is fileID<<20 + its index in code.File.Symbols, so the symbols of a file are one
// range of ids and need no index by file.
//
// Table callees has one row for each file, whose rowid is the file's id. The row is a text of
// tokens. They encode the following names; each kind except the first has a prefix of its own:
//
//	the distinct callee names
//	the names that the file renames by an import, an export or an assignment
//	the names of base types
//	the properties in which the file stores functions, and these functions
//	the other names by which declarations of the file may be called, which Bears returns
//	the names of accessed members, those that are used as values and may be functions, and the
//	  names of properties whose access runs code (code.Symbol.Computed)
//	the roles of endpoints, the first names in RoleText and RolePass facts, and the last steps of
//	  paths that are passed to calls
//
// Look-ups by token ignore the case of ASCII letters, so they may find too many files. The packed
// facts tell which of the files have the name.
func Schema() store.Schema {
	return store.Schema{Name: "l2meta", Version: schemaVersion*1000 + ExtractorVersion, SQL: `
CREATE TABLE IF NOT EXISTS symbols(
	id INTEGER PRIMARY KEY,
	kind TEXT NOT NULL,
	name TEXT NOT NULL,
	qualified_name TEXT NOT NULL,
	parent INTEGER NOT NULL,
	ordinal INTEGER NOT NULL,
	exported INTEGER NOT NULL,
	start_byte INTEGER NOT NULL, end_byte INTEGER NOT NULL,
	start_line INTEGER NOT NULL, end_line INTEGER NOT NULL,
	start_column INTEGER NOT NULL, end_column INTEGER NOT NULL,
	name_byte INTEGER NOT NULL,
	signature TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS symbols_name ON symbols(name COLLATE NOCASE);
CREATE TABLE IF NOT EXISTS facts(
	file_id INTEGER PRIMARY KEY,
	symbols INTEGER NOT NULL,
	calls INTEGER NOT NULL,
	data BLOB NOT NULL
);
CREATE VIRTUAL TABLE IF NOT EXISTS callees USING fts5(names, content='', contentless_delete=1, detail=none, tokenize="ascii");
CREATE TABLE IF NOT EXISTS verdicts(
	path TEXT PRIMARY KEY,
	at INTEGER NOT NULL,
	data BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS verdicts_at ON verdicts(at);
CREATE TABLE IF NOT EXISTS derived(
	part INTEGER PRIMARY KEY,
	data BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS links(
	id INTEGER PRIMARY KEY,
	basis TEXT NOT NULL,
	generation INTEGER NOT NULL,
	data BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS earlier(
	n INTEGER PRIMARY KEY,
	file_id INTEGER NOT NULL,
	data BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS earlier_file ON earlier(file_id);
`}
}

const (
	// symbolBits is the number of bits of a symbol's id that hold its index.
	symbolBits = 20
	// maxSymbols is the largest number of symbols of one file.
	maxSymbols = 1<<symbolBits - 1
)

// Index reads and writes the rows of this tier. It has no state; the zero value is ready for use.
type Index struct{}

// Prepare packs the facts of f and returns the write that replaces the file's
// rows. It is safe for concurrent use. It ignores ctx: packing the largest file
// takes less than half a second.
func (Index) Prepare(_ context.Context, f *code.File) func(context.Context, *store.Tx, int64) error {
	symbols := f.Symbols[:min(len(f.Symbols), maxSymbols)]
	data, names := pack(f), tokens(f)
	calls, known := len(f.Calls), f.Parsed || len(f.Facts) > 0
	return func(ctx context.Context, tx *store.Tx, fileID int64) error {
		if err := (Index{}).Delete(ctx, tx, fileID); err != nil {
			return err
		}
		if !known {
			return nil
		}
		if err := insertSymbols(ctx, tx, fileID, symbols); err != nil {
			return fmt.Errorf("write symbols: %w", err)
		}
		if _, err := tx.Exec(ctx, "INSERT INTO facts(file_id, symbols, calls, data) VALUES(?,?,?,?)", fileID,
			len(symbols), calls, data); err != nil {
			return fmt.Errorf("write facts: %w", err)
		}
		if names == "" {
			return nil
		}
		_, err := tx.Exec(ctx, "INSERT INTO callees(rowid, names) VALUES(?,?)", fileID, names)
		return err
	}
}

func insertSymbols(ctx context.Context, tx *store.Tx, fileID int64, symbols []code.Symbol) error {
	for i := range symbols {
		s := &symbols[i]
		_, err := tx.Exec(ctx, `INSERT INTO symbols(id, kind, name, qualified_name, parent, ordinal, exported,
			start_byte, end_byte, start_line, end_line, start_column, end_column, name_byte, signature) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
			fileID<<symbolBits+int64(i), string(s.Kind), s.Name, s.QualifiedName, s.Parent, s.Ordinal, s.Exported,
			s.Span.StartByte, s.Span.EndByte, s.Span.StartLine, s.Span.EndLine, s.Span.StartColumn, s.Span.EndColumn,
			s.NameSpan.StartByte, s.Signature)
		if err != nil {
			return err
		}
	}
	return nil
}

// mergePages is the number of pages of table callees that one Merge merges.
const mergePages = 500

// Merge merges a limited part of the full-text segments of table callees, and reports whether
// more is left. Call it when the index is idle.
func (Index) Merge(ctx context.Context, tx *store.Tx) (more bool, err error) {
	if more, err = store.MergeFTS(ctx, tx, "callees", mergePages); err != nil {
		return false, fmt.Errorf("merge callees: %w", err)
	}
	return more, nil
}

// Delete removes the rows of a file. A file without a row in table facts has no other rows.
func (Index) Delete(ctx context.Context, tx *store.Tx, fileID int64) error {
	var known, logs bool
	_, err := tx.QueryRow(ctx, `SELECT EXISTS(SELECT 1 FROM facts WHERE file_id=?),
		EXISTS(SELECT 1 FROM meta WHERE key='`+metaLog+`' AND value<>'')`, []any{fileID}, &known, &logs)
	if err == nil && logs {
		err = logFacts(ctx, tx, fileID, known)
	}
	if err != nil || !known {
		return err
	}
	for _, q := range []string{
		"DELETE FROM symbols WHERE id BETWEEN ?1<<20 AND (?1<<20)+1048575",
		"DELETE FROM facts WHERE file_id=?",
		"DELETE FROM callees WHERE rowid=?",
	} {
		if _, err := tx.Exec(ctx, q, fileID); err != nil {
			return fmt.Errorf("delete symbols: %w", err)
		}
	}
	return nil
}

// tokens returns the row of a file in table callees: the tokens by which the file is found. Names
// may contain any byte (Ruby's "empty?", C++'s "operator()"), but the tokenizer keeps only letters
// and digits together, so other names are encoded.
func tokens(f *code.File) string {
	seen := map[string]bool{}
	var b strings.Builder
	add := func(token string) {
		if !seen[token] {
			seen[token] = true
			b.WriteString(token)
			b.WriteByte(' ')
		}
	}
	for i := range f.Calls {
		add(CalleeToken(f.Calls[i].Callee))
	}
	for i := range f.Accesses {
		add(accessToken(f.Accesses[i].Callee))
	}
	for i := range f.Symbols {
		if f.Symbols[i].Computed {
			add(computedToken(f.Symbols[i].Name))
		}
	}
	for i := range f.Imports {
		if step, ok := pathStep(f.Imports[i].Module); ok {
			add(importToken(step))
		}
		if n := f.Imports[i]; n.Alias != "" && n.Name != "" && n.Name != "*" {
			add(aliasToken(n.Name))
		}
	}
	for i := range f.Exports {
		if step, ok := pathStep(f.Exports[i].Module); ok {
			add(importToken(step))
		}
		if e := f.Exports[i]; e.Local != "" && e.Local != e.Name {
			add(aliasToken(e.Local))
		}
	}
	for _, d := range Defaults(f) {
		add(aliasToken(DefaultExport))
		add(defaultToken(ModuleStep(d.Module(f))))
	}
	for _, a := range Aliases(f) {
		add(aliasToken(a.Of))
		if a.Of == DefaultExport {
			add(anyDefaultToken)
		}
	}
	for _, name := range Bears(f) {
		add(bearToken(name))
	}
	for i := range f.Facts {
		switch t := f.Facts[i]; t.Kind {
		case code.FactBase, code.FactImpl:
			add(baseToken(TypeName(t.Type)))
		case code.FactEndpoint:
			add(roleToken(t.Name))
			if t.Name == RoleText || t.Name == RolePass {
				name, _, _ := strings.Cut(t.Type, "\t")
				add(toldToken(t.Name, name))
			}
			if t.Name == RolePass {
				for _, step := range PassedSteps(&t) {
					add(stepToken(step))
				}
			}
		case code.FactGiven:
			for _, name := range GivenNames(&t) {
				add(givenToken(name))
			}
		}
	}
	return b.String()
}

// These functions return the tokens of kinds of names other than callees. No name starts with a
// digit, so they never equal a callee's token.
func aliasToken(name string) string { return "1" + CalleeToken(name) }
func baseToken(name string) string  { return "2" + CalleeToken(name) }
func roleToken(role string) string  { return "3" + role }
func givenToken(name string) string { return "4" + CalleeToken(name) }
func toldToken(role, name string) string {
	return "6" + role + CalleeToken(name)
}
func stepToken(step string) string     { return "9" + CalleeToken(step) }
func defaultToken(step string) string  { return "0" + CalleeToken(step) }
func importToken(step string) string   { return "00" + CalleeToken(step) }
func bearToken(name string) string     { return "5" + CalleeToken(name) }
func accessToken(name string) string   { return "7" + CalleeToken(name) }
func computedToken(name string) string { return "8" + CalleeToken(name) }

// anyDefaultToken marks files that assign to a name the default export of a module that no import names.
const anyDefaultToken = "0"

// GivenNames returns the names under which a FactGiven is found: that of the property, and that of
// the function stored in it, if it has one. For a function given by position, as in struct ops o =
// { open } or f(open), the first name is that of the type or of the callee.
func GivenNames(fact *code.Fact) (names []string) {
	property, _, placed := code.CutPlace(fact.Name)
	if placed && LastOfPath(property) == "" {
		property = TypeName(property)
	}
	for _, text := range []string{property, fact.Type} {
		if name := LastOfPath(text); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// TypeName returns the last name of a type as written, without its arguments,
// qualifier, pointer or reference marks: "Base" of "*pkg.Base[T]".
func TypeName(written string) string {
	s := strings.TrimLeft(written, "*& ([")
	if i := strings.IndexAny(s, "<[({"); i >= 0 {
		s = s[:i]
	}
	s = strings.TrimRight(s, "?! )]>*&")
	if i := strings.LastIndexAny(s, ".:\\/ "); i >= 0 {
		s = s[i+1:]
	}
	return s
}

// CalleeToken returns the token by which Calling finds the callers of a name, in any ASCII case.
func CalleeToken(name string) string {
	plain := true
	for i := range len(name) {
		c := name[i]
		plain = plain && (c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
	}
	if plain {
		return name
	}
	return "x" + strconv.FormatUint(uint64(len(name)), 16) + fmt.Sprintf("%x", name)
}

// Row is a symbol as stored, with its file.
type Row struct {
	FileID   int64
	Path     string
	Language string
	Class    code.Class
	Index    int         // index in code.File.Symbols
	Symbol   code.Symbol // the symbol without parameters, annotations and doc; its NameSpan has only StartByte
}

const rowQuery = `SELECT s.id, f.path, f.language, f.class, s.kind, s.name, s.qualified_name, s.parent, s.ordinal, s.exported,
	s.start_byte, s.end_byte, s.start_line, s.end_line, s.start_column, s.end_column, s.name_byte, s.signature
	FROM symbols s JOIN files f ON f.id = s.id>>20 `

func scanRows(rows *sql.Rows, err error) ([]Row, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []Row
	for rows.Next() {
		var r Row
		var id int64
		var kind, class string
		s := &r.Symbol
		if err := rows.Scan(&id, &r.Path, &r.Language, &class, &kind, &s.Name, &s.QualifiedName, &s.Parent,
			&s.Ordinal, &s.Exported,
			&s.Span.StartByte, &s.Span.EndByte, &s.Span.StartLine, &s.Span.EndLine, &s.Span.StartColumn,
			&s.Span.EndColumn,
			&s.NameSpan.StartByte, &s.Signature); err != nil {
			return nil, err
		}
		r.FileID, r.Index, r.Class, s.Kind = id>>symbolBits, int(id&maxSymbols), code.Class(class), code.Kind(kind)
		out = append(out, r)
	}
	return out, rows.Err()
}

// Named returns the symbols whose name equals name in any ASCII case, in order of path and place, at most the first
// limit.
func (Index) Named(ctx context.Context, v *store.View, name string, limit int) ([]Row, error) {
	rows, err := scanRows(v.Query(ctx, rowQuery+"WHERE s.name = ? COLLATE NOCASE LIMIT ?", name, limit+1))
	if err == nil && len(rows) > limit {
		// The ids of files are in the order of the edits, so the first rows are any. Most names have few
		// symbols; only for the others is it worth reading the paths of all.
		rows, err = scanRows(v.Query(ctx, rowQuery+`WHERE s.id IN (SELECT n.id FROM symbols n JOIN files g ON
			g.id = n.id>>20 WHERE n.name = ? COLLATE NOCASE ORDER BY g.path, n.id LIMIT ?)`, name, limit))
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Index, b.Index))
	})
	return rows, err
}

// Names returns names of symbols that begin with the letter first, in any ASCII case; first 0 means
// any letter. Of names that differ only in ASCII case it returns one. least and most bound the
// length of a name, without '_' and '-'. It examines only the first limit names, in order, so that
// the cost is bounded.
//
// The inner query groups in the order of the index. A bound on the symbols below the grouping would
// hide that order from SQLite, which then sorts them.
func (Index) Names(ctx context.Context, v *store.View, first rune, least, most, limit int) ([]string, error) {
	low, high := "", string(utf8.MaxRune)
	if first != 0 {
		low, high = string(first), string(first+1)
	}
	return store.Column[string](ctx, v, `SELECT name FROM
		(SELECT name FROM symbols WHERE name >= ? COLLATE NOCASE AND name < ? COLLATE NOCASE GROUP BY name COLLATE NOCASE LIMIT ?)
		WHERE length(replace(replace(name, '_', ''), '-', '')) BETWEEN ? AND ?`, low, high, limit, least, most)
}

// Key identifies a symbol by its file and its index in code.File.Symbols.
type Key struct {
	FileID int64
	Index  int
}

// All returns the symbols that keys identify, by key. Keys of symbols that do not exist are
// missing.
func (Index) All(ctx context.Context, v *store.View, keys []Key) (map[Key]*Row, error) {
	ids := []byte{'['}
	for i, k := range keys {
		if i > 0 {
			ids = append(ids, ',')
		}
		ids = strconv.AppendInt(ids, k.FileID<<symbolBits+int64(k.Index), 10)
	}
	rows, err := scanRows(v.Query(ctx, rowQuery+"WHERE s.id IN (SELECT value FROM json_each(?))",
		string(append(ids, ']'))))
	if err != nil {
		return nil, err
	}
	all := make(map[Key]*Row, len(rows))
	for i := range rows {
		all[Key{rows[i].FileID, rows[i].Index}] = &rows[i]
	}
	return all, nil
}

// Facts returns the calls, names and types of a file; empty for a file without a grammar.
func (Index) Facts(ctx context.Context, v *store.View, fileID int64) (Facts, error) {
	var data store.Blob
	found, err := v.QueryRow(ctx, "SELECT data FROM facts WHERE file_id=?", []any{fileID}, &data)
	if err != nil || !found {
		return Facts{}, err
	}
	return unpack(data)
}

// LanguageNamed returns the language that a user means by name: its name, an alias, or a file
// extension, in any case; false if there is none.
func LanguageNamed(name string) (string, bool) {
	l, ok := lang.ByName(name)
	if !ok {
		l, ok = lang.Detect("x." + name)
	}
	if !ok {
		return "", false
	}
	return l.Name, true
}

// Languages returns the names of all known languages, sorted.
func Languages() (names []string) {
	for _, l := range lang.All() {
		names = append(names, l.Name)
	}
	return names
}

// Understands reports whether symbols, and whether calls, are extracted from files of a language.
func Understands(language string) (symbols, calls bool) {
	l, ok := lang.ByName(language)
	return ok && l.Depth >= lang.Symbols, ok && l.Depth >= lang.Calls
}
