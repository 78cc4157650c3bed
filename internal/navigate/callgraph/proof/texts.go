package proof

import (
	"context"
	"path/filepath"
	"strings"
	"sync"

	"sextant/internal/code"
	"sextant/jit"
)

// texts caches the bytes of indexed files, each read once. It is safe for concurrent use.
type texts struct {
	ctx  context.Context
	root *jit.Root

	mu    sync.Mutex
	files map[string]*indexedText // guarded by mu; path relative to the root → bytes, nil if unreadable
}

// indexedText is the text of a file with its hash in the index.
type indexedText struct {
	bytes []byte
	hash  code.Hash
}

// of returns the text of a file, whose path is relative to the root, or nil if it is unreadable.
func (t *texts) of(file string) *indexedText {
	t.mu.Lock()
	defer t.mu.Unlock()
	f, ok := t.files[file]
	if !ok {
		if text, row, err := t.root.Read(t.ctx, file); err == nil {
			f = &indexedText{text, row.Hash}
		}
		t.files[file] = f
	}
	return f
}

// at returns the bytes of the file at an absolute path. It returns false if they are not
// available.
func (t *texts) at(abs string) ([]byte, bool) {
	file, ok := relativeTo(t.root.Path(), abs)
	if !ok {
		return nil, false
	}
	f := t.of(file)
	if f == nil {
		return nil, false
	}
	return f.bytes, true
}

// relativeTo returns the path abs relative to root. It returns false if abs is outside of
// root.
func relativeTo(root, abs string) (string, bool) {
	rel, err := filepath.Rel(root, abs)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}
