package l2meta

import (
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"
)

// CSources are the grammars and rules of C and C++.
var CSources = []Source{
	{Name: "c", Language: c.GetLanguage, Rules: cRules, Dialect: cDialect},
	{Name: "cpp", Language: cpp.GetLanguage, Rules: cppRules},
}
