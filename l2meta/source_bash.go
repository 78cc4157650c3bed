package l2meta

import (
	"github.com/smacker/go-tree-sitter/bash"
)

// bashSources are the grammars and rules of shell scripts.
var bashSources = []source{
	{name: "bash", language: bash.GetLanguage, rules: bashRules, defects: staleState | heredocWords},
}
