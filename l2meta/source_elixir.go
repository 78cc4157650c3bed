package l2meta

import (
	"github.com/smacker/go-tree-sitter/elixir"
)

// ElixirSources are the grammars and rules of Elixir.
var ElixirSources = []Source{
	{Name: "elixir", Language: elixir.GetLanguage, Rules: elixirRules},
}
