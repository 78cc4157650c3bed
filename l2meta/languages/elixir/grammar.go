package elixir

import (
	"github.com/smacker/go-tree-sitter/elixir"

	"sextant/l2meta/syntax"
)

// Sources are the grammars and rules of Elixir.
var Sources = []syntax.Source{
	{Name: "elixir", Language: elixir.GetLanguage, Rules: rules},
}
