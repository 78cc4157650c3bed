package workspace

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sextant/internal/code"
)

// readAttempts is the number of attempts to read a file that changes meanwhile.
// A log that grows all the time must not block a request.
const readAttempts = 3

// Read returns the text of the file at p as UTF-8 (see decoded) with credentials masked
// (see redact), and the key that belongs to exactly these bytes. limit bounds the size in
// bytes; 0 or less means the policy's limit.
//
// The errors are ErrTooLarge, ErrSymlink if p or a directory above it is a
// symbolic link, ErrNotRegular for a FIFO or device (Read does not wait for
// it), ErrSecret for a secret, and ErrChanging for a file that keeps changing.
// Read does not check the ignore rules; Stat does.
func (t *Tree) Read(p string, limit int64) ([]byte, code.StatKey, error) {
	text, key, err := t.readUnmasked(p, limit, nil)
	if err != nil {
		return nil, code.StatKey{}, err
	}
	text = decoded(text)
	redact(p, text)
	return text, key, nil
}

// ReadAgain returns the text of a file as Read does, within the policy's limit. masked reports
// whether Read has returned exactly this text for p before. Such a text holds no credentials and is
// not masked again; masking takes ten times as long as computing the hash of the text. The text is
// stored in buf if it has room; buf may be nil.
func (t *Tree) ReadAgain(p string, buf []byte, masked func(text []byte) bool) ([]byte, error) {
	text, _, err := t.readUnmasked(p, 0, buf)
	if err != nil {
		return nil, err
	}
	if text = decoded(text); !masked(text) {
		redact(p, text)
	}
	return text, nil
}

// Textual reports whether the file at p, of any size, begins as text does. It is false for a file that cannot be
// read, and for secrets.
func (t *Tree) Textual(p string) bool {
	if relative(p) != nil || secretIn(filepath.Base(t.root), p) {
		return false
	}
	f, err := openFile(t.root, p)
	if err != nil {
		return false
	}
	defer f.close()
	key, err := f.key()
	if err != nil || !regular(key) {
		return false
	}
	head, err := f.read(min(key.Size, binaryHead), nil)
	return err == nil && !Binary(decoded(head[:min(len(head), binaryHead)]))
}

// readUnmasked is like Read but decodes and masks nothing, for comparisons whose results do
// not show the text.
func (t *Tree) readUnmasked(p string, limit int64, buf []byte) ([]byte, code.StatKey, error) {
	text, key, err := t.read(p, limit, buf)
	if err != nil {
		return nil, code.StatKey{}, fmt.Errorf("read %s: %w", p, err)
	}
	return text, key, nil
}

// read reads p until its key is equal before and after, at most readAttempts
// times.
func (t *Tree) read(p string, limit int64, buf []byte) ([]byte, code.StatKey, error) {
	if err := relative(p); err != nil {
		return nil, code.StatKey{}, err
	}
	if secretIn(filepath.Base(t.root), p) {
		return nil, code.StatKey{}, ErrSecret
	}
	if limit <= 0 {
		limit = t.policy.MaxFileBytes
	}
	for range readAttempts {
		text, key, err := readOnce(t.root, p, limit, buf)
		if !errors.Is(err, ErrChanging) {
			return text, key, err
		}
	}
	return nil, code.StatKey{}, ErrChanging
}

// readOnce reads the file at p below root. It returns ErrChanging if its key
// changed.
func readOnce(root, p string, limit int64, buf []byte) ([]byte, code.StatKey, error) {
	f, err := openFile(root, p)
	if err != nil {
		return nil, code.StatKey{}, err
	}
	defer f.close()
	before, err := f.key()
	switch {
	case err != nil:
		return nil, code.StatKey{}, err
	case !regular(before):
		return nil, code.StatKey{}, ErrNotRegular
	case before.Size > limit:
		return nil, code.StatKey{}, ErrTooLarge
	}
	text, err := f.read(before.Size, buf)
	if err != nil {
		return nil, code.StatKey{}, err
	}
	after, err := f.key()
	if err != nil {
		return nil, code.StatKey{}, err
	}
	if before != after || int64(len(text)) != after.Size {
		return nil, code.StatKey{}, ErrChanging
	}
	return text, after, nil
}

// readSized reads size bytes, the size that stat reported. It tries to read one byte more,
// because the file may be longer: a file in /proc has size 0 and may contain text.
func readSized(f *os.File, size int64) ([]byte, error) {
	return readInto(f, make([]byte, size+1))
}

// readInto reads into buf until it is full or f ends.
func readInto(f *os.File, buf []byte) ([]byte, error) {
	n, err := io.ReadFull(f, buf)
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		err = nil
	}
	return buf[:n:n], err
}

// sized returns a slice of size bytes, in buf if it has room. If buf is too small, the new slice
// has room for at least twice as much as buf.
func sized(buf []byte, size int64) []byte {
	if int64(cap(buf)) < size {
		return make([]byte, size, max(size, 2*int64(cap(buf))))
	}
	return buf[:size]
}
