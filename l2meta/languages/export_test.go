package languages

import "sextant/l2meta/services"

// The names below export internals to the tests in package languages_test.
var GrammarOf = grammarOf
var LanguageOf = languageOf
var Sources = sources
var Idioms = func(language string) *services.Idioms { return idioms[language] }
