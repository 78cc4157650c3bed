package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// exclusively runs the function do while no other process opens, creates or removes the database in
// dir, or dir itself. A database consists of several files. A process that opened it while another
// was removing them would create a new database and then lose its WAL. Reads and writes do not take
// this lock. The kernel releases it when its holder dies. If dir is missing, the error is
// ErrReplaced. If ctx ends during the wait for the lock, the error is that of ctx.
func exclusively(ctx context.Context, dir string, do func() error) error {
	lock, err := lockFolder(ctx, dir)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s is gone: %w", dir, ErrReplaced)
	}
	if err != nil {
		return fmt.Errorf("lock the database in %s: %w", dir, err)
	}
	return errors.Join(do(), lock.Close())
}

// lockFolder locks the file open.lock in dir. It waits until it has the lock or ctx ends.
func lockFolder(ctx context.Context, dir string) (*os.File, error) {
	name := filepath.Join(dir, "open.lock")
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		if err := awaitLock(ctx, f); err != nil {
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

// The first and the longest pause between two attempts to lock a file. A lock is mostly held for the
// milliseconds in which a database is opened, but for seconds while one is copied.
const (
	firstLockPause = time.Millisecond
	lastLockPause  = 50 * time.Millisecond
)

// awaitLock locks f once no other handle holds its lock. The system call that waits by itself cannot be
// cancelled.
func awaitLock(ctx context.Context, f *os.File) error {
	for pause := firstLockPause; ; pause = min(2*pause, lastLockPause) {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR):
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// current reports whether f is still the file called name. A clear may have
// removed the folder during the wait for the lock; other processes then lock a
// new file.
func current(f *os.File, name string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(name)
	return err == nil && os.SameFile(mine, now)
}
