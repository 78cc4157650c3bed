package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
)

// Seed creates the database of opt.Dir, unless it exists, as a copy of the
// database with the same schemas in folder from, and then runs adapt on the
// copy. The copy is one snapshot even if others write to the source meanwhile.
// It appears complete or not at all.
func Seed(ctx context.Context, from string, opt Options, adapt func(context.Context, *Tx) error) (err error) {
	if err := os.MkdirAll(opt.Dir, 0o700); err != nil {
		return fmt.Errorf("seed store: %w", err)
	}
	err = exclusively(ctx, opt.Dir, func() error {
		name := FileName(opt.Schemas)
		if _, err := os.Stat(filepath.Join(opt.Dir, name)); err == nil {
			return nil
		}
		if err := removeSeeds(opt.Dir); err != nil {
			return err
		}
		return seed(ctx, filepath.Join(from, name), filepath.Join(opt.Dir, name), opt, adapt)
	})
	if err != nil {
		return fmt.Errorf("seed store from %s: %w", from, err)
	}
	return nil
}

// seedPrefix is the beginning of the names of temporary folders for unfinished copies.
const seedPrefix = "seed-"

// removeSeeds removes the unfinished copies of killed processes from dir. The
// caller holds the folder's lock, so no other process is copying.
func removeSeeds(dir string) (err error) {
	left := GlobIn(dir, seedPrefix+"*")
	for _, seed := range left {
		err = errors.Join(err, os.RemoveAll(seed))
	}
	return err
}

// seed copies the database at path source to a temporary folder below opt.Dir,
// adapts it, and renames it to path target.
func seed(ctx context.Context, source, target string, opt Options, adapt func(context.Context, *Tx) error) (err error) {
	if opt.Dir, err = os.MkdirTemp(opt.Dir, seedPrefix); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(opt.Dir)) }()
	made := filepath.Join(opt.Dir, filepath.Base(target))
	if err := copyDatabase(ctx, source, made); err != nil {
		return err
	}
	db, err := Open(ctx, opt)
	if err != nil {
		return err
	}
	err = db.Update(ctx, func(tx *Tx) error { return adapt(ctx, tx) })
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	// The last connection to close leaves an empty WAL.
	if info, err := os.Stat(made + "-wal"); err == nil && info.Size() > 0 {
		return fmt.Errorf("%s is not folded into its database", made+"-wal")
	}
	return os.Rename(made, target)
}

// copyDatabase copies the pages of a database, ten times as fast as its rows.
func copyDatabase(ctx context.Context, from, to string) (err error) {
	if _, err := os.Stat(from); err != nil {
		return err
	}
	if err := makeFile(to); err != nil { // makeFile reserves bytes for checksums
		return err
	}
	source, err := openHandle(from, "ro", readerCache)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	conn, err := source.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ignoreClosed(conn.Close())) }()
	// Keep one read transaction open over all steps: a write between two of
	// them would restart the copy.
	for _, begin := range []string{"BEGIN", "SELECT 1 FROM sqlite_master"} {
		if _, err := conn.ExecContext(ctx, begin); err != nil {
			return err
		}
	}
	return conn.Raw(func(c any) error {
		b, err := c.(interface {
			NewBackup(string) (*sqlite.Backup, error)
		}).NewBackup(fmt.Sprintf("file:%s?vfs=%s&_pragma=synchronous(OFF)", escapePath(to), vfsName))
		if err != nil {
			return err
		}
		more := true
		for more && err == nil && ctx.Err() == nil {
			more, err = b.Step(copyPages)
		}
		return errors.Join(err, ctx.Err(), b.Finish())
	})
}

// copyPages is the number of pages copied between two checks of the context: 16
// MiB.
const copyPages = 4000

// ignoreClosed returns err, or nil if err says that the connection was closed
// already.
func ignoreClosed(err error) error {
	if errors.Is(err, sql.ErrConnDone) {
		return nil
	}
	return err
}
