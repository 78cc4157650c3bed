package l2meta

import (
	sitter "github.com/smacker/go-tree-sitter"
	php "github.com/tree-sitter/tree-sitter-php/bindings/go"
)

// PhpSources are the grammars and rules of PHP.
var PhpSources = []Source{
	{Name: "php", Language: func() *sitter.Language { return sitter.NewLanguage(php.LanguagePHP()) }, Rules: phpRules, Defects: StaleState},
}
