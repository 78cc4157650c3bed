package jit

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"sextant/internal/store"
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

// ReadUnindexed is Read for a file that the index does not have, as one that is
// new, grows, or came while the index is being made: what is on disk counts. The
// row holds what is known without the index. The error is ErrNotIndexed with a
// row that says why it is skipped, or one of ErrIgnored, ErrApart, ErrOutside and
// fs.ErrNotExist; else those of Read.
func (r *Root) ReadUnindexed(path string) (text []byte, row FileRow, err error) {
	entry, err := r.disk.stat(path)
	row = FileRow{Path: path, Key: entry.Key, Skip: string(entry.Skip)}
	if errors.Is(err, syscall.ENAMETOOLONG) {
		err = fmt.Errorf("%w: %w", fs.ErrNotExist, err) // no file can bear that name
	}
	if isGone(err) {
		return nil, row, err
	}
	if err == nil && row.Skip == "" {
		text, row.Key, err = r.disk.read(path)
	}
	switch {
	case err != nil:
		return nil, row, readError(path, err)
	case row.Skip == "" && workspace.Binary(text[:min(len(text), headBytes)]):
		row.Skip = string(skipBinary)
	}
	if row.Skip != "" {
		return nil, row, fmt.Errorf("read %s: %w", path, ErrNotIndexed)
	}
	row.Hash, row.Language, row.Class = store.HashText(text), languageOf(path, text), r.disk.class(path, text[:min(len(text), headBytes)])
	return text, row, nil
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
