package workspace

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"

	"sextant/internal/code"
)

// repository is one git repository that holds files of a Tree. Its index says
// which files git tracks: git's rules have no effect on those.
type repository struct {
	git   gitDir
	strip string // the repository's top relative to the root, with a final "/"; "" when that is the root or above it
	lift  string // for a repository above the root: the root within it, with a final "/"

	settling sync.Mutex // held for the length of settle

	mu     sync.Mutex // guards all below
	index  *repoIndex // what a listing of the top found: files are judged by it; never nil
	latest *repoIndex // what anybody found; never nil
	moved  []string   // paths, relative to the repository, that became tracked or ceased to be, not judged yet
	stamp  int        // changes when a path did of which git's rules speak
}

// repoIndex is a parsed index. Immutable.
type repoIndex struct {
	path    string // absolute
	key     code.StatKey
	hash    func() hash.Hash
	entries []indexEntry // by path; a path in conflict has several
	err     error
}

// repositoryAt is the repository whose data lies in git, with its index as it
// is on disk; was is kept when it is that repository.
func repositoryAt(git gitDir, strip, lift string, was *repository) *repository {
	r := was
	if r == nil || r.git != git {
		none := &repoIndex{}
		r = &repository{git: git, strip: strip, lift: lift, index: none, latest: none}
	}
	r.refresh()
	return r
}

// refresh makes the index as it is on disk the one that files are judged by.
func (r *repository) refresh() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.look(); now != r.index {
		if r.index.path != "" {
			r.moved = moves(r.moved, r.index.entries, now.entries)
		}
		r.index = now
	}
}

// read is the index as it is on disk. Files are judged as before: a scan that
// is under way has to end by the index that it began with, or nobody could
// tell what it has missed.
func (r *repository) read() *repoIndex {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.look()
}

// look reads the index if it is another one by now. r.mu is held.
func (r *repository) look() *repoIndex {
	r.latest = readIndex(filepath.Join(r.git.dir, "index"), r.git.common, r.latest)
	return r.latest
}

func (r *repository) current() *repoIndex {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.index
}

// tracks reports whether git tracks the file p or, for a directory, anything
// at or below it.
func (r *repository) tracks(p string, isDir bool) bool {
	if r == nil {
		return false
	}
	x := r.current()
	rel := r.relative(p)
	if !isDir {
		return x.find(rel) != nil
	}
	if x.submodule(rel) {
		return true
	}
	at := x.from(rel + "/")
	return at < len(x.entries) && below(x.entries[at].path, rel)
}

// children is the names in directory p of what git tracks at or below them.
func (r *repository) children(p string) (names []string) {
	x := r.current()
	dir := r.relative(p) + "/"
	for at := x.from(dir); at < len(x.entries); {
		rest, ok := strings.CutPrefix(x.entries[at].path, dir)
		if !ok {
			break
		}
		name, _, isDir := strings.Cut(rest, "/")
		names = append(names, name)
		if isDir {
			at = x.from(dir + name + "0") // the first path behind those that start with name and "/"
		} else {
			for at++; at < len(x.entries) && x.entries[at].path == dir+name; at++ {
			}
		}
	}
	return names
}

// relative is the path within the repository.
func (r *repository) relative(p string) string {
	return r.lift + strings.TrimPrefix(p, r.strip)
}

// from is the position of the first entry that is not before p.
func (x *repoIndex) from(p string) int {
	return sort.Search(len(x.entries), func(i int) bool { return x.entries[i].path >= p })
}

// find is the entry of that path, the last stage of one in conflict; nil when
// there is none.
func (x *repoIndex) find(p string) *indexEntry {
	var e *indexEntry
	for i := x.from(p); i < len(x.entries) && x.entries[i].path == p; i++ {
		e = &x.entries[i]
	}
	return e
}

func (x *repoIndex) submodule(p string) bool {
	e := x.find(p)
	return e != nil && e.mode&modeTypeMask == modeGitlink
}

// maxMoved bounds the paths that are judged one by one when an index was
// replaced; what is more than these may concern any rule.
const maxMoved = 1000

// moves adds the paths that are in one of two indexes to those in moved. The
// result has more than maxMoved when there are more.
func moves(moved []string, was, now []indexEntry) []string {
	for len(was) > 0 || len(now) > 0 {
		switch {
		case len(moved) > maxMoved:
			return moved
		case len(now) == 0 || len(was) > 0 && was[0].path < now[0].path:
			moved, was = append(moved, was[0].path), was[1:]
		case len(was) == 0 || now[0].path < was[0].path:
			moved, now = append(moved, now[0].path), now[1:]
		default:
			was, now = was[1:], now[1:]
		}
	}
	return moved
}

// settle changes the stamp if any path that moved is one that git's rules
// would keep out, or lies in another checkout, and returns it. Others are
// indexed, tracked or not. Calls wait for each other: the stamp of one that came
// meanwhile would deny what the first is about to find.
func (r *repository) settle(t *Tree) int {
	r.settling.Lock()
	defer r.settling.Unlock()
	r.mu.Lock()
	moved := r.moved
	r.moved = nil
	r.mu.Unlock()
	matters := len(moved) > maxMoved
	for i := 0; i < len(moved) && !matters; i++ {
		rest, ok := strings.CutPrefix(moved[i], r.lift)
		matters = ok && (t.gitIgnores(r.strip+rest) || t.inCheckout(r, r.strip+rest))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if matters {
		r.stamp++
	}
	return r.stamp
}

// inCheckout reports whether p is or lies in a checkout within that of r, be it
// apart or not.
func (t *Tree) inCheckout(r *repository, p string) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for at := p; at != "" && at+"/" != r.strip; at = parentOf(at) {
		if n := t.nodes[at]; n != nil && n.checkout {
			return true
		}
	}
	return false
}

// gitIgnores reports whether git's rules speak against the file p or a
// directory above it, tracked or not.
func (t *Tree) gitIgnores(p string) bool {
	n, err := t.node("")
	for at := 0; err == nil; {
		end := strings.IndexByte(p[at:], '/')
		if end < 0 {
			v, _ := n.scope.checkGit(p, p[at:], false)
			return n.scope.trackedOnly || v == ignore
		}
		step := p[:at+end]
		if v, _ := n.scope.checkGit(step, step[at:], true); v == ignore {
			return true
		}
		n, err = t.node(step)
		at += end + 1
	}
	// A directory that is not there has nothing to judge; of one that cannot be
	// read nobody knows the rules.
	return !errors.Is(err, fs.ErrNotExist)
}

// maxIndexBytes bounds an index: some two million files.
const maxIndexBytes = 256 << 20

// readIndex reads the index at abs; was is returned where it still holds. One
// that is not there is one without entries: nothing was ever added.
func readIndex(abs, common string, was *repoIndex) *repoIndex {
	r := &repoIndex{path: abs, hash: sha1.New}
	f, err := openOutside(abs)
	if os.IsNotExist(err) {
		if was.holds(r) {
			return was
		}
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
	if was.holds(r) {
		return was
	}
	if !regular(r.key) || r.key.Size > maxIndexBytes {
		r.err = errIndex
		return r
	}
	data, err := readSized(f, r.key.Size)
	if err != nil {
		r.err = err
		return r
	}
	hashBytes := sha1.Size
	if config, err := readSmall(filepath.Join(common, "config")); err == nil && bytes.Contains(bytes.ToLower(config), []byte("objectformat = sha256")) {
		hashBytes, r.hash = sha256.Size, sha256.New
	}
	r.entries, r.err = parseIndex(data, hashBytes)
	return r
}

// holds reports whether x was read without error from the file that r names.
func (x *repoIndex) holds(r *repoIndex) bool {
	return x.err == nil && x.path == r.path && x.key == r.key
}
