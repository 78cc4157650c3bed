package l2meta

import (
	"github.com/smacker/go-tree-sitter/swift"
)

// SwiftSources are the grammars and rules of Swift.
var SwiftSources = []Source{
	{Name: "swift", Language: swift.GetLanguage, Rules: swiftRules, Defects: UnallocatedState | StaleState},
}
