package languages_test

import (
	"os"
	"path/filepath"
	"testing"

	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// TestLedgerFollowsReusedIDs renames the newest file again and again. The index reuses its id for
// the next file.
func TestLedgerFollowsReusedIDs(t *testing.T) {
	dir := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module m\n")
	write("use.go", "package m\n\nfunc use() { moved() }\n")
	write("other.go", "package m\n\nfunc other() { use() }\n")
	live := languagetest.Indexed(t, dir)
	cache := resolve.NewCache(languages.All, nil)
	last := "first.go"
	write(last, "package m\n\nfunc moved() { other() }\n")
	for i, name := range []string{"z.go", "a.go", "m.go", "b.go", "y.go"} {
		if _, err := live.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		settle(t, live, cache)
		if err := os.Rename(filepath.Join(dir, last), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		last = name
		if _, err := live.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		settle(t, live, cache)
		fresh := resolve.NewCache(languages.All, nil)
		if d := difference(edges(t, live, cache), edges(t, live, fresh)); d != "" {
			t.Errorf("rename %d:\n%s", i, d)
		}
		if d := difference(callers(t, live, cache, 0), callers(t, live, fresh, 0)); d != "" {
			t.Errorf("rename %d, callers:\n%s", i, d)
		}
	}
}
