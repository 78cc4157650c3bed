package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	var table table
	for _, ms := range []float64{12.345, 9, 200.4} {
		table.add("a search", "p50 ms", ms)
	}
	table.add("an index", "MB", 90)
	table.note("ctags is not installed")
	table.note("ctags is not installed")
	var out strings.Builder
	table.print(&out)
	const want = `| | p50 ms | MB |
|---|---|---|
| a search | 12.3 (9 to 200) |  |
| an index |  | 90 |
ctags is not installed
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestSplit(t *testing.T) {
	for name, want := range map[string]string{"closeIdle_2conns": "close idle conns",
		"HTTPServer": "server", "of": ""} {
		if got := strings.Join(split(name), " "); got != want {
			t.Errorf("split(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestTreeSize checks that a tree has so many files, without those of git, and
// that resident and used read the process that runs.
func TestTreeSize(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	for _, p := range []string{"a/x.go", "a/y.go", "b.go", ".git/config"} {
		if err := os.MkdirAll(filepath.Join(from, filepath.Dir(p)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(from, p), []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, limit := range []int{2, 100} {
		n, err := copyFiles(from, filepath.Join(to, "tree"), limit)
		files, bytes, sizeErr := size(to)
		if err != nil || sizeErr != nil || n != min(limit, 3) || files != n || bytes != int64(4*n) {
			t.Errorf("limit %d: %d files copied, %d files and %d bytes there; %v, %v", limit, n,
				files, bytes, err, sizeErr)
		}
	}
	own, peak, err := resident(os.Getpid())
	if err != nil || own < 1e6 || peak < own {
		t.Errorf("%v of %v bytes, %v", own, peak, err)
	}
	if cpu, err := used(os.Getpid()); err != nil || cpu < 0 {
		t.Errorf("%v, %v", cpu, err)
	}
	if sorted := slices.Sorted(slices.Values([]float64{3, 1, 2})); percentile(sorted, 0.5) != 2 ||
		percentile(sorted, 1) != 3 {
		t.Errorf("percentiles of %v", sorted)
	}
}
