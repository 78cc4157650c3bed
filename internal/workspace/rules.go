package workspace

import (
	"crypto/sha256"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"sextant/internal/code"
)

// ownRuleFiles lists the names of Sextant's rule files, which may be in every directory. If a
// directory has both, the first has precedence.
var ownRuleFiles = [...]string{".sextantignore", ".satoriignore"}

const gitRuleFile = ".gitignore"

// ruleFile is one rule file as it was read. It is not modified. If it could not
// be read, err is set and text is nil.
type ruleFile struct {
	path   string // path relative to the root; absolute if the file is outside
	key    code.StatKey
	readAt int64 // ns since the epoch
	hash   [sha256.Size]byte
	list   *ruleList
	text   []byte   // text of the file; only for files that are not lists of patterns
	notes  []string // keys without effect, such as misspelt ones
	err    error
}

// current reports whether key, just read, proves that f is still up to date.
func (f *ruleFile) current(key code.StatKey) bool {
	return f != nil && f.err == nil && f.key == key && !key.Racy(f.readAt)
}

// readRules reads the open file f.
func readRules(f *os.File, name string) *ruleFile {
	r := &ruleFile{path: name, readAt: time.Now().UnixNano()}
	key, err := fileKey(f)
	switch {
	case err != nil:
		r.err = err
	case !regular(key):
		r.err = ErrNotRegular
	default:
		r.key = key
		r.text, r.err = io.ReadAll(io.LimitReader(f, maxRuleBytes))
		r.hash = sha256.Sum256(r.text)
	}
	return r
}

// scope holds the rules that apply in a directory: its own, and those of its parents. A directory
// without rules of its own has the scope of its parent. A scope is not modified.
type scope struct {
	dir    string // the directory that the rules are from
	parent *scope
	base   *base
	files  []*ruleFile // rule files of dir, to detect changes

	own []*ruleList // of ownRuleFiles, highest precedence first
	git *ruleList   // .gitignore
	// repository whose top is this directory, where git's rules from above end; nil for any other
	// directory
	repo *repository
	info *ruleList // info/exclude of repo

	// trackedOnly is set in a directory that git's rules ignore, and below it. Only tracked files
	// count there.
	trackedOnly bool
}

// node is one directory as it was listed: its rules, traits and subdirectories.
type node struct {
	scope  *scope
	traits traits
	subs   []string // names of the subdirectories that are not ignored
	epoch  uint64

	checkout bool       // whether it is the top of a checkout
	apart    bool       // whether that checkout is not part of the one around it, so that nothing in it counts
	marks    []RuleFile // files that decide whether it is a checkout, unless the scope's rules are watched instead
}

// inForce reports whether s has rule files or a repository and is the scope of directory rel
// itself, not one of its parents.
func (s *scope) inForce(rel string) bool { return s.dir == rel && (len(s.files) > 0 || s.repo != nil) }

// check decides whether path p is ignored, included or neither. s is the scope
// of its parent directory. The rules of git do not apply to tracked files; the
// other rules do.
func (s *scope) check(p, name string, isDir bool) verdict {
	own := s.checkOwn(p, name, isDir)
	if own == ignore || own == include && !s.trackedOnly {
		return own
	}
	v, repo := s.checkGit(p, name, isDir)
	if v != ignore && !s.trackedOnly {
		return v
	}
	if repo.tracks(p, isDir) {
		return own
	}
	return ignore
}

// checkOwn decides by the patterns of the policy, of sextant.toml and of the .sextantignore files,
// in this order.
func (s *scope) checkOwn(p, name string, isDir bool) verdict {
	if v := s.base.asked.match(p, name, isDir); v != silent {
		return v
	}
	if v := s.base.config.match(p, name, isDir); v != silent {
		return v
	}
	for at := s; at != nil; at = at.parent {
		for _, l := range at.own {
			if v := l.match(p, name, isDir); v != silent {
				return v
			}
		}
	}
	return silent
}

// checkGit decides by git's rules: .gitignore, info/exclude, and the user's global excludes. It
// also returns the repository whose tracked files are exempt from these rules; nil if there is
// none.
//
// The rules of a checkout end at the top of a submodule in it. The top of a checkout that is in
// no other one does not end them: a .gitignore in a directory above the top applies, too. No
// repository owns that file, so tracked files are not exempt from it.
func (s *scope) checkGit(p, name string, isDir bool) (v verdict, repo *repository) {
	at := s
	for ; at != nil && v == silent; at = at.parent {
		v = at.git.match(p, name, isDir)
		if at.repo == nil {
			continue
		}
		if repo = at.repo; v == silent {
			v = at.info.match(p, name, isDir)
		}
		at = at.parent
		break
	}
	if v != silent {
		return v, s.repository()
	}
	if repo != nil && at.repository() == nil {
		for ; at != nil && v == silent; at = at.parent {
			v = at.git.match(p, name, isDir)
		}
		if v != silent {
			return v, nil
		}
	}
	return s.base.global.match(p, name, isDir), s.repository()
}

// repository returns the repository that s is in; nil if there is none.
func (s *scope) repository() *repository {
	for at := s; at != nil; at = at.parent {
		if at.repo != nil {
			return at.repo
		}
	}
	return nil
}

// entersTrackedOnly reports whether only tracked files count in directory p, because git's rules
// ignore p or a directory above it. The caller has found that p is not ignored as a whole: git
// tracks files in it. s is the scope of p's parent.
func (s *scope) entersTrackedOnly(p string) bool {
	if p == "" {
		return false
	}
	name := path.Base(p)
	v, repo := s.checkGit(p, name, true)
	if v != ignore && !s.trackedOnly || repo == nil || repo.current().submodule(repo.relative(p)) {
		return false
	}
	return s.trackedOnly || s.checkOwn(p, name, true) != include
}

// ignores reports whether the entry p of directory n is ignored, by the rules
// or, if none matches, by the built-in defaults.
func (n *node) ignores(p, name string, isDir bool) bool {
	if isDir && metadataDirs[name] || name == ".git" { // in a linked worktree, .git is a file
		return true
	}
	switch n.scope.check(p, name, isDir) {
	case ignore:
		return true
	case include:
		return false
	}
	if isDir {
		return defaultDir(name, n.traits)
	}
	return n.scope.base.profile != ProfileAllText && defaultFile(name)
}

// learn derives the node of directory rel from its open handle, and returns it with the directory's
// entries. It takes unchanged rule files from old, an earlier node of the directory. If nothing
// changed, the node has the same *scope as old, so that a change shows by comparing pointers.
func (t *Tree) learn(parent *scope, rel string, d dir, old *node) (*node, []dirent, error) {
	s := &scope{dir: rel, parent: parent, base: parent.base, trackedOnly: parent.entersTrackedOnly(rel)}
	names, err := s.entries(d)
	if err != nil {
		return nil, nil, err
	}
	n := &node{traits: traitsOf(names)}
	if n.traits&hasOwnRules != 0 {
		for _, name := range ownRuleFiles {
			if f := t.ruleFileIn(d, rel, name, old); f != nil {
				s.files = append(s.files, f)
				s.own = append(s.own, f.list)
			}
		}
	}
	if n.traits&hasGitRules != 0 {
		if f := t.ruleFileIn(d, rel, gitRuleFile, old); f != nil {
			s.files = append(s.files, f)
			s.git = f.list
		}
	}
	if n.traits&hasGit != 0 {
		t.learnRepository(s, n, old)
	}
	switch {
	case n.apart:
		n.scope = parent
	case old != nil && sameRules(old.scope, s, parent):
		n.scope = old.scope
	case s.addsNothing():
		n.scope = parent
	default:
		n.scope = s
	}
	return n, names, nil
}

// learnRepository adds the rules of the repository whose top is s.dir. It does so if that directory
// is in no other checkout, or is a submodule of one. If the outer checkout tracks the files itself,
// the rules of the inner repository do not apply. Any other checkout within a checkout is not part
// of the tree: learnRepository sets n.apart.
func (t *Tree) learnRepository(s *scope, n, old *node) {
	abs := filepath.Join(t.root, filepath.FromSlash(s.dir))
	g, ok := gitDirOf(abs)
	role := member
	if s.dir != "" {
		role = s.parent.part(s.dir)
	}
	n.checkout, n.apart = ok, ok && role == separate
	if !ok || role == separate || role == folder {
		n.marks = gitMarks(abs)
		return
	}
	var was *repository
	if old != nil && old.scope.dir == s.dir {
		was = old.scope.repo
	}
	strip := ""
	if s.dir != "" {
		strip = s.dir + "/"
	}
	s.repo = repositoryAt(g, strip, "", was)
	if f := outsideRules(g.infoExclude(), old.file(g.infoExclude())); f != nil {
		// Another scan may share f, so the list is not stored in it.
		s.files = append(s.files, f)
		s.info = parseRules(f.text, s.dir)
	}
}

// entries lists the directory of s. If only tracked files count there, the directory may hold a
// million ignored files, so it is not listed. Instead entries looks up the tracked files, the
// rule files, and the files that show that a tool made the directory.
func (s *scope) entries(d dir) (names []dirent, err error) {
	if !s.trackedOnly {
		return d.entries()
	}
	list := append(s.repository().children(s.dir), ownRuleFiles[:]...)
	list = append(list, toolEvidence[:]...)
	slices.Sort(list)
	for _, name := range slices.Compact(list) {
		if _, kind, err := d.stat(name); err == nil {
			names = append(names, dirent{name, kind})
		}
	}
	return names, nil
}

// addsNothing reports whether s has the same rules as the scope of the parent directory.
func (s *scope) addsNothing() bool {
	return len(s.files) == 0 && s.repo == nil && s.trackedOnly == s.parent.trackedOnly
}

// sameRules reports whether old, the scope that a directory had before, equals
// now, the scope that was just derived for it.
func sameRules(old, now, parent *scope) bool {
	if now.addsNothing() {
		return old == parent
	}
	return old != parent && old.parent == parent && old.base == now.base && old.repo == now.repo &&
		old.trackedOnly == now.trackedOnly && slices.Equal(old.files, now.files)
}

// file returns the rule file with path p that n holds, or nil.
func (n *node) file(p string) *ruleFile {
	if n == nil {
		return nil
	}
	for _, f := range n.scope.files {
		if f.path == p {
			return f
		}
	}
	return nil
}

// ruleFileIn reads the rule file called name in a directory. It returns nil if there is none or if
// the file is a symbolic link, which git does not follow either. It takes the file from old if it
// is unchanged.
func (t *Tree) ruleFileIn(d dir, rel, name string, old *node) *ruleFile {
	p := path.Join(rel, name)
	key, kind, err := d.stat(name)
	if err != nil || kind != kindFile {
		return nil
	}
	was := old.file(p)
	if was.current(key) {
		return was
	}
	f, err := d.open(name)
	if err != nil {
		return &ruleFile{path: p, key: key, err: err}
	}
	defer f.Close()
	r := readRules(f, p)
	if was != nil && r.err == nil && was.err == nil && r.hash == was.hash && r.key == was.key {
		return was // the file is unchanged, although its key was too young to prove that
	}
	r.list, r.text = parseRules(r.text, rel), nil
	return r
}

// outsideRules reads a rule file by its absolute path. It returns nil if there is none, and old if
// the file is unchanged.
func outsideRules(abs string, old *ruleFile) *ruleFile {
	f, err := openOutside(abs)
	if err != nil {
		if os.IsNotExist(err) {
			return nil
		}
		return &ruleFile{path: abs, err: err}
	}
	defer f.Close()
	if key, err := fileKey(f); err == nil && old.current(key) {
		return old
	}
	r := readRules(f, abs)
	if old != nil && r.err == nil && old.err == nil && r.hash == old.hash && r.key == old.key {
		return old
	}
	return r
}
