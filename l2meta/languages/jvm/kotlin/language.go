// Package kotlin reads Kotlin: its declarations, calls and facts. Package jvm resolves the calls.
//
// The difficulties: the grammar knows no constructor on the line after a class, which is masked. A
// test, a null check or an early return narrows the type of a variable. The parameters of a function
// literal have the types that the enclosing call gives them, and a receiver among them.
package kotlin

import (
	sitter "github.com/smacker/go-tree-sitter"
	grammar "github.com/tree-sitter-grammars/tree-sitter-kotlin/bindings/go"

	"sextant/l2meta/syntax"
)

// Source describes how Kotlin is parsed and read.
var Source = syntax.Source{
	Name: "kotlin", Language: func() *sitter.Language { return sitter.NewLanguage(grammar.Language()) }, Rules: rules,
}
