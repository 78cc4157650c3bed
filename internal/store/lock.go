//go:build unix

package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Holder identifies the process that holds a lock, for the error that others
// get.
type Holder struct {
	Owner   string    `json:"ownerId"`
	PID     int       `json:"pid"`
	Version string    `json:"version"`
	Action  string    `json:"action"`
	Since   time.Time `json:"since"`
}

// Lock is an exclusive lock between processes. The kernel releases it when its
// holder dies, so there are no stale locks to detect.
type Lock struct{ file *os.File }

// HeldError is the error of TryLock when another handle holds the lock.
type HeldError struct{ Holder Holder }

func (e *HeldError) Error() string {
	return fmt.Sprintf("held by pid %d (%s since %s)", e.Holder.PID, e.Holder.Action,
		e.Holder.Since.Format(time.RFC3339))
}

// TryLock locks the file at path for h, or returns a *HeldError at once. Two
// handles of one process exclude each other too. It returns ErrReplaced if the
// file's folder is missing or was removed meanwhile.
func TryLock(path string, h Holder) (*Lock, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if errors.Is(err, os.ErrNotExist) {
		err = errors.Join(ErrReplaced, err)
	}
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		defer file.Close()
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		return nil, &HeldError{readHolder(file)}
	}
	if !current(file, path) { // a clear removed the file while it held the lock
		return nil, errors.Join(ErrReplaced, file.Close())
	}
	b, err := json.Marshal(h)
	if err == nil {
		if err = file.Truncate(0); err == nil {
			_, err = file.WriteAt(b, 0)
		}
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return &Lock{file}, nil
}

// Locked reports whether a process holds the lock at path, this one included. If no process does,
// Locked takes the lock for a moment.
func Locked(path string) (bool, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("lock: %w", err)
	}
	defer file.Close()
	err = unix.Flock(int(file.Fd()), unix.LOCK_SH|unix.LOCK_NB)
	if err != nil && !errors.Is(err, unix.EWOULDBLOCK) {
		return false, fmt.Errorf("lock %s: %w", path, err)
	}
	return err != nil, nil
}

// readHolder reads the holder of a lock file. The result is empty if the process that took the lock
// has not written its name yet.
func readHolder(f *os.File) (h Holder) {
	if b, err := io.ReadAll(io.NewSectionReader(f, 0, 4096)); err == nil {
		_ = json.Unmarshal(b, &h)
	}
	return h
}

// Unlock releases the lock. The file stays: after a removal, two processes
// could lock two files of the same name.
func (l *Lock) Unlock() error { return l.file.Close() }
