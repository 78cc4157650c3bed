package l2meta

import (
	"slices"
	"sync"
)

// sources are the grammars by name. Never written to after it is made.
var sources = index(slices.Concat(
	BashSources, CSources, CsharpSources, DataSources, ElixirSources, GoSources, JvmSources, LuaSources, PhpSources,
	PythonSources, RubySources, RustSources, SwiftSources, TypescriptSources,
))

func index(list []Source) map[string]Source {
	out := map[string]Source{}
	for _, s := range list {
		out[s.Name] = s
	}
	return out
}

// sourceOf finds the source that reads files of a language.
func sourceOf(language, path string) (Source, bool) {
	s, ok := sources[language]
	if ok && s.Variant != nil {
		s, ok = sources[s.Variant(path)]
	}
	return s, ok
}

// grammars makes each grammar on first use: a process that never meets a
// Kotlin file never loads its tables.
var grammars sync.Map // source name → func() *grammar

func grammarOf(language, path string) *Grammar {
	source, ok := sourceOf(language, path)
	if !ok {
		return nil
	}
	make, ok := grammars.Load(source.Name)
	if !ok {
		make, _ = grammars.LoadOrStore(source.Name, sync.OnceValue(func() *Grammar {
			return source.Grammar()
		}))
	}
	return make.(func() *Grammar)()
}
