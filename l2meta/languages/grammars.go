package languages

import (
	"sync"

	"sextant/l2meta/syntax"
)

// sourceOf returns the grammar and rules for the text of a file: those of its language, or of a
// dialect with a grammar of its own. It returns false if there are none.
func sourceOf(language, path string, text []byte) (syntax.Source, bool) {
	s, ok := sources[language]
	if ok && s.Variant != nil {
		s, ok = sources[s.Variant(path, text)]
	}
	return s, ok
}

// grammars holds the grammars, each created on first use: a process without Kotlin files does not
// load Kotlin's tables.
var grammars sync.Map // source name → func() *grammar

func grammarOf(language, path string, text []byte) *syntax.Grammar {
	source, ok := sourceOf(language, path, text)
	if !ok {
		return nil
	}
	make, ok := grammars.Load(source.Name)
	if !ok {
		make, _ = grammars.LoadOrStore(source.Name, sync.OnceValue(func() *syntax.Grammar {
			return source.Grammar()
		}))
	}
	return make.(func() *syntax.Grammar)()
}
