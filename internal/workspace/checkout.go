package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A checkout is a directory with the .git of a repository: a clone, a linked
// worktree, a submodule. In another checkout it belongs to that one when its
// index tracks it, as a submodule or file by file; else it is apart: a root of
// its own. In a directory that is in no checkout it is a member, a directory
// like any other.

// part is what a checkout is to the one around it.
type part uint8

const (
	member    part = iota // there is none around it
	submodule             // its rules are its own
	folder                // the one around it tracks its files: as for git, its .git counts for nothing
	separate              // a root of its own
)

// part is what a checkout at directory rel, whose parent has scope s, would be.
func (s *scope) part(rel string) part {
	around := s.repository()
	if around == nil || !around.tracksRoot() {
		return member
	}
	return around.part(rel)
}

func (r *repository) part(p string) part {
	switch x, rel := r.current(), r.relative(p); {
	case x.submodule(rel):
		return submodule
	case x.tracksBelow(rel):
		return folder
	}
	return separate
}

// tracksRoot reports whether the repository has a say in the root: one around
// it has none unless it tracks something there. Dotfiles are kept in a
// repository around everything, and clones lie in folders that it ignores.
func (r *repository) tracksRoot() bool {
	if r.lift == "" {
		return true
	}
	x := r.current()
	return len(x.entries) > 0 && x.tracksBelow(strings.TrimSuffix(r.lift, "/"))
}

// forgetMoved drops the paths that moved, unjudged.
func (r *repository) forgetMoved() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.moved = nil
}

// tracksBelow reports whether anything is tracked below directory p.
func (x *repoIndex) tracksBelow(p string) bool {
	at := x.from(p + "/")
	return at < len(x.entries) && below(x.entries[at].path, p)
}

// gitMarks is the files that decide whether the directory abs is a checkout;
// those that are not there have no key.
func gitMarks(abs string) []RuleFile {
	dot := filepath.Join(abs, ".git")
	head := filepath.Join(dot, "HEAD")
	dir, _ := gitDataOf(abs)
	if dir == dot {
		return []RuleFile{markOf(head)} // the directory itself changes with every lock of git's
	}
	marks := []RuleFile{markOf(dot)}
	if dir != "" {
		marks = append(marks, markOf(filepath.Join(dir, "HEAD")))
	}
	return marks
}

// markOf is a file as it is now, without a key when it is not there.
func markOf(abs string) RuleFile {
	mark := RuleFile{Path: abs}
	if f, err := openOutside(abs); err == nil {
		mark.Key, _ = fileKey(f)
		f.Close()
	}
	return mark
}

// forgetRemarked forgets the directories that became checkouts, or ceased to be
// checkouts, so that they are learnt anew.
func (t *Tree) forgetRemarked() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for rel, n := range t.nodes {
		if !slices.ContainsFunc(n.marks, func(m RuleFile) bool { return markOf(m.Path) != m }) {
			continue
		}
		abs := filepath.Join(t.root, filepath.FromSlash(rel))
		if _, ok := gitDirOf(abs); ok != n.checkout {
			t.forget(func(p string, _ *node) bool { return p == rel || below(p, rel) })
			t.remarked++
			continue
		}
		now := *n
		now.marks, t.rules = gitMarks(abs), nil
		t.nodes[rel] = &now
	}
}

// Checkouts answers which checkout a path belongs to, for paths of any tree.
// The zero value is ready, and safe for concurrent use. It keeps the git
// indexes that it read.
type Checkouts struct {
	mu    sync.Mutex
	repos map[string]*repository // guarded by mu; by the top of the checkout
}

// Apart finds the checkout that path lies in and that is no part of root, a
// directory above it: the innermost one, "" when path is a part of root. Both
// are absolute, with links resolved; path need not exist.
func (c *Checkouts) Apart(root, path string) (top string) {
	c.descend(path, root, func(at string, role part) {
		if role == separate && below(at, root) {
			top = at
		}
	})
	return top
}

// Top is the checkout that path belongs to, which a submodule's path has around
// the submodule; "" for none.
func (c *Checkouts) Top(path string) (top string) {
	c.descend(path, path, func(at string, role part) {
		if role != submodule {
			top = at
		}
	})
	return top
}

// descend calls visit for every checkout that path lies in, the outermost first,
// with what it is to the one around it, seen from root. One that counts for
// nothing there is around nothing either.
func (c *Checkouts) descend(path, root string, visit func(at string, role part)) {
	var tops []string
	for at := checkoutAround(path); at != ""; at = checkoutAround(filepath.Dir(at)) {
		tops = append(tops, at)
		if at == filepath.Dir(at) {
			break
		}
	}
	around := ""
	for _, at := range slices.Backward(tops) {
		role := member
		if around != "" {
			role = c.part(around, at, root)
		}
		if role != folder {
			visit(at, role)
			around = at
		}
	}
}

// checkoutAround is the nearest checkout that is path or around it, "" for none.
func checkoutAround(path string) string {
	for at := path; ; at = filepath.Dir(at) {
		// Most directories have no .git, which one look tells.
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			if _, ok := gitDirOf(at); ok {
				return at
			}
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

// part is what the checkout inner is to the one around it, seen from root: one
// around root that tracks nothing there has no say.
func (c *Checkouts) part(around, inner, root string) part {
	git, ok := gitDirOf(around)
	if !ok {
		return member
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.repos == nil {
		c.repos = map[string]*repository{}
	}
	r := repositoryAt(git, "", "", c.repos[around])
	r.forgetMoved() // no tree is there to settle it for
	c.repos[around] = r
	rel := func(to string) string {
		return filepath.ToSlash(strings.TrimPrefix(to, strings.TrimSuffix(around, "/")+"/"))
	}
	if below(root, around) && below(inner, root) && !r.current().tracksBelow(rel(root)) {
		return member
	}
	return r.part(rel(inner))
}

// Place is where a directory lies in a repository, whichever of its checkouts
// that is in.
type Place struct {
	Repository string // the absolute path of the data that all its checkouts share
	Dir        string // relative to the checkout's top, '/'-separated, "" for the top
}

// PlaceOf is the place of an absolute directory, false in no checkout.
func PlaceOf(dir string) (p Place, ok bool) {
	top := checkoutAround(dir)
	g, ok := gitDirOf(top)
	if top == "" || !ok {
		return p, false
	}
	if p.Repository, ok = realDir(g.common); !ok {
		return Place{}, false
	}
	p.Dir = filepath.ToSlash(strings.Trim(strings.TrimPrefix(dir, top), string(filepath.Separator)))
	return p, true
}

func realDir(path string) (string, bool) {
	real, err := filepath.EvalSymlinks(path)
	return real, err == nil
}
