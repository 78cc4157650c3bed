package search_test

import (
	"testing"

	"sextant/internal/navigate"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
	"sextant/l1fts"
	"sextant/l1fts/embed"
)

// TestIndexOfTableStandsBack checks that code precedes an index of a database, whose name consists of the names of a
// table and a column.
func TestIndexOfTableStandsBack(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"db/schema.sql": "CREATE TABLE visits (\n  id INTEGER PRIMARY KEY,\n  pet_id INTEGER NOT NULL,\n  day DATE\n);\n" +
			"CREATE INDEX visits_pet_id ON visits (pet_id);\n",
		"visits/resource.py": "class VisitResource:\n    def read(self, pet):\n        found = self.repository.find(pet)\n" +
			"        return self.page(found)\n",
	}).With(navigate.Options{Words: l1fts.Options{Embedder: embed.Builtin()}})
	a := b.Search(contract.SearchRequest{Query: "visits of a pet"})
	if g := a.Results[0].(*contract.Group); g.SymbolLabel == "visits_pet_id" {
		t.Errorf("first is %s", g.SymbolLabel)
	}
}
