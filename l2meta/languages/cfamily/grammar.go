package cfamily

import (
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"

	"sextant/l2meta/syntax"
)

// Sources are the grammars and rules of C and C++.
var Sources = []syntax.Source{
	{Name: "c", Language: c.GetLanguage, Rules: rules, Dialect: cDialect},
	{Name: "cpp", Language: cpp.GetLanguage, Rules: cppRules},
}
