package spelling

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"profile", "ignore", "extensions", "limit"}
	for name, want := range map[string]string{
		"profil": "profile", "ignroe": "ignore", "limits": "limit", "extension": "extensions",
		"depth": "", "": "", "li": "", "profile": "profile", "ignorepatterns": "",
	} {
		if got := Nearest(name, known); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
