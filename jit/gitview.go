package jit

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"sextant/internal/code"
	"sextant/internal/workspace"
)

// GitChanges lists the indexed files that differ from the git indexes of a root.
type GitChanges = workspace.Changes

// gitView is the set of files of a root that differ from the git index. The whole root is compared
// once. After that, only files whose rows changed are compared, unless a git index has changed.
type gitView struct {
	git *workspace.Git

	mu      sync.Mutex
	valid   bool                    // guarded by mu; last is complete
	indexes map[string]code.StatKey // guarded by mu; keys of the git index files, by absolute path
	changed map[string]bool         // guarded by mu
	last    GitChanges              // guarded by mu
	at      time.Time               // guarded by mu; when last was computed

	movedMu sync.Mutex
	moved   map[string]bool // guarded by movedMu; files not compared since their last change
	all     bool            // guarded by movedMu; every file must be compared
}

// largeAgain is the time for which a set of changes that was cut off as too
// large is returned again although files change. Only a comparison of all
// files, some 75 ms for 50,000, can tell whether the set has become smaller.
const largeAgain = 10 * time.Second

// note marks a file, so that GitChanged compares it again.
func (g *gitView) note(path string) {
	g.movedMu.Lock()
	defer g.movedMu.Unlock()
	if g.moved == nil {
		g.moved = map[string]bool{}
	}
	g.moved[path] = true
}

// forget marks every file, so that GitChanged compares them all again.
func (g *gitView) forget() {
	g.movedMu.Lock()
	defer g.movedMu.Unlock()
	g.all = true
}

// takeMoved returns the files marked by gitView.note, and whether gitView.forget has marked all
// files. It clears both.
func (g *gitView) takeMoved() (moved map[string]bool, all bool) {
	g.movedMu.Lock()
	defer g.movedMu.Unlock()
	moved, all = g.moved, g.all
	g.moved, g.all = nil, false
	return moved, all
}

// GitChanged returns the indexed files that git would report as modified,
// conflicted or untracked, as of the last Sync. It runs no program.
func (r *Root) GitChanged(ctx context.Context) (GitChanges, error) {
	view := &r.git
	view.mu.Lock()
	defer view.mu.Unlock()
	indexes := r.disk.gitIndexes()
	moved, all := view.takeMoved()
	same := view.valid && !all && maps.Equal(indexes, view.indexes)
	if same && view.last.Large && (len(moved) == 0 || r.opt.Clock().Sub(view.at) < largeAgain) {
		return view.last, nil // the marked files are compared later, together with all other files
	}
	whole := all || !view.valid || view.last.Large || !maps.Equal(indexes, view.indexes) ||
		len(moved) > workspace.LargeChangeSet
	if !whole && len(moved) == 0 {
		return view.last, nil
	}
	view.valid = false // view.last is incomplete until the comparison ends
	files := r.table.keys(moved)
	if whole {
		files = r.table.keys(nil)
		view.changed = map[string]bool{}
	}
	found, err := view.git.Changed(ctx, files)
	if err != nil {
		return GitChanges{}, err
	}
	for p := range moved {
		delete(view.changed, p)
	}
	for _, p := range found.Paths {
		view.changed[p] = true
	}
	found.Paths = slices.Sorted(maps.Keys(view.changed))
	if len(found.Paths) >= workspace.LargeChangeSet {
		found.Paths, found.Large = found.Paths[:workspace.LargeChangeSet], true
	}
	view.last, view.indexes, view.valid, view.at = found, indexes, true, r.opt.Clock()
	return found, nil
}

// Difference lists the changed files of a root; see workspace.Difference.
type Difference = workspace.Difference

// FileDiff is one changed file of a Difference.
type FileDiff = workspace.FileChange

// These are the errors of Root.Difference on which callers branch.
var (
	ErrNoRevision   = workspace.ErrNoRevision
	ErrShallow      = workspace.ErrShallow
	ErrNoRepository = workspace.ErrNoRepository
)

// Difference compares the files of the root with a revision, or two commits with
// each other; see workspace.Git.Difference. It uses the files of the index as of
// the last Sync, or those on disk while the index lacks some.
func (r *Root) Difference(ctx context.Context, revision string) (Difference, error) {
	whole, err := r.Whole(ctx)
	if err != nil {
		return Difference{}, err
	}
	var files iter.Seq2[string, code.StatKey]
	if whole {
		files = r.table.keys(nil)
	}
	return r.git.git.Difference(ctx, revision, files)
}

// gitIndexes returns the current stat keys of the git index files that the last
// scan found, by path.
func (d *disk) gitIndexes() map[string]code.StatKey {
	d.mu.Lock()
	indexes := d.indexes
	d.mu.Unlock()
	keys := map[string]code.StatKey{}
	for _, f := range indexes {
		var st unix.Stat_t
		if unix.Stat(f.Path, &st) == nil {
			keys[f.Path] = code.StatKey{Size: st.Size, MTime: st.Mtim.Nano(), CTime: st.Ctim.Nano(), Inode: st.Ino,
				Mode: uint32(st.Mode)}
		}
	}
	return keys
}

// keys returns the paths and stat keys of the indexed files among paths, or of
// all indexed files if paths is nil, ordered by path. It copies them, so the
// caller iterates without holding a lock.
func (t *table) keys(paths map[string]bool) iter.Seq2[string, code.StatKey] {
	type file struct {
		path string
		key  code.StatKey
	}
	var files []file
	t.mu.RLock()
	if paths == nil {
		files = make([]file, 0, t.count)
	}
	for d, known := range t.dirs {
		if paths != nil {
			break
		}
		for base, k := range known {
			if k.skip == "" {
				files = append(files, file{code.Join(d, base), k.key})
			}
		}
	}
	for p := range paths {
		dir, base := split(p)
		if k, ok := t.dirs[dir][base]; ok && k.skip == "" {
			files = append(files, file{p, k.key})
		}
	}
	t.mu.RUnlock()
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.path, b.path) })
	return func(yield func(string, code.StatKey) bool) {
		for i := range files {
			if !yield(files[i].path, files[i].key) {
				return
			}
		}
	}
}
