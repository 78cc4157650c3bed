package l2meta

import (
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"
)

// cSources are the grammars and rules of C and C++.
var cSources = []source{
	{name: "c", language: c.GetLanguage, rules: cRules, dialect: cDialect},
	{name: "cpp", language: cpp.GetLanguage, rules: cppRules},
}
