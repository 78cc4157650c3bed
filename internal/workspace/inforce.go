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

// RuleFile is one rule file whose rules apply.
type RuleFile struct {
	Path string // path relative to the root; absolute if the file is outside
	Key  code.StatKey
}

// Rules describes all rules that a Tree has read so far, with the files that they come from.
type Rules struct {
	// ID is a hash of the policy and of the rule files with their bytes. It does not change if a
	// file is merely touched.
	ID       [16]byte
	Files    []RuleFile // sorted by path
	Problems []string   // parts of rule files and git indexes that cannot be used, one line each, sorted by path
	// Indexes are the git indexes that list the tracked files, by path. A missing index has a zero
	// key. A change of an index changes ID only if git's rules would ignore a file that it adds or
	// removes.
	Indexes []RuleFile
	// Marks are the git files that decide whether a directory is another checkout, for the
	// directories whose git index is not in Indexes. A missing file has a zero key.
	Marks []RuleFile
}

// Rules returns the rules of the directories seen so far; after a recursive
// Scan of the root, these are all. It does not read the disk: Scan and Reload
// do.
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

// Problems returns Rules().Problems without computing the rest.
func (t *Tree) Problems() []string {
	_, now := t.inForce()
	return now.problems()
}

// problems returns the lines of Rules.Problems.
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

// inForce holds the rule files and repositories whose rules apply in the root or in a directory
// seen so far, ordered by path. It is not modified.
type inForce struct {
	files []*ruleFile
	repos []*repository
	apart []string   // directories that are other checkouts, or may become checkouts
	marks []RuleFile // files that decide about the directories in apart

	remarked int
}

// inForce returns the rules of the whole root, and a summary of all rules that apply. The summary
// is cached until the rules of a directory change, because every request needs it.
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

// sumRules collects the rule files and repositories of all directories, for inForce. The caller
// holds t.mu.
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

// Reload compares the rule files with the disk and reports whether any has
// changed. It lists each directory that has a rule file. It does not see a new
// rule file in a directory without any; such a file changes the key of its
// directory, which a Scan of that directory then reads.
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
