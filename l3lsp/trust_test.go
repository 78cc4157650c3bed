package l3lsp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTrust(t *testing.T) {
	home, work := t.TempDir(), t.TempDir()
	inner, link := filepath.Join(work, "repo", "inner"), filepath.Join(work, "link")
	if err := os.MkdirAll(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(work, "repo"), link); err != nil {
		t.Fatal(err)
	}
	list := NewTrust(home)
	if list.Trusted(work) {
		t.Error("trusted before anything was")
	}
	for _, bad := range []string{"/", filepath.Join(work, "missing"),
		filepath.Join(home, strings.Repeat("../", strings.Count(home, string(filepath.Separator))))} {
		if _, err := list.Add(bad); err == nil {
			t.Errorf("%s was trusted", bad)
		}
	}
	real, err := list.Add(link)
	if err != nil {
		t.Fatal(err)
	}
	again := NewTrust(home) // another process
	for folder, want := range map[string]bool{inner: true, link: true, real: true, work: false, real + "2": false,
		home: false} {
		if again.Trusted(folder) != want {
			t.Errorf("%s is trusted: %t, want %t", folder, !want, want)
		}
	}
	if folders, err := again.List(); err != nil || !slices.Equal(folders, []string{real}) {
		t.Errorf("%v, %v", folders, err)
	}
	if ok, err := again.Remove(inner); ok || err != nil {
		t.Errorf("a folder below was removed: %t, %v", ok, err)
	}
	if ok, err := again.Remove(link); !ok || err != nil || list.Trusted(real) {
		t.Errorf("removed %t, %v; still trusted %t", ok, err, list.Trusted(real))
	}
}

// TestTrustedListIsRead checks that a list edited by hand is read sorted, without repetitions and without lines that
// are no absolute path, and that a list that cannot be read trusts nothing.
func TestTrustedListIsRead(t *testing.T) {
	home := t.TempDir()
	list := NewTrust(home)
	writeFile(t, home, "trusted", "/b\n\nrelative\n/a\n/b\n/a/c", 0o600)
	if got, err := list.List(); err != nil || !slices.Equal(got, []string{"/a", "/a/c", "/b"}) {
		t.Errorf("%q, %v", got, err)
	}
	if removed, err := list.Remove("/a/"); !removed || err != nil {
		t.Errorf("removed: %t, %v", removed, err)
	}
	if removed, err := list.Remove("/a"); removed || err != nil {
		t.Errorf("removed twice: %t, %v", removed, err)
	}
	if got, err := list.List(); err != nil || !slices.Equal(got, []string{"/a/c", "/b"}) {
		t.Errorf("%q, %v", got, err)
	}
	broken := t.TempDir()
	writeFile(t, broken, "trusted/a", "", 0o600)
	if _, err := NewTrust(broken).List(); err == nil || NewTrust(broken).Trusted(home) {
		t.Error("a folder is trusted by a list that cannot be read")
	}
}
