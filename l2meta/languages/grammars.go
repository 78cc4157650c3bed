package languages

import (
	"sync"

	"sextant/l2meta/syntax"
)

// sourceOf finds the source that reads files of a language.
func sourceOf(language, path string) (syntax.Source, bool) {
	s, ok := sources[language]
	if ok && s.Variant != nil {
		s, ok = sources[s.Variant(path)]
	}
	return s, ok
}

// grammars makes each grammar on first use: a process that never meets a
// Kotlin file never loads its tables.
var grammars sync.Map // source name → func() *grammar

func grammarOf(language, path string) *syntax.Grammar {
	source, ok := sourceOf(language, path)
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
