package search

import (
	"slices"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/search/rank"
	"sextant/l2meta"
)

func TestAsksForWork(t *testing.T) {
	for text, want := range map[string]bool{
		"where are stale files indexed again":      true,
		"where is it that files are indexed":       true,
		"push the context of a request":            false, // few terms, and not a question
		"Which class decides the order":            true,
		"credentials of the other end of a socket": true,
		"process requests that wait for a lock":    true,
		"does the server close idle connections":   true,
		"Returns the number of files that wait":    false,
		"Calls yield for each file of a directory": false,
		"get the name of the current user":         false,
		"whether the buffer holds a whole line":    false,
		"parseConfig":                              false,
		"reindex stale files":                      false, // a few names
	} {
		if asksForWork(text, len(queryTerms(text))) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
}

func TestShowing(t *testing.T) {
	for path, want := range map[string]bool{
		"examples/a.go": true, "pkg/Benchmarks/x/a.kt": true, "dev-examples/a/b.ts": true,
		"a.go": false, "examples.go": false, "src/sampler/a.go": false, "a/example_test.go": false,
	} {
		if showing(path) != want {
			t.Errorf("%s: %t", path, !want)
		}
	}
}

func TestMigrates(t *testing.T) {
	for path, want := range map[string]bool{
		"shop/migrations/0001_initial.py": true, "db/migrate/20240102101500_add_orders.rb": true,
		"db/migrate/up.sql": true, "db/old_migrations/20131228175805_add_flag.rb": true,
		"database/migrations/2014_10_12_000000_create_users.php": true,
		"Data/Migrations/20190304_Init.Designer.cs":              true,
		"src/main/resources/db/V2__add_orders.sql":               true, "alembic/versions/ae10_add_orders.py": true,
		"packages/migrations/src/Migrator.ts": false, "migrations.py": false, "schema.sql": false, "a/V2.sql": false,
		"src/Migration/0.go": false,
	} {
		if migrates(path) != want {
			t.Errorf("%s: %t", path, !want)
		}
	}
}

func TestPresents(t *testing.T) {
	for path, want := range map[string]bool{
		"web/src/Cart.tsx": true, "web/src/Cart.vue": true, "app/cart/cart.component.ts": true, "css/shop.scss": true,
		"web/src/cart.ts": false, "app/cart/component.ts": false, "Cart.java": false, "css.go": false, "lib/tsx.py": false,
	} {
		if presents(path) != want {
			t.Errorf("%s: %t", path, !want)
		}
	}
}

// TestSpreadNames checks that other results move up between overloads, and that the symbol that the
// query names stays first.
func TestSpreadNames(t *testing.T) {
	make := func(name string, score float64, e rank.Exactness) candidate {
		return candidate{path: name, score: score, exact: e, row: &l2meta.Row{Symbol: code.Symbol{Name: name}}}
	}
	order := func(found []candidate) (names []string) {
		spreadNames(found)
		for _, c := range found {
			names = append(names, c.row.Symbol.Name)
		}
		return names
	}
	if got := order([]candidate{make("close", 1, rank.NotNamed), make("close", 0.99, rank.NotNamed),
		make("close", 0.98, rank.NotNamed), make("drain", 0.92, rank.NotNamed)}); !slices.Equal(got,
		[]string{"close", "close", "drain", "close"}) {
		t.Errorf("%v", got)
	}
	if got := order([]candidate{make("close", 1, rank.NamedSame), make("close", 0.99, rank.NamedSame),
		make("close", 0.98, rank.NamedSame), make("drain", 0.97, rank.NotNamed)}); got[2] != "close" {
		t.Errorf("%v", got)
	}
}

// TestSpreadRoutes checks that the routes of one file make room for a result of another file, and that routes of
// several files and functions of several names keep their places.
func TestSpreadRoutes(t *testing.T) {
	for name, c := range map[string]struct {
		kind  code.Kind
		files [3]string
		want  int // place of the other result, from 0
	}{
		"one file":      {code.KindRoute, [3]string{"posts.js", "posts.js", "posts.js"}, 1},
		"several files": {code.KindRoute, [3]string{"posts.js", "tags.js", "pages.js"}, 3},
		"functions":     {code.KindFunction, [3]string{"posts.js", "posts.js", "posts.js"}, 3},
	} {
		var found []candidate
		for i, s := range []string{"GET /posts/{name}", "GET /posts/{name}/content", "POST /posts"} {
			found = append(found, candidate{path: c.files[i], score: 1 - 0.01*float64(i),
				row: &l2meta.Row{Symbol: code.Symbol{Name: s, Kind: c.kind}}})
		}
		found = append(found, candidate{path: "excerpt.js", score: 0.96,
			row: &l2meta.Row{Symbol: code.Symbol{Name: "excerpt", Kind: code.KindFunction}}})
		spreadNames(found)
		if at := slices.IndexFunc(found, func(f candidate) bool { return f.path == "excerpt.js" }); at != c.want {
			t.Errorf("%s: place %d, not %d", name, at, c.want)
		}
	}
}
