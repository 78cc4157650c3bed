package l3lsp

import "testing"

// TestServes checks that a language has its preferred server, and one that no server knows has none.
func TestServes(t *testing.T) {
	for language, want := range map[string]string{"go": "gopls", "rust": "rust-analyzer", "cobol": "", "": ""} {
		spec, ok := Serves(language)
		if ok != (want != "") || ok && spec.Name != want {
			t.Errorf("%q is served by %+v, %t; want %q", language, spec, ok, want)
		}
	}
}
