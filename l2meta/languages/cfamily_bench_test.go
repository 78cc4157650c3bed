package languages_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"sextant/l2meta/languages"
)

// BenchmarkSystemsLanguages extracts golden files repeated to some 100 kB.
func BenchmarkSystemsLanguages(b *testing.B) {
	for _, path := range []string{"rust/testdata/golden/rust/scheduler.rs", "cfamily/testdata/golden/c/ring.c",
		"cfamily/testdata/golden/cpp/cache_test.cc", "ruby/testdata/golden/ruby/order.rb",
		"bash/testdata/golden/bash/deploy.sh"} {
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		text = bytes.Repeat(text, 100_000/len(text))
		b.Run(filepath.Base(path), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := languages.Extract(path, text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
