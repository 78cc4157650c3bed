// Package languages lists the languages. Each language family has a package of its own with
// everything specific to it. Code that reads files or resolves calls uses this package; it names no
// language itself.
package languages

import (
	"slices"

	"sextant/l2meta/language"
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
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
	"sextant/l2meta/syntax"
)

// list holds every language of which symbols are extracted.
var list = slices.Concat(
	bash.Languages,
	cfamily.Languages,
	csharp.Languages,
	data.Languages,
	elixir.Languages,
	golang.Languages,
	jvm.Languages,
	lua.Languages,
	php.Languages,
	python.Languages,
	ruby.Languages,
	rust.Languages,
	swift.Languages,
	typescript.Languages,
)

// All holds the rules by which the calls of each language are resolved; sources, the grammars and
// rules that read its files; idioms, its ways of using services. The keys are names of languages.
// The maps are not modified after initialization.
var (
	All     resolve.Languages = by(func(l language.Language) resolve.Language { return l.Calls })
	sources                   = by(func(l language.Language) syntax.Source { return l.Source })
	idioms                    = by(func(l language.Language) *services.Idioms {
		if l.Services == nil && l.Calls.InPages {
			return typescript.Languages[0].Services // for scripts in a page or in a Vue component
		}
		return l.Services
	})
)

func by[T any](part func(language.Language) T) map[string]T {
	out := map[string]T{}
	for _, l := range list {
		out[l.Source.Name] = part(l)
	}
	return out
}
