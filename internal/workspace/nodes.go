package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
)

// store replaces the node of directory rel. parent is the scope of the parent directory that the node was
// derived from; if that is outdated, store does nothing, and rel is listed again when needed. If the rules of
// rel changed, store drops the nodes of all directories below it that the present scan has not listed, else
// only of those that are gone.
func (t *Tree) store(rel string, parent *scope, n, old *node) {
	t.mu.Lock()
	defer t.mu.Unlock()
	above := t.base.outer
	if rel != "" {
		up := t.nodes[code.Dir(rel)]
		if up == nil {
			return
		}
		above = up.scope
	}
	if parent != above {
		return
	}
	if was := t.nodes[rel]; was == nil || was.scope != n.scope || was.checkout != n.checkout || was.apart != n.apart ||
		!slices.Equal(was.marks, n.marks) {
		t.rules = nil
	}
	t.put(rel, n)
	if old == nil {
		return
	}
	if old.scope != n.scope {
		t.forgetBelow(rel, func(m *node) bool { return m.epoch != n.epoch })
		return
	}
	if slices.Equal(old.subs, n.subs) {
		return
	}
	gone := map[string]bool{}
	for _, s := range old.subs {
		gone[code.Join(rel, s)] = true
	}
	for _, s := range n.subs {
		delete(gone, code.Join(rel, s))
	}
	t.forgetIn(rel, func(p string) bool { return gone[p] })
}

// put sets the node of a directory, whose parent has a node. The caller holds t.mu.
func (t *Tree) put(rel string, n *node) {
	if rel != "" && t.nodes[rel] == nil && t.kids[rel] == nil {
		up := code.Dir(rel)
		t.kids[up] = append(t.kids[up], rel)
	}
	t.nodes[rel] = n
}

// forget deletes the nodes of a directory and of all directories below it. The caller holds t.mu.
func (t *Tree) forget(rel string) {
	if rel == "" {
		t.nodes, t.kids, t.rules = map[string]*node{}, map[string][]string{}, nil
		return
	}
	t.forgetIn(code.Dir(rel), func(p string) bool { return p == rel })
}

// forgetIn deletes the nodes of those directories in rel for which gone returns true, and of all below them. The caller
// holds t.mu.
func (t *Tree) forgetIn(rel string, gone func(path string) bool) {
	t.prune(rel, func(p string) bool {
		if gone(p) {
			t.forgetBelow(p, func(*node) bool { return true })
			t.drop(p)
		}
		return t.nodes[p] == nil && t.kids[p] == nil
	})
}

// forgetBelow deletes the nodes below a directory for which drop returns true. It visits no other nodes: a root of
// many repositories has tens of thousands, and the rules of hundreds of them may change in one scan. The caller
// holds t.mu.
func (t *Tree) forgetBelow(rel string, drop func(*node) bool) {
	t.prune(rel, func(p string) bool {
		t.forgetBelow(p, drop)
		if n := t.nodes[p]; n != nil && drop(n) {
			t.drop(p)
		}
		return t.nodes[p] == nil && t.kids[p] == nil
	})
}

// prune removes the directories for which empty returns true from the list of those in rel. The caller holds t.mu.
func (t *Tree) prune(rel string, empty func(path string) bool) {
	if t.kids[rel] = slices.DeleteFunc(t.kids[rel], empty); len(t.kids[rel]) == 0 {
		delete(t.kids, rel)
	}
}

// drop deletes the node of one directory. The caller holds t.mu.
func (t *Tree) drop(rel string) {
	if t.nodes[rel] != nil {
		delete(t.nodes, rel)
		t.rules = nil
	}
}

// forgetUnseen deletes the nodes below top that the scan with that epoch has
// not seen.
func (t *Tree) forgetUnseen(top string, epoch uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forgetBelow(top, func(n *node) bool { return n.epoch < epoch })
}

// below reports whether path p is below directory d ("" is the root).
func below(p, d string) bool {
	return p != d && code.Within(p, d)
}

// Apart returns the directories seen so far that are checkouts of their own and not part of the
// tree, sorted. An example is a clone inside of the checkout that is not a submodule of it.
func (t *Tree) Apart() (dirs []string) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for rel, n := range t.nodes {
		if n.apart {
			dirs = append(dirs, rel)
		}
	}
	slices.Sort(dirs)
	return dirs
}

// node returns the node of a directory. A directory that is not known yet is listed, after its
// parents.
func (t *Tree) node(rel string) (*node, error) {
	t.mu.RLock()
	n, b := t.nodes[rel], t.base
	epoch := t.epoch
	t.mu.RUnlock()
	if n != nil {
		return n, nil
	}
	parent := b.outer
	if rel != "" {
		up, err := t.node(code.Dir(rel))
		if err != nil {
			return nil, err
		}
		parent = up.scope
	}
	d, err := openDir(t.root, rel)
	if err != nil {
		return nil, err
	}
	defer d.close()
	if n, _, err = t.learn(parent, rel, d, nil); err != nil {
		return nil, err
	}
	n.epoch = epoch
	t.store(rel, parent, n, nil)
	return n, nil
}

// relearn lists a known directory again, to read its changed rule files. If the directory is gone
// or ignored, relearn deletes its node.
func (t *Tree) relearn(rel string) {
	t.mu.Lock()
	old := t.nodes[rel]
	t.epoch++
	epoch := t.epoch
	t.mu.Unlock()
	if old == nil {
		return
	}
	parent, err := t.parentScope(rel)
	if err == nil {
		var root dir
		if root, err = openTop(t.root); err == nil {
			_, _, err = t.listing(root, rel, parent, epoch)
			root.close()
		}
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrIgnored) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.forget(rel)
	}
}

// Ignored reports whether p or a directory above it is ignored, by a rule or as part of another
// checkout. p need not exist. Ignored lists those directories above p that have not been listed
// yet. A path outside the root is ignored. The rules are those of the last Scan or Reload.
// Secrets are skipped rather than ignored.
func (t *Tree) Ignored(p string, isDir bool) bool { return t.kept(p, isDir) != nil }

// kept returns nil for a path that is part of the tree, else ErrIgnored or
// ErrApart.
func (t *Tree) kept(p string, isDir bool) error {
	if relative(p) != nil {
		return ErrIgnored
	}
	parent, err := t.node("")
	if err != nil {
		return nil
	}
	for at := 0; ; {
		end := strings.IndexByte(p[at:], '/')
		last := end < 0
		step := p
		if !last {
			step = p[:at+end]
		}
		if parent.ignores(step, step[at:], !last || isDir) {
			return ErrIgnored
		}
		if last && !isDir {
			return nil
		}
		sub, err := t.node(step)
		if err != nil {
			// it is missing or unreadable: assume that it has no rules and is not made by a tool
			sub = &node{scope: parent.scope}
		} else if err := sub.keptOut(step, parent.scope); err != nil {
			return err
		}
		if last {
			return nil
		}
		parent = sub
		at += end + 1
	}
}

// excluded returns ErrIgnored or ErrApart if p is not part of the tree, else err, the error of
// opening p or a directory above it. So a directory in another checkout that cannot be read is not
// reported as unreadable.
func (t *Tree) excluded(p string, isDir bool, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if out := t.kept(p, isDir); out != nil {
		return out
	}
	return err
}

// keptOut returns ErrApart if directory rel is another checkout, ErrIgnored if
// its entries show that a tool made it (CACHEDIR.TAG), and nil if it is part of
// the tree. s is the scope of its parent directory.
func (n *node) keptOut(rel string, s *scope) error {
	switch name := path.Base(rel); {
	case n.apart:
		return ErrApart
	case rel != "" && n.traits.derived(name) && s.check(rel, name, true) != include:
		return ErrIgnored
	}
	return nil
}

// Stat returns the entry of one file, with all rules of the last Scan or Reload
// applied. The error is fs.ErrNotExist for a missing file, ErrIgnored if a rule
// ignores it, ErrApart if it is in another checkout, ErrSymlink if a directory
// above it is a link, ErrNotRegular for a directory, and ErrOutside for a path
// that is not below the root.
func (t *Tree) Stat(p string) (Entry, error) {
	if err := relative(p); err != nil {
		return Entry{}, fmt.Errorf("stat %w", err)
	}
	d, err := openDir(t.root, code.Dir(p))
	if err != nil {
		return Entry{}, fmt.Errorf("stat %s: %w", p, t.excluded(p, false, err))
	}
	defer d.close()
	key, kind, err := d.stat(path.Base(p))
	if err != nil {
		return Entry{}, fmt.Errorf("stat %s: %w", p, t.excluded(p, false, err))
	}
	if err := t.kept(p, kind == kindDir); err != nil {
		return Entry{}, fmt.Errorf("stat %s: %w", p, err)
	}
	if kind == kindDir {
		return Entry{}, fmt.Errorf("stat %s: %w", p, ErrNotRegular)
	}
	t.mu.RLock()
	b := t.base
	t.mu.RUnlock()
	return Entry{Path: p, Key: key, Skip: b.skip(p, kind, key.Size)}, nil
}
