package typescript

import (
	"regexp"
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

// familyName is the name of the language family of JavaScript, TypeScript, Svelte and Vue, which call
// each other.
const familyName = "typescript"

// Languages describes the script languages. TSX is a dialect with its own grammar, because "<T>x"
// is no cast there.
var Languages = []language.Language{
	{Source: syntax.Source{Name: "javascript", Language: javascript.GetLanguage, Rules: rules.Rules,
		Variant: jsVariant},
		Calls: resolve.Language{Settler: Language{}, Family: familyName, ImportConfidence: 0.99, Redeclares: true,
			Closed: true, AddersCalled: true, InPages: true, Stubs: javascriptStubs, Operations: operations},
		Services: idioms},
	{Source: syntax.Source{Name: "svelte", Language: html.GetLanguage, Rules: rules.SvelteRules},
		Calls:    resolve.Language{Settler: Language{}, Family: familyName, ImportConfidence: 0.99, InPages: true},
		Services: idioms},
	{Source: syntax.Source{Name: "tsx", Language: tsx.GetLanguage, Rules: rules.Rules}},
	{Source: syntax.Source{Name: "typescript", Language: typescript.GetLanguage, Rules: rules.Rules,
		Variant: tsVariant},
		Calls: resolve.Language{Settler: Language{}, Family: familyName, ImportConfidence: 0.99, Redeclares: true,
			Closed: true, AddersCalled: true, InPages: true, Stubs: typescriptStubs, Operations: operations},
		Services: idioms},
	{Source: syntax.Source{Name: "vue", Language: html.GetLanguage, Rules: rules.VueRules},
		Calls:    resolve.Language{Settler: Language{}, Family: familyName, ImportConfidence: 0.99, InPages: true},
		Services: idioms},
}

// flowPragma matches the comment at the start of a script whose types Flow checks.
var flowPragma = regexp.MustCompile(`^(?:\s+|#![^\n]*\n|/\*(?:[^*]|\*+[^*/])*\*+/|//[^\n]*\n)*?` +
	`(?:/\*(?:[^*]|\*+[^*/])*?|//[^\n]*?)@flow\b`)

// maxPragma is the length in bytes of the start of a script in which Flow's comment is searched.
const maxPragma = 400

// jsVariant returns the name of the grammar for a script. For a script with types of Flow it is
// that of TSX, because the notation of Flow is that of TypeScript.
func jsVariant(_ string, text []byte) string {
	if flowPragma.Match(text[:min(len(text), maxPragma)]) {
		return "tsx"
	}
	return "javascript"
}

// tsVariant returns the name of the grammar for the file at path.
func tsVariant(path string, _ []byte) string {
	if strings.HasSuffix(strings.ToLower(path), ".tsx") {
		return "tsx"
	}
	return "typescript"
}
