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

// repository is one git repository with files in a Tree. Its index lists the
// files that git tracks, to which git's rules do not apply.
type repository struct {
	git   gitDir
	strip string // path of the top relative to the root, with a final "/"; "" if the top is the root or above it
	lift  string // for a repository above the root: the path from its top down to the root, with a final "/"

	settling sync.Mutex // held during settle

	mu     sync.Mutex // guards all below
	index  *repoIndex // the index with which the rules are applied, read with the last listing of the top; never nil
	latest *repoIndex // the index that was read last; never nil
	moved  []string   // repository-relative paths that became tracked or untracked and are not yet checked by settle
	stamp  int        // number of changes of the index that matter, as counted by settle
}

// repoIndex is a git index, the list of tracked files, as parsed. It is not modified.
type repoIndex struct {
	path    string // absolute
	key     code.StatKey
	hash    func() hash.Hash
	entries []indexEntry // by path; several for a path with a merge conflict
	err     error
}

// repositoryAt returns the repository with the given git directories, and reads its current index.
// It returns old if that is the same repository.
func repositoryAt(git gitDir, strip, lift string, old *repository) *repository {
	r := old
	if r == nil || r.git != git {
		none := &repoIndex{}
		r = &repository{git: git, strip: strip, lift: lift, index: none, latest: none}
	}
	r.refresh()
	return r
}

// refresh reads the index. From now on, this index decides which files are tracked.
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

// read returns the index as it is on disk, but does not apply the rules with it. A running scan
// must end with the index with which it began: if the index changed in between, the scan might
// miss files.
func (r *repository) read() *repoIndex {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.look()
}

// look reads the index again if its file has changed, and returns it. The caller holds r.mu.
func (r *repository) look() *repoIndex {
	r.latest = readIndex(filepath.Join(r.git.dir, "index"), r.git.common, r.latest)
	return r.latest
}

// current returns the index that decides which files are tracked.
func (r *repository) current() *repoIndex {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.index
}

// tracks reports whether git tracks the file p or, for a directory, p as a
// submodule or any file below it.
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

// children returns the names of the files and directories in directory p that are tracked or
// contain tracked files.
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
			at = x.from(dir + name + "0") // "0" is the byte after "/", so this skips all paths below the directory
		} else {
			for at++; at < len(x.entries) && x.entries[at].path == dir+name; at++ {
			}
		}
	}
	return names
}

// relative returns the path of p within the repository. p is relative to the root.
func (r *repository) relative(p string) string {
	return r.lift + strings.TrimPrefix(p, r.strip)
}

// from returns the index of the first entry with a path not less than p.
func (x *repoIndex) from(p string) int {
	return sort.Search(len(x.entries), func(i int) bool { return x.entries[i].path >= p })
}

// find returns the entry with path p; nil if there is none. For a path in conflict it returns the
// last stage.
func (x *repoIndex) find(p string) *indexEntry {
	var e *indexEntry
	for i := x.from(p); i < len(x.entries) && x.entries[i].path == p; i++ {
		e = &x.entries[i]
	}
	return e
}

// submodule reports whether p is a submodule.
func (x *repoIndex) submodule(p string) bool {
	e := x.find(p)
	return e != nil && e.gitlink()
}

// maxMoved bounds the paths that settle checks one by one. If more have become tracked or
// untracked, settle assumes that one of them matters.
const maxMoved = 1000

// moves appends to list the paths by which two indexes differ: those in only one of them, and those
// that are a submodule in only one. It stops after maxMoved paths, so a longer list means "too
// many".
func moves(list []string, was, now []indexEntry) []string {
	for len(was) > 0 || len(now) > 0 {
		switch {
		case len(list) > maxMoved:
			return list
		case len(now) == 0 || len(was) > 0 && was[0].path < now[0].path:
			list, was = append(list, was[0].path), was[1:]
		case len(was) == 0 || now[0].path < was[0].path:
			list, now = append(list, now[0].path), now[1:]
		default:
			if was[0].gitlink() != now[0].gitlink() {
				list = append(list, now[0].path)
			}
			was, now = was[1:], now[1:]
		}
	}
	return list
}

// settle checks the paths in r.moved, which became tracked or untracked. A change matters if
// git's rules would ignore one of the paths, or if one is in another checkout; any other path is
// indexed in any case. settle returns r.stamp, which counts the changes that matter. Calls wait
// for each other, because a second call would otherwise return the old number while the first is
// still checking.
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

// inCheckout reports whether p is the top of another checkout inside that of r, or is in one.
func (t *Tree) inCheckout(r *repository, p string) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for at := p; at != "" && at+"/" != r.strip; at = code.Dir(at) {
		if n := t.nodes[at]; n != nil && n.checkout {
			return true
		}
	}
	return false
}

// gitIgnores reports whether git's rules would ignore p, a file or submodule, or a directory above
// p if nothing were tracked.
func (t *Tree) gitIgnores(p string) bool {
	n, err := t.node("")
	for at := 0; err == nil; {
		end := strings.IndexByte(p[at:], '/')
		if end < 0 {
			file, _ := n.scope.checkGit(p, p[at:], false)
			submodule, _ := n.scope.checkGit(p, p[at:], true) // p may have been a submodule, or may be one now
			return n.scope.trackedOnly || file == ignore || submodule == ignore
		}
		step := p[:at+end]
		if v, _ := n.scope.checkGit(step, step[at:], true); v == ignore {
			return true
		}
		n, err = t.node(step)
		at += end + 1
	}
	// A missing directory has nothing to ignore. If it cannot be read, its
	// rules are unknown, so assume that they ignore p.
	return !errors.Is(err, fs.ErrNotExist)
}

// maxIndexBytes bounds the size of an index in bytes, to that of some two million files.
const maxIndexBytes = 256 << 20

// readIndex reads the git index at abs. It returns old if the file is unchanged. A missing index is
// empty: nothing was ever added.
func readIndex(abs, common string, old *repoIndex) *repoIndex {
	index := &repoIndex{path: abs, hash: sha1.New}
	file, err := openOutside(abs)
	if os.IsNotExist(err) {
		if old.holds(index) {
			return old
		}
		return index
	}
	if err != nil {
		index.err = err
		return index
	}
	defer file.Close()
	if index.key, index.err = fileKey(file); index.err != nil {
		return index
	}
	// Git replaces the index by a rename, so an equal inode proves an equal
	// file.
	if old.holds(index) {
		return old
	}
	if !regular(index.key) || index.key.Size > maxIndexBytes {
		index.err = errIndex
		return index
	}
	data, err := readSized(file, index.key.Size)
	if err != nil {
		index.err = err
		return index
	}
	hashBytes := sha1.Size
	if config, err := readSmall(filepath.Join(common, "config")); err == nil &&
		bytes.Contains(bytes.ToLower(config), []byte("objectformat = sha256")) {
		hashBytes, index.hash = sha256.Size, sha256.New
	}
	index.entries, index.err = parseIndex(data, hashBytes)
	return index
}

// holds reports whether x was read without an error and has the path and the key of r, an index
// that has not been read yet.
func (x *repoIndex) holds(r *repoIndex) bool {
	return x.err == nil && x.path == r.path && x.key == r.key
}
