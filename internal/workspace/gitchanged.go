package workspace

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"math"
	"os"
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

	mu    sync.Mutex
	repos map[string]*repoIndex // guarded by mu; by the repository's top, relative to the root
	same  map[string]hashed     // guarded by mu; files whose bytes were compared
}

// repoIndex is a parsed index. Immutable.
type repoIndex struct {
	path    string
	key     code.StatKey
	strip   string // the repository's top relative to the root, with a final "/"; "" when that is the root or above it
	lift    string // for a repository above the root: the root within it, with a final "/"
	hash    func() hash.Hash
	entries map[string]indexEntry // by path relative to the repository; a path in conflict bears its last stage
	err     error
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
	return &Git{tree: t, repos: map[string]*repoIndex{}, same: map[string]hashed{}}
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
	run := &comparison{git: g, repos: map[string]*repoIndex{}}
	for p, key := range files {
		if err := ctx.Err(); err != nil {
			return Changes{}, fmt.Errorf("compare with the git index: %w", err)
		}
		if r := run.repoOf(p); r != nil && r.err == nil && run.changed(r, p, key) {
			run.out.Paths = append(run.out.Paths, p)
			if len(run.out.Paths) == LargeChangeSet {
				run.out.Large = true
				break
			}
		}
	}
	for _, r := range run.repos {
		if r != nil && r.err != nil {
			run.out.Problems = append(run.out.Problems, fmt.Sprintf("%s: %v", r.path, r.err))
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
	git    *Git
	repos  map[string]*repoIndex // by directory; nil where no repository holds it
	hashed int64
	out    Changes
}

// repoOf is the repository that the file belongs to: the nearest above it.
func (c *comparison) repoOf(p string) *repoIndex {
	return c.repoAt(parentOf(p))
}

func (c *comparison) repoAt(dir string) *repoIndex {
	if r, ok := c.repos[dir]; ok {
		return r
	}
	var r *repoIndex
	if n, err := c.git.tree.node(dir); err == nil && n.traits&hasGit != 0 {
		r = c.git.load(dir)
	}
	if r == nil {
		if dir == "" {
			r = c.git.loadOuter()
		} else {
			r = c.repoAt(parentOf(dir))
		}
	}
	c.repos[dir] = r
	return r
}

// changed compares one file. Git's own rule: equal size and mtime mean an
// equal file, unless the file is not older than the index itself.
func (c *comparison) changed(r *repoIndex, p string, key code.StatKey) bool {
	e, ok := r.entries[r.relative(p)]
	if !ok || e.conflicted || e.added {
		return true
	}
	if e.trusted {
		return false
	}
	sameTime := int64(e.mtimeS) == int64(uint32(key.MTime/1e9)) && (e.mtimeN == 0 || int64(e.mtimeN) == key.MTime%1e9)
	if sameTime && e.size == uint32(key.Size) && key.MTime < r.key.MTime {
		return false
	}
	// A racily clean entry is written with size 0 by git, and a file that
	// filters convert has another size than its object.
	if e.size != uint32(key.Size) && e.size != 0 && key.Size <= math.MaxUint32 {
		return true
	}
	return c.compareBytes(r, &e, p, key)
}

func (c *comparison) compareBytes(r *repoIndex, e *indexEntry, p string, key code.StatKey) bool {
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
	text, key, err := g.tree.Read(p, math.MaxInt32)
	if err != nil {
		// Unreadable or gone is no change that one could look at.
		return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission)
	}
	changed := !r.isBlob(text, e.oid)
	if changed && bytes.Contains(text, []byte("\r\n")) {
		changed = !r.isBlob(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), e.oid) // core.autocrlf
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.same) >= maxHashedFiles {
		clear(g.same)
	}
	g.same[p] = hashed{key: key, oid: e.oid, changed: changed}
	return changed
}

func (r *repoIndex) isBlob(text []byte, oid [32]byte) bool {
	h := r.hash()
	fmt.Fprintf(h, "blob %d\x00", len(text))
	h.Write(text)
	return bytes.Equal(h.Sum(nil), oid[:h.Size()])
}

// relative is the path within the repository.
func (r *repoIndex) relative(p string) string {
	return r.lift + strings.TrimPrefix(p, r.strip)
}

// load reads the index of the repository whose top is dir, nil if it is none.
func (g *Git) load(dir string) *repoIndex {
	abs := filepath.Join(g.tree.root, filepath.FromSlash(dir))
	git, ok := gitDirOf(abs)
	if !ok {
		return nil
	}
	strip := ""
	if dir != "" {
		strip = dir + "/"
	}
	return g.index(abs, git, strip, "")
}

// loadOuter reads the index of the repository that the root lies in.
func (g *Git) loadOuter() *repoIndex {
	for at := filepath.Dir(g.tree.root); ; at = filepath.Dir(at) {
		if git, ok := gitDirOf(at); ok {
			rel, err := filepath.Rel(at, g.tree.root)
			if err != nil {
				return nil
			}
			return g.index(at, git, "", filepath.ToSlash(rel)+"/")
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}

// index is the parsed index of a repository, cached by its stat key.
func (g *Git) index(top string, git gitDir, strip, lift string) *repoIndex {
	g.mu.Lock()
	defer g.mu.Unlock()
	was := g.repos[top]
	now := readIndex(filepath.Join(git.dir, "index"), git.common, was)
	if now != was {
		now.path, now.strip, now.lift = filepath.Join(top, ".git"), strip, lift
		g.repos[top] = now
	}
	return now
}

// maxIndexBytes bounds an index: some two million files.
const maxIndexBytes = 256 << 20

func readIndex(abs, common string, was *repoIndex) *repoIndex {
	r := &repoIndex{hash: sha1.New}
	f, err := openOutside(abs)
	if os.IsNotExist(err) { // nothing was ever added
		return r
	}
	if err != nil {
		r.err = err
		return r
	}
	defer f.Close()
	if r.key, r.err = fileKey(f); r.err != nil {
		return r
	}
	// git replaces the index by a rename, so that the inode vouches for it.
	if was != nil && was.key == r.key {
		return was
	}
	if !regular(r.key) || r.key.Size > maxIndexBytes {
		r.err = errIndex
		return r
	}
	data, err := io.ReadAll(io.LimitReader(f, maxIndexBytes))
	if err != nil {
		r.err = err
		return r
	}
	hashBytes := sha1.Size
	if config, err := readSmall(filepath.Join(common, "config")); err == nil && bytes.Contains(bytes.ToLower(config), []byte("objectformat = sha256")) {
		hashBytes, r.hash = sha256.Size, sha256.New
	}
	entries, err := parseIndex(data, hashBytes)
	r.err = err
	r.entries = make(map[string]indexEntry, len(entries))
	for _, e := range entries {
		r.entries[e.path] = e
	}
	return r
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
