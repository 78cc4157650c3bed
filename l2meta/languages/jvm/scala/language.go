// Package scala reads Scala: its declarations, calls and facts. Package jvm resolves the calls.
//
// The difficulties: any name may be an operator, with a precedence by its first character, and the
// grammar does not apply it. A call may omit its dot, its parentheses or whole lists of implicit
// arguments. A value is recorded as a term, which says of each name where it stands.
package scala

import (
	sitter "github.com/smacker/go-tree-sitter"
	grammar "github.com/tree-sitter/tree-sitter-scala/bindings/go"

	"sextant/l2meta/syntax"
)

// Source describes how Scala is parsed and read.
var Source = syntax.Source{
	Name: "scala", Language: func() *sitter.Language { return sitter.NewLanguage(grammar.Language()) }, Rules: rules,
}
