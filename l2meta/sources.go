package l2meta

import (
	"slices"
	"sync"
)

// sources are the grammars by name. Never written to after it is made.
var sources = index(slices.Concat(
	bashSources, cSources, csharpSources, dataSources, elixirSources, goSources, jvmSources, luaSources, phpSources,
	pythonSources, rubySources, rustSources, swiftSources, typescriptSources,
))

func index(list []source) map[string]source {
	out := map[string]source{}
	for _, s := range list {
		out[s.name] = s
	}
	return out
}

// sourceOf finds the source that reads files of a language.
func sourceOf(language, path string) (source, bool) {
	s, ok := sources[language]
	if ok && s.variant != nil {
		s, ok = sources[s.variant(path)]
	}
	return s, ok
}

// grammars makes each grammar on first use: a process that never meets a
// Kotlin file never loads its tables.
var grammars sync.Map // source name → func() *grammar

func grammarOf(language, path string) *grammar {
	source, ok := sourceOf(language, path)
	if !ok {
		return nil
	}
	make, ok := grammars.Load(source.name)
	if !ok {
		make, _ = grammars.LoadOrStore(source.name, sync.OnceValue(func() *grammar {
			return source.grammar()
		}))
	}
	return make.(func() *grammar)()
}
