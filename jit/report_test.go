package jit

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func TestReportChanged(t *testing.T) {
	one := []string{"a.go"}
	for _, c := range []struct {
		rep  Report
		want bool
	}{{Report{}, false}, {Report{Added: one}, true}, {Report{Modified: one}, true}, {Report{Removed: one}, true},
		{Report{Unverified: one, Pending: 1}, false}} {
		if got := c.rep.Changed(); got != c.want {
			t.Errorf("%+v changed: %t", c.rep, got)
		}
	}
}

func TestProgressETA(t *testing.T) {
	began := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	p := Progress{State: StateIndexing, FilesDone: 1, FilesTotal: 4, StartedAt: began,
		UpdatedAt: began.Add(time.Second)}
	if got := p.ETA(); got != 3*time.Second {
		t.Errorf("a file in a second: %v for three more", got)
	}
	for name, change := range map[string]func(*Progress){
		"ready":       func(p *Progress) { p.State = StateReady },
		"not begun":   func(p *Progress) { p.FilesDone = 0 },
		"all done":    func(p *Progress) { p.FilesDone = 4 },
		"not counted": func(p *Progress) { p.FilesTotal = 0 },
	} {
		other := p
		change(&other)
		if got := other.ETA(); got != 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestOptionsHaveDefaults(t *testing.T) {
	o, err := Options{Home: t.TempDir(), Extract: linesAsSymbols}.withDefaults()
	if err != nil || o.Workers < 1 || o.Budget != defaultBudget || o.Clock == nil {
		t.Errorf("%+v, %v", o, err)
	}
	o, err = Options{Home: t.TempDir(), Extract: linesAsSymbols, Workers: 1, Budget: 1}.withDefaults()
	if err != nil || o.Workers != 1 || o.Budget != 1 {
		t.Errorf("%+v, %v", o, err)
	}
	if _, err = (Options{Extract: linesAsSymbols}).withDefaults(); err == nil {
		t.Error("no home, and no error")
	}
}

// TestVerifyWarns checks that Verify reports the problems of the rules, as Sync does.
func TestVerifyWarns(t *testing.T) {
	w := newWorld(t, map[string]string{"a.go": "func a\n", "sextant.toml": "exclude = [\n"}, nil)
	rep, err := w.r.Verify(t.Context(), []string{"a.go"})
	w.must(err)
	if !slices.Contains(rep.Warnings, WarnConfig) || !slices.Equal(rep.Warnings, w.sync().Warnings) {
		t.Errorf("warnings %q", rep.Warnings)
	}
}

// TestWarningsAreSorted checks which states of a root a report warns of, by name and in their order.
func TestWarningsAreSorted(t *testing.T) {
	w := newWorld(t, map[string]string{"a.go": "func a\n", "sextant.toml": "exclude = [\n"}, nil)
	w.sync()
	w.r.watch = &watcher{root: w.r, status: watchLimited}
	defer func() { w.r.watch = nil }()
	rep := Report{Pending: 1, Unverified: []string{"b"}, Mode: ModeIndexing}
	w.r.warn(&rep)
	want := []string{WarnConfig, WarnBuilding, WarnPending, WarnUnverified, WarnWatchLimit}
	if !slices.Equal(rep.Warnings, want) {
		t.Errorf("warnings %q, want %q", rep.Warnings, want)
	}
	w.r.watch.status = watchOn
	rep = Report{Mode: ModeSynced}
	if w.r.warn(&rep); !slices.Equal(rep.Warnings, want[:1]) {
		t.Errorf("warnings of a root that is as it should be: %q", rep.Warnings)
	}
}

// TestReportsSayHowLong checks that Sync and Verify report their time by the clock of the options.
func TestReportsSayHowLong(t *testing.T) {
	var ticks atomic.Int64
	start := time.Now()
	w := newWorld(t, seeds(), func(o *Options) {
		o.Clock = func() time.Time { return start.Add(time.Duration(ticks.Add(1)) * time.Second) }
	})
	for what, call := range map[string]func() (Report, error){
		"Sync":   func() (Report, error) { return w.r.Sync(t.Context()) },
		"Verify": func() (Report, error) { return w.r.Verify(t.Context(), []string{"a.go"}) },
	} {
		before := ticks.Load()
		rep, err := call()
		w.must(err)
		if most := time.Duration(ticks.Load()-before) * time.Second; rep.Duration < time.Second || rep.Duration > most {
			t.Errorf("%s took %s, want at most %s", what, rep.Duration, most)
		}
	}
}

// TestFoldersToIndex checks which folder ToIndex returns for a path that no root contains.
func TestFoldersToIndex(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	w.outsideTheSystem()
	plain := filepath.Join(filepath.Dir(w.dir), "plain")
	w.must(os.MkdirAll(plain, 0o755))
	file := filepath.Join(plain, "a.txt")
	w.must(os.WriteFile(file, []byte("a\n"), 0o644))
	for path, want := range map[string]struct {
		dir  string
		wide bool
	}{plain: {plain, false}, file: {plain, false}, os.DevNull: {filepath.Dir(os.DevNull), true}} {
		if dir, wide := w.rs.ToIndex(path); dir != want.dir || wide != want.wide {
			t.Errorf("%s: %s, wide %t; want %+v", path, dir, wide, want)
		}
	}
}

// outsideTheSystem skips a test whose temporary folder is part of the system, such as /dev/shm: that is too wide to
// index.
func (w *world) outsideTheSystem() {
	w.t.Helper()
	if _, wide := w.rs.ToIndex(filepath.Dir(w.dir)); wide {
		w.t.Skipf("the temporary folder %s is part of the system", os.TempDir())
	}
}

// TestDotfilesAreNoProject checks that a folder within a repository of dotfiles, which holds all of the home folder, is
// indexed alone, and one within another repository with the repository.
func TestDotfilesAreNoProject(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	w.outsideTheSystem()
	home := filepath.Join(filepath.Dir(w.dir), "user")
	t.Setenv("HOME", home)
	for _, dir := range []string{".git", "notes", "project/.git", "project/sub"} {
		w.must(os.MkdirAll(filepath.Join(home, dir), 0o755))
	}
	for _, repository := range []string{home, filepath.Join(home, "project")} {
		w.must(os.WriteFile(filepath.Join(repository, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644))
		w.must(os.MkdirAll(filepath.Join(repository, ".git", "objects"), 0o755))
		w.must(os.MkdirAll(filepath.Join(repository, ".git", "refs"), 0o755))
	}
	for path, want := range map[string]string{"notes": "notes", "project/sub": "project", "project": "project"} {
		if dir, _ := w.rs.ToIndex(filepath.Join(home, path)); dir != filepath.Join(home, want) {
			t.Errorf("%s: %s, want %s", path, dir, want)
		}
	}
	if dir, wide := w.rs.ToIndex(home); dir != home || !wide {
		t.Errorf("the home folder: %s, wide %t", dir, wide)
	}
}

// TestFoldersOfKilledWatchersGo checks that sweepHomes removes the cookie folders of ended processes, and
// leaves those of running ones.
func TestFoldersOfKilledWatchersGo(t *testing.T) {
	dir := t.TempDir()
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	for name, kept := range map[string]bool{fmt.Sprintf("watch-%d-a", os.Getpid()): true, "watch-other-a": true,
		fmt.Sprintf("watch-%d-a", ended.Process.Pid): false} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		sweepHomes(dir)
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != kept {
			t.Errorf("%s: kept %t, %v", name, err == nil, err)
		}
	}
}

// TestCoverageCounts checks what a file adds to a coverage: a skipped one to its reason alone.
func TestCoverageCounts(t *testing.T) {
	c := newCoverage()
	c.add("binary", "go", true, true, 2)
	c.add("", "go", true, false, 3)
	c.add("", "go", true, true, 4)
	c.add("", "", false, true, 5)
	if c.Files != 14 || c.Indexed != 12 || c.Parsed != 7 || c.ParseErrors != 9 ||
		!maps.Equal(c.Skipped, map[string]int{"binary": 2}) || !maps.Equal(c.Languages, map[string]int{"go": 7, "": 5}) {
		t.Errorf("%+v", c)
	}
}

// TestRealPaths checks that the links in a path are resolved as far as it exists, so that a folder which is gone has the
// name that it had.
func TestRealPaths(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "real"), 0o755), os.Symlink("real", filepath.Join(dir, "link")),
		os.Symlink("loop", filepath.Join(dir, "loop"))); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"link": "real", "link/gone": "real/gone", "link/a/../b": "real/b",
		"gone/a/b": "gone/a/b", "loop": "loop"} {
		if got, err := realPath(filepath.Join(dir, "x") + "/../" + path); err != nil || got != filepath.Join(dir, want) {
			t.Errorf("%s: %s, %v; want %s", path, got, err, want)
		}
	}
	if got, err := realPath("/"); err != nil || got != "/" {
		t.Errorf("the root: %s, %v", got, err)
	}
	if _, err := realPath("relative"); err == nil {
		t.Error("a relative path has a real one")
	}
}
