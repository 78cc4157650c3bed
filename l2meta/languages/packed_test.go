package languages_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"sextant/internal/budget"
	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// mostTraps is the number of traps of a language that TestVerdictsOfPackedFiles tries, of some sixty.
const mostTraps = 12

// TestVerdictsOfPackedFiles checks that the calls of the first traps of a language resolve the same if the budget drops
// everything again and again meanwhile, so that the facts of a file are read anew in the middle of an evaluation.
func TestVerdictsOfPackedFiles(t *testing.T) {
	t.Parallel()
	for _, language := range decoyLanguages() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			traps, err := filepath.Glob(filepath.Join("*", "testdata", "decoys", language, "*.txtar"))
			if err != nil {
				t.Fatal(err)
			}
			for _, trap := range traps[:min(len(traps), mostTraps)] {
				name := strings.TrimSuffix(filepath.Base(trap), ".txtar")
				for path, text := range readDecoy(t, trap).files {
					path = filepath.Join(dir, name, filepath.FromSlash(path))
					if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			root := languagetest.Indexed(t, dir)
			want := edges(t, root, resolve.NewCache(languages.All, nil))
			// With one byte for all, each file that unpacks something drops all others.
			cache := resolve.NewCache(languages.All, budget.New(1))
			var all sync.WaitGroup
			for range 2 {
				all.Go(func() {
					for path, list := range edges(t, root, cache) {
						if want[path] != list {
							t.Errorf("%s: %s\nwant %s", path, list, want[path])
						}
					}
				})
			}
			all.Wait()
		})
	}
}
