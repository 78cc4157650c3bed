package search_test

import (
	"slices"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestQualifiedNameComesFirst checks that a qualified name returns the symbol with that name first,
// even if other code contains its words more often.
func TestQualifiedNameComesFirst(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"app.py": "class App:\n    def iter_blueprints(self):\n        return self.values()\n",
		"loader.py": "class Loader:\n    def list(self):\n        # app iter_blueprints: the app's " +
			"iter_blueprints\n        for b in self.app.iter_blueprints():\n            yield b.app.iter_blueprints\n",
		"names.py": "class Names:\n    def app_iter(self, app):\n" +
			"        return app.iter_blueprints() or app.iter_blueprints\n",
	})
	a := b.Search(contract.SearchRequest{Query: "App.iter_blueprints"})
	if len(a.Results) == 0 {
		t.Fatal("nothing found")
	}
	if g := a.Results[0].(*contract.Group); g.SymbolLabel != "App.iter_blueprints" || a.Named != 1 {
		t.Errorf("first is %s, %d bear the name", g.SymbolLabel, a.Named)
	}
}

// TestSeveralOfOneName checks that each of several symbols with the queried name is shown by its first
// line, up to the end of its parameters, while a short unique one is shown whole.
func TestSeveralOfOneName(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"a.py": "def load(path):\n    text = open(path)\n    return text\n",
		"b.py": "def load(\n    path, mode):\n    return open(path, mode)\n",
		"c.py": "def save(path):\n    text = open(path)\n    return text\n",
	})
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"load", []string{"def load(path):", "def load(\n    path, mode):"}},
		{"save", []string{"def save(path):\n    text = open(path)\n    return text"}},
	} {
		a := b.Search(contract.SearchRequest{Query: c.query, Delivery: contract.Delivery{Format: contract.FormatText}})
		var got []string
		for _, r := range a.Results[:a.Named] {
			got = append(got, r.(*contract.Group).Preview)
		}
		slices.Sort(c.want)
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.query, got, c.want)
		}
	}
}

// TestNamedShowsItsDeclaration checks that a search for a name shows the line that declares it, and not the
// decorator or the annotation with which its lines begin.
func TestNamedShowsItsDeclaration(t *testing.T) {
	body := strings.Repeat("    print(1)\n", 12)
	b := navigatetest.Of(t, map[string]string{"a.py": "@cached\n@checked\ndef load_all(path):\n" + body,
		"A.java": "class A {\n    @Override\n    public void storeAll() {\n" +
			strings.Repeat("        run(1);\n", 12) + "    }\n}\n"})
	for query, want := range map[string]string{"load_all": "def load_all(path):",
		"storeAll": "    public void storeAll() {"} {
		a := b.Search(contract.SearchRequest{Query: query, Delivery: contract.Delivery{Format: contract.FormatText}})
		if g := a.Results[0].(*contract.Group); g.Preview != want {
			t.Errorf("%s: %q is shown, want %q", query, g.Preview, want)
		}
	}
}
