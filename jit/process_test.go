package jit

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// killRounds is the number of times that the writer is killed, unless
// SEXTANT_KILL_ROUNDS sets another.
const killRounds = 12

// childEnv selects the task of a child process, childDirEnv its folder.
const (
	childEnv    = "SEXTANT_TEST_CHILD"
	childDirEnv = "SEXTANT_TEST_DIR"
)

// TestChild runs the task of a child process. Without childEnv it does nothing.
func TestChild(t *testing.T) {
	switch os.Getenv(childEnv) {
	case "writer":
		writeForever(t, os.Getenv(childDirEnv))
	case "unprivileged":
		unreadableIsNotGone(t)
		lockedWhileUntracked(t)
		lockedInAnotherCheckout(t)
	}
}

// child returns a command that runs this test binary as a child process.
func child(t *testing.T, exe, what, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), exe, "-test.run=^TestChild$", "-test.v")
	cmd.Env = append(os.Environ(), childEnv+"="+what, childDirEnv+"="+dir)
	return cmd
}

// writeForever edits and syncs until it is killed, and prints a line for each
// step.
func writeForever(t *testing.T, base string) {
	w := &world{t: t, dir: filepath.Join(base, "root"), home: filepath.Join(base, "home")}
	w.opt = testOptions(w.home)
	w.opt.Watch = WatchAuto
	w.open()
	rng := rand.New(rand.NewPCG(uint64(os.Getpid()), 2))
	for i := 0; ; i++ {
		fmt.Println("step", i)
		switch rng.IntN(12) {
		case 0:
			w.must(w.r.Rebuild(t.Context(), "reindex"))
			fmt.Println("building", i)
			w.must(w.r.Wait(t.Context(), nil))
		default:
			for range 1 + rng.IntN(20) {
				w.write(fmt.Sprintf("p%d/f%d.go", rng.IntN(9), rng.IntN(30)),
					strings.Repeat(fmt.Sprintf("func f%d\n", i), rng.IntN(50)))
			}
			w.sync()
		}
	}
}

func TestKilledWriterLeavesASoundIndex(t *testing.T) {
	n := killRounds
	if s := os.Getenv("SEXTANT_KILL_ROUNDS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(base, "root"), 0o755); err != nil {
		t.Fatal(err)
	}
	for round := range n {
		killAtRandom(t, child(t, exe, "writer", base))
		afterTheKill(t, base, round)
	}
}

// killAtRandom lets the child run some steps and kills it during the next.
func killAtRandom(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	var seen []string
	for left := 3 + rand.IntN(15); left > 0 && lines.Scan(); left-- {
		seen = append(seen, lines.Text())
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatalf("%v after %q", err, seen)
	}
	_, _ = io.Copy(io.Discard, out)
	_ = cmd.Wait()
}

func afterTheKill(t *testing.T, base string, round int) {
	t.Helper()
	w := &world{t: t, dir: filepath.Join(base, "root"), home: filepath.Join(base, "home")}
	w.opt = testOptions(w.home)
	rs, err := Open(t.Context(), w.opt)
	w.must(err)
	defer rs.Close()
	w.r, _, err = rs.Resolve(t.Context(), w.dir)
	w.must(err)
	w.must(w.r.View(t.Context(), func(v *View) error {
		var word string
		if _, err := v.QueryRow(t.Context(), "PRAGMA integrity_check", nil, &word); err != nil || word != "ok" {
			t.Fatalf("round %d: integrity_check says %q, %v", round, word, err)
		}
		return nil
	}))
	if w.sync().Mode == ModeIndexing {
		w.must(w.r.Wait(t.Context(), nil))
		w.sync()
	}
	w.check(fmt.Sprintf("kill %d", round), nil)
	w.must(w.r.Build(t.Context(), "reindex", nil)) // no process holds the lock
}

// TestUnreadableIsNotGone runs as a user to whom permissions apply, unlike
// root.
func TestUnreadableIsNotGone(t *testing.T) {
	if os.Getuid() != 0 {
		unreadableIsNotGone(t)
		lockedWhileUntracked(t)
		lockedInAnotherCheckout(t)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The user needs access to the binary and a folder to write to.
	dir, err := os.MkdirTemp("", "sextant-unprivileged-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	text, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	exe = filepath.Join(dir, "jit.test")
	if err := errors.Join(os.Chmod(dir, 0o777), os.WriteFile(exe, text, 0o755)); err != nil {
		t.Fatal(err)
	}
	cmd := child(t, exe, "unprivileged", dir)
	cmd.Dir = dir
	cmd.Env = append(cmd.Env, "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestChild") {
		t.Fatalf("as another user: %v\n%s", err, out)
	}
}

func unreadableIsNotGone(t *testing.T) {
	for _, mode := range []WatchMode{WatchOff, WatchAuto} {
		w := newWorld(t, seeds(), func(o *Options) { o.Watch = mode })
		if mode == WatchAuto {
			w.awaitWatcher()
		}
		before := w.indexed()
		w.must(os.Chmod(w.abs("a.go"), 0))
		w.must(os.Chmod(w.abs("sub"), 0))
		t.Cleanup(func() { _ = os.Chmod(w.abs("sub"), 0o755) })
		for round := range 3 { // from the second on, the watcher knows of no change
			rep := w.sync()
			if rep.Changed() || !slices.Contains(rep.Warnings, WarnUnverified) ||
				!slices.Contains(rep.Unverified, "a.go") || !slices.Contains(rep.Unverified, "sub") {
				t.Errorf("mode %d, round %d: %+v", mode, round, rep)
			}
		}
		if diff := difference(w.indexed(), before); diff != "" {
			t.Errorf("mode %d: rows of unreadable files changed:\n%s", mode, diff)
		}
		if _, _, err := w.r.Read(t.Context(), "a.go"); !errors.Is(err, ErrUnverified) {
			t.Errorf("read of an unreadable file: %v", err)
		}
		if rep, err := w.r.Verify(t.Context(), []string{"a.go", "sub/b.go"}); err != nil ||
			!slices.Equal(rep.Unverified, []string{"a.go", "sub/b.go"}) {
			t.Errorf("verify: %+v, %v", rep, err)
		}
		w.write("closed.go", "func c\n")
		w.must(os.Chmod(w.abs("closed.go"), 0))
		for range 2 { // the second time the watcher knows of no change
			if rep := w.sync(); !slices.Contains(rep.Unverified, "closed.go") {
				t.Errorf("mode %d: an answer lacks an unreadable file without a word: %+v", mode, rep)
			}
		}
		if c := w.inventory().Coverage; c.Skipped["unreadable"] != 1 {
			t.Errorf("a new unreadable file is not accounted for: %+v", c)
		}
		for _, p := range []string{"sub", "a.go", "closed.go"} {
			w.must(os.Chmod(w.abs(p), 0o755))
		}
		w.sync()
		w.check("permissions came back", nil)
	}
}

// lockedWhileUntracked checks that changes in a directory that is unreadable
// for a while are found as soon as it is readable again.
func lockedWhileUntracked(t *testing.T) {
	w := newWorld(t, seeds(), func(o *Options) { o.Watch = WatchAuto })
	w.git("init", "-q", "-b", "main")
	w.write("shut/.gitignore", "*.go\n")
	w.write("shut/deep/a.go", "func a\n")
	w.write("shut/deep/b.go", "func b\n")
	w.git("add", "-A")
	w.git("add", "-f", "shut/deep/a.go")
	w.awaitWatcher()
	expect := func(after string, want string) {
		t.Helper()
		w.sync()
		indexed := w.indexed()
		for _, p := range []string{"shut/deep/a.go", "shut/deep/b.go"} {
			if _, got := indexed[p]; got != (p == want) {
				t.Errorf("%s: %s is indexed: %v", after, p, got)
			}
		}
	}
	expect("before", "shut/deep/a.go")
	for _, step := range []struct{ add, drop string }{{"shut/deep/b.go", "shut/deep/a.go"},
		{"shut/deep/a.go", "shut/deep/b.go"}} {
		w.git("add", "-f", step.add)
		w.must(os.Chmod(w.abs("shut"), 0))
		w.sync()
		w.git("update-index", "--force-remove", step.drop)
		w.sync()
		w.must(os.Chmod(w.abs("shut"), 0o755))
		expect("tracked while locked", step.add)
		w.awaitWatcher()
	}
}

// lockedInAnotherCheckout checks that the rows below an unreadable directory go
// when the directory becomes part of another checkout: nothing of this root is
// unverified then.
func lockedInAnotherCheckout(t *testing.T) {
	for _, mode := range []WatchMode{WatchOff, WatchAuto} {
		w := newWorld(t, map[string]string{"a.go": "func a\n", "d/b.go": "func b\n", "d/shut/deep/c.go": "func c\n"},
			func(o *Options) { o.Watch = mode })
		w.git("init", "-q", "-b", "main")
		if mode == WatchAuto {
			w.awaitWatcher()
		}
		w.must(os.Chmod(w.abs("d/shut"), 0))
		t.Cleanup(func() { _ = os.Chmod(w.abs("d/shut"), 0o755) })
		if rep := w.sync(); !slices.Equal(rep.Unverified, []string{"d/shut"}) {
			t.Errorf("mode %d, locked: %+v", mode, rep)
		}
		w.git("-C", "d", "init", "-q")
		if rep := w.sync(); len(rep.Unverified) > 0 {
			t.Errorf("mode %d, in another checkout: unverified %q", mode, rep.Unverified)
		}
		if diff := difference(w.indexed(), map[string]string{"a.go": "func a\n"}); diff != "" {
			t.Errorf("mode %d, in another checkout:\n%s", mode, diff)
		}
	}
}

// TestIndexThatCouldNotBeOpened checks that a root whose index cannot be opened for a while, for example during
// a clear by another process, answers again as soon as it can be opened.
func TestIndexThatCouldNotBeOpened(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	dir := w.r.dir
	w.must(os.RemoveAll(dir))
	w.must(os.WriteFile(dir, nil, 0o600))
	if _, err := w.r.Sync(t.Context()); err == nil {
		t.Error("no error without a place for the index")
	}
	w.must(os.Remove(dir))
	var err error
	w.r, _, err = w.rs.Resolve(t.Context(), w.dir)
	w.must(err)
	if rep := w.sync(); rep.Mode != ModeIndexing {
		t.Errorf("the new index passes for a whole one: %+v", rep)
	}
	w.must(w.r.Wait(t.Context(), nil))
	w.sync()
	w.check("the index could be opened again", nil)
}
