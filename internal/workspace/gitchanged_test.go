package workspace

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// status returns the files that git itself reports as changed in the work tree:
// those with a letter in the second column, and the untracked ones.
func (r *repo) status() (paths []string) {
	out := r.git(nil, "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all")
	for rec := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if len(rec) > 3 && rec[1] != ' ' && rec[1] != 'D' {
			paths = append(paths, rec[3:])
		}
	}
	slices.Sort(paths)
	return paths
}

func (r *repo) changes(g *Git) Changes {
	r.t.Helper()
	c, err := g.Changed(context.Background(), nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

// Changed agrees with git status on random work, for all index versions.
func TestChangedAgreesWithGitStatus(t *testing.T) {
	for version := range 3 {
		t.Run(fmt.Sprint("v", version+2), func(t *testing.T) {
			r := newRepo(t)
			r.git(nil, "config", "index.version", fmt.Sprint(version+2))
			r.write(".gitignore", "*.log\n")
			for i := range 30 {
				r.write(fmt.Sprintf("d%d/some/file%d.go", i%4, i), fmt.Sprintf("package p%d\n", i))
			}
			r.git(nil, "add", ".")
			r.git(nil, "commit", "-qm", "x")
			if version > 0 {
				r.write("later.go", "package later\n")
				r.git(nil, "add", "-N", "later.go") // makes the index version 3 if it was 2
			}
			g := NewGit(r.open(""))
			rnd := rand.New(rand.NewPCG(uint64(version), 7))
			for step := range 60 {
				r.mutate(rnd, step)
				got := r.changes(g)
				// Run git after Changed, because git status refreshes the
				// index.
				if want := r.status(); !slices.Equal(got.Paths, want) || len(got.Problems) > 0 {
					t.Fatalf("step %d: %v, git says %v; %v", step, got.Paths, want, got.Problems)
				}
			}
		})
	}
}

func (r *repo) mutate(rnd *rand.Rand, step int) {
	i := rnd.IntN(30)
	p := fmt.Sprintf("d%d/some/file%d.go", i%4, i)
	abs := filepath.Join(r.root, p)
	switch rnd.IntN(8) {
	case 0:
		r.write(p, fmt.Sprintf("package q%d\n", i)) // as long as before
	case 1:
		r.write(p, fmt.Sprintf("package p%d\n", i)) // as before, or merely touched
	case 2:
		r.write(fmt.Sprintf("d%d/new%d.go", i%4, step), "package n\n")
	case 3:
		os.Remove(abs)
	case 4:
		then := time.Unix(1_000_000_000+int64(step), 0)
		os.Chtimes(abs, then, then)
	case 5:
		r.git(nil, "add", "-A")
	case 6:
		r.write(fmt.Sprintf("x%d.log", step), "ignored\n")
	case 7:
		r.write(p, "longer than it was before\n")
		r.git(nil, "add", "-A")
		r.write(p, "langer than it was before\n") // racy: same size, same clock tick
	}
}

func TestChangedBeyondOneRepository(t *testing.T) {
	r := newRepo(t)
	r.write("svc/a.go", "package a\n")
	r.write("svc/b.go", "package b\n")
	r.git(nil, "add", ".")
	r.write("svc/b.go", "package c\n")
	r.write("svc/nested/n.go", "package n\n")
	r.write("svc/nested/m.go", "package m\n")
	r.git(nil, "-C", "svc/nested", "init", "-q")
	r.git(nil, "-C", "svc/nested", "add", "n.go")
	r.git(nil, "-C", "svc/nested", "commit", "-qm", "x")
	r.git(nil, "add", "svc/nested")
	if got := r.changes(NewGit(r.open("svc"))); !slices.Equal(got.Paths, []string{"b.go", "nested/m.go"}) {
		t.Errorf("a root within a repository: %+v", got)
	}
	if got := r.changes(NewGit(r.open(""))); !slices.Equal(got.Paths, []string{"svc/b.go", "svc/nested/m.go"}) {
		t.Errorf("the root: %+v", got)
	}

	r.git(nil, "commit", "-qm", "x")
	tree := filepath.Join(t.TempDir(), "wt")
	r.git(nil, "worktree", "add", "-q", "-b", "side", tree)
	writeFile(t, filepath.Join(tree, "svc/a.go"), "package z\n")
	wt := openTree(t, tree, Policy{})
	if got := r.changes(NewGit(wt)); !slices.Equal(got.Paths, []string{"svc/a.go"}) {
		t.Errorf("a work tree: %+v", got)
	}

	bare := t.TempDir()
	writeFile(t, filepath.Join(bare, "x.go"), "package x\n")
	if got := r.changes(NewGit(openTree(t, bare, Policy{}))); len(got.Paths) > 0 || len(got.Problems) > 0 {
		t.Errorf("without a repository: %+v", got)
	}
}

func TestLargeChangeSet(t *testing.T) {
	r := newRepo(t)
	for i := range 60 {
		r.write(fmt.Sprintf("f%d.go", i), "package f\n")
	}
	if got := r.changes(NewGit(r.open(""))); !got.Large || len(got.Paths) != LargeChangeSet {
		t.Errorf("%d paths, large %v", len(got.Paths), got.Large)
	}
}

// Changed runs no program, even if the repository's configuration asks for it.
func TestHostileRepositoryRunsNothing(t *testing.T) {
	r := newRepo(t)
	mark := filepath.Join(t.TempDir(), "ran")
	script := filepath.Join(t.TempDir(), "evil.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch "+mark+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.write("a.txt", "a\n")
	r.git(nil, "add", ".")
	for k, v := range map[string]string{"core.fsmonitor": script, "core.hooksPath": filepath.Dir(script),
		"filter.evil.clean": script, "core.pager": script, "core.sshCommand": script,
		"core.excludesFile": filepath.Join(r.root, "fifo")} {
		r.git(nil, "config", k, v)
	}
	r.write(".gitattributes", "* filter=evil\n")
	r.write("a.txt", "b\n")
	if got := r.changes(NewGit(r.open(""))); !slices.Equal(got.Paths, []string{".gitattributes", "a.txt"}) {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program of the repository was run")
	}
	r.git(nil, "status", "--porcelain") // the trap works: git itself runs the script
	if _, err := os.Stat(mark); err != nil {
		t.Error("the trap is none: git did not run it")
	}
}

func TestUnreadableIndexIsAProblem(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "a\n")
	r.git(nil, "add", ".")
	for _, text := range []string{"", "DIRC", "DIRC\x00\x00\x00\x09\x00\x00\x00\x01" + strings.Repeat("x", 100),
		"DIRC\x00\x00\x00\x02\xff\xff\xff\xff" + strings.Repeat("x", 100)} {
		r.write(".git/index", text)
		if got := r.changes(NewGit(r.open(""))); len(got.Problems) != 1 || len(got.Paths) > 0 {
			t.Errorf("%.20q: %+v", text, got)
		}
	}
}

func TestSHA256Repository(t *testing.T) {
	r := newRepo(t)
	if err := os.RemoveAll(filepath.Join(r.root, ".git")); err != nil {
		t.Fatal(err)
	}
	r.git(nil, "init", "-q", "--object-format=sha256")
	r.write("a.txt", "a\n")
	r.write("b.txt", "b\n")
	r.git(nil, "add", ".")
	r.write("b.txt", "c\n")
	if got := r.changes(NewGit(r.open(""))); !slices.Equal(got.Paths, []string{"b.txt"}) || len(got.Problems) > 0 {
		t.Errorf("%+v", got)
	}
}

func FuzzIndex(f *testing.F) {
	r := newRepo(f)
	r.write("a/b.go", "x")
	r.write("a/c.go", "y")
	for v := 2; v <= 4; v++ {
		r.git(nil, "update-index", "--index-version", fmt.Sprint(v))
		r.git(nil, "add", ".")
		data, err := os.ReadFile(filepath.Join(r.root, ".git/index"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, n := range []int{20, 32} {
			entries, err := parseIndex(data, n)
			if err != nil && entries != nil {
				t.Fatal("entries beside an error")
			}
			for _, e := range entries {
				if e.path == "" {
					t.Fatal("an entry without a path")
				}
			}
		}
	})
}
