package navigate

import (
	"cmp"
	"errors"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"sextant/internal/store"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta"
)

// bench is a service over one indexed directory.
type bench struct {
	service *Service
	roots   *jit.Roots
	t       *testing.T
	dir     string
	home    string
}

// indexed copies a directory of the Go distribution, real code that is always
// there, and indexes it.
func indexed(t *testing.T, from string) *bench {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(build.Default.GOROOT, "src", from))); err != nil {
		t.Fatal(err)
	}
	b := (&bench{t: t, dir: dir, home: t.TempDir()}).process()
	a := b.manage(ManageRequest{Action: "create", Path: dir, Wait: true, DeadlineMs: MaxWait})
	if a.Status != StatusOK || a.Coverage == nil || a.Coverage.Parsed == 0 {
		t.Fatalf("create: %+v", a)
	}
	return b
}

// process is the bench as another process on the same home sees it.
func (b *bench) process() *bench {
	b.t.Helper()
	roots := openRoots(b.t, b.home, l1fts.Options{})
	return &bench{service: New(Options{Roots: roots, Version: "test", ReadLines: 200}), roots: roots, t: b.t, dir: b.dir, home: b.home}
}

// openRoots opens the roots of home, none of which is watched. Each question
// waits until all that changed is indexed, however slow the machine is.
func openRoots(t testing.TB, home string, words l1fts.Options) *jit.Roots {
	t.Helper()
	roots, err := jit.Open(t.Context(), jit.Options{
		Home: home, Extract: l2meta.Extract, Tiers: []jit.Indexer{l1fts.New(words), l2meta.Index{}},
		Schemas: []store.Schema{l1fts.Schema(), l2meta.Schema()}, Watch: jit.WatchOff, Version: "test", Budget: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { roots.Close() })
	return roots
}

func normal[R any, P interface {
	*R
	Request
}](t *testing.T, r R) R {
	t.Helper()
	if err := P(&r).Normalize(); err != nil {
		t.Fatal(err)
	}
	return r
}

func (b *bench) manage(r ManageRequest) *ManageAnswer {
	b.t.Helper()
	a, err := b.service.Manage(b.t.Context(), normal(b.t, r))
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

func (b *bench) search(r SearchRequest) *SearchAnswer {
	b.t.Helper()
	r.Path = b.dir
	a, err := b.service.Search(b.t.Context(), normal(b.t, r))
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

func (b *bench) outline(file string) *OutlineAnswer {
	b.t.Helper()
	a, err := b.service.Outline(b.t.Context(), normal(b.t, OutlineRequest{Path: b.dir, File: file}))
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

// graph asks with a deadline that no busy machine misses, unless r has one of its
// own. A call that was given up before it had begun to walk is repeated: what it
// read stays, so it gets there.
func (b *bench) graph(r GraphRequest) *GraphAnswer {
	b.t.Helper()
	r.Path, r.DeadlineMs = b.dir, cmp.Or(r.DeadlineMs, MaxDeadline)
	for tries := 0; ; tries++ {
		a, err := b.service.CallGraph(b.t.Context(), normal(b.t, r))
		if err != nil {
			b.t.Fatal(err)
		}
		if a.Reason != ReasonDeadline || tries == 50 {
			return a
		}
	}
}

func (b *bench) read(r ReadRequest) (*ReadAnswer, error) {
	b.t.Helper()
	return b.service.Read(b.t.Context(), normal(b.t, r))
}

func (b *bench) edit(file string, change func(string) string) {
	b.t.Helper()
	path := filepath.Join(b.dir, file)
	text, err := os.ReadFile(path)
	if err != nil {
		b.t.Fatal(err)
	}
	after := change(string(text))
	if after == string(text) {
		b.t.Fatalf("the edit of %s changed nothing", file)
	}
	if err := os.WriteFile(path, []byte(after), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func symbol(t *testing.T, a *OutlineAnswer, label string) OutlineSymbol {
	t.Helper()
	for _, s := range a.Outline.Symbols {
		if s.SymbolLabel == label {
			return s
		}
	}
	t.Fatalf("no symbol %s in %s", label, a.File)
	return OutlineSymbol{}
}

// of indexes a workspace made of files, path → text.
func of(t *testing.T, files map[string]string) *bench {
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
	b := &bench{service: New(Options{Roots: roots, Version: "test"}), roots: roots, t: t, dir: dir}
	if a := b.manage(ManageRequest{Action: "create", Path: dir, Wait: true, DeadlineMs: MaxWait}); a.Status != StatusOK {
		t.Fatalf("create: %+v", a.Outcome)
	}
	return b
}

// with is b's codebase, indexed anew, seen with another embedder.
func (b *bench) with(opt Options) *bench {
	b.t.Helper()
	opt.Roots, opt.Version = openRoots(b.t, b.t.TempDir(), opt.Words), "test"
	other := &bench{service: New(opt), roots: opt.Roots, t: b.t, dir: b.dir}
	if a := other.manage(ManageRequest{Action: "create", Path: b.dir, Wait: true, DeadlineMs: MaxWait}); a.Status != StatusOK {
		b.t.Fatalf("create: %+v", a)
	}
	return other
}

func (b *bench) status() *ManageAnswer {
	b.t.Helper()
	return b.manage(ManageRequest{Action: "status", Path: b.dir, Detail: "full"})
}

// write makes a file of the codebase.
func (b *bench) write(file, text string) {
	b.t.Helper()
	path := filepath.Join(b.dir, file)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		b.t.Fatal(err)
	}
}

// git runs git in the bench's folder.
func (b *bench) git(args ...string) {
	b.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@t", "-c", "core.hooksPath=/dev/null", "-c", "advice.addEmbeddedRepo=false"}, args...)...)
	cmd.Dir = b.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		b.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// at is the bench asked about another folder.
func (b *bench) at(dir string) *bench {
	other := *b
	other.dir = dir
	return &other
}
