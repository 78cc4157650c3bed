package servers

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sextant/internal/navigate/callgraph/proof"
	"sextant/internal/navigate/contract"
	"sextant/jit"
	"sextant/l2meta/languages"
	"sextant/l3lsp"
)

// missing returns the options of a pool whose servers are not installed.
func missing(t *testing.T) l3lsp.Options {
	return l3lsp.Options{Home: filepath.Join(t.TempDir(), "servers"), Max: 2, Idle: time.Minute,
		Command: func(string) []string { return []string{"/missing/server"} }}
}

func TestServersThatAreOff(t *testing.T) {
	opt := missing(t)
	opt.Max = 0
	p := New(opt)
	defer p.Close()
	if got := p.Server("go", t.TempDir()); got.Name != "" {
		t.Errorf("a server that is off is %+v", got)
	}
	var down *proof.ServerError
	if _, err := p.Ask(t.Context(),
		&proof.Batch{Language: "go", Folder: t.TempDir()}); !errors.As(err, &down) {
		t.Errorf("a server that is off was asked: %v", err)
	}
	if _, err := os.Stat(opt.Home); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("servers that are off have a folder: %v", err)
	}
	if got := p.Pool(); got.Max != 0 || got.IdleTimeoutMs != 60_000 {
		t.Errorf("%+v", got)
	}
}

func TestServersThatAreMissing(t *testing.T) {
	p := New(missing(t))
	folder := t.TempDir()
	if got := p.Server("no language", folder); got.Name != "" {
		t.Errorf("an unknown language has %+v", got)
	}
	got := p.Server("go", folder)
	if got.Name != "gopls" || got.State != contract.ServerMissing || got.Detail == "" || got.Identity != "" {
		t.Errorf("%+v", got)
	}
	var down *proof.ServerError
	if _, err := p.Ask(t.Context(), &proof.Batch{Language: "go", Folder: folder}); !errors.As(err, &down) ||
		down.Server != "gopls" || down.Detail == "" {
		t.Errorf("a missing server was asked: %v", err)
	}
	p.Moved(jit.Moves{Created: []string{filepath.Join(folder, "a.go")}}) // no server runs yet
	p.Close()
	if got := p.Server("go", folder); got.State != contract.ServerPhase(l3lsp.Crashed) {
		t.Errorf("a closed prover has %+v", got)
	}
	if _, err := p.Ask(t.Context(), &proof.Batch{Language: "go", Folder: folder}); !errors.As(err, &down) {
		t.Errorf("a closed prover asked: %v", err)
	}
	(*Prover)(nil).Close()
}

// TestShutFolders checks that servers may not run programs of a tracked codebase or of the checkout
// around it, but may run programs in the user's home even if that is a checkout.
func TestShutFolders(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	one, two := filepath.Join(home, "one"), filepath.Join(home, "two", "sub")
	for _, dir := range []string{filepath.Join(home, ".git"), filepath.Join(one, ".git"),
		filepath.Join(home, "two", ".git"), two} {
		if err := errors.Join(os.MkdirAll(dir, 0o755),
			os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/main\n"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	roots, err := jit.Open(t.Context(), jit.Options{Home: t.TempDir(), Extract: languages.Extract})
	if err != nil {
		t.Fatal(err)
	}
	defer roots.Close()
	if _, err := roots.Track(t.Context(), two, jit.Policy{}); err != nil {
		t.Fatal(err)
	}
	got := Shut(roots, home, one)
	if want := []string{one, two, filepath.Join(home, "two")}; !slices.Equal(got, want) {
		t.Errorf("shut are %q, want %q", got, want)
	}
	if got := Shut(roots, home, filepath.Join(home, "dotfiles")); slices.Contains(got, home) {
		t.Errorf("the home is shut: %q", got)
	}
}
