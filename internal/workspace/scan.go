package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"

	"sextant/internal/code"
)

// Depth says how deep a scan goes.
type Depth int

const (
	Shallow   Depth = iota // the directory alone
	Recursive              // the directory and everything below it
)

// Listing is one directory as a scan found it.
type Listing struct {
	Dir   string       // path relative to the root; "" is the root
	Key   code.StatKey // the directory's own, read before its entries
	Files []Entry      // all files but the ignored ones, unordered
	Dirs  []string     // names of the subdirectories that are not ignored
	// Ignored counts the ignored entries. A directory counts as one.
	Ignored int
	// Err says why the directory could not be listed. The directories below it are then unknown.
	// A directory that has vanished has no Listing, so Err is never fs.ErrNotExist.
	Err error
}

// Counts are the totals of a scan.
type Counts struct {
	Dirs       int // directories that were listed
	Files      int // files that were listed, including skipped ones
	Ignored    int // ignored entries, a directory as one
	Unreadable int // directories that could not be listed
	Skipped    map[SkipReason]int
}

// Scan lists dir ("" is the root) and, if depth is Recursive, all directories
// below it in parallel. It re-reads rule files that have changed. It calls emit
// from one goroutine at a time, for a directory before its subdirectories. emit
// may keep the Listing.
//
// The error is fs.ErrNotExist if dir is missing or behind a symbolic link,
// ErrIgnored if a rule ignores it, ErrApart if it is in another checkout, or
// ctx.Err().
func (t *Tree) Scan(ctx context.Context, dir string, depth Depth, emit func(Listing)) (Counts, error) {
	if dir != "" {
		if err := relative(dir); err != nil {
			return Counts{}, fmt.Errorf("scan %w", err)
		}
	}
	t.refreshBase()
	parent, err := t.parentScope(dir)
	if err != nil {
		return Counts{}, fmt.Errorf("scan %s: %w", dir, err)
	}
	root, err := openTop(t.root)
	if err != nil {
		return Counts{}, fmt.Errorf("scan %s: %w", dir, err)
	}
	defer root.close()
	w := &walk{tree: t, root: root, ctx: ctx, depth: depth, emit: emit, top: dir, pending: 1}
	w.counts.Skipped = map[SkipReason]int{}
	w.wake.L = &w.mu
	w.stack = []job{{dir, parent}}
	t.mu.Lock()
	t.epoch++
	w.epoch = t.epoch
	t.mu.Unlock()

	workers := 1
	if depth == Recursive {
		workers = runtime.GOMAXPROCS(0)
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(w.run)
	}
	wg.Wait()
	if w.err != nil {
		return w.counts, fmt.Errorf("scan %s: %w", dir, w.err)
	}
	if depth == Recursive {
		t.forgetUnseen(dir, w.epoch)
	}
	return w.counts, nil
}

// parentScope returns the scope that dir inherits, or ErrIgnored or ErrApart if
// dir is not part of the tree.
func (t *Tree) parentScope(dir string) (*scope, error) {
	if dir == "" {
		t.mu.RLock()
		defer t.mu.RUnlock()
		return t.base.outer, nil
	}
	up := code.Dir(dir)
	n, err := t.node(up)
	if err != nil {
		return nil, t.excluded(dir, true, err)
	}
	if err := t.kept(dir, true); err != nil {
		return nil, err
	}
	return n.scope, nil
}

// job is a directory to list.
type job struct {
	dir    string
	parent *scope
}

// walk is the state of one Scan: a stack of directories shared by its workers.
type walk struct {
	tree  *Tree
	root  dir
	ctx   context.Context
	depth Depth
	emit  func(Listing)
	top   string
	epoch uint64

	mu      sync.Mutex // guards the fields up to err
	wake    sync.Cond  // signals a change of stack or pending
	stack   []job
	pending int // directories on the stack or being listed
	counts  Counts
	err     error

	emitting sync.Mutex // held during a call of emit
}

// run lists directories until none are left or the scan fails.
func (w *walk) run() {
	for {
		j, ok := w.next()
		if !ok {
			return
		}
		subs, err := w.list(j)
		w.mu.Lock()
		if err != nil && w.err == nil {
			w.err = err
		}
		w.stack = append(w.stack, subs...)
		w.pending += len(subs) - 1
		w.wake.Broadcast()
		w.mu.Unlock()
	}
}

// next waits for a directory to list. It reports false if the scan is over.
func (w *walk) next() (job, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = w.ctx.Err()
	}
	for len(w.stack) == 0 && w.pending > 0 && w.err == nil {
		w.wake.Wait()
	}
	if w.err != nil || w.pending == 0 {
		return job{}, false
	}
	j := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	return j, true
}

// list lists one directory, passes the listing to emit, and returns the subdirectories.
func (w *walk) list(j job) ([]job, error) {
	t := w.tree
	found, node, err := t.listing(w.root, j.dir, j.parent, w.epoch)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if j.dir == w.top {
			return nil, err
		}
		return nil, nil // the directory vanished after its parent was listed
	case errors.Is(err, ErrIgnored):
		if j.dir == w.top {
			return nil, err
		}
		w.mu.Lock()
		w.counts.Ignored++
		w.mu.Unlock()
		return nil, nil
	case err != nil:
		found = Listing{Dir: j.dir, Key: found.Key, Err: err}
	}
	w.emitting.Lock()
	w.emit(found)
	w.emitting.Unlock()
	w.count(&found)
	if found.Err != nil || w.depth == Shallow {
		return nil, nil
	}
	subs := make([]job, len(found.Dirs))
	for i, name := range found.Dirs {
		subs[i] = job{code.Join(j.dir, name), node.scope}
	}
	return subs, nil
}

// count adds a listing to the totals.
func (w *walk) count(l *Listing) {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := &w.counts
	if l.Err != nil {
		c.Unreadable++
		return
	}
	c.Dirs++
	c.Files += len(l.Files)
	c.Ignored += l.Ignored
	for i := range l.Files {
		if r := l.Files[i].Skip; r != "" {
			c.Skipped[r]++
		}
	}
}

// listing lists the directory rel below root and stores its node. The error is
// ErrIgnored if the contents show that a tool made the directory
// (CACHEDIR.TAG), and ErrApart if it is another checkout.
func (t *Tree) listing(root dir, rel string, parent *scope, epoch uint64) (Listing, *node, error) {
	l := Listing{Dir: rel}
	d, err := root.sub(rel)
	if err != nil {
		return l, nil, err
	}
	defer d.close()
	if l.Key, err = d.key(); err != nil {
		return l, nil, err
	}
	t.mu.RLock()
	old := t.nodes[rel]
	t.mu.RUnlock()
	n, names, err := t.learn(parent, rel, d, old)
	if err != nil {
		return l, nil, err
	}
	n.epoch = epoch
	if err := n.keptOut(rel, parent); err != nil {
		t.store(rel, parent, n, old)
		return l, nil, err
	}
	l.fill(d, n, names)
	n.subs = l.Dirs
	t.store(rel, parent, n, old)
	return l, n, nil
}

// fill adds the entries of the directory to l, except ignored ones. It checks
// the rules before calling stat, so that ignored files cost no system call.
func (l *Listing) fill(d dir, n *node, names []dirent) {
	l.Files = make([]Entry, 0, len(names))
	for _, entry := range names {
		p := code.Join(l.Dir, entry.name)
		if entry.kind != kindUnknown && n.ignores(p, entry.name, entry.kind == kindDir) {
			l.Ignored++
			continue
		}
		if entry.kind == kindDir {
			l.Dirs = append(l.Dirs, entry.name)
			continue
		}
		key, kind, err := d.stat(entry.name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			l.Files = append(l.Files, Entry{Path: p, Skip: SkipUnreadable})
			continue
		}
		if kind != entry.kind { // the file system did not report the kind, or the entry was replaced
			if n.ignores(p, entry.name, kind == kindDir) {
				l.Ignored++
				continue
			}
			if kind == kindDir {
				l.Dirs = append(l.Dirs, entry.name)
				continue
			}
		}
		l.Files = append(l.Files, Entry{Path: p, Key: key, Skip: n.scope.base.skip(p, kind, key.Size)})
	}
}
