// Package language declares the form in which each language describes itself: how its files are
// read, how its calls are resolved, and how its programs serve and call services. The file names of
// each language are in internal/lang, because packages below this one need them.
package language

import (
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
	"sextant/l2meta/syntax"
)

// Language is one language, or a dialect with a grammar of its own.
type Language struct {
	// Source is the name, grammar and rules of the language, by which its files are read.
	Source syntax.Source
	// Calls resolves calls of the language; the zero value resolves plain names within their
	// file.
	Calls resolve.Language
	// Services finds the routes, requests and messages in programs of the language; nil finds
	// none.
	Services *services.Idioms
}
