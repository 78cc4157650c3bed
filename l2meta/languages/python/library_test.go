package python_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
)

// own declares names that the library's types have, too.
const own = `class Own:
    def span(self): pass
    def replace(self): pass
    def items(self): pass
    def run(self): pass
    def strip(self): pass
    def get(self): pass
    def group(self): pass
    def decode(self): pass
    def read_text(self): pass
`

func TestLibraryMembers(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"    for m in re.finditer(p, s): m.span()", "span external"},
		{"    json.dumps(p).replace(p, s)", "replace external"},
		{"    'a,b'.split(',')[0].strip()", "strip external"},
		{"    for part in 'a,b'.split(','): part.strip()", "strip external"},
		{"    vars(p).items()", "items external"},
		{"    Own().__dict__.items()", "items external"},
		{"    m = re.match(p, s)\n    m.re.match(p).group().strip()", "strip external"},
		{"    subprocess.run(p).stdout.decode()", "decode external"},
		{"    Path(p).read_text().strip()", "strip external"},
		{"    with open(p) as f:\n        f.read().strip()", "strip external"},
		{"    [p].get()", "get external"},
		{"    json.loads(p).get()", "get open"},
		{"    functools.singledispatch(p).get()", "get open"},
		{"    p.get()", "get open"},
		{"    (Path(p) / s).read_text()", "read_text external"},
		{"    d: dict[str, Own] = p\n    e = d if d else {}\n    e.get(s).run()", "run = own.py:5"},
		{"    e = {}\n    if s: e = dict(p)\n    e.items()", "items external"},
		{"    e = Own()\n    if s: e = {}\n    e.items()", "items open"},
	} {
		languagetest.Settles(t, map[string]string{"own.py": own,
			"use.py": "import functools, json, re, subprocess\nfrom pathlib import Path\nfrom own import Own\n" +
				"def use(p, s):\n" + c.code + "\n"}, "use.py", c.want)
	}
}

// TestLibraryShadowed checks that modules and names of the workspace win over the table.
func TestLibraryShadowed(t *testing.T) {
	for _, c := range []struct{ json, code, want string }{
		{"from own import Own\ndef dumps(x) -> Own: return Own()\n",
			"from . import json\ndef use(p): json.dumps(p).run()\n", "run = own.py:5"},
		{"",
			"from own import Own\nclass re:\n    @staticmethod\n    def match(p) -> Own: return Own()\n" +
				"def use(p): re.match(p).run()\n", "run = own.py:5"},
		{"", "from own import Own\ndef vars(p) -> Own: return Own()\ndef use(p): vars(p).run()\n", "run = own.py:5"},
		{"", "import re\nfrom own import Own\nclass str:\n    def strip(self): pass\n" +
			"def use(p): re.match(p, p).group().strip()\n", "strip external"},
	} {
		files := map[string]string{"own.py": own, "use.py": c.code}
		if c.json != "" {
			files["json.py"] = c.json
		}
		languagetest.Settles(t, files, "use.py", c.want)
	}
}
