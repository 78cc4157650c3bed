package languages_test

import (
	"os"
	"path/filepath"
	"testing"

	"sextant/l2meta/languages"
)

// FuzzScripts runs the rules of Python, TypeScript, TSX and JavaScript on mutated files. They must
// not panic, and must keep the invariants of a File.
func FuzzScripts(f *testing.F) {
	for _, dir := range []string{"python", "typescript", "tsx", "javascript"} {
		files, err := filepath.Glob("*/testdata/golden/" + dir + "/*")
		if err != nil || len(files) == 0 {
			f.Fatalf("no seeds in %s: %v", dir, err)
		}
		for _, path := range files {
			if filepath.Ext(path) == ".golden" {
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(filepath.Ext(path), text)
			f.Add(filepath.Ext(path), text[len(text)/3:2*len(text)/3])
		}
	}
	f.Fuzz(func(t *testing.T, ending string, text []byte) {
		switch ending {
		case ".py", ".ts", ".tsx", ".js", ".mjs":
		default:
			ending = ".ts"
		}
		if len(text) > 1<<16 {
			t.Skip("long texts make few runs")
		}
		file, err := languages.Extract("src/test_a.test"+ending, text)
		if err != nil {
			t.Skip(err)
		}
		checkInvariants(t, &file)
	})
}

// BenchmarkScripts measures parsing and extraction of one real file per language.
func BenchmarkScripts(b *testing.B) {
	for _, path := range []string{
		"python/testdata/golden/python/test_inventory.py", "typescript/testdata/golden/typescript/orders.ts",
		"typescript/testdata/golden/tsx/board.test.tsx", "typescript/testdata/golden/javascript/router.js",
	} {
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(filepath.Ext(path)[1:], func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := languages.Extract(path, text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
