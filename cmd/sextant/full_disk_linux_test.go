package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFullDisk checks that a build that found no room is tried again by the next command, and that
// a full disk is named as the cause until then. A file needs no index to be read or outlined.
func TestFullDisk(t *testing.T) {
	work, home := t.TempDir(), t.TempDir()
	if err := syscall.Mount("tmpfs", home, "tmpfs", 0, "size=300k"); err != nil {
		t.Skipf("mounting a small disk needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(home, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		text := fmt.Sprintf("def lend%d():\n    return '''", i)
		for range 400 {
			text += fmt.Sprintf("%x ", rng.Uint64())
		}
		if err := os.WriteFile(filepath.Join(work, fmt.Sprintf("m%d.py", i)), []byte(text+"'''\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if _, errs, code := runHere(t, home, "search", "lend7", "--path", work); code != 1 ||
			!strings.Contains(errs, " is full; make room there, then repeat") {
			t.Fatalf("on a full disk: %d %q", code, errs)
		}
	}
	for command, want := range map[string]string{"read": "def lend7():", "outline": "def lend7()"} {
		out, errs, code := runHere(t, home, command, filepath.Join(work, "m7.py"), "--path", work)
		if code != 0 || !strings.Contains(out, want) || !strings.Contains(errs, " is full; make room there") {
			t.Errorf("%s on a full disk: %d %.200q %q", command, code, out, errs)
		}
	}
	for args, tool := range map[string]string{`"symbolRef":"lend7"`: "call_graph", `"open_symbol":"lend7"`: "read_file",
		`"file":""`: "file_outline", `"symbolRef":{"diff":""}`: "call_graph"} {
		args = fmt.Sprintf(`{"path":%q,%s,"format":"json"}`, work, args)
		out, errs, _ := runHere(t, home, "tool", "call", tool, "--args-json", args)
		if !strings.Contains(out, `"index_failed"`) ||
			!strings.Contains(out, " is full; make room there, then repeat") {
			t.Errorf("%s %s on a full disk: %q %q", tool, args, out, errs)
		}
	}
	if err := syscall.Mount("tmpfs", home, "tmpfs", syscall.MS_REMOUNT, "size=64m"); err != nil {
		t.Fatal(err)
	}
	if out, errs, code := runHere(t, home, "search", "lend7", "--path", work); code != 0 ||
		!strings.Contains(out, "m7.py:1") {
		t.Errorf("with room again: %d %q %q", code, out, errs)
	}
	fill(t, home)
	if err := os.WriteFile(filepath.Join(work, "m7.py"), []byte("def lent7():\n    pass\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for tool, args := range map[string]string{"search_codebase": `"query":"lend8"`, "call_graph": `"symbolRef":"lend8"`} {
		out, errs, _ := runHere(t, home, "tool", "call", tool, "--args-json", fmt.Sprintf(`{"path":%q,%s}`, work, args))
		if !strings.HasPrefix(out, "error index_failed: ") ||
			!strings.Contains(out, " is full; make room there, then repeat.") {
			t.Errorf("%s on a disk that became full: %q %q", tool, out, errs)
		}
	}
}

// fill writes a file into dir that takes what room is left.
func fill(t *testing.T, dir string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 1<<16); err == nil; {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
}
