package swift

import (
	"github.com/smacker/go-tree-sitter/swift"

	"sextant/l2meta/language"
	"sextant/l2meta/syntax"
)

// Languages describes Swift.
var Languages = []language.Language{
	{Source: syntax.Source{Name: "swift", Language: swift.GetLanguage, Rules: rules,
		Defects: syntax.UnallocatedState | syntax.StaleState}, Services: idioms},
}
