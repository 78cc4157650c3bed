package bash

import (
	"github.com/smacker/go-tree-sitter/bash"

	"sextant/l2meta/language"
	"sextant/l2meta/resolve"
	"sextant/l2meta/syntax"
)

// Languages describes shell scripts.
var Languages = []language.Language{
	{Source: syntax.Source{Name: "bash", Language: bash.GetLanguage, Rules: rules,
		Defects: syntax.StaleState | syntax.HeredocWords},
		Calls: resolve.Language{Settler: Language{}, Redeclares: true}, Services: idioms},
}
