package code

import "testing"

func TestPaths(t *testing.T) {
	for _, c := range []struct{ path, dir, base string }{{"a/b/c.go", "a/b", "c.go"},
		{"c.go", "", "c.go"}, {"", "", ""}} {
		if dir, base := Dir(c.path), Base(c.path); dir != c.dir || base != c.base || Join(dir, base) != c.path {
			t.Errorf("%q is %q in %q, joined %q", c.path, base, dir, Join(dir, base))
		}
	}
	for _, c := range []struct {
		path, dir string
		want      bool
	}{{"a/b", "a", true}, {"a", "a", true}, {"ab", "a", false}, {"a", "a/b", false}, {"a", "", true}, {"", "", true},
		{"", "a", false}} {
		if got := Within(c.path, c.dir); got != c.want {
			t.Errorf("%q within %q: %v", c.path, c.dir, got)
		}
	}
}

// TestQuotedPaths checks that paths with hidden characters are quoted, that others are not, and that
// each is read back.
func TestQuotedPaths(t *testing.T) {
	for path, want := range map[string]string{
		"src/a b.go": "src/a b.go", "übung/日本.md": "übung/日本.md", `a"b.go`: `a"b.go`, `C:\x.go`: `C:\x.go`,
		`"x".go`:  `"x".go`,
		"a\nb.go": `"a\nb.go"`, "d\x1b[31m/x.go": `"d\x1b[31m/x.go"`, "a\u202eog.b": `"a\u202eog.b"`,
		"\u00a0": `"\u00a0"`,
		`"a\n"`:  `"\"a\\n\""`, "": "",
	} {
		got := QuotePath(path)
		if got != want {
			t.Errorf("%q is shown as %s, want %s", path, got, want)
		}
		for _, around := range [][2]string{{"", ""}, {"", ":12"}, {"", ":12-20"}, {"/ws/", ":Server.Handle"}} {
			if back := UnquotePath(around[0] + got + around[1]); back != around[0]+path+around[1] {
				t.Errorf("%s is read as %q", around[0]+got+around[1], back)
			}
		}
	}
}
