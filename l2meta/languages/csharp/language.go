package csharp

import (
	"github.com/smacker/go-tree-sitter/csharp"

	"sextant/l2meta/language"
	"sextant/l2meta/resolve"
	"sextant/l2meta/syntax"
)

// Languages describes C#.
var Languages = []language.Language{
	{Source: syntax.Source{Name: "csharp", Language: csharp.GetLanguage, Rules: rules},
		Calls: resolve.Language{Settler: Language{}, Annotates: true, Scattered: true, Closed: true, AddersCalled: true,
			RoutesFold: true, Unimported: true, Packaged: true, Stubs: stubs, Operations: operations},
		Services: idioms},
}
