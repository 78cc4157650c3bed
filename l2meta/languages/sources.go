package languages

import (
	"slices"
	"sync"

	"sextant/l2meta/languages/bash"
	"sextant/l2meta/languages/cfamily"
	"sextant/l2meta/languages/csharp"
	"sextant/l2meta/languages/data"
	"sextant/l2meta/languages/elixir"
	"sextant/l2meta/languages/golang"
	"sextant/l2meta/languages/jvm"
	"sextant/l2meta/languages/lua"
	"sextant/l2meta/languages/php"
	"sextant/l2meta/languages/python"
	"sextant/l2meta/languages/ruby"
	"sextant/l2meta/languages/rust"
	"sextant/l2meta/languages/swift"
	"sextant/l2meta/languages/typescript"
	"sextant/l2meta/syntax"
)

// sources are the grammars by name. Never written to after it is made.
var sources = index(slices.Concat(
	bash.Sources, cfamily.Sources, csharp.Sources, data.Sources, elixir.Sources, golang.Sources, jvm.Sources, lua.Sources, php.Sources,
	python.Sources, ruby.Sources, rust.Sources, swift.Sources, typescript.Sources,
))

func index(list []syntax.Source) map[string]syntax.Source {
	out := map[string]syntax.Source{}
	for _, s := range list {
		out[s.Name] = s
	}
	return out
}

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
