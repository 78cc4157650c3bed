package ruby

import (
	"github.com/smacker/go-tree-sitter/ruby"

	"sextant/l2meta/language"
	"sextant/l2meta/resolve"
	"sextant/l2meta/syntax"
)

// Languages describes Ruby.
var Languages = []language.Language{
	{Source: syntax.Source{Name: "ruby", Language: ruby.GetLanguage, Rules: rules, Defects: syntax.HeredocList},
		Calls: resolve.Language{Settler: Language{}, Closed: true, BareMembers: true, Stubs: stubs,
			Operations: operations},
		Services: idioms},
}
