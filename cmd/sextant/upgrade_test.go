package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runHere runs a command line in this process with home as the data folder.
func runHere(t *testing.T, home string, args ...string) (out, errs string, code int) {
	t.Helper()
	env := map[string]string{"SEXTANT_HOME": home, "SEXTANT_MAX_SERVERS": "0"}
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), args,
		streams{in: strings.NewReader(""), out: &stdout, err: &stderr, env: func(k string) string { return env[k] }})
	return stdout.String(), stderr.String(), code
}

// TestIndexOfAnotherVersion checks that list and status report an index of
// another version of the program, and that the next question rebuilds it.
func TestIndexOfAnotherVersion(t *testing.T) {
	work, home := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(work, "a.go"), []byte("package a\n\nfunc Alpha() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := runHere(t, home, "index", work); code != 0 {
		t.Fatal(errs)
	}
	databases := func() []string {
		found, err := filepath.Glob(filepath.Join(home, "roots", "*", "index-*.db"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	mine := databases()
	if len(mine) != 1 {
		t.Fatalf("databases: %q", mine)
	}
	old := filepath.Join(filepath.Dir(mine[0]), "index-f0.db")
	if err := os.Rename(mine[0], old); err != nil {
		t.Fatal(err)
	}
	out, _, code := runHere(t, home, "list")
	if code != 0 || !strings.Contains(out, "outdated  indexed by another version of sextant; sextant index "+work) {
		t.Errorf("list: %d %q", code, out)
	}
	out, _, _ = runHere(t, home, "tool", "call", "list_codebases")
	if !strings.Contains(out, work+" (requires reindex: fingerprint_mismatch)") {
		t.Errorf("list_codebases: %q", out)
	}
	if _, errs, code := runHere(t, home, "status", work); code != 1 ||
		!strings.Contains(errs, "no index that this version of sextant reads; sextant index "+work) {
		t.Errorf("status: %d %q", code, errs)
	}
	out, _, _ = runHere(t, home, "tool", "call", "manage_index", "--args-json", `{"action":"status","path":"`+work+`"}`)
	if !strings.Contains(out, "requires_reindex: "+work+" was indexed by another version") {
		t.Errorf("manage_index: %q", out)
	}
	if got := databases(); len(got) != 1 || got[0] != old {
		t.Errorf("looking at it made %q", got)
	}
	out, errs, code := runHere(t, home, "search", "Alpha", "-p", work)
	if code != 0 || !strings.Contains(out, "a.go:3") ||
		!strings.Contains(errs, work+" was indexed by another version of sextant; indexing it anew.") {
		t.Errorf("search: %d %q %q", code, out, errs)
	}
	if out, _, _ = runHere(t, home, "list"); !strings.Contains(out, "ready") {
		t.Errorf("list: %q", out)
	}
	if err := os.RemoveAll(filepath.Dir(old)); err != nil {
		t.Fatal(err)
	}
	if out, _, _ = runHere(t, home, "list"); !strings.Contains(out, "outdated  no index is there any more") {
		t.Errorf("list: %q", out)
	}
}

// TestSizeOnDisk checks that index and status print the same size of the index.
func TestSizeOnDisk(t *testing.T) {
	work, home := t.TempDir(), t.TempDir()
	for _, name := range []string{"a.go", "b.go"} {
		if err := os.WriteFile(filepath.Join(work, name), []byte("package a\n\nfunc F"+name[:1]+"() {}\n"),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, told, _ := runHere(t, home, "index", work)
	_, size, _ := strings.Cut(told, "skipped, ")
	size, _, found := strings.Cut(size, " on disk")
	out, errs, code := runHere(t, home, "status", work)
	if !found || code != 0 || !strings.Contains(out, "  disk      "+size+"\n") {
		t.Errorf("index tells %q, status %q %q", told, out, errs)
	}
}
