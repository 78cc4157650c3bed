package code

import (
	"strings"
	"testing"
)

func TestCapitalized(t *testing.T) {
	for lower, upper := range map[string]string{"": "", "a": "A", "größe": "Größe", "über": "Über", "élan": "Élan",
		"_x": "_x", "日本": "日本", "\xff": "\xff"} {
		if got := Capitalized(lower); got != upper {
			t.Errorf("Capitalized(%q) = %q, want %q", lower, got, upper)
		}
		if got := Decapitalized(upper); got != lower {
			t.Errorf("Decapitalized(%q) = %q, want %q", upper, got, lower)
		}
	}
}

// TestFolded compares Folded with the lower case of every letter, and of bytes that are not UTF-8.
func TestFolded(t *testing.T) {
	for r := rune(0); r <= 0x1ffff; r++ {
		text := string(r)
		want := strings.ToLower(text)
		if len(want) != len(text) {
			want = text
		}
		if got := string(Folded([]byte("A" + text + "\xffZ"))); got != "a"+want+"\xffz" {
			t.Fatalf("%U: %q, want %q", r, got, "a"+want+"\xffz")
		}
	}
}
