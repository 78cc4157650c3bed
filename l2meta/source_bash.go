package l2meta

import (
	"github.com/smacker/go-tree-sitter/bash"
)

// BashSources are the grammars and rules of shell scripts.
var BashSources = []Source{
	{Name: "bash", Language: bash.GetLanguage, Rules: bashRules, Defects: StaleState | HeredocWords},
}
