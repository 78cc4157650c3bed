package jit

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/internal/workspace"
)

// TestTableIsItsContent checks that after any order of changes the table says what its files say: their number, the
// directories, the lists by reason, and a name that differs whenever a path or a text does.
func TestTableIsItsContent(t *testing.T) {
	a, b := store.HashText([]byte("a")), store.HashText([]byte("b"))
	fill := func(change func(t *table)) *table {
		table := newTable()
		table.put("x/1.go", known{hash: a})
		table.put("x/2.go", known{hash: b})
		table.put("3.go", known{hash: a, skip: workspace.SkipTooLarge})
		change(table)
		return table
	}
	plain := fill(func(*table) {})
	for what, change := range map[string]func(t *table){
		"a file comes and goes": func(t *table) { t.put("y/4.go", known{hash: a}); t.remove("y/4.go") },
		"a text changes back":   func(t *table) { t.put("x/1.go", known{hash: b}); t.put("x/1.go", known{hash: a}) },
		"one goes and comes":    func(t *table) { t.remove("x/1.go"); t.put("x/1.go", known{hash: a}) },
		"no file is removed":    func(t *table) { t.remove("x/3.go"); t.remove("z/1.go"); t.remove("x") },
	} {
		if got := fill(change); got.size() != 3 || got.name != plain.name || !maps.Equal(got.unread, plain.unread) ||
			len(got.dirs) != 2 {
			t.Errorf("%s: %d files in %d directories, %s, %v", what, got.size(), len(got.dirs), got.name, got.unread)
		}
	}
	names := map[string]bool{plain.name.String(): true, newTable().name.String(): true}
	for _, change := range []func(t *table){
		func(t *table) { t.remove("x/1.go") }, func(t *table) { t.put("x/1.go", known{hash: b}) },
		func(t *table) { t.put("x/4.go", known{hash: a}) },
		func(t *table) { t.put("x/1.go", known{hash: b}); t.put("x/2.go", known{hash: a}) },
	} {
		names[fill(change).name.String()] = true
	}
	if len(names) != 6 || len(plain.name.String()) != 32 {
		t.Errorf("the contents have the names %v", slices.Sorted(maps.Keys(names)))
	}
	if got := (digest{1<<56 | 2, 3}).String(); got != "01000000000000020000000000000003" {
		t.Errorf("a digest is written as %s", got)
	}
}

// TestTableLists checks which files count as indexed, and which as missing for a reason.
func TestTableLists(t *testing.T) {
	table := newTable()
	for path, skip := range map[string]workspace.SkipReason{"a.go": "", "x/b.go": "", "x/c.go": workspace.SkipBinary,
		"x/d.go": workspace.SkipTooLarge, "e.go": workspace.SkipLFSPointer, "f.go": workspace.SkipUnreadable} {
		table.put(path, known{skip: skip})
	}
	if got := table.indexed(); !slices.Equal(slices.Sorted(slices.Values(got)), []string{"a.go", "x/b.go"}) {
		t.Errorf("indexed: %q", got)
	}
	for base, want := range map[string]bool{"a.go": true, "b.go": true, "c.go": false, "d.go": false, "x": false} {
		if table.named(func(name string) bool { return name == base }) != want {
			t.Errorf("an indexed file is called %s: want %t", base, want)
		}
	}
	for why, want := range map[workspace.SkipReason][]string{workspace.SkipTooLarge: {"x/d.go"},
		workspace.SkipLFSPointer: {"e.go"}, workspace.SkipUnreadable: {"f.go"}, workspace.SkipBinary: nil, "": nil} {
		if got := table.missing(why); !slices.Equal(got, want) {
			t.Errorf("missing because of %q: %q, want %q", why, got, want)
		}
	}
	table.put("e.go", known{})
	table.remove("f.go")
	if got := append(table.missing(workspace.SkipLFSPointer), table.missing(workspace.SkipUnreadable)...); len(got) != 0 {
		t.Errorf("still missing: %q", got)
	}
}

// TestTouch checks that a new stat key is kept for the same bytes alone, never one that was read earlier, and is handed
// out once.
func TestTouch(t *testing.T) {
	a, b := store.HashText([]byte("a")), store.HashText([]byte("b"))
	for _, c := range []struct {
		what   string
		path   string
		hash   code.Hash
		readAt int64
		want   bool
	}{
		{"later", "x/1", a, 8, true}, {"at the same time", "x/1", a, 7, true}, {"earlier", "x/1", a, 6, false},
		{"other bytes", "x/1", b, 8, false}, {"another file", "x/2", a, 8, false},
	} {
		table := newTable()
		table.put("x/1", known{hash: a, readAt: 7, key: code.StatKey{Size: 1}})
		table.touch(c.path, c.hash, code.StatKey{Size: 2}, c.readAt)
		got, _ := table.get("x/1")
		if touched := got.key.Size == 2 && got.readAt == c.readAt; touched != c.want {
			t.Errorf("%s: %+v", c.what, got)
		}
		if taken := table.takeTouched(); len(taken) != map[bool]int{true: 1}[c.want] || c.want && taken["x/1"] != got {
			t.Errorf("%s: taken %+v", c.what, taken)
		}
		if again := table.takeTouched(); len(again) != 0 {
			t.Errorf("%s: taken again %+v", c.what, again)
		}
		table.touch("x/1", a, code.StatKey{Size: 3}, 9)
		table.remove("x/1")
		if taken := table.takeTouched(); len(taken) != 0 {
			t.Errorf("%s: a removed file is taken: %+v", c.what, taken)
		}
	}
}

// TestReplace checks that a table which replaces another brings its generation and drops the keys to store.
func TestReplace(t *testing.T) {
	a := store.HashText([]byte("a"))
	old, fresh := newTable(), newTable()
	old.put("x", known{hash: a, skip: workspace.SkipUnreadable})
	old.touch("x", a, code.StatKey{Size: 1}, 1)
	fresh.put("y", known{hash: a})
	fresh.gen = 5
	if old.generation() != -1 {
		t.Errorf("before the first load the generation is %d", old.generation())
	}
	old.replace(fresh)
	if _, had := old.get("x"); had || old.generation() != 5 || old.size() != 1 || old.name != fresh.name ||
		len(old.takeTouched()) != 0 || len(old.missing(workspace.SkipUnreadable)) != 0 {
		t.Errorf("replaced: %+v", old)
	}
}

// TestResultsAreSorted checks what a report lists of changes: each path once, sorted, with those unverified before.
func TestResultsAreSorted(t *testing.T) {
	c := &changes{}
	for _, p := range []string{"b", "a", "b"} {
		c.note(&c.added, p)
	}
	c.note(&c.modified, "c")
	c.note(&c.removed, "d")
	c.note(&c.unverified, "f")
	rep := Report{Unverified: []string{"g", "e", "f"}}
	c.into(&rep)
	if !slices.Equal(rep.Added, []string{"a", "b"}) || !slices.Equal(rep.Modified, []string{"c"}) ||
		!slices.Equal(rep.Removed, []string{"d"}) || !slices.Equal(rep.Unverified, []string{"e", "f", "g"}) ||
		rep.FilesReindexed != 4 || !rep.Changed() {
		t.Errorf("%+v", rep)
	}
}

// TestVouches checks when the stat data of a file proves that its row is up to date: equal in each part, and old enough
// when it was read. The bytes of a file that is skipped for its name or size do not matter.
func TestVouches(t *testing.T) {
	const second = int64(time.Second)
	key := code.StatKey{Size: 1, MTime: 100 * second, CTime: 100 * second, Inode: 7, Mode: 0o644}
	safe := 100*second + int64(code.RacyWindow)
	for _, c := range []struct {
		what   string
		change func(k *known, e *workspace.Entry)
		want   bool
	}{
		{"nothing changed", func(*known, *workspace.Entry) {}, true},
		{"read too early", func(k *known, _ *workspace.Entry) { k.readAt-- }, false},
		{"changed too late", func(k *known, e *workspace.Entry) { k.key.CTime++; e.Key.CTime++ }, false},
		{"size", func(_ *known, e *workspace.Entry) { e.Key.Size++ }, false},
		{"time", func(_ *known, e *workspace.Entry) { e.Key.MTime-- }, false},
		{"change time", func(_ *known, e *workspace.Entry) { e.Key.CTime-- }, false},
		{"inode", func(_ *known, e *workspace.Entry) { e.Key.Inode++ }, false},
		{"mode", func(_ *known, e *workspace.Entry) { e.Key.Mode++ }, false},
		{"skipped for its size", func(k *known, e *workspace.Entry) {
			k.skip, e.Skip, k.readAt = workspace.SkipTooLarge, workspace.SkipTooLarge, 0
		}, true},
		{"skipped from now on", func(_ *known, e *workspace.Entry) { e.Skip = workspace.SkipTooLarge }, false},
		{"skipped no longer", func(k *known, _ *workspace.Entry) { k.skip = workspace.SkipTooLarge }, false},
		{"binary", func(k *known, _ *workspace.Entry) { k.skip = workspace.SkipBinary }, true},
		{"binary, read too early", func(k *known, _ *workspace.Entry) { k.skip = workspace.SkipBinary; k.readAt-- }, false},
		{"unreadable before", func(k *known, _ *workspace.Entry) { k.skip = workspace.SkipUnreadable }, false},
	} {
		k, e := known{key: key, readAt: safe}, workspace.Entry{Key: key}
		c.change(&k, &e)
		if got := k.vouches(&e); got != c.want {
			t.Errorf("%s: %t, want %t", c.what, got, c.want)
		}
	}
}

// TestRuleFilesHoldStill checks when a rule file outside of the root has not changed since it was read. A file that did
// not exist must still be missing.
func TestRuleFilesHoldStill(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "ignore")
	if err := os.WriteFile(path, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		t.Fatal(err)
	}
	key := code.StatKey{Size: st.Size, MTime: st.Mtim.Nano(), CTime: st.Ctim.Nano(), Inode: st.Ino}
	safe := max(key.MTime, key.CTime) + int64(code.RacyWindow)
	size, mtime, ctime, inode := key, key, key, key
	size.Size++
	mtime.MTime--
	ctime.CTime--
	inode.Inode++
	for _, c := range []struct {
		what   string
		path   string
		key    code.StatKey
		readAt int64
		want   bool
	}{
		{"unchanged", path, key, safe, true}, {"read too early", path, key, safe - 1, false},
		{"size", path, size, safe, false}, {"time", path, mtime, safe, false}, {"change time", path, ctime, safe, false},
		{"inode", path, inode, safe, false}, {"new", path, code.StatKey{}, safe, false},
		{"still missing", filepath.Join(dir, "none"), code.StatKey{}, safe, true},
		{"gone", filepath.Join(dir, "none"), key, safe, false}, {"below a file", path + "/x", code.StatKey{}, safe, false},
	} {
		if got := holdsStill(workspace.RuleFile{Path: c.path, Key: c.key}, c.readAt); got != c.want {
			t.Errorf("%s: %t, want %t", c.what, got, c.want)
		}
	}
}

// TestLineCount checks that a last line counts with and without its line break.
func TestLineCount(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "a\n": 1, "a\nb": 2, "\n": 1, "\n\n": 2} {
		if got := lineCount([]byte(text)); got != want {
			t.Errorf("%q has %d lines, want %d", text, got, want)
		}
	}
}
