package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// witness is a test that records whether it failed.
type witness struct {
	testing.TB
	failed bool
}

func (w *witness) Helper()               {}
func (w *witness) Name() string          { return "TestOf" }
func (w *witness) Errorf(string, ...any) { w.failed = true }

// within runs test with the flag set to on.
func within(on bool, test func()) {
	was := *update
	*update = on
	defer func() { *update = was }()
	test()
}

func TestDifference(t *testing.T) {
	for _, c := range []struct{ got, want, difference string }{
		{"", "", ""}, {"a\nb\n", "a\nb\n", ""}, {"a\nc\n", "a\nb\n", "line 2\n got: c\nwant: b"},
		{"a\n", "a\nb\n", "line 2\n got: (none)\nwant: b"}, {"a\nb\n", "a\n", "line 2\n got: b\nwant: (none)"},
		{"a", "a\n", "line 1\n got: a (without a line break)\nwant: a"}, {"", "a\n", "line 1\n got: (none)\nwant: a"},
		{"a\n\n", "a\n", "line 2\n got: \nwant: (none)"},
	} {
		if got := Difference(c.got, c.want); got != c.difference {
			t.Errorf("%q and %q: %q, want %q", c.got, c.want, got, c.difference)
		}
	}
}

// TestResults checks for each place of a result that another one fails, that -update writes it, and that it passes then.
func TestResults(t *testing.T) {
	dir := t.TempDir()
	file, archive := filepath.Join(dir, "new", "a.golden"), filepath.Join(dir, "a.txtar")
	if err := os.WriteFile(archive, []byte("Why it is.\n\nold\n-- in --\ntext\n-- out --\nold\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	in := func(check func(t *witness, a *Archive)) func(w *witness) {
		return func(w *witness) {
			Each(t, filepath.Join(dir, "*.txtar"), func(_ *testing.T, a *Archive) { check(w, a) })
		}
	}
	within(true, func() { File(t, file, "old\n") })
	for name, check := range map[string]func(w *witness){
		"File":    func(w *witness) { File(w, file, "new\n") },
		"Comment": in(func(w *witness, a *Archive) { a.Comment(w, "new") }),
		"Answer":  in(func(w *witness, a *Archive) { a.Answer(w, "out", "new\n") }),
	} {
		run := func(on bool) bool {
			w := &witness{TB: t}
			within(on, func() { check(w) })
			return w.failed
		}
		if !run(false) || run(true) || run(false) {
			t.Errorf("%s: another result passes, or one that was written fails", name)
		}
	}
	want := "Why it is.\n\nnew\n-- in --\ntext\n-- out --\nnew\n"
	if text, err := os.ReadFile(archive); err != nil || string(text) != want {
		t.Errorf("the archive is %q, %v; want %q", text, err, want)
	}
}
