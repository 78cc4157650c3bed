package languages

import "sextant/l2meta/services"

// For the tests beside this package, which use the registry above it.
var GrammarOf = grammarOf
var LanguageOf = languageOf
var Sources = sources
var Idioms = func(language string) *services.Idioms { return idioms[language] }
