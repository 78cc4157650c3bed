package l3lsp

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestInstallCommands checks the command of each kind of origin, and that a server without one is left to the user.
func TestInstallCommands(t *testing.T) {
	command, env, err := InstallCommand("/home", "gopls")
	if err != nil || !slices.Equal(command[:2], []string{"go", "install"}) || len(command) != 3 ||
		!slices.Contains(env, "GOBIN="+filepath.Join("/home", binaries)) {
		t.Errorf("gopls: %q, %q, %v", command, env, err)
	}
	command, env, err = InstallCommand("/home", "pyright")
	if err != nil || !slices.Equal(command[:2], []string{"npm", "install"}) || len(env) != 0 ||
		!slices.Contains(command, "--ignore-scripts") || !strings.HasPrefix(command[len(command)-1], "pyright@") {
		t.Errorf("pyright: %q, %q, %v", command, env, err)
	}
	for name, want := range map[string]string{"clangd": "install it yourself", "nobody": "no server is called"} {
		if command, _, err := InstallCommand("/home", name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v", name, command, err)
		}
	}
	names := Installable()
	for i := range specs {
		_, _, err := InstallCommand("/home", specs[i].Name)
		if slices.Contains(names, specs[i].Name) != (err == nil) {
			t.Errorf("%s: it is listed, or it has a command: %v", specs[i].Name, err)
		}
	}
}

// TestInstall checks that an installed npm package gets a link to its program, that a later one replaces it, and which
// errors end an installation.
func TestInstall(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the package manager of the test is a shell script")
	}
	tools := t.TempDir()
	t.Setenv("PATH", tools)
	install := func(home, script string) error {
		if err := os.RemoveAll(filepath.Join(tools, "npm")); err != nil {
			t.Fatal(err)
		}
		if script != "" {
			writeFile(t, tools, "npm", "#!/bin/sh\n"+script, 0o700)
		}
		return Install(t.Context(), home, "pyright", os.Stderr)
	}
	home := t.TempDir()
	const program = "pyright-langserver"
	makes := "/bin/mkdir -p node_modules/.bin; echo >node_modules/.bin/" + program + "\n"
	for _, c := range []struct{ script, want string }{
		{"", "is needed for it and is not on PATH"}, {"exit 3\n", "exit status 3"}, {"exit 0\n", "has no program pyright"},
		{makes, ""}, {makes, ""},
	} {
		err := install(home, c.script)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: %v, want %q", c.script, err, c.want)
		}
		to, err := os.Readlink(filepath.Join(home, binaries, program))
		if want := filepath.Join(home, "npm", "pyright", "node_modules", ".bin", program); c.want == "" && to != want {
			t.Errorf("the link leads to %q, want %q (%v)", to, want, err)
		}
	}
	if err := Install(t.Context(), home, "nobody", os.Stderr); err == nil {
		t.Error("an unknown server was installed")
	}
}

// TestVersionOf checks that the version is that of the npm package around a program, or the one that it prints.
func TestVersionOf(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "printing", "#!/bin/sh\necho \"server $1 4.5.6 of 7.8.9\"\n", 0o700)
	writeFile(t, dir, "failing", "#!/bin/sh\necho 4.5.6\nexit 1\n", 0o700)
	writeFile(t, dir, "package/bin/program", "#!/bin/sh\necho 4.5.6\n", 0o700)
	writeFile(t, dir, "package/bin/package.json", "{}", 0o600) // it names no version
	writeFile(t, dir, "package/package.json", `{"version": "1.2.3"}`, 0o600)
	for program, want := range map[string]string{"printing": "4.5.6", "failing": "", "package/bin/program": "1.2.3",
		"missing": ""} {
		if got := versionOf(t.Context(), setup{bin: filepath.Join(dir, program)}); got != want {
			t.Errorf("%s: %q, want %q", program, got, want)
		}
	}
}
