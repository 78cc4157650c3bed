// Package scala extracts declarations, calls and facts from Scala source files. Package jvm
// resolves the calls.
//
// These make Scala difficult. Any name may be an operator, and its first character determines its
// precedence, which the grammar ignores. A call may omit its dot, its parentheses or whole lists
// of implicit arguments. Expressions are recorded as terms (see rules_terms.go), such as (. (n
// cart) size) for cart.size; a call in a term is identified by its byte offset.
package scala

import (
	sitter "github.com/smacker/go-tree-sitter"
	grammar "github.com/tree-sitter/tree-sitter-scala/bindings/go"

	"sextant/l2meta/syntax"
)

// Source describes how Scala is parsed, and its extraction rules.
var Source = syntax.Source{
	Name: "scala", Language: func() *sitter.Language { return sitter.NewLanguage(grammar.Language()) }, Rules: rules,
}
