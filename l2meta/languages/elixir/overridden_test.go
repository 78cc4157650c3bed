package elixir_test

import (
	"testing"

	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// TestOverridden checks that a function implements the callback of its module's behaviour, and that the
// others implement nothing.
func TestOverridden(t *testing.T) {
	files := map[string]string{"lib/a.ex": `defmodule Store do
  @callback put(term) :: term
end

defmodule Disk do
  @behaviour Store
  def put(x), do: x
  def get(x), do: x
end

defmodule Loose do
  def put(x), do: x
end
`}
	languagetest.World(t, files, func(r *resolve.Resolver) {
		f := r.World().File("lib/a.ex")
		settler, ok := languages.All["elixir"].Settler.(interface {
			Overridden(w *resolve.World, r resolve.Ref) []resolve.Ref
		})
		if !ok {
			t.Fatal("Elixir has no dispatch")
		}
		for name, want := range map[string]int{"Disk.put": 1, "Disk.get": 0, "Loose.put": 0, "Disk": 0} {
			i := f.Qualified(name)
			if len(i) == 0 {
				t.Fatalf("no symbol %s", name)
			}
			if got := settler.Overridden(r.World(), f.Ref(i[len(i)-1])); len(got) != want {
				t.Errorf("%s implements %d functions, want %d", name, len(got), want)
			}
		}
	})
}
