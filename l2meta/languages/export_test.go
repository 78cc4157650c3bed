package languages

// For the tests beside this package, which use the registry above it.
var GrammarOf = grammarOf
var LanguageOf = languageOf
var Sources = sources
