package elixir_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
)

// TestExternal checks that a call leaves the workspace if the standard library has its function or its
// module, or if mix.exs names the library, and stays unresolved otherwise.
func TestExternal(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"mix.exs": "defmodule A.MixProject do\n  use Mix.Project\n  defp deps do\n" +
			"    [{:plug, \"~> 1.0\"}, {:nimble_options, \"~> 1.0\"}, {:telemetry, \"~> 1.0\"},\n" +
			"     {:ecto_sql, \"~> 3.0\"}]\n  end\nend\n",
		"lib/a.ex": `defmodule A do
  use Plug.Builder
  import Enum
  def run(x, mod) do
    Map.get(x, 1)
    :lists.sum(x)
    :nowhere.product(x)
    Plug.Conn.assign(x)
    NimbleOptions.docs(x)
    :telemetry.execute(x)
    Ecto.Adapters.query(x)
    Unknown.other(x)
    length(x)
    filter(x, & &1)
    filter_none(x)
    assert(x)
    mod.held(x)
    Agent.declared(x)
  end
end

defmodule Agent do
end
`,
		"test/a_test.exs": "defmodule ATest do\n  use ExUnit.Case\n" +
			"  test \"a\" do\n    refute 1\n    assert 1\n  end\nend\n",
	}
	languagetest.Settles(t, files, "lib/a.ex", "get external", "sum external", "product open", "assign external",
		"docs external", "execute external", "query external", "other open", "length external", "filter external",
		"filter_none open", "assert open", "held open", "declared open")
	languagetest.Settles(t, files, "test/a_test.exs", "refute external", "assert external")
}
