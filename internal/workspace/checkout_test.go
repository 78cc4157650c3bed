package workspace

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// commit makes the directory dir a repository and commits everything in it.
func (r *repo) commit(dir string) {
	r.t.Helper()
	r.write(filepath.Join(dir, "seed.go"), "package seed\n")
	r.git(nil, "-C", dir, "init", "-q")
	r.git(nil, "-C", dir, "add", "-A")
	r.git(nil, "-C", dir, "commit", "-qm", "seed")
}

// submodule makes the directory dir a submodule.
func (r *repo) submodule(dir string) {
	r.t.Helper()
	r.commit(dir)
	r.git(nil, "add", "-f", dir)
}

// A submodule is part of the checkout around it. A worktree or a clone, and
// anything inside them, is not. The same holds for a root below the checkout's
// top.
func TestCheckoutsWithinACheckout(t *testing.T) {
	r := newRepo(t)
	r.write("svc/a.go", "package a\n")
	r.submodule("svc/mod")
	r.commit("svc/clone")
	r.commit("svc/mod/deep") // within the submodule, but not tracked by it
	r.git(nil, "add", "svc/a.go")
	r.git(nil, "commit", "-qm", "x")
	r.git(nil, "worktree", "add", "-q", "-b", "side", "svc/tree")
	want := []string{"a.go", "mod/seed.go"}
	if got := listed(t, r.open("svc")); !slices.Equal(got, want) {
		t.Errorf("below the top: listed %q, want %q", got, want)
	}
	tree := r.open("")
	if got := listed(t, tree); !slices.Equal(got, []string{"svc/a.go", "svc/mod/seed.go"}) {
		t.Errorf("listed %q", got)
	}
	for _, p := range []string{"svc/clone/seed.go", "svc/tree/svc/a.go", "svc/mod/deep/seed.go"} {
		if _, err := tree.Stat(p); !errors.Is(err, ErrApart) {
			t.Errorf("%s: %v, want ErrApart", p, err)
		}
		if !tree.Ignored(p, false) {
			t.Errorf("%s counts", p)
		}
		if _, err := tree.Scan(t.Context(), filepath.Dir(p), Shallow, func(Listing) {}); !errors.Is(err, ErrApart) {
			t.Errorf("scan of %s: %v, want ErrApart", filepath.Dir(p), err)
		}
	}
	if got := listed(t, r.open("svc/tree")); !slices.Equal(got, []string{"svc/a.go"}) {
		t.Errorf("the worktree as a root: listed %q", got)
	}
}

// When a directory becomes a checkout or stops being one, Rules.ID changes and
// the next scan takes it into account.
func TestCheckoutsComeAndGo(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", "package a\n")
	r.write("in/b.go", "package b\n")
	r.git(nil, "add", "a.go")
	tree := r.open("")
	inside := true
	for i, step := range []struct {
		name   string
		do     func()
		inside bool
	}{
		{"init", func() { r.git(nil, "-C", "in", "init", "-q") }, false},
		{"commit", func() { r.commit("in") }, false},
		{"submodule", func() { r.git(nil, "add", "in") }, true},
		{"no submodule", func() { r.git(nil, "rm", "-q", "-f", "--cached", "in") }, false},
		{"no repository", func() {
			rename(t, r.root+"/in/.git", r.root+"/in/x.git")
			r.write("in/.git/config", "")
		}, true},
		{"a repository again", func() { r.write("in/.git/HEAD", "ref: x\n") }, false},
		{"files of it tracked", func() {
			rename(t, r.root+"/in/.git", r.root+"/away")
			r.git(nil, "add", "in/b.go")
			rename(t, r.root+"/away", r.root+"/in/.git")
		}, true},
	} {
		if i == 0 {
			listed(t, tree)
		}
		id := tree.Rules().ID
		step.do()
		if changed := tree.Reload(); i > 0 && changed != (step.inside != inside) {
			t.Errorf("%s: Reload says changed %v", step.name, changed)
		}
		got := slices.Contains(listed(t, tree), "in/b.go")
		if got != step.inside {
			t.Errorf("%s: in/b.go is listed: %v", step.name, got)
		}
		if moved := tree.Rules().ID != id; moved != (step.inside != inside) {
			t.Errorf("%s: the identity of the rules moved: %v", step.name, moved)
		}
		inside = step.inside
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// A directory in no checkout lists the same files whether its subdirectories
// are checkouts or not, including the effect of its own rules.
func TestMembersOfAWorkspace(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{
		".gitignore": "*.log\nb/gen/\n!keep.log\n", "notes.md": "x\n", "a/.gitignore": "out/\n",
		"a/a.go":  "package a\n",
		"a/x.log": "x\n", "a/out/o.go": "package o\n",
		"a/keep.log": "x\n", "b/b.go": "package b\n", "b/gen/g.go": "package g\n", "b/.gitignore": "!x.log\n",
		"b/x.log": "x\n", "deep/c/c.go": "package c\n",
	}
	for p, text := range files {
		writeFile(t, filepath.Join(root, p), text)
	}
	want := listed(t, openTree(t, root, Policy{}))
	for _, dir := range []string{"a", "b", "deep/c"} {
		r := &repo{t: t, root: filepath.Join(root, dir), home: t.TempDir()}
		r.git(nil, "init", "-q")
		r.git(nil, "add", "-A")
		r.git(nil, "commit", "-qm", "x")
	}
	if got := listed(t, openTree(t, root, Policy{})); !slices.Equal(got, want) {
		t.Errorf("with .git listed\n     %q,\nwant %q", got, want)
	}
	if !slices.Contains(want, "a/keep.log") || !slices.Contains(want, "b/x.log") || slices.Contains(want, "a/x.log") ||
		slices.Contains(want, "b/gen/g.go") {
		t.Errorf("listed %q", want)
	}
}

// A repository around the root that tracks nothing in it, such as one for
// dotfiles, does not turn the checkouts in the root into foreign ones.
func TestWorkspaceWithinARepositoryOfOtherThings(t *testing.T) {
	r := newRepo(t)
	r.write(".profile", "x\n")
	r.git(nil, "add", ".profile")
	r.commit("src/a")
	r.commit("src/b")
	want := []string{"a/seed.go", "b/seed.go"}
	if got := listed(t, r.open("src")); !slices.Equal(got, want) {
		t.Errorf("listed %q, want %q", got, want)
	}
	if got := listed(t, r.open("")); !slices.Equal(got, []string{".profile"}) {
		t.Errorf("the repository itself: listed %q", got)
	}
	var c Checkouts
	if top := c.Apart(r.root+"/src", r.root+"/src/a/seed.go"); top != "" {
		t.Errorf("a member is apart from its workspace: %s", top)
	}
	if top := c.Apart(r.root, r.root+"/src/a/seed.go"); top != r.root+"/src/a" {
		t.Errorf("apart from the repository is %q", top)
	}
}

// Random nested checkouts: the tree has the files that git lists in the
// outermost checkout and its submodules, and Checkouts agrees with the tree.
func TestRandomCheckoutsAgreeWithGit(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for i := range 6 {
		r := newRepo(t)
		r.write("top.go", "package top\n")
		dirs := []string{"", "p"}
		for range 6 {
			d := filepath.Join(dirs[rnd.IntN(len(dirs))], fmt.Sprintf("d%d", len(dirs)))
			r.write(d+"/f.go", "package f\n")
			dirs = append(dirs, d)
		}
		// Inner ones first: a parent must not be committed before them
		for at := len(dirs) - 1; at > 1; at-- {
			if d := dirs[at]; rnd.IntN(2) == 0 {
				r.commit(d)
			}
		}
		tree := r.open("")
		for step := range 4 {
			if d := dirs[2+rnd.IntN(len(dirs)-2)]; step > 0 {
				_ = r.try(filepath.Dir(d), "add", "-f", filepath.Base(d)) // git refuses this across a submodule
			}
			want, got := r.counted(""), listed(t, tree)
			if !slices.Equal(got, want) {
				t.Fatalf("case %d, step %d: listed\n%q, git counts\n%q", i, step, got, want)
			}
			var c Checkouts
			for _, d := range dirs {
				p := filepath.Join(d, "f.go")
				if _, err := os.Lstat(filepath.Join(r.root, p)); err == nil &&
					(c.Apart(r.root, filepath.Join(r.root, p)) == "") != slices.Contains(want, p) {
					t.Errorf("case %d, step %d: %s is apart: %q", i, step, p, c.Apart(r.root, filepath.Join(r.root, p)))
				}
			}
		}
	}
}

// counted returns the files that git lists in the checkout dir and its
// submodules.
func (r *repo) counted(dir string) (all []string) {
	r.t.Helper()
	seen := map[string]bool{}
	for line := range strings.SplitSeq(string(r.git(nil, "-C", filepath.Join(r.root, dir),
		"ls-files", "-z", "-s", "-co",
		"--exclude-standard")), "\x00") {
		mode, p, tracked := strings.Cut(line, "\t")
		if !tracked {
			mode, p = "", line
		}
		p = filepath.Join(dir, p)
		switch {
		case line == "" || strings.HasSuffix(line, "/") || seen[p]: // an untracked checkout ends with a slash
		case strings.HasPrefix(mode, "160000"):
			all = append(all, r.counted(p)...)
		default:
			all = append(all, p)
		}
		seen[p] = true
	}
	slices.Sort(all)
	return all
}

func (r *repo) try(dir string, args ...string) error {
	return r.command(append([]string{"-C", filepath.Join(r.root, dir)}, args...)...).Run()
}

// If the outer checkout tracks the files of an inner one as its own, the inner
// one has no effect, also for checkouts inside it.
func TestCheckoutInATrackedFolder(t *testing.T) {
	r := newRepo(t)
	r.write("in/a.go", "package a\n")
	r.write("in/deep/b.go", "package b\n")
	r.git(nil, "add", ".")
	r.git(nil, "-C", "in", "init", "-q")
	r.git(nil, "-C", "in/deep", "init", "-q")
	if got, want := listed(t, r.open("")), []string{"in/a.go", "in/deep/b.go"}; !slices.Equal(got, want) {
		t.Errorf("listed %q, want %q", got, want)
	}
	var c Checkouts
	if top := c.Apart(r.root, r.root+"/in/deep/b.go"); top != "" {
		t.Errorf("apart in %q", top)
	}
	if top := c.Top(r.root + "/in/deep/b.go"); top != r.root {
		t.Errorf("the top is %q", top)
	}
}
