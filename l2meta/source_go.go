package l2meta

import (
	"github.com/smacker/go-tree-sitter/golang"
)

// goSources are the grammars and rules of Go.
var goSources = []source{
	{name: "go", language: golang.GetLanguage, rules: goRules},
}
