// Package java reads Java: its declarations, calls and facts. Package jvm resolves the calls.
//
// The difficulties: a name is a field, a variable or a type by what is in scope, so every fact says
// where it holds, and the texts of arguments are kept, since overloads are chosen by their types.
package java

import (
	grammar "github.com/smacker/go-tree-sitter/java"

	"sextant/l2meta/syntax"
)

// Source describes how Java is parsed and read.
var Source = syntax.Source{Name: "java", Language: grammar.GetLanguage, Rules: rules}
