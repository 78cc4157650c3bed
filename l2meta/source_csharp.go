package l2meta

import (
	"github.com/smacker/go-tree-sitter/csharp"
)

// CsharpSources are the grammars and rules of C#.
var CsharpSources = []Source{
	{Name: "csharp", Language: csharp.GetLanguage, Rules: csharpRules},
}
