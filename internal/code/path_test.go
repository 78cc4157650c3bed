package code

import "testing"

func TestPaths(t *testing.T) {
	for _, c := range []struct{ path, dir, base string }{{"a/b/c.go", "a/b", "c.go"}, {"c.go", "", "c.go"}, {"", "", ""}} {
		if dir, base := Dir(c.path), Base(c.path); dir != c.dir || base != c.base || Join(dir, base) != c.path {
			t.Errorf("%q is %q in %q, joined %q", c.path, base, dir, Join(dir, base))
		}
	}
	for _, c := range []struct {
		path, dir string
		want      bool
	}{{"a/b", "a", true}, {"a", "a", true}, {"ab", "a", false}, {"a", "a/b", false}, {"a", "", true}, {"", "", true}, {"", "a", false}} {
		if got := Within(c.path, c.dir); got != c.want {
			t.Errorf("%q within %q: %v", c.path, c.dir, got)
		}
	}
}
