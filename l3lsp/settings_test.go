package l3lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"sextant/internal/golden"
)

// TestSettings compares the arguments, variables, options and settings of each server with the golden file, for
// untrusted and for trusted folders: a setting that lets a server run code of a workspace changes a line there.
func TestSettings(t *testing.T) {
	work := workshop(t)
	var b strings.Builder
	for i := range specs {
		for _, trusted := range []bool{false, true} {
			fmt.Fprintf(&b, "== %s, trusted: %t\n", specs[i].Name, trusted)
			describe(&b, &specs[i], setup{trusted: trusted, cache: work + "/cache", bin: work + "/bin/server",
				path: work + "/bin", folder: work + "/folder"})
		}
	}
	got := strings.ReplaceAll(b.String(), work, "$WORK")
	got = strings.ReplaceAll(got, "/"+strconv.Itoa(os.Getpid()), "/$PID")
	golden.File(t, filepath.Join("testdata", "settings.golden"), got)
}

// describe writes what a server of a folder is started and answered with.
func describe(b *strings.Builder, s *Spec, r setup) {
	if s.args != nil {
		fmt.Fprintf(b, "args %q\n", s.args(r))
	}
	if s.env != nil {
		fmt.Fprintf(b, "env %q\n", s.env(r))
	}
	if s.options != nil {
		text, _ := json.Marshal(s.options(r))
		fmt.Fprintf(b, "options %s\n", text)
	}
	if s.settings == nil {
		return
	}
	whole, _ := json.Marshal(s.settings("", r))
	fmt.Fprintf(b, "settings %s\n", whole)
	for _, section := range []string{s.Name, "java", "python", "python.analysis", "basedpyright.analysis"} {
		if text, _ := json.Marshal(s.settings(section, r)); string(text) != string(whole) {
			fmt.Fprintf(b, "settings of %s %s\n", section, text)
		}
	}
}

// workshop returns a folder with programs in bin, a Rust toolchain with and one without the library's source, a
// TypeScript library, and a folder to ask about that has a virtual environment.
func workshop(t *testing.T) string {
	t.Helper()
	work, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"bin/server", "bin/tsc", "bin/python", "bin/python3", "bin/cargo", "bin/rustc",
		"python/python", "stable/bin/rustc"} {
		writeFile(t, work, program, "#!/bin/sh\n", 0o700)
	}
	for _, file := range []string{"node_modules/typescript/lib/tsserver.js",
		"folder/.venv/lib/python3.12/site-packages/a.py", "folder/env/Lib/site-packages/a.py",
		"folder/other/lib/python3.12/site-packages/a.py", "stable/lib/rustlib/src/rust/library/Cargo.toml"} {
		writeFile(t, work, file, "", 0o600)
	}
	return work
}

// writeFile writes a file below a folder.
func writeFile(t *testing.T, folder, name, text string, mode os.FileMode) {
	t.Helper()
	at := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// TestProgramsOfSettings checks which programs and libraries the settings name when a part of them is missing.
func TestProgramsOfSettings(t *testing.T) {
	work := workshop(t)
	for _, c := range []struct{ what, got, want string }{
		{"the library beside tsc", tsserver(setup{bin: "/nowhere/server", path: work + "/bin"}),
			work + "/node_modules/typescript/lib/tsserver.js"},
		{"no library", tsserver(setup{bin: "/nowhere/server", path: work + "/python"}), ""},
		{"python3 before python", interpreter(work + "/python:" + work + "/bin"), work + "/bin/python3"},
		{"only python", interpreter(work + "/python"), work + "/python/python"},
		{"no interpreter", interpreter(work + "/stable/bin"), "/nonexistent/python3"},
		{"a source of the library", fmt.Sprint(rustSysroot(setup{path: work + "/stable/bin"})), "discover"},
		{"none", fmt.Sprint(rustSysroot(setup{path: work + "/bin"})), "<nil>"},
		{"none, and trusted", fmt.Sprint(rustSysroot(setup{path: work + "/bin", trusted: true})), "discover"},
		{"a toolchain", toolchain("/rust/stable-x86_64/bin/cargo"), "stable-x86_64"},
	} {
		if got, want := filepath.ToSlash(c.got), filepath.ToSlash(c.want); got != want {
			t.Errorf("%s: %q, want %q", c.what, got, want)
		}
	}
	if err := needsTsserver(setup{bin: "/nowhere/server", path: work + "/bin"}); err != nil {
		t.Errorf("a library is beside tsc: %v", err)
	}
	if err := needsTsserver(setup{bin: "/nowhere/server"}); err == nil {
		t.Error("the server runs without its library")
	}
}

// TestNeedsCargo checks which versions of rust-analyzer run in an untrusted folder, and with which programs.
func TestNeedsCargo(t *testing.T) {
	for _, c := range []struct {
		says, programs string
		trusted, ok    bool
	}{
		{"rust-analyzer 1.96.0 (abc)", "cargo rustc", false, true}, {"rust-analyzer 2.0.0", "cargo rustc", false, true},
		{"rust-analyzer 1.95.9", "cargo rustc", false, false}, {"rust-analyzer 0.97.0", "cargo rustc", false, false},
		{"rust-analyzer nightly", "cargo rustc", false, false}, {"rust-analyzer 1.96.0", "cargo", false, false},
		{"rust-analyzer 1.96.0", "rustc", false, false}, {"rust-analyzer 1.95.9", "", true, true},
	} {
		dir := t.TempDir()
		writeFile(t, dir, "rust-analyzer", "#!/bin/sh\necho '"+c.says+"'\n", 0o700)
		for _, p := range strings.Fields(c.programs) {
			writeFile(t, dir, p, "#!/bin/sh\n", 0o700)
		}
		err := needsCargo(setup{bin: filepath.Join(dir, "rust-analyzer"), path: dir, trusted: c.trusted})
		if (err == nil) != c.ok {
			t.Errorf("%q with %q, trusted %t: %v", c.says, c.programs, c.trusted, err)
		}
	}
	if err := needsCargo(setup{bin: "/nowhere/rust-analyzer"}); err == nil {
		t.Error("a program that cannot be run says its version")
	}
}

// TestVersions checks which messages of each server say its version. A message of another kind says none.
func TestVersions(t *testing.T) {
	const (
		started = `{"serverInfo":{"name":"a","version":"1.2.3"}}`
		log     = "window/logMessage"
	)
	for _, c := range []struct {
		what                  func(method string, params []byte) string
		method, message, want string
	}{
		{serverInfo, "initialize", started, "1.2.3"}, {serverInfo, "initialized", started, ""},
		{serverInfo, "initialize", `{"serverInfo":{}}`, ""}, {serverInfo, "initialize", `[`, ""},
		{goplsVersion, "initialize", `{"serverInfo":{"version":"{\"Version\":\"v0.23.0\"}"}}`, "v0.23.0"},
		{goplsVersion, "initialize", `{"serverInfo":{"version":"{\"GoVersion\":\"go1.26\"}"}}`, `{"GoVersion":"go1.26"}`},
		{goplsVersion, "initialize", started, "1.2.3"}, {goplsVersion, "other", started, ""},
		{typescriptVersion, "$/typescriptVersion", `{"version":"5.9.3"}`, "5.9.3"},
		{typescriptVersion, "initialize", `{"version":"5.9.3"}`, ""},
		{typescriptVersion, "$/typescriptVersion", `{"version":`, ""},
		{intelephenseVersion, log, `{"message":"Initialising intelephense 1.14.4"}`, "1.14.4"},
		{intelephenseVersion, log, `{"message":"Initialising intelephense 1.14.4 in 3 ms"}`, "1.14.4"},
		{intelephenseVersion, log, `{"message":"Initialised intelephense 1.14.4"}`, ""},
		{intelephenseVersion, "window/showMessage", `{"message":"Initialising intelephense 1.14.4"}`, ""},
		{pyrightVersion, "initialize", started, "1.2.3"},
	} {
		if got := c.what(c.method, []byte(c.message)); got != c.want {
			t.Errorf("%s %s says %q, want %q", c.method, c.message, got, c.want)
		}
	}
	for message, want := range map[string]bool{`{"type":"ServiceReady"}`: true, `{"type":"Started"}`: false, `{`: false} {
		if jdtlsDone("language/status", []byte(message)) != want || jdtlsDone("other", []byte(message)) {
			t.Errorf("%s: whether jdtls is done differs from %t", message, want)
		}
	}
}

// TestLanguageIDs checks the protocol's names of languages that depend on the file.
func TestLanguageIDs(t *testing.T) {
	for _, c := range [][3]string{{"typescript", "a/b.tsx", "typescriptreact"}, {"typescript", "a/b.ts", "typescript"},
		{"javascript", "b.JSX", "javascriptreact"}, {"javascript", "b.js", "javascript"}, {"bash", "run", "shellscript"},
		{"go", "a.go", "go"}} {
		if got := languageID(c[0], c[1]); got != c[2] {
			t.Errorf("%s in %s is %q, want %q", c[1], c[0], got, c[2])
		}
	}
}
