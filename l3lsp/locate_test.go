package l3lsp

import (
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
	if f := p.Find("cobol", "/ws"); f != (Found{}) {
		t.Errorf("%+v", f)
	}
}

func BenchmarkFind(b *testing.B) {
	p, folder := realPool(b, Options{}), b.TempDir()
	for b.Loop() {
		p.Find("typescript", folder)
	}
}
