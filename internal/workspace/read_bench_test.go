package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkRead reads one of this package's files, as an exhaustive query reads
// each candidate.
func BenchmarkRead(b *testing.B) {
	dir, err := os.Getwd()
	if err != nil {
		b.Fatal(err)
	}
	tree, err := Open(filepath.Dir(dir), Policy{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := tree.Read("workspace/scan.go", 0); err != nil {
			b.Fatal(err)
		}
	}
}
