package languages_test

import (
	"os"
	"path/filepath"
	"testing"

	"sextant/l2meta/languages"
)

// fuzzPaths are the paths of the fuzzed texts.
var fuzzPaths = []string{"a.rs", "a.c", "a.h", "a.cc", "a.rb", "a_test.rb", "a.sh"}

// FuzzSystemsLanguages extracts mutated files. Every span must be inside the text, and every symbol
// after its parent.
func FuzzSystemsLanguages(f *testing.F) {
	for i, pattern := range []string{"rust/*.rs", "c/*.c", "cpp/*.h", "cpp/*.cc", "ruby/*.rb",
		"ruby/*_test.rb", "bash/*.sh"} {
		files, err := filepath.Glob("*/testdata/golden/" + pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("%s: no files, %v", pattern, err)
		}
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(uint8(i), text)
			f.Add(uint8(i), text[:len(text)/2])
			f.Add(uint8(i), text[len(text)/3:])
		}
	}
	f.Fuzz(func(t *testing.T, language uint8, text []byte) {
		file, err := languages.Extract(fuzzPaths[int(language)%len(fuzzPaths)], text)
		if err != nil {
			t.Skip(err) // the parser gave up
		}
		checkInvariants(t, &file)
	})
}

// FuzzMaskKeepsOffsets checks that masking keeps the length of a text and every line break.
func FuzzMaskKeepsOffsets(f *testing.F) {
	for _, path := range []string{"cfamily/testdata/golden/c/ring.c", "cfamily/testdata/golden/cpp/cache.h"} {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	mask := languages.Sources["c"].Rules().Mask
	f.Add([]byte("#if 0\n{\n#else\n(\n#endif\n#endif\n#else\n}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		shown := mask(text)
		if len(shown) != len(text) {
			t.Fatalf("%d bytes are shown as %d", len(text), len(shown))
		}
		for i := range text {
			if shown[i] != text[i] && (shown[i] != ' ' || text[i] == '\n') {
				t.Fatalf("byte %d: %q is shown as %q", i, text[i], shown[i])
			}
		}
	})
}
