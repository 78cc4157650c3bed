// Package language declares the form in which each language describes itself: how
// its files are read, how its calls are resolved, and how it speaks to services.
// The names of files are below this, in internal/lang, where the parts that know
// no language find them.
package language

import (
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
	"sextant/l2meta/syntax"
)

// Language is one language, or a dialect with a grammar of its own.
type Language struct {
	// Source is its name, grammar and rules: how the facts of a file are read.
	Source syntax.Source
	// Calls resolves its calls; the zero value resolves plain names within their
	// file.
	Calls resolve.Language
	// Services reads how its programs serve and request; nil reads nothing.
	Services *services.Idioms
}
