package python_test

import (
	"fmt"
	"testing"

	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// pyExpect checks the calls of one file. want maps a callee to "path:line" of the target, or to the
// outcome.
func pyExpect(t *testing.T, files map[string]string, path string, want map[string]string) {
	t.Helper()
	languagetest.World(t, files, func(r *resolve.Resolver) {
		got := languagetest.Sites(t, r, path)
		for callee, place := range want {
			s, found := got[callee]
			is := map[resolve.Outcome]string{resolve.Open: "open", resolve.External: "external " + s.Module,
				resolve.FuncValue: "value"}[s.Outcome]
			if s.Outcome == resolve.Settled {
				is = fmt.Sprintf("%s:%d", s.Target.File.Path, s.Target.Symbol().NameSpan.StartLine)
			}
			if !found || is != place {
				t.Errorf("%s: got %q (%s), want %q", callee, is, s.Reason, place)
			}
		}
	})
}

func TestPythonFindsModulesOfSeveralProjects(t *testing.T) {
	files := map[string]string{
		"a/pyproject.toml": "", "a/app/__init__.py": "", "a/app/db.py": "def connect(): pass\n",
		"b/pyproject.toml": "", "b/app/__init__.py": "", "b/app/db.py": "\ndef connect(): pass\n",
		"libs/common/pyproject.toml": "", "libs/common/src/common/__init__.py": "from .text import *\n",
		"libs/common/src/common/text.py": "__all__ = ['shown']\ndef shown(): pass\ndef hidden(): pass\n",
		"b/json.py":                      "def loads(s): pass\n",
		"b/app/main.py": "import json\nfrom app.db import connect\nfrom common import shown, " +
			"hidden\nimport common.text as ct\nconnect()\nshown()\nhidden()\njson.loads('')\nct.other()\n",
	}
	pyExpect(t, files, "b/app/main.py", map[string]string{
		"connect": "b/app/db.py:2", "shown": "libs/common/src/common/text.py:2", "hidden": "open",
		"loads": "external json", "other": "external ",
	})
}

func TestPythonReadsTypes(t *testing.T) {
	files := map[string]string{
		"m.py": `class A:
    def one(self) -> "B": pass
    def me(self): return self

class B:
    def two(self): pass
    def three(self): pass
    def four(self): pass
    def split(self): pass
    def five(self): pass
    def six(self): pass

class C(A): 
    def seven(self): pass
`,
		"use.py": `from typing import Dict, List, Optional, Union
import m

def use(d: Dict[str, m.B], l: List["m.B"], u: Union[str, m.B], o: Optional[m.A]):
    o.one().two()
    for k, v in d.items():
        v.three()
    [x.four() for x in l]
    u.split()
    u.five()
    l[0].six()
    m.C().me().seven()
    "".join([]).strip().nothing()
`,
	}
	pyExpect(t, files, "use.py", map[string]string{
		"two": "m.py:6", "three": "m.py:7", "four": "m.py:8", "split": "open", "five": "m.py:10", "six": "m.py:11",
		"seven": "m.py:14",
		"items": "external builtin", "nothing": "external builtin",
	})
}

func TestPythonFollowsTheLastBinding(t *testing.T) {
	files := map[string]string{"a.py": `class A:
    def sure(self): pass
    def either(self): pass
    def same(self): pass

class B:
    def either(self): pass
    def lost(self): pass

def use(flag, other):
    x = None
    x = A()
    x.sure()
    if flag:
        x = B()
    x.either()
    y = None
    if flag:
        y = A()
    y.same()
    z = A()
    del other
    for z in other:
        z.lost()
`}
	pyExpect(t, files, "a.py", map[string]string{"sure": "a.py:2", "either": "open", "same": "a.py:4", "lost": "open"})
}

func TestPythonHandsFixturesToTests(t *testing.T) {
	files := map[string]string{
		"app.py": "class App:\n    def client(self): return Client()\n    def stop(self): pass\n" +
			"class Client:\n    def get(self): pass\n    def put(self): pass\n    def lost(self): pass\n",
		"tests/conftest.py": "import pytest\nfrom app import App\n@pytest.fixture\ndef app():\n    a = App()\n" +
			"    yield a\n    a.stop()\n@pytest.fixture\ndef client(app): return app.client()\n",
		"tests/sub/test_a.py": "import pytest\ndef test_one(client, monkeypatch):\n    client.get()\n" +
			"    monkeypatch.setattr(1)\n" +
			"def helper(client):\n    client.lost()\n@pytest.mark.parametrize('client', [1])\ndef " +
			"test_two(client):\n    client.put()\n",
	}
	pyExpect(t, files, "tests/sub/test_a.py",
		map[string]string{"get": "app.py:5", "setattr": "external pytest", "lost": "open", "put": "open"})
}
