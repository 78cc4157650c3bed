package jit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"sextant/internal/store"
)

// openDB opens the database of a root, or makes it.
func openDB(ctx context.Context, dir string, opt *Options) (db *store.DB, err error) {
	err = exclusively(dir, func() (err error) {
		db, err = store.Open(ctx, store.Options{Dir: dir, Schemas: opt.schemas(), Readers: opt.Readers})
		return err
	})
	return db, err
}

// exclusively runs do while no other process opens, makes or removes the
// database in dir. A database is several files: a process that opened it
// between the removal of the first and of the last would make a new one and
// lose its log to the removal. Reads and writes do not wait for this lock, and
// the kernel releases it when its holder dies.
func exclusively(dir string, do func() error) error {
	lock, err := lockOpening(dir)
	if err != nil {
		return fmt.Errorf("lock the database in %s: %w", dir, err)
	}
	return errors.Join(do(), lock.Close())
}

func lockOpening(dir string) (*os.File, error) {
	name := filepath.Join(dir, "open.lock")
	for {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		for {
			if err = unix.Flock(int(f.Fd()), unix.LOCK_EX); !errors.Is(err, unix.EINTR) {
				break
			}
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		// A clear may have removed the folder while this waited: then it is
		// another file that others lock.
		mine, err := f.Stat()
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		if now, err := os.Stat(name); err == nil && os.SameFile(mine, now) {
			return f, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
}
