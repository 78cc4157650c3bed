package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
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
// concurrent use, by several processes too.
type Catalog struct {
	home string
	db   *DB
}

// OpenCatalog opens or makes the catalog under home, an absolute folder.
func OpenCatalog(ctx context.Context, home string) (*Catalog, error) {
	db, err := Open(ctx, Options{Dir: home, Schemas: []Schema{catalogSchema}, Readers: 2})
	if err != nil {
		return nil, fmt.Errorf("open catalog: %w", err)
	}
	return &Catalog{home: home, db: db}, nil
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

// Put tracks a root, or changes the policy of a tracked one.
func (c *Catalog) Put(ctx context.Context, r Root) error {
	return c.db.Update(ctx, func(tx *Tx) error {
		_, err := tx.Exec(ctx, "INSERT INTO roots(path, policy, created_at) VALUES(?,?,?) ON CONFLICT(path) DO UPDATE SET policy=excluded.policy",
			r.Path, r.Policy, r.CreatedAt.UnixMilli())
		return err
	})
}

// Delete stops tracking a root and removes its folder. The root stays listed
// when its folder could not be removed.
func (c *Catalog) Delete(ctx context.Context, path string) error {
	dir := c.Dir(path)
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("delete %s: %w", dir, err)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("delete %s: it is still there", dir)
	}
	return c.db.Update(ctx, func(tx *Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM roots WHERE path=?", path)
		return err
	})
}

// Roots is every tracked root, by path.
func (c *Catalog) Roots(ctx context.Context) (roots []Root, err error) {
	err = c.db.View(ctx, func(v *View) error {
		rows, err := v.Query(ctx, "SELECT path, policy, created_at FROM roots ORDER BY path")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var r Root
			var created int64
			if err := rows.Scan(&r.Path, &r.Policy, &created); err != nil {
				return err
			}
			r.CreatedAt = time.UnixMilli(created)
			roots = append(roots, r)
		}
		return rows.Err()
	})
	return roots, err
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
