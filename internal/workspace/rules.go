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

// The names of rule files that count in every directory. Of two in one
// directory the earlier one wins.
var ownRuleFiles = [...]string{".sextantignore", ".satoriignore"}

const gitRuleFile = ".gitignore"

// ruleFile is one rule file as it was read. Immutable; one that cannot be
// read has err and no text.
type ruleFile struct {
	path   string // relative to the root; absolute outside of it
	key    code.StatKey
	readAt int64 // ns since the epoch
	hash   [sha256.Size]byte
	list   *ruleList
	text   []byte   // kept for files that are not pattern lists
	notes  []string // what in it says nothing, though the rest counts
	err    error
}

// current reports whether key, read now, proves that f holds today's bytes.
func (f *ruleFile) current(key code.StatKey) bool {
	return f != nil && f.err == nil && f.key == key && !key.Racy(f.readAt)
}

// readRules makes a ruleFile of an open file.
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

// scope is the rules that a directory adds to those of the directories above
// it. Directories that add none share their parent's. Immutable.
type scope struct {
	dir    string // the directory it came from
	parent *scope
	base   *base
	files  []*ruleFile // those in force here, to tell whether they changed

	own  []*ruleList // ownRuleFiles, highest precedence first
	git  *ruleList   // .gitignore
	repo *repository // not nil at a repository's top: git's rules from above end here
	info *ruleList   // its info/exclude

	// trackedOnly is for a directory that git's rules keep out, and those below
	// it: nothing in them counts but what git tracks.
	trackedOnly bool
}

// node is what one directory, once listed, is known to be.
type node struct {
	scope  *scope
	traits traits
	subs   []string // names of the subdirectories that no rule ignores
	epoch  uint64

	checkout bool       // it holds a repository
	apart    bool       // one that is no part of the checkout around it: nothing below it counts
	marks    []RuleFile // what makes it a checkout or none, where it adds no rules for that
}

// inForce reports whether the scope is directory rel's own and rests on files.
func (s *scope) inForce(rel string) bool { return s.dir == rel && (len(s.files) > 0 || s.repo != nil) }

// check is the verdict on a path whose parent directory has scope s. What git
// tracks is beyond git's rules, not beyond the others.
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

// checkOwn is the verdict of what was asked for and configured for this tool.
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

// checkGit is the verdict of git's rules, and the repository whose rules they
// are, nil for none. Those of a submodule end at its top. Above a checkout that
// lies in no other one, rules are not the repository's: they hold for what it
// tracks, too, just as if the directory were no checkout.
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

// repository is the one that the scope lies in, nil for none.
func (s *scope) repository() *repository {
	for at := s; at != nil; at = at.parent {
		if at.repo != nil {
			return at.repo
		}
	}
	return nil
}

// entersTrackedOnly reports whether of directory p, whose parent has scope s
// and which no rule ignores, only what git tracks counts.
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

// ignores decides on one step below a directory: by the rules, and where
// they are silent by the built-in defaults.
func (n *node) ignores(p, name string, isDir bool) bool {
	if isDir && metadataDirs[name] || name == ".git" { // a work tree's is a file
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

// learn derives the node of directory rel from its open handle, and lists the
// names in it that may count. Rule files whose keys stand are taken from old,
// so that an unchanged directory keeps its scope, by identity.
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

// learnRepository adds what a repository brings whose top is the scope's. It
// makes n apart instead where the repository is no part of the one around it,
// and adds nothing where that one tracks its files as its own.
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
		// The file may be the one that another scan holds: it is not written to.
		s.files = append(s.files, f)
		s.info = parseRules(f.text, s.dir)
	}
}

// entries lists the directory of the scope. Of one in which only tracked files
// count these are looked up, with the files that say something of it: it may
// well hold a million others.
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

// addsNothing reports whether the scope's directory can do with its parent's.
func (s *scope) addsNothing() bool {
	return len(s.files) == 0 && s.repo == nil && s.trackedOnly == s.parent.trackedOnly
}

// sameRules reports whether the scope was, held before for a directory, is
// what was just derived for it.
func sameRules(was, now, parent *scope) bool {
	if now.addsNothing() {
		return was == parent
	}
	return was != parent && was.parent == parent && was.base == now.base && was.repo == now.repo &&
		was.trackedOnly == now.trackedOnly && slices.Equal(was.files, now.files)
}

// file is the rule file of that path which the node already holds, or nil.
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

// ruleFileIn reads a rule file of a directory, nil when there is none. A
// link counts as none, as it does for git.
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
		return was // the key was only too young to prove it
	}
	r.list, r.text = parseRules(r.text, rel), nil
	return r
}

// outsideRules reads a rule file by its absolute path, nil when there is
// none; was is kept where it still holds.
func outsideRules(abs string, was *ruleFile) *ruleFile {
	f, err := openOutside(abs)
	if err != nil {
		if os.IsNotExist(err) {
			return nil
		}
		return &ruleFile{path: abs, err: err}
	}
	defer f.Close()
	if key, err := fileKey(f); err == nil && was.current(key) {
		return was
	}
	r := readRules(f, abs)
	if was != nil && r.err == nil && was.err == nil && r.hash == was.hash && r.key == was.key {
		return was
	}
	return r
}
