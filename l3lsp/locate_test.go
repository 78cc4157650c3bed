package l3lsp

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestWhatWasFoundIsBelievedForSeconds checks that the result of Find is cached
// for some seconds, but not across a change of trust.
func TestWhatWasFoundIsBelievedForSeconds(t *testing.T) {
	program := filepath.Join(t.TempDir(), "server")
	onFakeTime("", t, func(t *testing.T) {
		trusted := false
		p := scripted(t, Options{Trusted: func(string) bool { return trusted }}, always("good"))
		p.opt.Command = func(string) []string { return []string{program} }
		found := func() string {
			f := p.Find("php", "/ws")
			if f.Spec == nil || f.Spec.Name != "intelephense" || (f.Err == nil) != (f.Identity != "") {
				t.Fatalf("%+v", f)
			}
			return f.Identity
		}
		if id := found(); id != "" {
			t.Errorf("before it is there: %q", id)
		}
		if err := os.WriteFile(program, nil, 0o755); err != nil {
			t.Fatal(err)
		}
		if id := found(); id != "" {
			t.Errorf("at once: %q", id)
		}
		time.Sleep(lookedFor)
		one := found()
		if !strings.HasPrefix(one, "intelephense "+program+" [] 0 ") {
			t.Errorf("after %s: %q", lookedFor, one)
		}
		trusted = true
		if two := found(); two == one || two == "" {
			t.Errorf("trusted: %q", two)
		}
	})
	p := scripted(t, Options{}, always("good"))
	if f := p.Find("cobol", "/ws"); f != (Found{Folder: "/ws"}) {
		t.Errorf("%+v", f)
	}
}

// TestModulesOfAGoWorkAreAskedAboutInItsFolder checks that modules of a go.work
// are queried in its folder, and others in their own.
func TestModulesOfAGoWorkAreAskedAboutInItsFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		at := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		return filepath.Dir(at)
	}
	used, other, alone := write("a/go.mod", ""), write("b/go.mod", ""), write("nested/c/go.mod", "")
	abs := write("d/go.mod", "")
	write("go.work", "go 1.22\n\nuse (\n\t./a // the first\n\t"+abs+"\n)\n")
	write("nested/go.work", "not a go.work")
	for folder, want := range map[string]string{used: dir, abs: dir, other: other, alone: alone} {
		if got := goWork(folder); got != want {
			t.Errorf("%s is asked about in %s, want %s", folder, got, want)
		}
	}
	p := scripted(t, Options{}, always("good"))
	if f := p.Find("go", used); f.Folder != dir {
		t.Errorf("%+v", f)
	}
	if f := p.Find("php", used); f.Folder != used {
		t.Errorf("%+v", f)
	}
}

func BenchmarkFind(b *testing.B) {
	p, folder := realPool(b, Options{}), b.TempDir()
	for b.Loop() {
		p.Find("typescript", folder)
	}
}

// TestProgramsOfTheWorkspaceAreNotRun checks that no program of the workspace
// runs, for any of its folders and however PATH refers to it, and that the PATH
// of a child process has none of its folders.
func TestProgramsOfTheWorkspaceAreNotRun(t *testing.T) {
	base := realPath(t.TempDir())
	abs := func(p string) string { return filepath.Join(base, p) }
	for _, p := range []string{"ws/.venv/bin/server", "ws/bin/server", "ws/svc/x", "other/bin/server",
		"safe/server", "linked/x"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(abs(p)), 0o700), os.WriteFile(abs(p), nil, 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink(abs("ws/bin"), abs("alias")),
		os.Symlink(abs("ws/bin/server"), abs("linked/server"))); err != nil {
		t.Fatal(err)
	}
	spec := &Spec{Name: "server", Command: []string{"server"}}
	shut := func(string) []string { return []string{abs("ws"), abs("other")} }
	for _, c := range []struct {
		path    []string
		trusted bool
		want    string // of the executable
		kept    []string
	}{
		{[]string{"ws/.venv/bin", "ws/bin", "safe"}, false, "safe/server", []string{"safe"}},
		{[]string{"alias", "other/bin", "safe"}, false, "safe/server", []string{"safe"}},
		{[]string{"ws/.venv/bin"}, false, "", nil},
		{[]string{"linked"}, false, "", []string{"linked"}}, // a link out of a safe folder
		{[]string{"ws/.venv/bin", "safe"}, true, "ws/.venv/bin/server", []string{"ws/.venv/bin", "safe"}},
	} {
		join := func(paths []string) string {
			var all []string
			for _, p := range paths {
				all = append(all, abs(p))
			}
			return strings.Join(all, string(os.PathListSeparator))
		}
		t.Setenv("PATH", join(c.path))
		t.Setenv("JAVA_HOME", abs("ws/jdk"))
		t.Setenv("GOROOT", abs("safe/go"))
		p := scripted(t, Options{Shut: shut, Trusted: func(string) bool { return c.trusted }}, always("good"))
		at, path, err := p.locate(spec, abs("ws/svc"), c.trusted)
		if c.want == "" && !errors.Is(err, errMissing) || c.want != "" && at != abs(c.want) || c.want != "" &&
			path != join(c.kept) {
			t.Errorf("PATH %q, trusted %v: %q with PATH %q, %v", c.path, c.trusted, at, path, err)
		}
		env := (&setup{path: path, shut: p.shut(abs("ws/svc"), c.trusted)}).baseEnv()
		if slices.Contains(env, "JAVA_HOME="+abs("ws/jdk")) != c.trusted ||
			!slices.Contains(env, "GOROOT="+abs("safe/go")) {
			t.Errorf("trusted %v: %q", c.trusted, env)
		}
	}
}

// TestStateOfAFolder checks that StateOf returns the state of the process that would be queried about a folder.
// Trusted and untrusted folders have one process each. A folder that the process does not have yet is Indexing.
func TestStateOfAFolder(t *testing.T) {
	onFakeTime("", t, func(t *testing.T) {
		p := scripted(t, Options{Trusted: func(folder string) bool {
			return strings.HasPrefix(folder, "/own/")
		}}, always("good"))
		for folder, want := range map[string]State{"/ws/go": "", "/own/go": ""} {
			if got, why := p.StateOf(p.Find("go", folder)); got != want {
				t.Errorf("before any question %s is %q: %s", folder, got, why)
			}
		}
		mustAsk(t, p, "go") // in /ws/go
		for folder, want := range map[string]State{"/ws/go": Ready, "/ws/other": Indexing, "/own/go": ""} {
			if got, why := p.StateOf(p.Find("go", folder)); got != want {
				t.Errorf("%s is %q, want %q: %s", folder, got, want, why)
			}
		}
	})
	gone, err := NewPool(Options{Command: func(string) []string { return []string{"/missing/server"} }})
	if err != nil {
		t.Fatal(err)
	}
	defer gone.Close()
	if got, why := gone.StateOf(gone.Find("go", "/ws/go")); got != Missing || why == "" {
		t.Errorf("a missing server is %q: %q", got, why)
	}
}

// TestOutputIsBounded checks that a program which goes on, and a child of it that holds its output, end the wait
// with an error.
func TestOutputIsBounded(t *testing.T) {
	stuck := filepath.Join(t.TempDir(), "stuck")
	if err := os.WriteFile(stuck, []byte("#!/bin/sh\necho begun\nsleep 9 &\nsleep 9\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := outputOf(100*time.Millisecond, os.Environ(), stuck); err == nil {
		t.Errorf("a program that does not end said %q without an error", out)
	}
}

// TestRustupNamesThePrograms checks that the program of the default toolchain is found, and that one that
// it lacks is none.
func TestRustupNamesThePrograms(t *testing.T) {
	rustup := filepath.Join(t.TempDir(), "rustup")
	script := "#!/bin/sh\n[ \"$1 $2\" = 'which rust-analyzer' ] && echo /toolchain/rust-analyzer\n"
	if err := os.WriteFile(rustup, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"rust-analyzer": "/toolchain/rust-analyzer", "clippy": ""} {
		if got := rustupWhich(rustup, name, os.Getenv("PATH")); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
