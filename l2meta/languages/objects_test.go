package languages_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sextant/l2meta/languages"
)

// classLanguages are the golden folders of languages with classes.
var classLanguages = []string{"csharp", "java", "kotlin", "php", "scala"}

// classGoldens returns the golden sources of one of classLanguages.
func classGoldens(tb testing.TB, language string) (paths []string, texts [][]byte) {
	tb.Helper()
	all, err := filepath.Glob(filepath.Join("*", "testdata", "golden", language, "*"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, path := range all {
		if strings.HasSuffix(path, ".golden") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		paths, texts = append(paths, path), append(texts, text)
	}
	return paths, texts
}

// fuzzPiece bounds a fuzzed text, in bytes. On longer garbage some grammars take seconds, which the
// fuzzer reports as a hang.
const fuzzPiece = 2 << 10

func FuzzCSharp(f *testing.F) { fuzzClassLanguage(f, "csharp", "a.cs") }
func FuzzJava(f *testing.F)   { fuzzClassLanguage(f, "java", "a.java") }
func FuzzKotlin(f *testing.F) { fuzzClassLanguage(f, "kotlin", "a.kt") }
func FuzzPHP(f *testing.F)    { fuzzClassLanguage(f, "php", "a.php") }
func FuzzScala(f *testing.F)  { fuzzClassLanguage(f, "scala", "a.scala") }

// fuzzClassLanguage checks the invariants of a File on arbitrary changes of pieces of one
// language's golden sources.
func fuzzClassLanguage(f *testing.F, language, path string) {
	_, texts := classGoldens(f, language)
	for _, text := range texts {
		for from := 0; from < len(text); from += fuzzPiece / 2 {
			f.Add(text[from:min(from+fuzzPiece, len(text))])
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := languages.Extract(path, text[:min(len(text), fuzzPiece)])
		if err != nil {
			t.Skip(err)
		}
		checkInvariants(t, &file)
	})
}

// BenchmarkClassLanguages measures parsing and extraction of the goldens.
func BenchmarkClassLanguages(b *testing.B) {
	for _, language := range classLanguages {
		paths, texts := classGoldens(b, language)
		b.Run(language, func(b *testing.B) {
			size := 0
			for _, text := range texts {
				size += len(text)
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for i, path := range paths {
					if _, err := languages.Extract(path, texts[i]); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
