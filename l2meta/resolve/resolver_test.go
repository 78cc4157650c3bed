package resolve_test

import (
	"fmt"
	"strings"
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

// TestCalleesOfASymbol checks the calls made by a function, a class and the top-level code of a
// file, and the call at a byte offset.
func TestCalleesOfASymbol(t *testing.T) {
	languagetest.World(t, map[string]string{
		"A.java": "package p;\nclass A {\n  int n = start();\n  @Override public String toString() { return run(); }\n" +
			"  static int start() { return 1; }\n  String run() { return new Object() { String in() { return stop(); } }.in(); }\n" +
			"  String stop() { return \"\"; }\n}\n",
		"b.py": "import os\n\ndef f():\n    g()\n    return [g() for _ in range(3)]\n\ndef g():\n    pass\n\nf()\nclass C:\n    x = g()\n",
	}, func(r *resolve.Resolver) {
		for _, c := range []struct{ path, symbol, want string }{
			{"A.java", "toString", "run"}, {"A.java", "n", "start"}, {"b.py", "f", "g g range"}, {"b.py", "", "f g"},
		} {
			f := r.World().File(c.path)
			ref := f.Ref(-1)
			if c.symbol != "" {
				ref = f.Ref(f.Named(c.symbol)[0])
			}
			sites, err := r.Callees(ref)
			var got []string
			for _, s := range sites {
				got = append(got, s.Call.Callee)
			}
			if all := strings.Join(got, " "); err != nil || all != c.want {
				t.Errorf("%s of %s calls %q, want %q (%v)", c.symbol, c.path, all, c.want, err)
			}
		}
		at, ok, err := r.CallAt("b.py", strings.Index("import os\n\ndef f():\n    g()", "g()"))
		if err != nil || !ok || at.Callee != "g" || at.Line != 4 || at.Outcome != resolve.Settled {
			t.Errorf("%+v, %t, %v", at, ok, err)
		}
		if s, ok, err := r.At(at); err != nil || !ok || s.Caller.Symbol().Name != "f" {
			t.Errorf("%+v, %t, %v", s, ok, err)
		}
		for _, place := range []struct {
			path string
			at   int
		}{{"b.py", 1}, {"none.py", 0}} {
			if _, ok, err := r.CallAt(place.path, place.at); ok || err != nil {
				t.Errorf("%v: a call, %v", place, err)
			}
		}
		if beside, err := r.Beside("x.py"); err != nil || strings.Join(beside, " ") != "A.java b.py" {
			t.Errorf("%q, %v", beside, err)
		}
		class := r.World().File("A.java")
		members, err := r.Members(class.Ref(class.Named("A")[0]))
		if err != nil || len(members) != 4 {
			t.Errorf("A has %d members, %v", len(members), err)
		}
		if ref, err := r.Symbol(class.ID, 99); ref.Valid() || err != nil {
			t.Errorf("symbol 99 is %v, %v", ref, err)
		}
		if ref, err := r.Symbol(class.ID, -1); !ref.Valid() || err != nil {
			t.Errorf("the code of a file is %v, %v", ref, err)
		}
	})
}

// TestImportsOfFiles checks the files that a file imports, the files that import it, and the
// imports that lead to no file.
func TestImportsOfFiles(t *testing.T) {
	languagetest.World(t, map[string]string{
		"a.ts": "import { b } from './b';\nimport './b';\nimport { x } from './gone';\nimport y from 'lib';\nexport { b };\n",
		"b.ts": "export const b = 1;\n",
		"c.ts": "export * from './b';\n",
	}, func(r *resolve.Resolver) {
		b := r.World().File("b.ts")
		in, err := r.Importers(b)
		var got []string
		for _, x := range in {
			got = append(got, fmt.Sprintf("%s %d %t", x.File.Path, x.Number, x.Reexport()))
		}
		if all := strings.Join(got, ", "); err != nil || all != "a.ts 0 false, a.ts 1 false, c.ts 0 true" {
			t.Errorf("%s, %v", all, err)
		}
		a := r.World().File("a.ts")
		out, err := r.Imports(a)
		if err != nil || len(out) != 2 || out[0].Target != b {
			t.Errorf("%+v, %v", out, err)
		}
		dangling, err := r.Dangling(a)
		if err != nil || len(dangling) != 1 || dangling[0].Module != "./gone" {
			t.Errorf("%+v, %v", dangling, err)
		}
	})
}
