package elixir

import (
	"github.com/smacker/go-tree-sitter/elixir"

	"sextant/l2meta/language"
	"sextant/l2meta/resolve"
	"sextant/l2meta/syntax"
)

// Languages describes Elixir.
var Languages = []language.Language{
	{Source: syntax.Source{Name: "elixir", Language: elixir.GetLanguage, Rules: rules},
		Calls: resolve.Language{Settler: Language{}, Stubs: stubs}, Services: idioms},
}
