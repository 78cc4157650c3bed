// Package kotlin extracts declarations, calls and facts from Kotlin source files. Package jvm
// resolves the calls.
//
// These make Kotlin difficult. The grammar does not support a primary constructor on the line
// after the class name, so the lines are joined before parsing (mask). A type test, a null check
// or an early return narrows the type of a variable. The parameters of a function literal, and
// its receiver if it has one, have the types that the enclosing call gives them.
package kotlin

import (
	sitter "github.com/smacker/go-tree-sitter"
	grammar "github.com/tree-sitter-grammars/tree-sitter-kotlin/bindings/go"

	"sextant/l2meta/syntax"
)

// Source describes how Kotlin is parsed, and its extraction rules.
var Source = syntax.Source{
	Name: "kotlin", Language: func() *sitter.Language { return sitter.NewLanguage(grammar.Language()) }, Rules: rules,
}
