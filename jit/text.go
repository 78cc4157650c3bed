package jit

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"sextant/internal/store"
	"sextant/internal/workspace"
)

// ReadNow returns the text of a file as it is on disk, whether or not it is
// indexed. Its errors are those of Read; ErrMoved says that the file is missing,
// ignored, not regular or too large, or keeps changing. The text is stored in
// buf if it fits. A caller that reads many files passes the previous text as
// buf, others pass nil.
func (r *Root) ReadNow(path string, buf []byte) ([]byte, error) {
	k, _ := r.table.get(path) // a text with this hash is returned without masking its secrets again
	text, err := r.disk.ReadAgain(path, buf, func(text []byte) bool { return store.HashText(text) == k.hash })
	if err != nil {
		return nil, readError(path, err)
	}
	return text, nil
}

// ReadUnindexed returns the text of a file that is not in the index: a new file, or one in a root
// that is being indexed. The row holds only the properties that are known without the index. The
// error is ErrNotIndexed if the file is skipped, with the reason in row.Skip; or ErrIgnored,
// ErrApart, ErrOutside or fs.ErrNotExist; or an error of Read.
func (r *Root) ReadUnindexed(path string) (text []byte, row FileRow, err error) {
	entry, err := r.disk.stat(path)
	row = FileRow{Path: path, Key: entry.Key, Skip: string(entry.Skip)}
	if errors.Is(err, syscall.ENAMETOOLONG) {
		err = fmt.Errorf("%w: %w", fs.ErrNotExist, err) // the name is too long for any file
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
	case row.Skip == "":
		row.Skip = string(workspace.SkipText(text))
	}
	if row.Skip != "" {
		return nil, row, fmt.Errorf("read %s: %w", path, ErrNotIndexed)
	}
	row.Hash, row.Language, row.Class = store.HashText(text), languageOf(path, text),
		r.disk.class(path, text[:min(len(text), headBytes)])
	return text, row, nil
}

// readError converts an error of disk.read to an error of Read.
func readError(path string, err error) error {
	switch {
	case isGone(err), errors.Is(err, workspace.ErrNotRegular), errors.Is(err, workspace.ErrChanging),
		errors.Is(err, workspace.ErrTooLarge):
		return fmt.Errorf("read %s: %w", path, ErrMoved)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("read %s: %w (%w)", path, ErrUnverified, err)
	}
	return fmt.Errorf("read %s: %w", path, err)
}
