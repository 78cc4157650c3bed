package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sextant/internal/declared"
)

// base holds the rules and limits that apply to the whole root. It is not modified.
type base struct {
	files []*ruleFile
	outer *scope // scope of the parent directory, if that is in the same repository
	// asked holds the patterns of Policy.IgnorePatterns, config those of sextant.toml, and global
	// the user's global excludes of git.
	asked    *ruleList
	config   *ruleList
	global   *ruleList
	patterns []string // Policy.IgnorePatterns, for Rules.ID
	folder   string   // base name of the root

	declared   []declared.Call // calls between services that sextant.toml declares
	profile    string
	custom     map[string]bool // extensions, lower case, without the dot
	maxBytes   int64           // files with more bytes are skipped
	hasSymbols func(string) bool
}

// file returns the rule file with path p that b holds, or nil.
func (b *base) file(p string) *ruleFile {
	if b == nil {
		return nil
	}
	for _, f := range b.files {
		if f.path == p {
			return f
		}
	}
	return nil
}

// loadBase reads the rules for the whole root. It takes unchanged rule files from old, an earlier
// base, instead of reading them again. old may be nil.
func loadBase(root string, p Policy, old *base) *base {
	b := &base{
		patterns:   p.IgnorePatterns,
		asked:      newRuleList(p.IgnorePatterns, ""),
		profile:    p.Profile,
		folder:     filepath.Base(root),
		custom:     map[string]bool{},
		maxBytes:   p.MaxFileBytes,
		hasSymbols: p.HasSymbols,
	}
	addExtensions(b.custom, p.CustomExtensions)
	b.loadConfig(root, old)
	if b.profile == "" {
		b.profile = ProfileDefault
	}
	if abs := globalExcludes(p.Home, p.ConfigHome); abs != "" {
		if f := outsideRules(abs, old.file(abs)); f != nil {
			b.global = parseRules(f.text, "")
			b.files = append(b.files, f)
		}
	}
	b.loadOuter(root, old)
	return b
}

// addExtensions adds the extensions of list to set, in lower case, without
// dots.
func addExtensions(set map[string]bool, list []string) {
	for _, e := range list {
		if e = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(e), ".")); e != "" {
			set[e] = true
		}
	}
}

// loadOuter creates the scopes of the directories above the root, from the top of the repository
// down, if the root is inside a larger repository.
func (b *base) loadOuter(root string, was *base) {
	b.outer = &scope{base: b}
	if _, ok := gitDirOf(root); ok {
		return
	}
	var above []string // directories from just above the root up to the top
	var top gitDir
	for at := filepath.Dir(root); ; at = filepath.Dir(at) {
		above = append(above, at)
		if g, ok := gitDirOf(at); ok {
			top = g
			break
		}
		if at == filepath.Dir(at) {
			return // the root is in no repository
		}
	}
	slices.Reverse(above)
	for i, abs := range above {
		rel, err := filepath.Rel(abs, root)
		if err != nil {
			return
		}
		lift := filepath.ToSlash(rel) + "/"
		s := &scope{base: b}
		if i > 0 {
			s.parent = b.outer
		}
		s.git = b.outerList(filepath.Join(abs, gitRuleFile), lift, was)
		if i == 0 {
			s.repo = repositoryAt(top, "", lift, was.outerRepository())
			s.info = b.outerList(top.infoExclude(), lift, was)
		}
		b.outer = s
	}
}

// outerList reads a rule file above the root; nil if there is none. lift is the path from the
// directory of the rule file down to the root.
func (b *base) outerList(abs, lift string, was *base) *ruleList {
	if st, err := os.Lstat(abs); err != nil || !st.Mode().IsRegular() {
		return nil
	}
	f := outsideRules(abs, was.file(abs))
	if f == nil {
		return nil
	}
	b.files = append(b.files, f)
	l := parseRules(f.text, "")
	if l != nil {
		l.lift = lift
	}
	return l
}

// refreshBase reloads the rules for the whole root. If any rule has changed, it drops the nodes
// of all directories.
func (t *Tree) refreshBase() *base {
	t.mu.RLock()
	was := t.base
	t.mu.RUnlock()
	now := loadBase(t.root, t.policy, was)
	if was.same(now) {
		return was
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.base != was { // a concurrent call has replaced it
		return t.base
	}
	t.base, t.nodes, t.kids, t.rules = now, map[string]*node{}, map[string][]string{}, nil
	return now
}

// outerRepository returns the repository around the root; nil if there is none.
func (b *base) outerRepository() *repository {
	if b == nil {
		return nil
	}
	return b.outer.repository()
}

// same reports whether b and c, of one root, were read from equal files.
func (b *base) same(c *base) bool {
	return b.outerRepository() == c.outerRepository() && slices.EqualFunc(b.files, c.files, func(x, y *ruleFile) bool {
		return x.path == y.path && x.key == y.key && x.hash == y.hash && (x.err == nil) == (y.err == nil)
	})
}
