package l2meta

import (
	"github.com/smacker/go-tree-sitter/swift"
)

// swiftSources are the grammars and rules of Swift.
var swiftSources = []source{
	{name: "swift", language: swift.GetLanguage, rules: swiftRules, defects: unallocatedState | staleState},
}
