package csharp

import (
	"github.com/smacker/go-tree-sitter/csharp"

	"sextant/l2meta/syntax"
)

// Sources are the grammars and rules of C#.
var Sources = []syntax.Source{
	{Name: "csharp", Language: csharp.GetLanguage, Rules: rules},
}
