package workspace

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
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
	text   []byte // kept for files that are not pattern lists
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
	repo bool        // a repository's top: git's rules from above end here
	info *ruleList   // its info/exclude
}

// node is what one directory, once listed, is known to be.
type node struct {
	scope  *scope
	traits traits
	subs   []string // names of the subdirectories that no rule ignores
	epoch  uint64
}

// inForce reports whether the scope is directory rel's own and has files.
func (s *scope) inForce(rel string) bool { return s.dir == rel && len(s.files) > 0 }

// check is the verdict on a path whose parent directory has scope s.
func (s *scope) check(p, name string, isDir bool) verdict {
	b := s.base
	if v := b.asked.match(p, name, isDir); v != silent {
		return v
	}
	if v := b.config.match(p, name, isDir); v != silent {
		return v
	}
	for at := s; at != nil; at = at.parent {
		for _, l := range at.own {
			if v := l.match(p, name, isDir); v != silent {
				return v
			}
		}
	}
	at := s
	for ; at != nil; at = at.parent {
		if v := at.git.match(p, name, isDir); v != silent {
			return v
		}
		if at.repo {
			break
		}
	}
	if at != nil {
		if v := at.info.match(p, name, isDir); v != silent {
			return v
		}
	}
	return b.global.match(p, name, isDir)
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

// learn derives the node of directory rel from its open handle and the names
// in it. Rule files whose keys stand are taken from old, so that an
// unchanged directory keeps its scope, by identity.
func (t *Tree) learn(parent *scope, rel string, d dir, names []dirent, old *node) *node {
	n := &node{traits: traitsOf(names)}
	s := &scope{dir: rel, parent: parent, base: parent.base}
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
		if g, ok := gitDirOf(filepath.Join(t.root, filepath.FromSlash(rel))); ok {
			s.repo = true
			if f := outsideRules(g.infoExclude(), old.file(g.infoExclude())); f != nil {
				f.list = parseRules(f.text, rel)
				s.files = append(s.files, f)
				s.info = f.list
			}
		}
	}
	switch {
	case old != nil && sameRules(old.scope, s, parent):
		n.scope = old.scope
	case len(s.files) == 0 && !s.repo:
		n.scope = parent
	default:
		n.scope = s
	}
	return n
}

// sameRules reports whether the scope was, held before for a directory, is
// what was just derived for it.
func sameRules(was, now, parent *scope) bool {
	if len(now.files) == 0 && !now.repo {
		return was == parent
	}
	return was != parent && was.parent == parent && was.base == now.base && was.repo == now.repo && slices.Equal(was.files, now.files)
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

// RuleFile is one rule file in force.
type RuleFile struct {
	Path string // relative to the root; absolute for one outside of it
	Key  code.StatKey
}

// Rules is the state of all rules that a Tree has met so far.
type Rules struct {
	// ID changes with the bytes of any rule file in force, with their set and
	// with the policy; never with a mere touch.
	ID       [16]byte
	Files    []RuleFile // by path
	Problems []string   // rule files that could not be used, one line each, by path
}

// Rules is the state of the rules in force in the directories seen so far;
// after a recursive Scan of the root, in all of them. It does not look at
// the disk: Scan and Reload do.
func (t *Tree) Rules() Rules {
	t.mu.RLock()
	files := map[string]*ruleFile{}
	for _, f := range t.base.files {
		files[f.path] = f
	}
	for _, n := range t.nodes {
		for _, f := range n.scope.files {
			files[f.path] = f
		}
	}
	b := t.base
	t.mu.RUnlock()

	var r Rules
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %d %q\n", b.profile, b.patterns, b.maxBytes, slices.Sorted(maps.Keys(b.custom)))
	for _, p := range slices.Sorted(maps.Keys(files)) {
		f := files[p]
		h.Write(binary.AppendUvarint(nil, uint64(len(p))))
		io.WriteString(h, p)
		h.Write(f.hash[:])
		r.Files = append(r.Files, RuleFile{Path: p, Key: f.key})
		if f.err != nil {
			r.Problems = append(r.Problems, fmt.Sprintf("%s: %v", p, f.err))
		}
	}
	copy(r.ID[:], h.Sum(nil))
	return r
}

// Reload checks the rule files in force, and those that hold for the whole
// root, against the disk, and reports whether any changed. It costs a listing
// for each directory that holds one. A rule file that is new in a directory
// which had none changes that directory's key, and is met by the Scan that
// this calls for.
func (t *Tree) Reload() (changed bool) {
	before := t.Rules().ID
	t.refreshBase()
	t.mu.RLock()
	var dirs []string
	for rel, n := range t.nodes {
		if rel == "" || n.scope.inForce(rel) {
			dirs = append(dirs, rel)
		}
	}
	t.mu.RUnlock()
	slices.Sort(dirs) // parents first
	for _, rel := range dirs {
		t.relearn(rel)
	}
	return t.Rules().ID != before
}
