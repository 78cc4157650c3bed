package jit

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// git runs git in the root, without the user's configuration.
func (w *world) git(args ...string) {
	w.t.Helper()
	identity := []string{"-c", "user.name=t", "-c", "user.email=t@t", "-c", "core.hooksPath=/dev/null"}
	cmd := exec.Command("git", append(identity, args...)...)
	cmd.Dir = w.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func TestGitChangedFollowsEditsAndCommits(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	changed := func(want ...string) {
		t.Helper()
		w.sync()
		got, err := w.r.GitChanged(t.Context())
		w.must(err)
		if !slices.Equal(got.Paths, want) {
			t.Errorf("changed %v, want %v", got.Paths, want)
		}
	}
	w.git("init", "-q", "-b", "main")
	changed("a.go", "empty.txt", "other/d.go", "sub/b.go", "sub/deep/c.go")
	w.git("add", ".")
	w.git("commit", "-q", "-m", "one")
	changed()
	w.write("a.go", "func edited\n")
	w.write("new.go", "func n\n")
	changed("a.go", "new.go")
	w.must(os.Remove(w.abs("new.go")))
	w.write("a.go", "func a\n")
	changed()
	w.write("sub/b.go", "func again\n")
	changed("sub/b.go")
	w.git("add", "-A")
	changed()
}

// TestGitChangedReadsTheIndexOfGit checks that a file which is staged is seen in the index of git, although no Sync
// came between.
func TestGitChangedReadsTheIndexOfGit(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	w.git("init", "-q", "-b", "main")
	w.git("add", ".")
	w.git("commit", "-q", "-m", "one")
	w.write("new.go", "func n\n")
	w.sync()
	for _, want := range [][]string{{"new.go"}, nil} {
		got, err := w.r.GitChanged(t.Context())
		w.must(err)
		if !slices.Equal(got.Paths, want) {
			t.Errorf("changed %q, want %q", got.Paths, want)
		}
		w.git("add", "-A")
	}
}

// Files that git tracks are indexed even if .gitignore matches them. The next
// answer notices when git starts or stops tracking a file; other git operations
// cost nothing.
func TestTrackedFilesAreIndexedInSpiteOfRules(t *testing.T) {
	for _, mode := range []WatchMode{WatchOff, WatchAuto} {
		w := newWorld(t, seeds(), func(o *Options) { o.Watch = mode })
		w.git("init", "-q", "-b", "main")
		w.write(".gitignore", "package.json\n/out/\n")
		for _, p := range []string{"package.json", "out/a.go", "out/deep/b.go", "out/c.go"} {
			w.write(p, "func ignored\n")
		}
		w.git("add", "-A")
		if mode == WatchAuto {
			w.awaitWatcher()
		}
		expect := func(after string, want ...string) Report {
			t.Helper()
			rep := w.sync()
			indexed := w.indexed()
			for _, p := range []string{"package.json", "out/a.go", "out/deep/b.go", "out/c.go"} {
				if _, got := indexed[p]; got != slices.Contains(want, p) {
					t.Errorf("watch %v, %s: %s is indexed: %v", mode, after, p, got)
				}
			}
			return rep
		}
		expect("before")
		w.git("add", "-f", "package.json", "out/deep/b.go")
		if rep := expect("git add -f", "package.json", "out/deep/b.go"); rep.Mode != ModeIgnoreReconciled {
			t.Errorf("watch %v: mode %s", mode, rep.Mode)
		}
		w.git("commit", "-q", "-m", "x")
		if rep := expect("git commit", "package.json", "out/deep/b.go"); rep.Vouched != (mode == WatchAuto) {
			t.Errorf("watch %v: after a commit vouched %v", mode, rep.Vouched)
		}
		w.write("out/deep/b.go", "func edited\n")
		w.write("out/c.go", "func edited\n")
		rep := expect("an edit", "package.json", "out/deep/b.go")
		if !slices.Equal(rep.Modified, []string{"out/deep/b.go"}) || rep.Vouched != (mode == WatchAuto) {
			t.Errorf("watch %v: modified %v, vouched %v", mode, rep.Modified, rep.Vouched)
		}
		w.git("rm", "-q", "--cached", "package.json", "out/deep/b.go")
		expect("git rm --cached")
	}
}

// TestIndexReplacedDuringAScan replaces the git index during a scan and calls GitChanged before the next one.
// The next Sync must still index the newly tracked files.
func TestIndexReplacedDuringAScan(t *testing.T) {
	w := newWorld(t, seeds(), func(o *Options) { o.Watch = WatchAuto })
	w.git("init", "-q", "-b", "main")
	w.write(".gitignore", "/out/\n")
	w.write("out/a.go", "func ignored\n")
	w.git("add", "-A")
	w.awaitWatcher()
	if _, err := w.r.GitChanged(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := w.r.disk.scanAll(t.Context(), func(l listing) {
		if l.dir == "" {
			w.git("add", "-f", "out/a.go")
			if _, err := w.r.GitChanged(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	w.must(err)
	w.sync()
	if _, ok := w.indexed()["out/a.go"]; !ok {
		t.Error("a file that git tracks is missing")
	}
}

// The git index of the repository around the root applies, and inside a
// submodule its own. A worktree or a clone is not part of the root.
func TestTrackedFilesOfOuterAndNestedRepositories(t *testing.T) {
	for _, mode := range []WatchMode{WatchOff, WatchAuto} {
		w := newWorld(t, seeds(), func(o *Options) { o.Watch = mode })
		git := func(dir string, args ...string) {
			t.Helper()
			w.git(append([]string{"-C", w.abs(dir)}, args...)...)
		}
		git("..", "init", "-q", "-b", "main")
		git("", "init", "-q", "-b", "main", "nested")
		w.write("../.gitignore", "out/\n")
		git("nested", "commit", "-q", "--allow-empty", "-m", "x")
		w.write("side.go", "func side\n")
		git("", "add", "nested", "side.go")
		w.write("nested/.gitignore", "gen.go\n/own/\n")
		odd := []string{"out/a.go", "out/deep/b.go", "nested/gen.go", "nested/own/x.go", "nested/out/y.go"}
		for _, p := range odd {
			w.write(p, "func ignored\n")
		}
		if mode == WatchAuto {
			w.awaitWatcher()
		}
		expect := func(after string, want ...string) {
			t.Helper()
			w.sync()
			indexed := w.indexed()
			for _, p := range odd {
				if _, got := indexed[p]; got != slices.Contains(want, p) {
					t.Errorf("watch %v, %s: %s is indexed: %v", mode, after, p, got)
				}
			}
		}
		expect("before", "nested/out/y.go") // the outer repository's rules end at the nested one
		git("", "add", "-f", "out/deep/b.go")
		expect("add to the outer one", "out/deep/b.go", "nested/out/y.go")
		git("nested", "add", "-f", "own/x.go", "gen.go")
		expect("add to the nested one", "out/deep/b.go", "nested/gen.go", "nested/own/x.go", "nested/out/y.go")
		git("nested", "commit", "-q", "-m", "x")
		git("nested", "rm", "-q", "--cached", "gen.go")
		git("", "rm", "-q", "--cached", "out/deep/b.go")
		expect("remove from both", "nested/own/x.go", "nested/out/y.go")
		w.must(os.Rename(w.abs("nested/.git"), w.abs("../away")))
		expect("the nested one is none")
		w.must(os.Rename(w.abs("../away"), w.abs("nested/.git")))
		expect("the nested one is back", "nested/own/x.go", "nested/out/y.go")
		git("", "rm", "-q", "-f", "--cached", "nested")
		expect("the nested one is a clone")
		git("", "add", "nested")
		expect("the nested one is a submodule again", "nested/own/x.go", "nested/out/y.go")
		git("", "commit", "-q", "--allow-empty", "-m", "x")
		odd = append(odd, "side.go", "side/z.go")
		git("", "worktree", "add", "-q", "--detach", "side")
		w.write("side/z.go", "func z\n")
		expect("a work tree", "nested/own/x.go", "nested/out/y.go", "side.go")
		w.must(os.Rename(w.abs("side/.git"), w.abs("../away")))
		expect("no work tree any more", "nested/own/x.go", "nested/out/y.go", "side.go", "side/z.go")
		w.must(os.Rename(w.abs("../away"), w.abs("side/.git")))
		expect("a work tree again", "nested/own/x.go", "nested/out/y.go", "side.go")
	}
}

// While the index lacks files, a difference takes them from the disk: an answer
// must not say that nothing has changed.
func TestDifferenceBeforeTheIndex(t *testing.T) {
	base := t.TempDir()
	w := &world{t: t, dir: filepath.Join(base, "root"), home: filepath.Join(base, "home")}
	w.opt = testOptions(w.home)
	w.write("a.go", "func a\n")
	w.write("b.go", "func b\n")
	w.git("init", "-q", "-b", "main")
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "one")
	w.write("b.go", "func changed\n")
	w.open()
	paths := func() (out []string) {
		t.Helper()
		d, err := w.r.Difference(t.Context(), "HEAD")
		w.must(err)
		for _, f := range d.Files {
			out = append(out, f.Path)
		}
		return out
	}
	if got := paths(); !slices.Equal(got, []string{"b.go"}) {
		t.Errorf("without an index: %v changed, want b.go", got)
	}
	w.must(w.r.Build(t.Context(), "create", nil))
	w.write("a.go", "func changed, too\n")
	w.sync()
	if got := paths(); !slices.Equal(got, []string{"a.go", "b.go"}) {
		t.Errorf("with an index: %v changed, want a.go and b.go", got)
	}
}
