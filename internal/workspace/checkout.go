package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A checkout is a directory that has a .git: a clone, a linked worktree, or a submodule. A
// checkout inside another one is part of the outer checkout if the outer index tracks it, as a
// submodule or file by file. Otherwise the inner checkout is apart: it is a root of its own. A
// checkout below a root that is in no checkout itself is a directory like any other.

// part says how a checkout belongs to the checkout around it.
type part uint8

const (
	member    part = iota // there is no checkout around it
	submodule             // it has rules of its own
	folder                // the outer checkout tracks its files, so its .git has no effect, as in git
	separate              // it is a root of its own
)

// part says how the checkout at directory rel belongs to the checkout around it. s is the scope of
// rel's parent directory.
func (s *scope) part(rel string) part {
	around := s.repository()
	if around == nil || !around.tracksRoot() {
		return member
	}
	return around.part(rel)
}

// part says how the checkout at p belongs to the checkout of r, which contains p.
func (r *repository) part(p string) part {
	switch x, rel := r.current(), r.relative(p); {
	case x.submodule(rel):
		return submodule
	case x.tracksBelow(rel):
		return folder
	}
	return separate
}

// tracksRoot reports whether the rules of the repository apply to the root. A repository whose
// top is above the root must track files in the root. Otherwise the root is only inside of it by
// accident: some people keep their dotfiles in a repository around everything, or clone into a
// folder that a repository ignores.
func (r *repository) tracksRoot() bool {
	if r.lift == "" {
		return true
	}
	x := r.current()
	return len(x.entries) > 0 && x.tracksBelow(strings.TrimSuffix(r.lift, "/"))
}

// forgetMoved clears r.moved, the paths that became tracked or untracked, without checking them.
func (r *repository) forgetMoved() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.moved = nil
}

// tracksBelow reports whether git tracks any file below directory p.
func (x *repoIndex) tracksBelow(p string) bool {
	at := x.from(p + "/")
	return at < len(x.entries) && below(x.entries[at].path, p)
}

// gitMarks returns the files by which directory abs is recognised as a checkout, with their keys. A
// missing file has a zero key.
func gitMarks(abs string) []RuleFile {
	dot := filepath.Join(abs, ".git")
	head := filepath.Join(dot, "HEAD")
	dir, _ := gitDataOf(abs)
	if dir == dot {
		return []RuleFile{markOf(head)} // the key of the directory itself would change with every lock file of git
	}
	marks := []RuleFile{markOf(dot)}
	if dir != "" {
		marks = append(marks, markOf(filepath.Join(dir, "HEAD")))
	}
	return marks
}

// markOf returns a file with its current key, zero if the file is missing.
func markOf(abs string) RuleFile {
	mark := RuleFile{Path: abs}
	if f, err := openOutside(abs); err == nil {
		mark.Key, _ = fileKey(f)
		f.Close()
	}
	return mark
}

// forgetRemarked forgets the directories that have become a checkout or have stopped being one,
// so that they are listed again.
func (t *Tree) forgetRemarked() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for rel, n := range t.nodes {
		if !slices.ContainsFunc(n.marks, func(m RuleFile) bool { return markOf(m.Path) != m }) {
			continue
		}
		abs := filepath.Join(t.root, filepath.FromSlash(rel))
		if _, ok := gitDirOf(abs); ok != n.checkout {
			t.forget(rel)
			t.remarked++
			continue
		}
		now := *n
		now.marks, t.rules = gitMarks(abs), nil
		t.put(rel, &now)
	}
}

// Checkouts finds the checkout of a path, for paths of any tree. The zero value
// is ready to use. It is safe for concurrent use and caches the git indexes it
// reads.
type Checkouts struct {
	mu    sync.Mutex
	repos map[string]*repository // guarded by mu; by the checkout's top
}

// Apart returns the top of the innermost checkout that contains path and is not part of root, a
// directory above path. It returns "" if path is part of root. Both paths are absolute, with links
// resolved; path need not exist.
func (c *Checkouts) Apart(root, path string) (top string) {
	c.descend(path, root, func(at string, role part) {
		if role == separate && below(at, root) {
			top = at
		}
	})
	return top
}

// Top returns the top of the checkout that path belongs to, "" for none. A path in a submodule
// belongs to the checkout around the submodule.
func (c *Checkouts) Top(path string) (top string) {
	c.descend(path, path, func(at string, role part) {
		if role != submodule {
			top = at
		}
	})
	return top
}

// descend calls visit for every checkout that contains path, from the outermost to the innermost.
// role says how the checkout belongs to the one around it, as seen from root. descend skips a
// checkout whose files the outer one tracks.
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

// checkoutAround returns the nearest checkout that is or contains path, "" for
// none.
func checkoutAround(path string) string {
	for at := path; ; at = filepath.Dir(at) {
		// Most directories have no .git; a single Lstat finds that out.
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

// part says how checkout inner belongs to checkout outer around it. An outer checkout that contains
// root counts only if it tracks files in root.
func (c *Checkouts) part(outer, inner, root string) part {
	git, ok := gitDirOf(outer)
	if !ok {
		return member
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.repos == nil {
		c.repos = map[string]*repository{}
	}
	r := repositoryAt(git, "", "", c.repos[outer])
	r.forgetMoved() // there is no tree to check the paths for
	c.repos[outer] = r
	rel := func(to string) string {
		return filepath.ToSlash(strings.TrimPrefix(to, strings.TrimSuffix(outer, "/")+"/"))
	}
	if below(root, outer) && below(inner, root) && !r.current().tracksBelow(rel(root)) {
		return member
	}
	return r.part(rel(inner))
}

// Place is the position of a directory within a repository. It is the same in
// all checkouts of the repository.
type Place struct {
	Repository string // absolute path of the data that all checkouts share
	Dir        string // relative to the checkout's top, '/'-separated, "" for the top
}

// PlaceOf returns the place of an absolute directory. It reports false if the
// directory is in no checkout.
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

// realDir resolves the links of path. It reports false if that fails.
func realDir(path string) (string, bool) {
	real, err := filepath.EvalSymlinks(path)
	return real, err == nil
}
