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

// Seed makes the database of opt.Dir, unless there is one, a copy of the one of
// the same schemas in the folder from, as adapt leaves it. The copy is one
// snapshot, whatever is written to the other meanwhile, and is there whole or
// not at all.
func Seed(ctx context.Context, from string, opt Options, adapt func(context.Context, *Tx) error) (err error) {
	if err := os.MkdirAll(opt.Dir, 0o700); err != nil {
		return fmt.Errorf("seed store: %w", err)
	}
	err = exclusively(opt.Dir, func() error {
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

// seedPrefix begins the names of folders in which copies are made.
const seedPrefix = "seed-"

// removeSeeds removes the copies of processes that were killed at it. It wants
// the lock of the folder held, under which copies are made.
func removeSeeds(dir string) (err error) {
	left, _ := filepath.Glob(filepath.Join(escapeGlob(dir), seedPrefix+"*")) // the pattern is well-formed
	for _, seed := range left {
		err = errors.Join(err, os.RemoveAll(seed))
	}
	return err
}

func seed(ctx context.Context, from, to string, opt Options, adapt func(context.Context, *Tx) error) (err error) {
	if opt.Dir, err = os.MkdirTemp(opt.Dir, seedPrefix); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(opt.Dir)) }()
	made := filepath.Join(opt.Dir, filepath.Base(to))
	if err := copyDatabase(ctx, from, made); err != nil {
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
	// The last connection to close leaves no log.
	if info, err := os.Stat(made + "-wal"); err == nil && info.Size() > 0 {
		return fmt.Errorf("%s is not folded into its database", made+"-wal")
	}
	return os.Rename(made, to)
}

// copyDatabase copies pages, which takes a tenth of what a dump of the rows does.
func copyDatabase(ctx context.Context, from, to string) (err error) {
	if _, err := os.Stat(from); err != nil {
		return err
	}
	if err := makeFile(to); err != nil { // which leaves space for checksums
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
	// One read transaction spans the steps: else a write between two of them
	// would have the copy begin anew.
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

// copyPages is how many pages are copied between two looks at the context: 16
// MiB.
const copyPages = 4000

func ignoreClosed(err error) error {
	if errors.Is(err, sql.ErrConnDone) {
		return nil
	}
	return err
}
