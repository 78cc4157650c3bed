package languages_test

import (
	"slices"
	"testing"

	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// TestAnnotationsAreNoCalls checks that annotations from libraries are not recorded as calls by the
// annotated method. An annotation that the workspace declares is an edge, found from its use and
// from its declaration.
func TestAnnotationsAreNoCalls(t *testing.T) {
	for path, text := range map[string]string{
		"src/a/Use.java": "package a;\nimport lib.web.GetMapping;\n@interface Own {}\nclass Use {\n" +
			"  @GetMapping(\"/\") @Unknown @lib.Named(1) @Own\n  String get() { return helper(); }\n" +
			"  String helper() { return \"\"; }\n}\n",
		"src/a/Use.kt": "package a\nimport lib.web.GetMapping\nannotation class Own\nclass Use {\n" +
			"  @GetMapping(\"/\") @Unknown @lib.Named(1) @Own\n  fun get(): String = helper()\n" +
			"  fun helper() = \"\"\n}\n",
		"a/Use.cs": "using Lib.Web;\nnamespace A;\nclass OwnAttribute : System.Attribute {}\nclass Use {\n" +
			"  [HttpGet(\"/\"), Unknown, Lib.Named(1), Own]\n  string get() { return helper(); }\n" +
			"  string helper() { return \"\"; }\n}\n",
		"a/Use.php": "<?php\nnamespace A;\n#[\\Attribute]\nclass Own {}\nclass Use1 {\n" +
			"  #[Route('/'), Unknown, \\Lib\\Named(1), Own]\n  function get() { return $this->helper(); }\n" +
			"  function helper() { return ''; }\n}\n",
	} {
		t.Run(path, func(t *testing.T) {
			languagetest.World(t, map[string]string{path: text}, func(r *resolve.Resolver) {
				f, err := r.File(path)
				if err != nil || f == nil {
					t.Fatal(err)
				}
				sites, err := r.Callees(f.Ref(f.Named("get")[0]))
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, s := range sites {
					got = append(got, s.Call.Callee)
					if s.Outcome != resolve.Settled {
						t.Errorf("%s: outcome %d (%s), want an edge", s.Call.Callee, s.Outcome, s.Reason)
					}
				}
				if slices.Sort(got); !slices.Equal(got, []string{"Own", "helper"}) {
					t.Errorf("calls %v, want Own and helper", got)
				}
				for _, i := range f.Named("Unknown") {
					t.Errorf("Unknown is declared as %v", f.Symbols[i].Kind)
				}
			})
		})
	}
}

// TestDecoratorsAreCalls checks that a decorator, which is a function that runs, is recorded as a
// call.
func TestDecoratorsAreCalls(t *testing.T) {
	languagetest.World(t, map[string]string{"a.py": "import lib\n@lib.route('/')\n@unknown\ndef get():\n    pass\n"},
		func(r *resolve.Resolver) {
			f, _ := r.File("a.py")
			if sites, err := r.Callees(f.Ref(f.Named("get")[0])); err != nil || len(sites) != 2 {
				t.Errorf("%d calls, %v; want 2", len(sites), err)
			}
		})
}
