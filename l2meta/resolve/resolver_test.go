package resolve_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

func TestPlainSettlesWithinTheFile(t *testing.T) {
	languagetest.World(t,
		map[string]string{"a.lua": "local function f() end\nlocal function g(h)\n  f()\n  h()\n  k()\nend\n"},
		func(r *resolve.Resolver) {
			got := languagetest.Sites(t, r, "a.lua")
			if s := got["f"]; s.Outcome != resolve.Settled || s.Target.Symbol().Name != "f" ||
				s.Confidence != resolve.Uncalibrated {
				t.Errorf("f: %+v", s.Verdict)
			}
			if s := got["h"]; s.Outcome == resolve.Settled {
				t.Errorf("a parameter is settled: %+v", s.Verdict)
			}
			if s := got["k"]; s.Outcome != resolve.Open || s.Reason == "" {
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
	languagetest.World(t, map[string]string{
		"go.mod":            "module example.com/a\n\ngo 1.22\n\nreplace example.com/b => ../b\n",
		"web/tsconfig.json": "{ // comment\n \"compilerOptions\": {\"paths\": {\"@app/*\": [\"src/*\"],}}}",
	}, func(r *resolve.Resolver) {
		mod := r.World().File("go.mod")
		if mod == nil || mod.Leaf("/module") != "example.com/a" || mod.Leaf("/replace/0/new") != "../b" {
			t.Fatalf("go.mod: %+v", mod)
		}
		list := r.World().BasesBetween("tsconfig", "tsconfih")
		if len(list) != 1 {
			t.Fatalf("tsconfig files: %v", list)
		}
		if got := r.World().Load(list[0]).Leaf("/compilerOptions/paths/@app~1*/0"); got != "src/*" {
			t.Errorf("path alias %q", got)
		}
	})
}
