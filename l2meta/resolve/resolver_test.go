package resolve

import (
	"context"
	"testing"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta"
)

// world indexes files (path → text) and runs fn on a resolver of them.
func world(t testing.TB, files map[string]string, fn func(r *Resolver)) {
	t.Helper()
	ctx := context.Background()
	db, err := store.Open(ctx, store.Options{Dir: t.TempDir(), Schemas: []store.Schema{l2meta.Schema()}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Update(ctx, func(tx *store.Tx) error {
		for path, text := range files {
			f, err := l2meta.Extract(path, []byte(text))
			if err != nil {
				return err
			}
			id, err := tx.PutFile(ctx, store.FileRow{Path: path, Language: f.Language, Class: code.ClassSource, Hash: store.HashText([]byte(text))})
			if err != nil {
				return err
			}
			if err := (l2meta.Index{}).Prepare(&f)(ctx, tx, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.View(ctx, func(v *store.View) error {
		fn(New(ctx, v, NewCache(All, nil), 1))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// sites is what becomes of every call of a file, keyed by "line callee": the
// target as "path:line", or the outcome with its reason.
func sites(t testing.TB, r *Resolver, path string) map[string]Site {
	t.Helper()
	f := r.w.File(path)
	if f == nil {
		t.Fatalf("%s is not indexed", path)
	}
	list, err := r.Sites(f.ID)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]Site{}
	for _, s := range list {
		out[s.Call.Callee] = s
	}
	return out
}

func TestPlainSettlesWithinTheFile(t *testing.T) {
	world(t, map[string]string{"a.lua": "local function f() end\nlocal function g(h)\n  f()\n  h()\n  k()\nend\n"}, func(r *Resolver) {
		got := sites(t, r, "a.lua")
		if s := got["f"]; s.Outcome != Settled || s.Target.Symbol().Name != "f" || s.Confidence != Uncalibrated {
			t.Errorf("f: %+v", s.Verdict)
		}
		if s := got["h"]; s.Outcome == Settled {
			t.Errorf("a parameter is settled: %+v", s.Verdict)
		}
		if s := got["k"]; s.Outcome != Open || s.Reason == "" {
			t.Errorf("k: %+v", s.Verdict)
		}
		in, err := r.Callers(got["f"].Target, 10)
		if err != nil || len(in.Callers) != 1 {
			t.Fatalf("callers: %+v, %v", in, err)
		}
		if s, ok, err := r.At(in.Callers[0]); err != nil || !ok || s.Caller.Symbol().Name != "g" {
			t.Errorf("callers of f: %+v, %v", in, err)
		}
	})
}

func TestManifestsAreFacts(t *testing.T) {
	world(t, map[string]string{
		"go.mod":            "module example.com/a\n\ngo 1.22\n\nreplace example.com/b => ../b\n",
		"web/tsconfig.json": "{ // comment\n \"compilerOptions\": {\"paths\": {\"@app/*\": [\"src/*\"],}}}",
	}, func(r *Resolver) {
		mod := r.w.File("go.mod")
		if mod == nil || mod.Leaf("/module") != "example.com/a" || mod.Leaf("/replace/0/new") != "../b" {
			t.Fatalf("go.mod: %+v", mod)
		}
		list := r.w.BasesBetween("tsconfig", "tsconfih")
		if len(list) != 1 {
			t.Fatalf("tsconfig files: %v", list)
		}
		if got := r.w.Load(list[0]).Leaf("/compilerOptions/paths/@app~1*/0"); got != "src/*" {
			t.Errorf("path alias %q", got)
		}
	})
}
