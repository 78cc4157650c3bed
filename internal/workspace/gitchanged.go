package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sextant/internal/code"
)

// LargeChangeSet is the number of changed files from which on Changed stops
// counting: so many say nothing of what one is working on.
const LargeChangeSet = 51

// Git tells which files of a tree differ from what git has staged. It reads
// .git/index itself, of the root's repository and of those nested in it, and
// runs nothing: no hook, filter or fsmonitor of a repository. May be used
// concurrently.
type Git struct {
	tree *Tree

	mu   sync.Mutex
	same map[string]hashed // guarded by mu; files whose bytes were compared
}

// hashed is the outcome of comparing one file's bytes with one object.
type hashed struct {
	key     code.StatKey
	oid     [32]byte
	changed bool
}

// maxHashedFiles bounds what Changed remembers and maxHashed what it reads
// of one call, as bytes; past that, a newer mtime counts as a change.
const (
	maxHashedFiles = 4096
	maxHashed      = 64 << 20
)

// NewGit is the view of git on t. A tree without any repository has no changes.
func NewGit(t *Tree) *Git {
	return &Git{tree: t, same: map[string]hashed{}}
}

// Changes is what differs from the index.
type Changes struct {
	Paths []string // relative to the root, sorted: modified, conflicted and untracked files
	Large bool     // there are LargeChangeSet or more, and Paths holds just that many
	// Problems names indexes that could not be read, one line each; files of
	// those repositories do not count as changed.
	Problems []string
}

// Changed compares files (path relative to the root, and its key) with the
// indexes. Files must be ones that no rule ignores; nil scans the tree for
// them. What a key leaves open is settled by hashing the file.
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
		if r := run.repoOf(parentOf(p)); r != nil && run.changed(r, p, key) {
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

// scan lists the files that are to be indexed.
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

// comparison is one call of Changed.
type comparison struct {
	git     *Git
	repos   map[string]*repository     // by directory; nil where no repository holds it
	indexes map[*repository]*repoIndex // as they are for this call
	hashed  int64
	out     Changes
}

// repoOf is the repository that the files of a directory belong to, with its
// index read; nil for none.
func (c *comparison) repoOf(dir string) *repository {
	r, ok := c.repos[dir]
	if ok {
		return r
	}
	if n, err := c.git.tree.node(dir); err == nil {
		r = n.scope.repository()
	} else if dir != "" {
		r = c.repoOf(parentOf(dir))
	}
	if r != nil && c.indexes[r] == nil {
		c.indexes[r] = r.read()
	}
	c.repos[dir] = r
	return r
}

// changed compares one file. Git's own rule: equal size and mtime mean an
// equal file, unless the file is not older than the index itself.
func (c *comparison) changed(r *repository, p string, key code.StatKey) bool {
	x := c.indexes[r]
	if x.err != nil {
		return false
	}
	e := x.find(r.relative(p))
	if e == nil || e.conflicted || e.added {
		return true
	}
	if e.trusted {
		return false
	}
	sameTime := int64(e.mtimeS) == int64(uint32(key.MTime/1e9)) && (e.mtimeN == 0 || int64(e.mtimeN) == key.MTime%1e9)
	if sameTime && e.size == uint32(key.Size) && key.MTime < x.key.MTime {
		return false
	}
	// A racily clean entry is written with size 0 by git, and a file that
	// filters convert has another size than its object.
	if e.size != uint32(key.Size) && e.size != 0 && key.Size <= math.MaxUint32 {
		return true
	}
	return c.compareBytes(x, e, p, key)
}

func (c *comparison) compareBytes(x *repoIndex, e *indexEntry, p string, key code.StatKey) bool {
	g := c.git
	g.mu.Lock()
	known, ok := g.same[p]
	g.mu.Unlock()
	if ok && known.key == key && known.oid == e.oid {
		return known.changed
	}
	if c.hashed += key.Size; c.hashed > maxHashed {
		return true
	}
	text, key, err := g.tree.readUnmasked(p, math.MaxInt32)
	if err != nil {
		// Unreadable or gone is no change that one could look at.
		return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission)
	}
	changed := !x.isBlob(text, e.oid)
	if changed && bytes.Contains(text, []byte("\r\n")) {
		changed = !x.isBlob(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), e.oid) // core.autocrlf
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.same) >= maxHashedFiles {
		clear(g.same)
	}
	g.same[p] = hashed{key: key, oid: e.oid, changed: changed}
	return changed
}

func (x *repoIndex) isBlob(text []byte, oid [32]byte) bool {
	h := x.hash()
	fmt.Fprintf(h, "blob %d\x00", len(text))
	h.Write(text)
	return bytes.Equal(h.Sum(nil), oid[:h.Size()])
}

// Head is what HEAD of the root's repository says: a ref such as
// "refs/heads/main", or an object id when detached; "" without a repository.
func (g *Git) Head() string {
	for at := g.tree.root; ; at = filepath.Dir(at) {
		if git, ok := gitDirOf(at); ok {
			text, err := readSmall(filepath.Join(git.dir, "HEAD"))
			if err != nil {
				return ""
			}
			return strings.TrimPrefix(strings.TrimSpace(string(text)), "ref: ")
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}
