package deployable

import "testing"

// TestMoved checks which added and removed sources may change services.
func TestMoved(t *testing.T) {
	services := []Service{{Root: "shop"}, {Root: "page"}}
	files := []string{"shop/a.go", "shop/b.go", "shop/lib/c.go", "page/a.js", "page/b.ts", "page/c.ts"}
	for _, c := range []struct {
		name  string
		moved map[string]bool
		want  bool
	}{
		{"nothing", nil, false},
		{"one more of many", map[string]bool{"shop/b.go": true}, false},
		{"the first of a folder", map[string]bool{"shop/lib/c.go": true}, true},
		{"the last of a folder", map[string]bool{"shop/old/x.go": false}, true},
		{"another order of languages", map[string]bool{"page/b.ts": true}, true},
		{"the same order", map[string]bool{"page/d.ts": false}, false},
		{"a language less", map[string]bool{"page/x.vue": false}, true},
		{"outside of the services", map[string]bool{"docs/x.py": false}, true},
	} {
		if got := Moved(services, files, c.moved); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}
