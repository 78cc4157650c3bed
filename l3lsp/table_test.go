package l3lsp

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestServes checks that a language has its preferred server, and one that no server knows has none.
func TestServes(t *testing.T) {
	for language, want := range map[string]string{"go": "gopls", "rust": "rust-analyzer", "cobol": "", "": ""} {
		spec, ok := Serves(language)
		if ok != (want != "") || ok && spec.Name != want {
			t.Errorf("%q is served by %+v, %t; want %q", language, spec, ok, want)
		}
	}
}

// TestPyrightVersion checks which messages of pyright and of basedpyright say their version.
func TestPyrightVersion(t *testing.T) {
	const log = "window/logMessage"
	for _, c := range []struct{ method, message, want string }{
		{log, "Pyright language server 1.1.400 starting", "1.1.400"},
		{log, "basedpyright language server 1.29.0 starting", "1.29.0"},
		{log, "language server 1.1.400 starting", ""},
		{"window/showMessage", "Pyright language server 1.1.400 starting", ""},
	} {
		if got := pyrightVersion(c.method, fmt.Appendf(nil, `{"message":%q}`, c.message)); got != c.want {
			t.Errorf("%s %q: version %q, want %q", c.method, c.message, got, c.want)
		}
	}
}

// TestNeedsNative checks which versions of TypeScript are a language server.
func TestNeedsNative(t *testing.T) {
	for version, want := range map[string]bool{"6.9.9": false, "7.0.0": true, "8.1.0": true, "next": true, "": true} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "bin"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "package.json"), fmt.Appendf(nil, `{"version":%q}`, version),
			0o600); err != nil {
			t.Fatal(err)
		}
		err := needsNative(setup{bin: filepath.Join(dir, "bin", "tsc")})
		if (err == nil) != want || err != nil && !errors.Is(err, errMissing) {
			t.Errorf("version %q: %v", version, err)
		}
	}
}
