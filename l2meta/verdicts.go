package l2meta

import (
	"context"
	"encoding/json"
	"fmt"
	"unsafe"

	"sextant/internal/code"
	"sextant/internal/store"
)

// Verdicts holds the results of language servers for the calls and symbols of one file. It is a
// cache: it is valid for the bytes and the Basis that it names, and each Verdict also for the bytes
// of its target.
//
// A row is the JSON of one Verdicts. Its key is the path, so that a file has one row: verdicts for
// other bytes are useless.
type Verdicts struct {
	File   code.Hash       // hash of the bytes of the file
	Basis  string          // identifies the server with its trust, and the manifests that it read
	Server string          // name and version of the server, as shown in answers
	Sites  map[int]Verdict // keyed by the byte offset of the callee's name
	// Named and Implemented are keyed by the byte offset of a declared name in the file.
	Named       map[int]Naming
	Implemented map[int]Implementing `json:",omitempty"`
}

// Verdict is a language server's answer for one call site: the callee. Without a Target the callee
// is outside the workspace, in Module, unless Unknown is set.
type Verdict struct {
	// Syntax describes how the site was resolved from syntax when the server answered. If it is
	// resolved differently now, a file on which the answer depends has changed, and the verdict is
	// out of date.
	Syntax string    `json:",omitempty"`
	At     int64     // time of the server's answer, in µs since the epoch
	Target string    `json:",omitempty"` // path of the file that declares the callee
	Hash   code.Hash // hash of the bytes of file Target
	Offset int       `json:",omitempty"` // byte offset of the declared name in Target
	Module string    `json:",omitempty"`
	// Unknown means that the server was ready but had no answer.
	Unknown bool `json:",omitempty"`
}

// Naming holds all call sites that refer to a symbol, at one generation of the index. At is the
// time of the server's answer, in µs since the epoch.
type Naming struct {
	Generation int64
	At         int64
	Sites      []NamedAt
}

// NamedAt identifies a call site by its file and the first byte of the callee's name.
type NamedAt struct {
	Path   string
	Offset int
}

// Implementing holds the declarations that implement or override a method, at one generation of the
// index.
type Implementing struct {
	Generation int64
	At         int64
	By         []DeclaredAt
}

// DeclaredAt identifies a declaration by its file, the file's hash, and the first byte of its name.
type DeclaredAt struct {
	Path   string
	Hash   code.Hash
	Offset int
}

// Bytes estimates the memory that v occupies; 0 for nil.
func (v *Verdicts) Bytes() int64 {
	if v == nil {
		return 0
	}
	const perKey = 24 // bytes of a map entry, besides the value
	n := int(unsafe.Sizeof(*v)) + len(v.Basis) + len(v.Server)
	for _, s := range v.Sites {
		n += perKey + int(unsafe.Sizeof(s)) + len(s.Syntax) + len(s.Target) + len(s.Module)
	}
	for _, s := range v.Named {
		n += perKey + int(unsafe.Sizeof(s)) + len(s.Sites)*(int(unsafe.Sizeof(NamedAt{}))+perPath)
	}
	for _, s := range v.Implemented {
		n += perKey + int(unsafe.Sizeof(s)) + len(s.By)*(int(unsafe.Sizeof(DeclaredAt{}))+perPath)
	}
	return int64(n)
}

// perPath is the estimated length of a path.
const perPath = 40

// maxVerdictFiles is the largest number of rows of table verdicts, each of about 2 kB.
const maxVerdictFiles = 50_000

// Verdicts returns the stored verdicts of the file at path; false if there are none.
func (Index) Verdicts(ctx context.Context, v *store.View, path string) (out Verdicts, found bool, err error) {
	var data []byte
	if found, err = v.QueryRow(ctx, "SELECT data FROM verdicts WHERE path=?", []any{path}, &data); err != nil ||
		!found {
		return out, false, err
	}
	if err := json.Unmarshal(data, &out); err != nil {
		return Verdicts{}, false, nil // an unreadable row is ignored: the server is queried again
	}
	return out, true, nil
}

// Judged returns the paths of the files for which verdicts are stored.
func (Index) Judged(ctx context.Context, v *store.View) ([]string, error) {
	return store.Column[string](ctx, v, "SELECT path FROM verdicts")
}

// AddVerdicts stores add for the file at path. Stored verdicts for the same bytes and basis are
// kept beside those in add, and any others are removed. now orders rows by age, for TrimVerdicts.
func (x Index) AddVerdicts(ctx context.Context, tx *store.Tx, path string, add Verdicts, now int64) error {
	have, found, err := x.Verdicts(ctx, &tx.View, path)
	if err != nil {
		return fmt.Errorf("read verdicts of %s: %w", path, err)
	}
	if found {
		add = have.With(add)
	}
	data, err := json.Marshal(add)
	if err == nil {
		_, err = tx.Exec(ctx, "INSERT OR REPLACE INTO verdicts(path, at, data) VALUES(?,?,?)", path, now, data)
	}
	if err != nil {
		return fmt.Errorf("write verdicts of %s: %w", path, err)
	}
	return nil
}

// With returns v merged with add. An entry of add replaces the entry of v for the same site or
// name. If v is for other bytes or another basis, With returns add alone.
func (v Verdicts) With(add Verdicts) Verdicts {
	if v.File != add.File || v.Basis != add.Basis {
		return add
	}
	out := Verdicts{File: add.File, Basis: add.Basis, Server: add.Server, Sites: map[int]Verdict{},
		Named: map[int]Naming{}, Implemented: map[int]Implementing{}}
	for _, part := range []Verdicts{v, add} {
		for at, s := range part.Sites {
			out.Sites[at] = s
		}
		for at, n := range part.Named {
			out.Named[at] = n
		}
		for at, i := range part.Implemented {
			out.Implemented[at] = i
		}
	}
	return out
}

// TrimVerdicts deletes the oldest rows if there are too many.
func (Index) TrimVerdicts(ctx context.Context, tx *store.Tx) error {
	return trimVerdicts(ctx, tx, maxVerdictFiles)
}

func trimVerdicts(ctx context.Context, tx *store.Tx, most int) error {
	var n int
	if _, err := tx.QueryRow(ctx, "SELECT count(*) FROM verdicts", nil, &n); err != nil {
		return fmt.Errorf("count verdicts: %w", err)
	}
	if n <= most {
		return nil
	}
	// A tenth more is deleted, so that not every write has to trim.
	_, err := tx.Exec(ctx, "DELETE FROM verdicts WHERE path IN (SELECT path FROM verdicts ORDER BY at LIMIT ?)",
		n-most+most/10)
	if err != nil {
		return fmt.Errorf("trim verdicts: %w", err)
	}
	return nil
}
