package l3lsp

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestFoldersWhoseNamesLookLikePatterns looks for packages and compile commands in a folder with brackets in its name.
func TestFoldersWhoseNamesLookLikePatterns(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "app[1]*")
	packages := filepath.Join(folder, ".venv", "lib", "python3.12", "site-packages")
	build := filepath.Join(folder, "build")
	for _, dir := range []string{packages, build} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	commands := `[{"directory": ".", "file": "a.c", "command": "cc -DWITH_A a.c"}]`
	if err := os.WriteFile(filepath.Join(build, "compile_commands.json"), []byte(commands), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := sitePackages(folder); !slices.Equal(got, []string{packages}) {
		t.Errorf("packages in %q, want %q", got, packages)
	}
	found := commandsOf(folder)
	if len(found) != 1 || found[0].Command != "cc -DWITH_A a.c" {
		t.Errorf("compile commands %+v", found)
	}
}
