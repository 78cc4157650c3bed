package typescript

import (
	"strings"

	"github.com/smacker/go-tree-sitter/html"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"

	"sextant/l2meta/syntax"
)

// Sources are the grammars and rules of the scripts. TSX is a dialect: "<T>x"
// is no cast there.
var Sources = []syntax.Source{
	{Name: "javascript", Language: javascript.GetLanguage, Rules: rules},
	{Name: "svelte", Language: html.GetLanguage, Rules: svelteRules},
	{Name: "tsx", Language: tsx.GetLanguage, Rules: rules},
	{Name: "typescript", Language: typescript.GetLanguage, Rules: rules, Variant: tsVariant},
}

// tsVariant is the grammar that reads the file at path.
func tsVariant(path string) string {
	if strings.HasSuffix(strings.ToLower(path), ".tsx") {
		return "tsx"
	}
	return "typescript"
}
