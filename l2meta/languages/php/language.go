package php

import (
	sitter "github.com/smacker/go-tree-sitter"
	php "github.com/tree-sitter/tree-sitter-php/bindings/go"

	"sextant/l2meta/language"
	"sextant/l2meta/resolve"
	"sextant/l2meta/syntax"
)

// Languages describes PHP.
var Languages = []language.Language{
	{Source: syntax.Source{Name: "php", Language: func() *sitter.Language {
		return sitter.NewLanguage(php.LanguagePHP())
	}, Rules: rules, Defects: syntax.StaleState},
		Calls: resolve.Language{Settler: Language{}, Annotates: true, Redeclares: true, Stubs: stubs,
			Operations: operations},
		Services: idioms},
}
