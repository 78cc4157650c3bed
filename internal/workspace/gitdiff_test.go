package workspace

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/internal/code"
)

func (r *repo) difference(dir, revision string) (Difference, error) {
	r.t.Helper()
	g := NewGit(r.open(dir))
	files, err := g.scan(context.Background())
	if err != nil {
		r.t.Fatal(err)
	}
	return g.Difference(context.Background(), revision, files)
}

// changed returns the changes as git writes them: a letter and the path.
func (d *Difference) changed() (out []string) {
	for _, f := range d.Files {
		switch {
		case f.Added:
			out = append(out, "A "+f.Path)
		case f.Removed:
			out = append(out, "D "+f.Path)
		case f.Was != "":
			out = append(out, "R "+f.Was+" "+f.Path)
		default:
			out = append(out, "M "+f.Path)
		}
	}
	return out
}

// differing returns the changes that git diff lists, without renames: a letter and the path each.
func (r *repo) differing(args ...string) (out []string) {
	fields := strings.Split(strings.TrimSuffix(string(
		r.git(nil, append([]string{"diff", "--no-renames", "--name-status", "-z"}, args...)...)), "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		out = append(out, fields[i]+" "+fields[i+1])
	}
	return out
}

// Difference agrees with git diff on random work: files that changed on disk,
// were staged, removed or are new, against HEAD and older commits, and between
// commits.
func TestDifferenceAgreesWithGitDiff(t *testing.T) {
	r := newRepo(t)
	for i := range 30 {
		r.write(fmt.Sprintf("d%d/some/file%d.go", i%4, i), fmt.Sprintf("package p%d\n", i))
	}
	rnd := rand.New(rand.NewPCG(1, 7))
	for commit := range 4 {
		r.git(nil, "add", "-A")
		r.git(nil, "commit", "-qm", fmt.Sprint("commit ", commit))
		for step := range 5 {
			r.mutate(rnd, 100*commit+step)
		}
	}
	r.git(nil, "add", "d0", "d1")
	for step := range 5 {
		r.mutate(rnd, 1000+step)
	}
	for _, revision := range []string{"", "HEAD", "HEAD~2", "HEAD~2..HEAD", "HEAD~1...HEAD"} {
		d, err := r.difference("", revision)
		if err != nil {
			t.Fatal(err)
		}
		want := r.differing(orHead(revision))
		if !strings.Contains(revision, "..") {
			for p := range strings.SplitSeq(string(r.git(nil, "ls-files", "-oz", "--exclude-standard")), "\x00") {
				if p != "" {
					want = append(want, "A "+p)
				}
			}
		}
		got := d.changed()
		sortAll(got, want)
		if !slices.Equal(withoutRenames(got), want) {
			t.Errorf("%q: %q, git says %q", revision, got, want)
		}
	}
}

func orHead(revision string) string {
	if revision == "" {
		return "HEAD"
	}
	return revision
}

func sortAll(lists ...[]string) {
	for _, l := range lists {
		slices.SortFunc(l, func(a, b string) int { return strings.Compare(a[2:], b[2:]) })
	}
}

// withoutRenames replaces each rename by a removal and an addition, as git diff --no-renames lists it.
func withoutRenames(list []string) (out []string) {
	for _, l := range list {
		if f := strings.Fields(l); f[0] == "R" {
			out = append(out, "D "+f[1], "A "+f[2])
			continue
		}
		out = append(out, l)
	}
	sortAll(out)
	return out
}

// A file that moved is one change, with both texts; line ends and the masking
// of credentials are no change.
func TestDifferenceTexts(t *testing.T) {
	r := newRepo(t)
	body := strings.Repeat("some line\n", 20)
	r.write("old/name.go", "package old\n"+body)
	r.write("crlf.go", "package crlf\n")
	r.write("same.go", "package same\n")
	r.git(nil, "add", "-A")
	r.git(nil, "commit", "-qm", "x")
	os.Remove(filepath.Join(r.root, "old/name.go"))
	r.write("new/name.go", "package old\n"+body+"more\n")
	r.write("crlf.go", "package crlf\r\n")
	r.write("same.go", "package same\n")
	r.write("blob.bin", "a\x00b")
	d, err := r.difference("", "")
	if err != nil {
		t.Fatal(err)
	}
	if got := d.changed(); !slices.Equal(got, []string{"R old/name.go new/name.go"}) {
		t.Fatalf("%q", got)
	}
	if f := d.Files[0]; string(f.Before) != "package old\n"+body || string(f.After) != "package old\n"+body+"more\n" {
		t.Errorf("%q became %q", f.Before, f.After)
	}
}

// TestDifferenceOfSparseCheckout checks that a file that a sparse checkout leaves out does not count
// as removed.
func TestDifferenceOfSparseCheckout(t *testing.T) {
	r := newRepo(t)
	r.write("in/a.go", "package a\n")
	r.write("out/b.go", "package b\n")
	r.git(nil, "add", "-A")
	r.git(nil, "commit", "-qm", "x")
	r.git(nil, "sparse-checkout", "set", "--no-cone", "in/")
	d, err := r.difference("", "")
	if got := d.changed(); err != nil || len(got) > 0 {
		t.Errorf("%q, %v; git diff finds nothing", got, err)
	}
}

// TestDifferenceOfShallowClone checks that a revision before the first commit of a shallow clone is
// refused, while the newest commit is compared.
func TestDifferenceOfShallowClone(t *testing.T) {
	r := newRepo(t)
	for _, text := range []string{"package a\n", "package b\n", "package c\n"} {
		r.write("a.go", text)
		r.git(nil, "add", "-A")
		r.git(nil, "commit", "-qm", "x")
	}
	from := "file://" + filepath.ToSlash(r.root)
	r.git(nil, "clone", "-q", "--depth", "1", from, filepath.Join(r.root, "clone"))
	r.write("clone/a.go", "package d\n")
	if d, err := r.difference("clone", "HEAD"); err != nil || !slices.Equal(d.changed(), []string{"M a.go"}) {
		t.Errorf("%q, %v", d.changed(), err)
	}
	if _, err := r.difference("clone", "HEAD~1"); !errors.Is(err, ErrShallow) {
		t.Errorf("the commit before: %v", err)
	}
}

// The root may be a folder of a repository, hold others, or have no commit yet.
func TestDifferenceOfOtherRoots(t *testing.T) {
	r := newRepo(t)
	r.write("a/one.go", "package one\n")
	r.write("b/two.go", "package two\n")
	if d, err := r.difference("", "HEAD"); err != nil || d.From != "" ||
		!slices.Equal(d.changed(), []string{"A a/one.go", "A b/two.go"}) {
		t.Errorf("without a commit: %q, %v", d.changed(), err)
	}
	r.git(nil, "add", "-A")
	r.git(nil, "commit", "-qm", "x")
	r.write("a/one.go", "package other\n")
	r.write("b/two.go", "package other\n")
	r.write("b/three.go", "package three\n")
	if d, err := r.difference("b", "HEAD"); err != nil ||
		!slices.Equal(d.changed(), []string{"A three.go", "M two.go"}) {
		t.Errorf("below: %q, %v", d.changed(), err)
	}
	if _, err := r.difference("", "nothing"); !errors.Is(err, ErrNoRevision) {
		t.Errorf("no revision: %v", err)
	}
	plain := t.TempDir()
	tree, err := Open(plain, Policy{Home: r.home})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewGit(tree).Difference(context.Background(), "",
		func(func(string, code.StatKey) bool) {}); !errors.Is(err, ErrNoRepository) {
		t.Errorf("no repository: %v", err)
	}
}

// A workspace of several checkouts is compared checkout by checkout; those
// without the revision are named.
func TestDifferenceOfWorkspace(t *testing.T) {
	var all []*repo
	around := t.TempDir()
	for _, name := range []string{"one", "two"} {
		r := newRepo(t)
		r.root = filepath.Join(around, name)
		mkdir(t, r.root)
		r.git(nil, "init", "-q", ".")
		r.write("main.go", "package main\n")
		r.git(nil, "add", "-A")
		r.git(nil, "commit", "-qm", "x")
		r.write("main.go", "package changed\n")
		all = append(all, r)
	}
	all[0].git(nil, "tag", "v1")
	whole := *all[0]
	whole.root = around
	if d, err := whole.difference("", "HEAD"); err != nil ||
		!slices.Equal(d.changed(), []string{"M one/main.go", "M two/main.go"}) {
		t.Errorf("%q, %v", d.changed(), err)
	}
	if d, err := whole.difference("", "v1"); err != nil || !slices.Equal(d.changed(), []string{"M one/main.go"}) ||
		len(d.Problems) != 1 || !strings.Contains(d.Problems[0], "two") {
		t.Errorf("%q, %q, %v", d.changed(), d.Problems, err)
	}
}
