package l2meta

import (
	"bytes"
	"os"
	"testing"
)

// BenchmarkSystemsLanguages reads goldens repeated to some 100 kB.
func BenchmarkSystemsLanguages(b *testing.B) {
	for _, path := range []string{"rust/scheduler.rs", "c/ring.c", "cpp/cache_test.cc", "ruby/order.rb", "bash/deploy.sh"} {
		text, err := os.ReadFile("testdata/golden/" + path)
		if err != nil {
			b.Fatal(err)
		}
		text = bytes.Repeat(text, 100_000/len(text))
		b.Run(path, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := Extract(path, text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
