package spelling

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"profile", "ignore", "extensions", "limit"}
	for name, want := range map[string]string{
		"profil": "profile", "ignroe": "ignore", "limits": "limit", "extension": "extensions", "ilmti": "limit",
		"depth": "", "": "", "li": "", "profile": "profile", "ignorepatterns": "",
	} {
		if got := Nearest(name, known); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// Edits reports a slip as near, and a different word as not near.
func TestEdits(t *testing.T) {
	for _, c := range []struct {
		word, name string
		edits      int
		near       bool
	}{
		{"Handel", "Handle", 1, true}, {"parse_config", "parseConfig", 0, true},
		{"http-client", "http_clinet", 1, true},
		{"Creat", "Create", 1, true}, {"rpocess", "process", 1, true}, {"cat", "cut", 1, true},
		{"Größe", "Grösse", 2, true},
		{"createOrdrHandlr", "createOrderHandler", 2, true}, {"abcdefghij", "abcdefgxyz", 3, true},
		{"cat", "dog", 0, false}, {"go", "do", 0, false}, {"x", "y", 0, false}, {"", "a", 0, false},
		{"find", "main", 0, false},
		{"abcdefgh", "abcdexyz", 0, false}, {"Serve", "Servants", 0, false},
	} {
		edits, near := NewWord(c.word).Edits(c.name)
		if near != c.near || near && edits != c.edits {
			t.Errorf("%q, %q: %d edits, near %v; want %d, %v", c.word, c.name, edits, near, c.edits, c.near)
		}
		if back, _ := NewWord(c.name).Edits(c.word); near && back != edits {
			t.Errorf("%q, %q: %d edits one way, %d the other", c.word, c.name, edits, back)
		}
	}
}
