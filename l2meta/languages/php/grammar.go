package php

import (
	sitter "github.com/smacker/go-tree-sitter"
	php "github.com/tree-sitter/tree-sitter-php/bindings/go"

	"sextant/l2meta/syntax"
)

// Sources are the grammars and rules of PHP.
var Sources = []syntax.Source{
	{Name: "php", Language: func() *sitter.Language { return sitter.NewLanguage(php.LanguagePHP()) }, Rules: rules, Defects: syntax.StaleState},
}
