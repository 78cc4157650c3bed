package l2meta

import (
	"github.com/smacker/go-tree-sitter/elixir"
)

// elixirSources are the grammars and rules of Elixir.
var elixirSources = []source{
	{name: "elixir", language: elixir.GetLanguage, rules: elixirRules},
}
