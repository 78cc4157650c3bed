package rename

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const module = "module example.com/store\n\ngo 1.24\n"

const original = `// Package store keeps pages.
package store

import (
	"io"
	"sort"
)

// Bucket holds pages, which OpenBucket reads. A bucket is a file.
type Bucket struct {
	pages []pageRef
	io.Writer
}

type pageRef struct{ pageSize int }

type bySize []pageRef

func (b bySize) Len() int           { return len(b) }
func (b bySize) Less(i, j int) bool { return b[i].pageSize < b[j].pageSize }
func (b bySize) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

// Close returns io.Closer's, which nobody calls here.
func (b *Bucket) Close() error { return nil }

var _ io.Closer = (*Bucket)(nil)

func OpenBucket(pageSize int) *Bucket {
	bucket := &Bucket{pages: []pageRef{{pageSize: pageSize}}}
	sort.Sort(bySize(bucket.pages))
	return bucket
}
`

const otherSystem = "//go:build windows\n\npackage store\n\nfunc flush(bucket *Bucket) int { return " +
	"bucket.pages[0].pageSize }\n"

// TestTree checks that a copy compiles, that its names are others, and that
// lines, external names and plain words stay.
func TestTree(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	for name, text := range map[string]string{"go.mod": module, "store.go": original, "store_windows.go": otherSystem,
		"store_test.go": "package store\n\nimport \"testing\"\n\nfunc TestOpen(t *testing.T) { " +
			"OpenBucket(1).Close() }\n",
		"README.md": "Call OpenBucket for a bucket.\n"} {
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := Tree(t.Context(), from, to); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(to, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	got := read("store.go")
	if strings.Count(got, "\n") != strings.Count(original, "\n") {
		t.Errorf("lines moved:\n%s", got)
	}
	for _, gone := range []string{"Bucket", "pageRef", "pageSize", "bySize", "pages:"} {
		for _, name := range []string{"store.go", "store_windows.go", "store_test.go", "README.md"} {
			if strings.Contains(read(name), gone) {
				t.Errorf("%s still has %s:\n%s", name, gone, read(name))
			}
		}
	}
	for _, stays := range []string{"package store", "io.Writer", "Close() error", "Less(i, j int)",
		"sort.Sort(", "keeps pages.",
		"A bucket is a file."} {
		if !strings.Contains(got, stays) {
			t.Errorf("%q is gone:\n%s", stays, got)
		}
	}
	if !strings.Contains(read("store_test.go"), "func TestOpen(") ||
		!strings.HasSuffix(read("README.md"), " for a bucket.\n") {
		t.Error(read("store_test.go"), read("README.md"))
	}
}

// TestTreeRefuses checks that a tree with type errors is not copied.
func TestTreeRefuses(t *testing.T) {
	from := t.TempDir()
	for name, text := range map[string]string{"go.mod": module, "a.go": "package store\n\nvar x int = \"\"\n"} {
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := Tree(t.Context(), from, filepath.Join(t.TempDir(), "copy")); err == nil {
		t.Error("a tree that does not compile was renamed")
	}
}

// TestParts checks the words of names.
func TestParts(t *testing.T) {
	for name, want := range map[string]string{"readHTTPPage_v2": "read HTTP Page _ v2", "ID": "ID", "a": "a",
		"newDB": "new DB"} {
		if got := strings.Join(parts(name), " "); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestInvent checks that no two numbers have the same word.
func TestInvent(t *testing.T) {
	seen := map[string]int{}
	for n := range 20_000 {
		w := invent(n)
		if m, ok := seen[w]; ok {
			t.Fatalf("%d and %d are both %s", m, n, w)
		}
		seen[w] = n
	}
}
