package languages_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sextant/internal/store"
	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// TestReceiversFollowImplementations adds and removes types that implement the interface of a
// receiver. Each of them is in a folder of its own, apart from the call, the type of its receiver
// and the method that it calls.
func TestReceiversFollowImplementations(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	typ := func(name string) string {
		return "package " + name + "\n\ntype T struct{}\n\nfunc (T) Read() {}\n\nfunc (T) Close() {}\n"
	}
	write("go.mod", "module m\n")
	write("reader/r.go", "package reader\n\ntype Reader interface{ Read() }\n")
	write("both/b.go", "package both\n\nimport \"m/reader\"\n\ntype Both interface {\n\treader.Reader\n\tClose()\n}\n")
	write("use/u.go", "package use\n\nimport \"m/both\"\n\nfunc use(b both.Both) { b.Read() }\n")
	write("one/t.go", typ("one"))
	live := languagetest.Indexed(t, dir)
	cache := resolve.NewCache(languages.All, nil)
	runs := func() (out []string) {
		settle(t, live, cache)
		err := index{live}.View(t.Context(), func(v *store.View, generation int64) error {
			r := resolve.New(t.Context(), v, cache, generation)
			site := languagetest.Sites(t, r, "use/u.go")["Read"]
			may, err := r.Dispatched(&site)
			for _, d := range may {
				out = append(out, d.Target.File.Dir)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if got := runs(); !slices.Equal(got, []string{"one"}) {
		t.Errorf("at first: %v", got)
	}
	write("two/t.go", typ("two"))
	if _, err := live.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := runs(); !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("with a second type: %v", got)
	}
	if err := os.Remove(filepath.Join(dir, "one/t.go")); err != nil {
		t.Fatal(err)
	}
	if _, err := live.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := runs(); !slices.Equal(got, []string{"two"}) {
		t.Errorf("without the first: %v", got)
	}
}

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
