// Package navigatetest indexes small workspaces and calls the six tools on them, for
// tests.
package navigatetest

import (
	"cmp"
	"errors"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"sextant/internal/navigate"
	"sextant/internal/navigate/contract"
	"sextant/jit"
	"sextant/l1fts"
)

// Bench is a service over one indexed directory. Its methods fail the test T on an error.
type Bench struct {
	Service *navigate.Service
	Roots   *jit.Roots
	T       *testing.T
	Dir     string
	Home    string
}

// Indexed copies a directory of the Go distribution and indexes the copy: real code that
// every test machine has.
func Indexed(t *testing.T, from string) *Bench {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(build.Default.GOROOT, "src", from))); err != nil {
		t.Fatal(err)
	}
	b := (&Bench{T: t, Dir: dir, Home: t.TempDir()}).Process()
	a := b.Manage(contract.ManageRequest{Action: contract.ManageCreate, Path: dir, Wait: true,
		DeadlineMs: contract.MaxWait})
	if a.Status != contract.StatusOK || a.Coverage == nil || a.Coverage.Parsed == 0 {
		t.Fatalf("create: %+v", a)
	}
	return b
}

// Tracked indexes a directory in place, without copying it.
func Tracked(t *testing.T, dir string) *Bench {
	t.Helper()
	b := (&Bench{T: t, Dir: dir, Home: t.TempDir()}).Process()
	a := b.Manage(contract.ManageRequest{Action: contract.ManageCreate, Path: dir, Wait: true,
		DeadlineMs: contract.MaxWait})
	if a.Status != contract.StatusOK {
		t.Fatalf("create: %+v", a)
	}
	return b
}

// Process returns a bench with a new service over the same home and directory, as another
// process would have.
func (b *Bench) Process() *Bench {
	b.T.Helper()
	roots := openRoots(b.T, b.Home, l1fts.Options{})
	return &Bench{Service: navigate.New(navigate.Options{Roots: roots, Version: "test", ReadLines: 200}), Roots: roots,
		T: b.T, Dir: b.Dir, Home: b.Home}
}

// openRoots opens the roots of home without watching their folders. Each request waits
// until all changed files are indexed, however slow the machine is.
func openRoots(t testing.TB, home string, words l1fts.Options) *jit.Roots {
	t.Helper()
	opt := navigate.IndexOptions(home, words)
	opt.Watch, opt.Version, opt.Budget = jit.WatchOff, "test", time.Hour
	roots, err := jit.Open(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { roots.Close() })
	return roots
}

// WholeAnswer is the token budget that Normal gives to requests without one: large enough that no answer
// to a test is cut.
const WholeAnswer = 8000

// Normal returns r with its defaults set. It fails the test if r is invalid.
func Normal[R any, P interface {
	*R
	contract.Request
}](t *testing.T, r R) R {
	t.Helper()
	if d := P(&r).Want(); d.MaxTokens == 0 && d.Format == "" {
		d.MaxTokens = WholeAnswer
	}
	if err := P(&r).Normalize(); err != nil {
		t.Fatal(err)
	}
	return r
}

// Manage calls manage_index.
func (b *Bench) Manage(r contract.ManageRequest) *contract.ManageAnswer {
	b.T.Helper()
	a, err := b.Service.Manage(b.T.Context(), Normal(b.T, r))
	if err != nil {
		b.T.Fatal(err)
	}
	return a
}

// Search calls search_codebase on the bench's directory.
func (b *Bench) Search(r contract.SearchRequest) *contract.SearchAnswer {
	b.T.Helper()
	r.Path = b.Dir
	a, err := b.Service.Search(b.T.Context(), Normal(b.T, r))
	if err != nil {
		b.T.Fatal(err)
	}
	return a
}

// Outline calls file_outline on a file, whose path is relative to the bench's directory.
func (b *Bench) Outline(file string) *contract.OutlineAnswer {
	b.T.Helper()
	a, err := b.Service.Outline(b.T.Context(), Normal(b.T, contract.OutlineRequest{Path: b.Dir, File: file}))
	if err != nil {
		b.T.Fatal(err)
	}
	return a
}

// Graph calls call_graph on the bench's directory, with a deadline that even a busy machine meets
// unless r sets one. A call that fails with ReasonDeadline is repeated: what it has read stays
// cached, so a later call succeeds.
func (b *Bench) Graph(r contract.GraphRequest) *contract.GraphAnswer {
	b.T.Helper()
	r.Path, r.DeadlineMs = b.Dir, cmp.Or(r.DeadlineMs, contract.MaxDeadline)
	for tries := 0; ; tries++ {
		a, err := b.Service.CallGraph(b.T.Context(), Normal(b.T, r))
		if err != nil {
			b.T.Fatal(err)
		}
		if a.Reason != contract.ReasonDeadline || tries == 50 {
			return a
		}
	}
}

// Read calls read_file.
func (b *Bench) Read(r contract.ReadRequest) (*contract.ReadAnswer, error) {
	b.T.Helper()
	return b.Service.Read(b.T.Context(), Normal(b.T, r))
}

// Edit replaces the text of a file by the result of change, which must differ.
func (b *Bench) Edit(file string, change func(string) string) {
	b.T.Helper()
	path := filepath.Join(b.Dir, file)
	text, err := os.ReadFile(path)
	if err != nil {
		b.T.Fatal(err)
	}
	after := change(string(text))
	if after == string(text) {
		b.T.Fatalf("the edit of %s changed nothing", file)
	}
	if err := os.WriteFile(path, []byte(after), 0o644); err != nil {
		b.T.Fatal(err)
	}
}

// Symbol returns the symbol of an outline that has the given label, and fails the test if there is
// none.
func Symbol(t *testing.T, a *contract.OutlineAnswer, label string) contract.OutlineSymbol {
	t.Helper()
	for _, s := range a.Outline.Symbols {
		if s.SymbolLabel == label {
			return s
		}
	}
	t.Fatalf("no symbol %s in %s", label, a.File)
	return contract.OutlineSymbol{}
}

// Of writes files, a map from path to text, into a new directory and indexes it.
func Of(t *testing.T, files map[string]string) *Bench {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	roots := openRoots(t, t.TempDir(), l1fts.Options{})
	b := &Bench{Service: navigate.New(navigate.Options{Roots: roots, Version: "test"}), Roots: roots, T: t, Dir: dir}
	if a := b.Manage(contract.ManageRequest{Action: contract.ManageCreate, Path: dir, Wait: true,
		DeadlineMs: contract.MaxWait}); a.Status != contract.StatusOK {
		t.Fatalf("create: %+v", a.Outcome)
	}
	return b
}

// With indexes b's directory again, in a new home, and returns a bench with a service of
// the given options.
func (b *Bench) With(opt navigate.Options) *Bench {
	b.T.Helper()
	opt.Roots, opt.Version = openRoots(b.T, b.T.TempDir(), opt.Words), "test"
	other := &Bench{Service: navigate.New(opt), Roots: opt.Roots, T: b.T, Dir: b.Dir}
	if a := other.Manage(contract.ManageRequest{Action: contract.ManageCreate, Path: b.Dir, Wait: true,
		DeadlineMs: contract.MaxWait}); a.Status != contract.StatusOK {
		b.T.Fatalf("create: %+v", a)
	}
	return other
}

// Status calls manage_index status, with all details.
func (b *Bench) Status() *contract.ManageAnswer {
	b.T.Helper()
	return b.Manage(contract.ManageRequest{Action: contract.ManageStatus, Path: b.Dir, Detail: contract.DetailFull})
}

// Write creates or overwrites a file of the codebase.
func (b *Bench) Write(file, text string) {
	b.T.Helper()
	path := filepath.Join(b.Dir, file)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		b.T.Fatal(err)
	}
}

// Git runs git in the bench's folder.
func (b *Bench) Git(args ...string) {
	b.T.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@t", "-c",
		"core.hooksPath=/dev/null", "-c", "advice.addEmbeddedRepo=false"}, args...)...)
	cmd.Dir = b.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		b.T.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// At returns a copy of the bench whose requests are about dir.
func (b *Bench) At(dir string) *Bench {
	other := *b
	other.Dir = dir
	return &other
}
