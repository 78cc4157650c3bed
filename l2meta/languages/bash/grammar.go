package bash

import (
	"github.com/smacker/go-tree-sitter/bash"

	"sextant/l2meta/syntax"
)

// Sources are the grammars and rules of shell scripts.
var Sources = []syntax.Source{
	{Name: "bash", Language: bash.GetLanguage, Rules: rules, Defects: syntax.StaleState | syntax.HeredocWords},
}
