package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestFullDiskKeepsTheEntry checks that a change that cannot be written leaves the copy of a root's entry as it was.
func TestFullDiskKeepsTheEntry(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("the system has no /dev/full")
	}
	c, err := OpenCatalog(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r := Root{Path: "/r", Policy: `{"profile":"minimal"}`, CreatedAt: time.Now()}
	if err := c.Put(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(c.Dir(r.Path), entryName)
	if err := os.Symlink("/dev/full", name+".new"); err != nil {
		t.Fatal(err)
	}
	r.Policy = `{}`
	if err := c.Put(t.Context(), r); err == nil {
		t.Error("no error from a full disk")
	}
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		t.Fatalf("the entry is no file: %v", err) // reading a link to /dev/full would never end
	}
	if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), "minimal") {
		t.Errorf("the entry is %q, %v", text, err)
	}
	if err := c.Put(t.Context(), r); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

// TestOpenWithAnEndedContext checks that Open returns either a database or an error.
func TestOpenWithAnEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if db, err := Open(ctx, Options{Dir: t.TempDir()}); db != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", db, err)
	}
}
