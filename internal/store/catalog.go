package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// catalogSchema lists the tracked roots. Version log:
//
//	1: first
var catalogSchema = Schema{Name: "catalog", Version: 1, SQL: `
CREATE TABLE IF NOT EXISTS roots(
	path TEXT PRIMARY KEY,
	policy TEXT NOT NULL,
	created_at INTEGER NOT NULL
) WITHOUT ROWID;
`}

// Root is one tracked root.
type Root struct {
	Path      string // absolute, links resolved
	Policy    string // what the user asked for at create, JSON of the caller's making
	CreatedAt time.Time
}

// Catalog is the list of tracked roots of one SEXTANT_HOME. It is safe for
// concurrent use, by several processes too. Each root's folder has a copy of its
// entry, of which a lost catalog is made anew.
type Catalog struct {
	home string
	db   *Keeper
}

// OpenCatalog opens or makes the catalog under home, an absolute folder. The
// clock may be nil.
func OpenCatalog(home string, clock func() time.Time) (*Catalog, error) {
	c := &Catalog{home: home}
	var err error
	c.db, err = Keep(KeeperOptions{Options: Options{Dir: home, Schemas: []Schema{catalogSchema}, Readers: 2, Fill: c.recover}, Clock: clock})
	if err != nil {
		return nil, fmt.Errorf("open catalog: %w", err)
	}
	c.emptyTrash()
	return c, nil
}

// Close releases the catalog.
func (c *Catalog) Close() error { return c.db.Close() }

// Home is the folder that the catalog lists the roots of.
func (c *Catalog) Home() string { return c.home }

// Dir is the folder that holds the database and the locks of a root, whether
// it is tracked or not: a readable name and a hash of the path.
func (c *Catalog) Dir(root string) string {
	sum := sha256.Sum256([]byte(root))
	base := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, filepath.Base(root))
	return filepath.Join(c.home, "roots", base[:min(len(base), 40)]+"-"+hex.EncodeToString(sum[:8]))
}

// entryName is the base name of the copy of a root's entry, JSON of a Root.
const entryName = "root.json"

// Put tracks a root, or changes the policy of a tracked one. Its folder is made.
func (c *Catalog) Put(ctx context.Context, r Root) error {
	return c.update(ctx, func(tx *Tx) error {
		if err := c.writeEntry(r); err != nil {
			return err
		}
		return insertRoot(ctx, tx, r)
	})
}

func insertRoot(ctx context.Context, tx *Tx, r Root) error {
	_, err := tx.Exec(ctx, "INSERT INTO roots(path, policy, created_at) VALUES(?,?,?) ON CONFLICT(path) DO UPDATE SET policy=excluded.policy",
		r.Path, r.Policy, r.CreatedAt.UnixMilli())
	return err
}

func (c *Catalog) writeEntry(r Root) error {
	dir := c.Dir(r.Path)
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	fresh := filepath.Join(dir, entryName+".new") // of one writer at a time: they hold the catalog
	return errors.Join(os.WriteFile(fresh, text, 0o600), os.Rename(fresh, filepath.Join(dir, entryName)))
}

// recover lists the roots that have a folder. A folder without a sound entry is
// not listed: its index is made again when somebody asks.
func (c *Catalog) recover(ctx context.Context, tx *Tx) error {
	entries, _ := filepath.Glob(filepath.Join(escapeGlob(c.home), "roots", "*", entryName)) // the pattern is well-formed
	for _, name := range entries {
		var r Root
		text, err := os.ReadFile(name)
		if err != nil || json.Unmarshal(text, &r) != nil || c.Dir(r.Path) != filepath.Dir(name) {
			continue
		}
		if err := insertRoot(ctx, tx, r); err != nil {
			return err
		}
	}
	return nil
}

// Delete stops tracking a root and removes its folder: first out of the way, in
// one step, so that no process ever sees a part of it. The root stays listed
// when its folder could not be moved.
func (c *Catalog) Delete(ctx context.Context, path string) error {
	dir := c.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("delete %s: %w", dir, err)
	}
	trash := filepath.Join(filepath.Dir(dir), fmt.Sprintf("%s%d-%s", trashPrefix, time.Now().UnixNano(), filepath.Base(dir)))
	// The folder's lock comes before the catalog's: who holds the first may copy a
	// whole database, and nobody else's root should wait for that.
	err := exclusively(dir, func() error {
		return c.update(ctx, func(tx *Tx) error {
			if _, err := tx.Exec(ctx, "DELETE FROM roots WHERE path=?", path); err != nil {
				return err
			}
			if err := os.Rename(dir, trash); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil // moved by a try that met the catalog's replacement
		})
	})
	if err := errors.Join(err, os.RemoveAll(trash)); err != nil {
		return fmt.Errorf("delete %s: %w", dir, err)
	}
	return nil
}

// trashPrefix begins the names of folders that hold what was deleted, beside
// those of the roots.
const trashPrefix = ".deleted-"

// emptyTrash removes what processes that were killed had still to remove.
func (c *Catalog) emptyTrash() {
	left, _ := filepath.Glob(filepath.Join(escapeGlob(c.home), "roots", trashPrefix+"*"))
	for _, dir := range left {
		_ = os.RemoveAll(dir) // tried again when the catalog is opened next
	}
}

// replacedTries is how often a use of the catalog is done again that met its
// replacement.
const replacedTries = 3

// update is Keeper.Update, again on the new catalog when it was exchanged.
func (c *Catalog) update(ctx context.Context, fn func(*Tx) error) error {
	return again(func() error { return c.db.Update(ctx, fn) })
}

func again(do func() error) (err error) {
	for range replacedTries {
		if err = do(); !errors.Is(err, ErrReplaced) {
			return err
		}
	}
	return err
}

// Roots is every tracked root, by path.
func (c *Catalog) Roots(ctx context.Context) (roots []Root, err error) {
	err = again(func() error {
		return c.db.View(ctx, func(v *View) (err error) { roots, err = readRoots(ctx, v); return err })
	})
	return roots, err
}

func readRoots(ctx context.Context, v *View) (roots []Root, err error) {
	rows, err := v.Query(ctx, "SELECT path, policy, created_at FROM roots ORDER BY path")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r Root
		var created int64
		if err := rows.Scan(&r.Path, &r.Policy, &created); err != nil {
			return nil, err
		}
		r.CreatedAt = time.UnixMilli(created)
		roots = append(roots, r)
	}
	return roots, rows.Err()
}

// Owner is the tracked root that owns path: path itself or its nearest
// tracked ancestor.
func (c *Catalog) Owner(ctx context.Context, path string) (owner Root, found bool, err error) {
	roots, err := c.Roots(ctx)
	for _, r := range roots {
		if Within(path, r.Path) && len(r.Path) >= len(owner.Path) {
			owner, found = r, true
		}
	}
	return owner, found, err
}

// Within reports whether path is root or lies below it. Both are clean and
// absolute.
func Within(path, root string) bool {
	return path == root || strings.HasPrefix(path, strings.TrimSuffix(root, "/")+"/")
}
