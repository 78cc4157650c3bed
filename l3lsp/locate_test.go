package l3lsp

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A walk asks for the server of each folder: what was found is believed for some
// seconds, but never beyond a change of trust.
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

// The modules of a go.work are asked about in its folder, and others in their own.
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
