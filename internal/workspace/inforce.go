package workspace

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"slices"

	"sextant/internal/code"
)

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
	Problems []string   // what could not be used of rule files and git indexes, one line each, by path
	// Indexes are the git indexes that say what is tracked, by path; one that
	// is not there has no key. Of these ID minds the paths that git's rules
	// speak against and that they hold.
	Indexes []RuleFile
	// Marks are files of git's that decide whether a directory is another
	// checkout, which nothing else watches; one that is not there has no key.
	Marks []RuleFile
}

// Rules is the state of the rules in force in the directories seen so far;
// after a recursive Scan of the root, in all of them. It does not look at
// the disk: Scan and Reload do.
func (t *Tree) Rules() Rules {
	b, now := t.inForce()
	var r Rules
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %d %q\n", b.profile, b.patterns, b.maxBytes, slices.Sorted(maps.Keys(b.custom)))
	for _, f := range now.files {
		h.Write(binary.AppendUvarint(nil, uint64(len(f.path))))
		io.WriteString(h, f.path)
		h.Write(f.hash[:])
		r.Files = append(r.Files, RuleFile{Path: f.path, Key: f.key})
	}
	for _, repo := range now.repos {
		fmt.Fprintf(h, "%q %d %t\n", repo.git.dir, repo.settle(t), repo.tracksRoot())
		x := repo.current()
		r.Indexes = append(r.Indexes, RuleFile{Path: x.path, Key: x.key})
	}
	fmt.Fprintf(h, "%q %d\n", now.apart, now.remarked)
	r.Marks = now.marks
	r.Problems = now.problems()
	copy(r.ID[:], h.Sum(nil))
	return r
}

// Problems is that of Rules, without the cost of the rest.
func (t *Tree) Problems() []string {
	_, now := t.inForce()
	return now.problems()
}

func (f *inForce) problems() (list []string) {
	for _, file := range f.files {
		if file.err != nil {
			list = append(list, fmt.Sprintf("%s: %v", file.path, file.err))
		}
		for _, note := range file.notes {
			list = append(list, fmt.Sprintf("%s: %s", file.path, note))
		}
	}
	for _, repo := range f.repos {
		if x := repo.current(); x.err != nil {
			list = append(list, fmt.Sprintf("%s: %v", x.path, x.err))
		}
	}
	return list
}

// inForce is the rule files and repositories that base and nodes refer to, by
// path. It is immutable.
type inForce struct {
	files []*ruleFile
	repos []*repository
	apart []string   // directories that are other checkouts, or may become checkouts
	marks []RuleFile // of those

	remarked int
}

// inForce looks at every directory seen so far, unless no scope came or went
// since the last time: every question asks.
func (t *Tree) inForce() (*base, *inForce) {
	t.mu.RLock()
	b, known := t.base, t.rules
	t.mu.RUnlock()
	if known != nil {
		return b, known
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rules == nil {
		t.rules = t.sumRules()
	}
	return t.base, t.rules
}

// sumRules is what inForce gives. t.mu is held.
func (t *Tree) sumRules() *inForce {
	files, repos := map[string]*ruleFile{}, map[string]*repository{}
	for _, f := range t.base.files {
		files[f.path] = f
	}
	note := func(s *scope) {
		for _, f := range s.files {
			files[f.path] = f
		}
		if s.repo != nil {
			repos[s.repo.git.dir] = s.repo
		}
	}
	for s := t.base.outer; s != nil; s = s.parent {
		note(s)
	}
	sum := &inForce{remarked: t.remarked}
	for rel, n := range t.nodes {
		note(n.scope)
		if len(n.marks) > 0 {
			sum.marks = append(sum.marks, n.marks...)
			sum.apart = append(sum.apart, fmt.Sprintf("%s %t %t", rel, n.checkout, n.apart))
		}
	}
	slices.Sort(sum.apart)
	for _, p := range slices.Sorted(maps.Keys(files)) {
		sum.files = append(sum.files, files[p])
	}
	for _, dir := range slices.Sorted(maps.Keys(repos)) {
		sum.repos = append(sum.repos, repos[dir])
	}
	return sum
}

// Reload checks the rule files in force, and those that hold for the whole
// root, against the disk, and reports whether any changed. It costs a listing
// for each directory that holds one. A rule file that is new in a directory
// which had none changes that directory's key, and is met by the Scan that
// this calls for.
func (t *Tree) Reload() (changed bool) {
	before := t.Rules().ID
	t.refreshBase()
	t.forgetRemarked()
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
