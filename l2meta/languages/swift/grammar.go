package swift

import (
	"github.com/smacker/go-tree-sitter/swift"

	"sextant/l2meta/syntax"
)

// Sources are the grammars and rules of Swift.
var Sources = []syntax.Source{
	{Name: "swift", Language: swift.GetLanguage, Rules: rules, Defects: syntax.UnallocatedState | syntax.StaleState},
}
