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

// Root is one tracked root: a folder whose files are indexed.
type Root struct {
	Path      string // absolute, symbolic links resolved
	Policy    string // what the user chose when the root was created, as JSON that only the caller interprets
	CreatedAt time.Time
}

// Catalog is the list of tracked roots of one SEXTANT_HOME. It is safe for
// concurrent use, also by several processes. Each root's folder holds a copy of
// the root's entry, from which a lost catalog is rebuilt. If the whole folder is
// removed, the next use begins an empty catalog.
type Catalog struct {
	home string
	db   *Keeper
}

// OpenCatalog opens or creates the catalog in home, an absolute folder. A nil
// clock means time.Now.
func OpenCatalog(ctx context.Context, home string, clock func() time.Time) (*Catalog, error) {
	c := &Catalog{home: home}
	var err error
	opt := Options{Dir: home, Schemas: []Schema{catalogSchema}, Readers: 2, Fill: c.recover}
	c.db, err = Keep(ctx, KeeperOptions{Options: opt, Clock: clock, Wanted: true})
	if err != nil {
		return nil, fmt.Errorf("open catalog: %w", err)
	}
	c.emptyTrash()
	return c, nil
}

// Close closes the catalog.
func (c *Catalog) Close() error { return c.db.Close() }

// Home returns the folder of the catalog.
func (c *Catalog) Home() string { return c.home }

// Dir returns the folder for the database and the locks of a root, tracked or
// not. Its name is readable and ends with a hash of the path.
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

// entryName is the base name of the copy of a root's entry, a Root as JSON.
const entryName = "root.json"

// Put tracks a root and creates the folder for its index, or changes the policy of a tracked root.
func (c *Catalog) Put(ctx context.Context, r Root) error {
	return c.update(ctx, func(tx *Tx) error {
		if err := c.writeEntry(r); err != nil {
			return err
		}
		return insertRoot(ctx, tx, r)
	})
}

// insertRoot inserts a root or changes its policy.
func insertRoot(ctx context.Context, tx *Tx, r Root) error {
	_, err := tx.Exec(ctx, `INSERT INTO roots(path, policy, created_at) VALUES(?,?,?)
		ON CONFLICT(path) DO UPDATE SET policy=excluded.policy`,
		r.Path, r.Policy, r.CreatedAt.UnixMilli())
	return err
}

// writeEntry writes the copy of r's entry, atomically.
func (c *Catalog) writeEntry(r Root) error {
	dir := c.Dir(r.Path)
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	// The transaction of the catalog keeps other writers out.
	return replaceFile(filepath.Join(dir, entryName), text)
}

// replaceFile replaces the text of the file at path. After an error such as a full disk, the old
// text is unchanged. The caller keeps other writers out.
func replaceFile(path string, text []byte) error {
	fresh := path + ".new"
	if err := os.WriteFile(fresh, text, 0o600); err != nil {
		_ = os.Remove(fresh) // a file that is left over is overwritten the next time
		return err
	}
	return os.Rename(fresh, path)
}

// recover fills a new catalog with the roots whose folders have an entry. It leaves out a folder
// without a valid entry; the index of that root is built again on demand.
func (c *Catalog) recover(ctx context.Context, tx *Tx) error {
	entries := GlobIn(c.home, "roots", "*", entryName)
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

// Delete stops tracking a root and removes its folder. It renames the folder
// first, so that no process ever sees a part of it. If the rename fails, the
// root stays in the catalog.
func (c *Catalog) Delete(ctx context.Context, path string) error {
	dir := c.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("delete %s: %w", dir, err)
	}
	name := fmt.Sprintf("%s%d-%s", trashPrefix, time.Now().UnixNano(), filepath.Base(dir))
	trash := filepath.Join(filepath.Dir(dir), name)
	// Take the folder's lock before the catalog's. The holder of a folder's
	// lock may be copying a whole database; operations on other roots must not
	// wait for that.
	err := exclusively(ctx, dir, func() error {
		return c.update(ctx, func(tx *Tx) error {
			if _, err := tx.Exec(ctx, "DELETE FROM roots WHERE path=?", path); err != nil {
				return err
			}
			if err := os.Rename(dir, trash); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil // an earlier try renamed it, then found that the catalog was replaced
		})
	})
	if err := errors.Join(err, os.RemoveAll(trash)); err != nil {
		return fmt.Errorf("delete %s: %w", dir, err)
	}
	return nil
}

// trashPrefix is the beginning of the names of deleted folders. They are beside the folders of
// the roots.
const trashPrefix = ".deleted-"

// emptyTrash removes the deleted folders that killed processes left.
func (c *Catalog) emptyTrash() {
	left := GlobIn(c.home, "roots", trashPrefix+"*")
	for _, dir := range left {
		_ = os.RemoveAll(dir) // on error, the next OpenCatalog tries again
	}
}

// replacedTries bounds how often an operation runs if the catalog's database
// keeps being replaced.
const replacedTries = 3

// update calls Keeper.Update, and calls it again if the catalog's database was replaced meanwhile.
func (c *Catalog) update(ctx context.Context, fn func(*Tx) error) error {
	return again(func() error { return c.db.Update(ctx, fn) })
}

// again calls the function do until its error is not ErrReplaced, at most replacedTries times.
func again(do func() error) (err error) {
	for range replacedTries {
		if err = do(); !errors.Is(err, ErrReplaced) {
			return err
		}
	}
	return err
}

// Roots returns every tracked root, ordered by path.
func (c *Catalog) Roots(ctx context.Context) (roots []Root, err error) {
	err = again(func() error {
		return c.db.View(ctx, func(v *View) (err error) { roots, err = readRoots(ctx, v); return err })
	})
	return roots, err
}

// readRoots returns all rows of the catalog, ordered by path.
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

// Owner returns the tracked root that contains path: path itself or its nearest
// tracked ancestor. It reports false if there is none.
func (c *Catalog) Owner(ctx context.Context, path string) (owner Root, found bool, err error) {
	roots, err := c.Roots(ctx)
	for _, r := range roots {
		if Within(path, r.Path) && len(r.Path) >= len(owner.Path) {
			owner, found = r, true
		}
	}
	return owner, found, err
}

// Within reports whether path is root or below it. Both are clean absolute
// paths.
func Within(path, root string) bool {
	return path == root || strings.HasPrefix(path, strings.TrimSuffix(root, "/")+"/")
}
