package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"slices"
	"sync"

	"sextant/internal/code"
)

// LargeChangeSet is the number of changed files at which Changed stops. So many changes say
// nothing about the current work of the user.
const LargeChangeSet = 51

// Git finds the files of a tree that differ from the git index. It reads the git indexes of the
// root's repository and of those nested in it. It runs no program: no hook, filter or fsmonitor of
// a repository. It is safe for concurrent use.
type Git struct {
	tree *Tree

	mu   sync.Mutex
	same map[string]hashed // guarded by mu; results of compareBytes, by path
}

// hashed is the result of comparing one file's bytes with one object.
type hashed struct {
	key     code.StatKey
	oid     [32]byte
	changed bool
}

// maxHashedFiles bounds the results that Git caches. maxHashed bounds the bytes that one call of
// Changed hashes. Files beyond it are not compared by their bytes and count as changed.
const (
	maxHashedFiles = 4096
	maxHashed      = 64 << 20
)

// NewGit returns a Git for t. A tree without any repository has no changes.
func NewGit(t *Tree) *Git {
	return &Git{tree: t, same: map[string]hashed{}}
}

// Changes lists the files of a tree that differ from the git index.
type Changes struct {
	Paths []string // modified, conflicted and untracked files; relative to the root, sorted
	Large bool     // there are at least LargeChangeSet changes; Paths holds only that many
	// Problems lists indexes that could not be read, one line each. The files
	// of their repositories do not count as changed.
	Problems []string
}

// Changed compares the given files (root-relative path and key) with the git indexes. All must be
// files that no rule ignores; if files is nil, Changed scans the tree for them. It hashes a file if
// its key alone does not decide.
func (g *Git) Changed(ctx context.Context, files iter.Seq2[string, code.StatKey]) (Changes, error) {
	if files == nil {
		var err error
		if files, err = g.scan(ctx); err != nil {
			return Changes{}, fmt.Errorf("compare with the git index: %w", err)
		}
	}
	run := &comparison{git: g, repos: map[string]*repository{}, indexes: map[*repository]*repoIndex{}}
	for p, key := range files {
		if err := ctx.Err(); err != nil {
			return Changes{}, fmt.Errorf("compare with the git index: %w", err)
		}
		if r := run.repoOf(code.Dir(p)); r != nil && run.changed(r, p, key) {
			run.out.Paths = append(run.out.Paths, p)
			if len(run.out.Paths) == LargeChangeSet {
				run.out.Large = true
				break
			}
		}
	}
	for _, x := range run.indexes {
		if x.err != nil {
			run.out.Problems = append(run.out.Problems, fmt.Sprintf("%s: %v", x.path, x.err))
		}
	}
	slices.Sort(run.out.Problems)
	run.out.Problems = slices.Compact(run.out.Problems)
	slices.Sort(run.out.Paths)
	return run.out, nil
}

// scan returns the files of the tree that are not skipped.
func (g *Git) scan(ctx context.Context) (iter.Seq2[string, code.StatKey], error) {
	var all []Entry
	_, err := g.tree.Scan(ctx, "", Recursive, func(l Listing) {
		for _, e := range l.Files {
			if e.Skip == "" {
				all = append(all, e)
			}
		}
	})
	return func(yield func(string, code.StatKey) bool) {
		for i := range all {
			if !yield(all[i].Path, all[i].Key) {
				return
			}
		}
	}, err
}

// comparison is the state of one call of Changed.
type comparison struct {
	git     *Git
	repos   map[string]*repository     // repositories by directory; nil for a directory in no repository
	indexes map[*repository]*repoIndex // git indexes that this call has read
	hashed  int64                      // number of bytes hashed so far
	out     Changes
}

// repoOf returns the repository of the files in dir and reads its index; nil if
// there is none.
func (c *comparison) repoOf(dir string) *repository {
	r, ok := c.repos[dir]
	if ok {
		return r
	}
	if n, err := c.git.tree.node(dir); err == nil {
		r = n.scope.repository()
	} else if dir != "" {
		r = c.repoOf(code.Dir(dir))
	}
	if r != nil && c.indexes[r] == nil {
		c.indexes[r] = r.read()
	}
	c.repos[dir] = r
	return r
}

// changed reports whether one file differs from the index. As in git, equal size and mtime mean an
// equal file, unless the file is at least as young as the index.
func (c *comparison) changed(r *repository, p string, key code.StatKey) bool {
	index := c.indexes[r]
	if index.err != nil {
		return false
	}
	e := index.find(r.relative(p))
	if e == nil || e.conflicted || e.added {
		return true
	}
	if e.trusted {
		return false
	}
	sameTime := int64(e.mtimeS) == int64(uint32(key.MTime/1e9)) && (e.mtimeN == 0 || int64(e.mtimeN) == key.MTime%1e9)
	if sameTime && e.size == uint32(key.Size) && key.MTime < index.key.MTime {
		return false
	}
	// A size that differs from the entry's means a change. Size 0 in an entry says nothing,
	// because git also writes it for a file that may have changed since it was staged (racily
	// clean). The sizes are those of the file on disk; the object may have another one if filters
	// convert the file.
	if e.size != uint32(key.Size) && e.size != 0 && key.Size <= math.MaxUint32 {
		return true
	}
	return c.compareBytes(index, e, p, key)
}

// compareBytes reports whether the bytes of p differ from the object of e. Once maxHashed bytes
// have been hashed, it reports true without reading the file.
func (c *comparison) compareBytes(x *repoIndex, e *indexEntry, p string, key code.StatKey) bool {
	git := c.git
	git.mu.Lock()
	known, ok := git.same[p]
	git.mu.Unlock()
	if ok && known.key == key && known.oid == e.oid {
		return known.changed
	}
	if c.hashed += key.Size; c.hashed > maxHashed {
		return true
	}
	text, key, err := git.tree.readUnmasked(p, math.MaxInt32, nil)
	if err != nil {
		// A missing or unreadable file does not count as changed, because no answer could show its
		// change.
		return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission)
	}
	changed := !x.isBlob(text, e.oid)
	if changed && bytes.Contains(text, []byte("\r\n")) {
		// core.autocrlf may have converted the line ends
		changed = !x.isBlob(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), e.oid)
	}
	git.mu.Lock()
	defer git.mu.Unlock()
	if len(git.same) >= maxHashedFiles {
		clear(git.same)
	}
	git.same[p] = hashed{key: key, oid: e.oid, changed: changed}
	return changed
}

// isBlob reports whether text is the content of the blob with that object id.
func (x *repoIndex) isBlob(text []byte, oid [32]byte) bool {
	h := x.hash()
	fmt.Fprintf(h, "blob %d\x00", len(text))
	h.Write(text)
	return bytes.Equal(h.Sum(nil), oid[:h.Size()])
}
