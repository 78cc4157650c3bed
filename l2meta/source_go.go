package l2meta

import (
	"github.com/smacker/go-tree-sitter/golang"
)

// GoSources are the grammars and rules of Go.
var GoSources = []Source{
	{Name: "go", Language: golang.GetLanguage, Rules: goRules},
}
