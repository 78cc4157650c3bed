package cfamily

import (
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"

	"sextant/l2meta/language"
	"sextant/l2meta/resolve"
	"sextant/l2meta/syntax"
)

// familyName is the common family of C and C++, which share headers.
const familyName = "c"

// Languages describes C and C++.
var Languages = []language.Language{
	{Source: syntax.Source{Name: "c", Language: c.GetLanguage, Rules: rules, Dialect: cDialect},
		Calls: resolve.Language{Settler: Language{}, Family: familyName, Redeclares: true, DeclaredApart: true,
			Stubs: cStubs}},
	{Source: syntax.Source{Name: "cpp", Language: cpp.GetLanguage, Rules: cppRules},
		Calls: resolve.Language{Settler: Language{}, Family: familyName, Scattered: true, DeclaredApart: true,
			Stubs: cppStubs}},
}
