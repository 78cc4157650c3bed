package workspace

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"sextant/internal/code"
)

// readAttempts is how often a file that changes under the reader is read
// again; a log that grows all the time must not hold a request up.
const readAttempts = 3

// Read is the text of one file, with the credentials in it masked (see redact),
// and the key of exactly these bytes: the same before and after they were
// read. More than limit bytes are ErrTooLarge,
// limit ≤ 0 is the policy's. Symbolic links are not followed, neither the
// path's last step (ErrSymlink) nor one above it; a FIFO or a device is
// ErrNotRegular and not waited for; a secret is ErrSecret; a file that never
// holds still is ErrChanging. The ignore rules are not asked: Stat does that.
func (t *Tree) Read(p string, limit int64) ([]byte, code.StatKey, error) {
	text, key, err := t.readUnmasked(p, limit)
	if err != nil {
		return nil, code.StatKey{}, err
	}
	redact(p, text)
	return text, key, nil
}

// readUnmasked is Read with every byte as it is on disk, for comparisons that
// show none of them.
func (t *Tree) readUnmasked(p string, limit int64) ([]byte, code.StatKey, error) {
	text, key, err := t.read(p, limit)
	if err != nil {
		return nil, code.StatKey{}, fmt.Errorf("read %s: %w", p, err)
	}
	return text, key, nil
}

func (t *Tree) read(p string, limit int64) ([]byte, code.StatKey, error) {
	if err := relative(p); err != nil {
		return nil, code.StatKey{}, err
	}
	if Secret(p) {
		return nil, code.StatKey{}, ErrSecret
	}
	if limit <= 0 {
		limit = t.policy.MaxFileBytes
	}
	d, err := openDir(t.root, parentOf(p))
	if err != nil {
		return nil, code.StatKey{}, err
	}
	defer d.close()
	for range readAttempts {
		text, key, err := readOnce(d, path.Base(p), limit)
		if !errors.Is(err, ErrChanging) {
			return text, key, err
		}
	}
	return nil, code.StatKey{}, ErrChanging
}

func readOnce(d dir, name string, limit int64) ([]byte, code.StatKey, error) {
	f, err := d.open(name)
	if err != nil {
		return nil, code.StatKey{}, err
	}
	defer f.Close()
	before, err := fileKey(f)
	switch {
	case err != nil:
		return nil, code.StatKey{}, err
	case !regular(before):
		return nil, code.StatKey{}, ErrNotRegular
	case before.Size > limit:
		return nil, code.StatKey{}, ErrTooLarge
	}
	text, err := readSized(f, before.Size)
	if err != nil {
		return nil, code.StatKey{}, err
	}
	after, err := fileKey(f)
	if err != nil {
		return nil, code.StatKey{}, err
	}
	if before != after || int64(len(text)) != after.Size {
		return nil, code.StatKey{}, ErrChanging
	}
	return text, after, nil
}

// readSized reads the size bytes that the stat promised, and one more to see
// that there are none: a /proc-like file of size 0 may hold text.
func readSized(f *os.File, size int64) ([]byte, error) {
	buf := make([]byte, size+1)
	n, err := io.ReadFull(f, buf)
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		err = nil
	}
	return buf[:n:n], err
}
