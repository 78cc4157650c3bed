// Package languagetest indexes small workspaces for tests and checks to which declarations their
// calls resolve.
package languagetest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// World indexes files, which maps paths to texts, and calls fn with a resolver of their calls.
func World(t testing.TB, files map[string]string, fn func(r *resolve.Resolver)) {
	t.Helper()
	ctx := context.Background()
	db, err := store.Open(ctx, store.Options{Dir: t.TempDir(), Schemas: []store.Schema{l2meta.Schema()}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Update(ctx, func(tx *store.Tx) error {
		for path, text := range files {
			f, err := languages.Extract(path, []byte(text))
			if err != nil {
				return err
			}
			id, err := tx.PutFile(ctx, store.FileRow{Path: path, Language: f.Language, Class: code.ClassSource,
				Hash: store.HashText([]byte(text))})
			if err != nil {
				return err
			}
			if err := (l2meta.Index{}).Prepare(ctx, &f)(ctx, tx, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.View(ctx, func(v *store.View) error {
		fn(resolve.New(ctx, v, resolve.NewCache(languages.All, nil), 1))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// Indexed indexes the symbols and calls of the folder dir, in a new index that the test deletes
// at its end. It returns the root at once; Sync of the root waits until everything is indexed.
func Indexed(t testing.TB, dir string) *jit.Root {
	t.Helper()
	return IndexedBy(t, dir, languages.Extract)
}

// IndexedBy returns an index of dir as Indexed does, with the facts that extract returns.
func IndexedBy(t testing.TB, dir string, extract jit.Extractor) *jit.Root {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	roots, err := jit.Open(ctx, jit.Options{
		Home: t.TempDir(), Extract: extract, Tiers: []jit.Indexer{l2meta.Index{}},
		Schemas: []store.Schema{l2meta.Schema()},
		Watch:   jit.WatchOff, Version: "test", Budget: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { roots.Close() })
	root, err := roots.Track(ctx, dir, jit.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	if err := root.Build(ctx, "create", nil); err != nil {
		t.Fatal(err)
	}
	return root
}

// Remembering returns an extractor with the results of languages.Extract, which is pure. It extracts
// a text under a path once, and then returns the same result, whose slices must not be changed. A
// result with an error is not remembered: the parser may have run out of time.
func Remembering() jit.Extractor {
	type source struct{ path, text string }
	var known sync.Map // source → code.File
	return func(path string, text []byte) (code.File, error) {
		at := source{path, string(text)}
		if f, ok := known.Load(at); ok {
			return f.(code.File), nil
		}
		f, err := languages.Extract(path, text)
		if err == nil {
			known.Store(at, f)
		}
		return f, err
	}
}

// Sites returns the resolved calls of a file by the name of the callee, without accesses of
// properties. Of several calls with one callee it returns the last.
func Sites(t testing.TB, r *resolve.Resolver, path string) map[string]resolve.Site {
	t.Helper()
	f := r.World().File(path)
	if f == nil {
		t.Fatalf("%s is not indexed", path)
	}
	list, err := r.Sites(f.ID)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]resolve.Site{}
	for _, s := range list {
		if s.Call.Kind != code.CallAccess {
			out[s.Call.Callee] = s
		}
	}
	return out
}

// Expect checks the targets of calls of one file. want maps callees to "path qualifiedName" of the
// target, or to "" for a call that must not lead to a declaration of the workspace.
func Expect(t *testing.T, r *resolve.Resolver, path string, want map[string]string) {
	t.Helper()
	got := Sites(t, r, path)
	for callee, target := range want {
		s, ok := got[callee]
		if !ok {
			t.Errorf("%s: no call of %s", path, callee)
			continue
		}
		told := ""
		if s.Outcome == resolve.Settled {
			told = s.Target.File.Path + " " + s.Target.Symbol().QualifiedName
		}
		if told != target {
			t.Errorf("%s: %s settles on %q, want %q (%s)", path, callee, told, target, s.Reason+s.Provenance)
		}
	}
}

// Settles checks how calls of the file at path are resolved. Each element of want is the name of a
// called function and its outcome: "f = b.go:3" for a declaration on line 3 of b.go, "f open" for
// an unresolved call, "f external" for a call of a library, or "f value" for a function that a
// variable holds.
func Settles(t *testing.T, files map[string]string, path string, want ...string) {
	t.Helper()
	World(t, files, func(r *resolve.Resolver) {
		got := Sites(t, r, path)
		for _, line := range want {
			name, outcome, _ := strings.Cut(line, " ")
			s, ok := got[name]
			told := map[resolve.Outcome]string{resolve.Open: "open", resolve.External: "external",
				resolve.FuncValue: "value"}[s.Outcome]
			if s.Outcome == resolve.Settled {
				told = fmt.Sprintf("= %s:%d", s.Target.File.Path, s.Target.Symbol().NameSpan.StartLine)
			}
			if !ok || told != outcome {
				t.Errorf("%s: told %q (%s), want %q", name, told, s.Reason, outcome)
			}
		}
	})
}

// Interrupt calls ask several times, with a context that ends after a random number of calls of
// its method Err. If ask panics, it fails the test with a message that contains name.
func Interrupt(t *testing.T, name string, random *rand.Rand, ask func(ctx context.Context)) {
	t.Helper()
	run := func(looks int64) int64 {
		ctx := &ending{Context: t.Context(), looks: looks}
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("%s, with a context that ends after %d looks at it: %v\n%s", name, looks, p, debug.Stack())
			}
		}()
		ask(ctx)
		return ctx.taken.Load()
	}
	all := run(math.MaxInt64)
	for range 8 {
		run(1 + random.Int64N(all+1))
	}
}

// ending is a context that ends after its method Err was called looks times. taken counts the
// calls so far.
type ending struct {
	context.Context
	looks int64
	taken atomic.Int64
}

func (c *ending) Err() error {
	if c.taken.Add(1) > c.looks {
		return context.DeadlineExceeded
	}
	return nil
}
