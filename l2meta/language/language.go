// Package language is the form in which each language says what it is: how its
// files are read, and how its calls are resolved. The names of files are below
// this, in internal/lang, where the parts that know no language find them.
package language

import (
	"sextant/l2meta/resolve"
	"sextant/l2meta/syntax"
)

// Language is one language, or a dialect with a grammar of its own.
type Language struct {
	// Source is its name, grammar and rules: how the facts of a file are read.
	Source syntax.Source
	// Calls is how its calls are resolved; the zero value resolves plain names
	// within their file.
	Calls resolve.Language
}
