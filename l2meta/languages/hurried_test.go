package languages_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"sextant/internal/store"
	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// TestCallersInTime checks that a search for callers whose time is over says how many files it did not read, and
// does not spoil the next one.
func TestCallersInTime(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"a.py": "def work():\n    pass\n",
		"b.py": "from a import work\n\nwork()\n", "c.py": "from a import work\n\nwork()\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	err := index{languagetest.Indexed(t, dir)}.View(t.Context(), func(v *store.View, generation int64) error {
		r := resolve.New(t.Context(), v, resolve.NewCache(languages.All, nil), generation)
		var work resolve.Ref
		err := v.Files(t.Context(), func(f store.FileRow) (err error) {
			if f.Path == "a.py" {
				work, err = r.Symbol(f.ID, 0)
			}
			return err
		})
		if err != nil {
			return err
		}
		for _, c := range []struct {
			until   time.Time
			callers int
		}{{time.Now().Add(-time.Second), 0}, {time.Now().Add(time.Hour), 2}, {time.Time{}, 2}} {
			r.Until(c.until)
			in, err := r.Callers(work, 1000)
			if err != nil {
				return err
			}
			if in.Late != (c.callers == 0) || len(in.Callers) != c.callers || in.Files != 2 || in.Read != c.callers {
				t.Errorf("until %v: %+v, want %d callers", c.until, in, c.callers)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
