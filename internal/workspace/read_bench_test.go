package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkRead reads one of this package's files, as an exhaustive query reads
// each candidate: for the first time, and as a text that is known to be masked.
func BenchmarkRead(b *testing.B) {
	dir, err := os.Getwd()
	if err != nil {
		b.Fatal(err)
	}
	tree, err := Open(filepath.Dir(dir), Policy{})
	if err != nil {
		b.Fatal(err)
	}
	const file = "workspace/scan.go"
	b.Run("first", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := tree.Read(file, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("again", func(b *testing.B) {
		b.ReportAllocs()
		var text []byte
		for b.Loop() {
			if text, err = tree.ReadAgain(file, text, func([]byte) bool { return true }); err != nil {
				b.Fatal(err)
			}
		}
	})
}
