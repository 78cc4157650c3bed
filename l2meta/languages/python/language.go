package python

import (
	"github.com/smacker/go-tree-sitter/python"

	"sextant/l2meta/language"
	"sextant/l2meta/resolve"
	"sextant/l2meta/syntax"
)

// Languages describes Python.
var Languages = []language.Language{
	{Source: syntax.Source{Name: "python", Language: python.GetLanguage, Rules: rules},
		Calls: resolve.Language{Settler: Language{}, ImportConfidence: 0.99, Redeclares: true,
			OverloadMark: "overload", Closed: true, AddersCalled: true, Modules: true, Stubs: stubs, Operations: operations},
		Services: idioms},
}
