package l2meta

import (
	"github.com/smacker/go-tree-sitter/csharp"
)

// csharpSources are the grammars and rules of C#.
var csharpSources = []source{
	{name: "csharp", language: csharp.GetLanguage, rules: csharpRules},
}
