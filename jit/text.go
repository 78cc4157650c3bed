package jit

import (
	"errors"
	"fmt"
	"io/fs"

	"sextant/internal/workspace"
)

// ReadNow is the bytes of a file as they are on disk now, whatever the index
// has of it: for a scan that looks at bytes alone. The errors are those of
// Read; ErrMoved is a file that is gone or no text file any more.
func (r *Root) ReadNow(path string) ([]byte, error) {
	text, _, err := r.disk.read(path)
	if err != nil {
		return nil, readError(path, err)
	}
	return text, nil
}

// readError tells a file that moved from one that cannot be read.
func readError(path string, err error) error {
	switch {
	case isGone(err), errors.Is(err, workspace.ErrNotRegular), errors.Is(err, workspace.ErrChanging), errors.Is(err, workspace.ErrTooLarge):
		return fmt.Errorf("read %s: %w", path, ErrMoved)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("read %s: %w (%w)", path, ErrUnverified, err)
	}
	return fmt.Errorf("read %s: %w", path, err)
}
