package jit

import (
	"os"
	"os/exec"
	"slices"
	"testing"
)

// git runs git in the root, with no configuration but its own.
func (w *world) git(args ...string) {
	w.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@t", "-c", "core.hooksPath=/dev/null"}, args...)...)
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
