package code

import "testing"

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
