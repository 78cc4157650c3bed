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

// GitChanges is what differs from the git indexes of a root.
type GitChanges = workspace.Changes

// gitView is the files of a root that differ from what git has staged. The
// whole root is compared once; after that, the files whose rows moved, unless
// an index did.
type gitView struct {
	git *workspace.Git

	mu      sync.Mutex
	valid   bool                    // guarded by mu
	indexes map[string]code.StatKey // guarded by mu; of the index files, by absolute path
	changed map[string]bool         // guarded by mu
	last    GitChanges              // guarded by mu
	at      time.Time               // guarded by mu; when last was made

	movedMu sync.Mutex
	moved   map[string]bool // guarded by movedMu; files not compared since they changed
	all     bool            // guarded by movedMu; none is compared any more
}

// largeAgain is how long a large change set is taken to stay one while files
// move: it is cut off, so that only comparing every file, some 75 ms for
// 50,000, can tell that it has shrunk.
const largeAgain = 10 * time.Second

// note records that a file is to be compared again.
func (g *gitView) note(path string) {
	g.movedMu.Lock()
	defer g.movedMu.Unlock()
	if g.moved == nil {
		g.moved = map[string]bool{}
	}
	g.moved[path] = true
}

// forget records that every file is to be compared again.
func (g *gitView) forget() {
	g.movedMu.Lock()
	defer g.movedMu.Unlock()
	g.all = true
}

func (g *gitView) takeMoved() (moved map[string]bool, all bool) {
	g.movedMu.Lock()
	defer g.movedMu.Unlock()
	moved, all = g.moved, g.all
	g.moved, g.all = nil, false
	return moved, all
}

// GitChanged is the indexed files that git would call modified, conflicted or
// untracked, as of the last Sync. It runs no program.
func (r *Root) GitChanged(ctx context.Context) (GitChanges, error) {
	g := &r.git
	g.mu.Lock()
	defer g.mu.Unlock()
	indexes := r.disk.gitIndexes()
	moved, all := g.takeMoved()
	same := g.valid && !all && maps.Equal(indexes, g.indexes)
	if same && g.last.Large && (len(moved) == 0 || r.opt.Clock().Sub(g.at) < largeAgain) {
		return g.last, nil // what moved is compared with all the rest, later
	}
	whole := all || !g.valid || g.last.Large || !maps.Equal(indexes, g.indexes) || len(moved) > workspace.LargeChangeSet
	if !whole && len(moved) == 0 {
		return g.last, nil
	}
	g.valid = false // until this has come to its end
	files := r.table.keys(moved)
	if whole {
		files = r.table.keys(nil)
		g.changed = map[string]bool{}
	}
	found, err := g.git.Changed(ctx, files)
	if err != nil {
		return GitChanges{}, err
	}
	for p := range moved {
		delete(g.changed, p)
	}
	for _, p := range found.Paths {
		g.changed[p] = true
	}
	found.Paths = slices.Sorted(maps.Keys(g.changed))
	if len(found.Paths) >= workspace.LargeChangeSet {
		found.Paths, found.Large = found.Paths[:workspace.LargeChangeSet], true
	}
	g.last, g.indexes, g.valid, g.at = found, indexes, true, r.opt.Clock()
	return found, nil
}

// Head is what HEAD of the root's repository says, "" without a repository.
func (r *Root) Head() string { return r.git.git.Head() }

// gitIndexes is the keys that the index files of the repositories have now
// which the last scan met.
func (d *disk) gitIndexes() map[string]code.StatKey {
	d.mu.Lock()
	indexes := d.indexes
	d.mu.Unlock()
	keys := map[string]code.StatKey{}
	for _, f := range indexes {
		var st unix.Stat_t
		if unix.Stat(f.Path, &st) == nil {
			keys[f.Path] = code.StatKey{Size: st.Size, MTime: st.Mtim.Nano(), CTime: st.Ctim.Nano(), Inode: st.Ino, Mode: uint32(st.Mode)}
		}
	}
	return keys
}

// keys is the indexed files among paths with their stat keys, all indexed
// files for nil; a copy, so that no lock is held while it is read.
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
				files = append(files, file{join(d, base), k.key})
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
