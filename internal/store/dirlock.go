package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// exclusively runs do while no other process opens, makes or removes the
// database in dir, or dir itself. A database is several files: a process that
// opened it between the removal of the first and of the last would make a new
// one and lose its log to the removal. Reads and writes do not wait for this
// lock, and the kernel releases it when its holder dies. Without the folder the
// error is ErrReplaced.
func exclusively(dir string, do func() error) error {
	lock, err := lockFolder(dir)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s is gone: %w", dir, ErrReplaced)
	}
	if err != nil {
		return fmt.Errorf("lock the database in %s: %w", dir, err)
	}
	return errors.Join(do(), lock.Close())
}

func lockFolder(dir string) (*os.File, error) {
	name := filepath.Join(dir, "open.lock")
	for {
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
		if current(f, name) {
			return f, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
}

// current reports whether name is still the file f. A clear may have taken the
// folder away while a lock was waited for: then it is another file that others
// lock.
func current(f *os.File, name string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(name)
	return err == nil && os.SameFile(mine, now)
}
