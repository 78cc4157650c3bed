package l2meta

import (
	"context"
	"encoding/json"
	"fmt"
	"unsafe"

	"sextant/internal/code"
	"sextant/internal/store"
)

// Verdicts is what language servers said of the calls of one file, and where
// they see its symbols named. It is a cache: it holds for the bytes and the
// Basis that it names, and each verdict for the bytes of its target too.
//
// A row is the JSON of one Verdicts. It is keyed by the path, so that a file has
// one: what was said of other bytes is of no more use.
type Verdicts struct {
	File   code.Hash // of the bytes that were asked about
	Basis  string    // the server with its trust, and the manifests that it went by
	Server string    // its name and version, as answers show them
	Sites  map[int]Verdict
	// Both by the first byte of a declared name.
	Named       map[int]Naming
	Implemented map[int]Implementing `json:",omitempty"`
}

// Verdict is what is called at one site. Without a target it is something of
// Module, outside the workspace, unless Unknown.
type Verdict struct {
	// Syntax is what the site looked like to whoever asked. It stands for the
	// files in between, which no hash here covers.
	Syntax string    `json:",omitempty"`
	At     int64     // when it was said, in µs since the epoch
	Target string    `json:",omitempty"` // path of the file that declares it
	Hash   code.Hash // of its bytes
	Offset int       `json:",omitempty"` // of the declared name
	Module string    `json:",omitempty"`
	// Unknown says that the server was ready and could not tell.
	Unknown bool `json:",omitempty"`
}

// Naming is the call sites at which a symbol was seen to be named, all of
// them, on one generation of the index.
type Naming struct {
	Generation int64
	At         int64
	Sites      []NamedAt
}

// NamedAt is a call site by its file and the first byte of the callee's name.
type NamedAt struct {
	Path   string
	Offset int
}

// Implementing is the declarations that a method was seen to be implemented or
// overridden by, on one generation of the index.
type Implementing struct {
	Generation int64
	At         int64
	By         []DeclaredAt
}

// DeclaredAt is a declaration by its file, the hash of that, and the first byte
// of its name.
type DeclaredAt struct {
	Path   string
	Hash   code.Hash
	Offset int
}

// Bytes returns about how much memory v occupies; nil takes none.
func (v *Verdicts) Bytes() int64 {
	if v == nil {
		return 0
	}
	const perKey = 24 // of a map, beside the value
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

// perPath is about the length of a path.
const perPath = 40

// maxVerdictFiles bounds the table: some 2 kB a file.
const maxVerdictFiles = 50_000

// Verdicts returns the stored verdicts of the file at path; false when there are none.
func (Index) Verdicts(ctx context.Context, v *store.View, path string) (out Verdicts, found bool, err error) {
	var data []byte
	if found, err = v.QueryRow(ctx, "SELECT data FROM verdicts WHERE path=?", []any{path}, &data); err != nil || !found {
		return out, false, err
	}
	if err := json.Unmarshal(data, &out); err != nil {
		return Verdicts{}, false, nil // it is asked again
	}
	return out, true, nil
}

// Judged returns the paths of the files that have verdicts.
func (Index) Judged(ctx context.Context, v *store.View) ([]string, error) {
	return store.Column[string](ctx, v, "SELECT path FROM verdicts")
}

// AddVerdicts stores add beside what is stored for the same bytes on the same
// basis, and in place of all else. now orders rows by age, the oldest go when
// there are too many.
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

// With returns v with what add says in addition or otherwise. What v says of other
// bytes, or on another basis, is left out.
func (v Verdicts) With(add Verdicts) Verdicts {
	if v.File != add.File || v.Basis != add.Basis {
		return add
	}
	out := Verdicts{File: add.File, Basis: add.Basis, Server: add.Server, Sites: map[int]Verdict{}, Named: map[int]Naming{}, Implemented: map[int]Implementing{}}
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

// TrimVerdicts drops the oldest rows where there are too many.
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
	// A tenth more, so that not every write has to.
	_, err := tx.Exec(ctx, "DELETE FROM verdicts WHERE path IN (SELECT path FROM verdicts ORDER BY at LIMIT ?)", n-most+most/10)
	if err != nil {
		return fmt.Errorf("trim verdicts: %w", err)
	}
	return nil
}
