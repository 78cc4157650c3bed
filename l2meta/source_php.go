package l2meta

import (
	sitter "github.com/smacker/go-tree-sitter"
	php "github.com/tree-sitter/tree-sitter-php/bindings/go"
)

// phpSources are the grammars and rules of PHP.
var phpSources = []source{
	{name: "php", language: func() *sitter.Language { return sitter.NewLanguage(php.LanguagePHP()) }, rules: phpRules, defects: staleState},
}
