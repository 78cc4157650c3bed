package golang

import (
	"github.com/smacker/go-tree-sitter/golang"

	"sextant/l2meta/syntax"
)

// Sources are the grammars and rules of Go.
var Sources = []syntax.Source{
	{Name: "go", Language: golang.GetLanguage, Rules: rules},
}
