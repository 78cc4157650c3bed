package l2meta

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// classLanguages are the folders of goldens that the class-based rule sets share.
var classLanguages = []string{"csharp", "java", "kotlin", "php", "scala"}

// classGoldens are the golden sources of one of classLanguages.
func classGoldens(tb testing.TB, language string) (paths []string, texts [][]byte) {
	tb.Helper()
	all, err := filepath.Glob(filepath.Join("testdata", "golden", language, "*"))
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

// FuzzClassLanguages holds the invariants of a File on any text of the
// class-based languages: the golden sources, cut and joined anyhow.
func FuzzClassLanguages(f *testing.F) {
	names := map[string]string{"csharp": "a.cs", "java": "a.java", "kotlin": "a.kt", "php": "a.php", "scala": "a.scala"}
	for i, language := range classLanguages {
		_, texts := classGoldens(f, language)
		for _, text := range texts {
			f.Add(byte(i), 0, len(text), text)
			for cut := 1; cut < 8; cut++ {
				f.Add(byte(i), len(text)*cut/9, len(text)*(cut+1)/9, text)
			}
		}
	}
	f.Fuzz(func(t *testing.T, language byte, from, to int, text []byte) {
		from, to = min(max(from, 0), len(text)), min(max(to, 0), len(text))
		if from <= to { // without the piece [from, to)
			text = append(append([]byte(nil), text[:from]...), text[to:]...)
		}
		if len(text) > 1<<14 {
			return // the grammars' recovery is slow on long garbage, the rules are not
		}
		file, err := Extract(names[classLanguages[int(language)%len(classLanguages)]], text)
		if err != nil {
			t.Skip(err)
		}
		checkInvariants(t, &file)
	})
}

// BenchmarkClassLanguages extracts the goldens: parse and walk.
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
					if _, err := Extract(path, texts[i]); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
