package typescript

import (
	"strings"

	"github.com/smacker/go-tree-sitter/html"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"

	"sextant/l2meta/language"
	"sextant/l2meta/languages/typescript/rules"
	"sextant/l2meta/resolve"
	"sextant/l2meta/syntax"
)

// familyName is the family of the script languages.
const familyName = "typescript"

// Languages describes the script languages. TSX is a dialect with its own grammar, because "<T>x"
// is no cast there.
var Languages = []language.Language{
	{Source: syntax.Source{Name: "javascript", Language: javascript.GetLanguage, Rules: rules.Rules},
		Calls: resolve.Language{Settler: Language{}, Family: familyName, ImportConfidence: 0.99, Redeclares: true,
			Closed: true, InPages: true, Stubs: javascriptStubs},
		Services: idioms},
	{Source: syntax.Source{Name: "svelte", Language: html.GetLanguage, Rules: rules.SvelteRules},
		Calls:    resolve.Language{Settler: Svelte{}, Family: familyName, ImportConfidence: 0.99, InPages: true},
		Services: idioms},
	{Source: syntax.Source{Name: "tsx", Language: tsx.GetLanguage, Rules: rules.Rules}},
	{Source: syntax.Source{Name: "typescript", Language: typescript.GetLanguage, Rules: rules.Rules, Variant: tsVariant},
		Calls: resolve.Language{Settler: Language{}, Family: familyName, ImportConfidence: 0.99, Redeclares: true,
			Closed: true, InPages: true, Stubs: typescriptStubs},
		Services: idioms},
}

// tsVariant returns the name of the grammar for the file at path.
func tsVariant(path string) string {
	if strings.HasSuffix(strings.ToLower(path), ".tsx") {
		return "tsx"
	}
	return "typescript"
}
