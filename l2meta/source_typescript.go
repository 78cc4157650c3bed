package l2meta

import (
	"strings"

	"github.com/smacker/go-tree-sitter/html"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
)

// typescriptSources are the grammars and rules of the scripts. TSX is a dialect: "<T>x"
// is no cast there.
var typescriptSources = []source{
	{name: "javascript", language: javascript.GetLanguage, rules: typescriptRules},
	{name: "svelte", language: html.GetLanguage, rules: svelteRules},
	{name: "tsx", language: tsx.GetLanguage, rules: typescriptRules},
	{name: "typescript", language: typescript.GetLanguage, rules: typescriptRules, variant: tsVariant},
}

// tsVariant is the grammar that reads the file at path.
func tsVariant(path string) string {
	if strings.HasSuffix(strings.ToLower(path), ".tsx") {
		return "tsx"
	}
	return "typescript"
}
