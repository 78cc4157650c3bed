// Package java extracts declarations, calls and facts from Java source files. Package jvm
// resolves the calls.
//
// These make Java difficult. Whether a name is a field, a variable or a type depends on the names
// in scope, so the facts about local variables record their scope. Overloads are chosen by the
// types of the arguments, so the facts about calls record the texts of the arguments.
package java

import (
	grammar "github.com/smacker/go-tree-sitter/java"

	"sextant/l2meta/syntax"
)

// Source describes how Java is parsed, and its extraction rules.
var Source = syntax.Source{Name: "java", Language: grammar.GetLanguage, Rules: rules}
