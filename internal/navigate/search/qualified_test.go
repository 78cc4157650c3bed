package search_test

import (
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
