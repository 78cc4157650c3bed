// Package languages lists the languages whose calls are resolved: each has a
// package of its own, which holds what is known of it.
package languages

import (
	"sextant/l2meta/languages/bash"
	"sextant/l2meta/languages/cfamily"
	"sextant/l2meta/languages/csharp"
	"sextant/l2meta/languages/golang"
	"sextant/l2meta/languages/jvm"
	"sextant/l2meta/languages/php"
	"sextant/l2meta/languages/python"
	"sextant/l2meta/languages/ruby"
	"sextant/l2meta/languages/rust"
	"sextant/l2meta/languages/typescript"
	"sextant/l2meta/resolve"
)

// All is every language whose calls are resolved.
var All = resolve.Languages{
	"bash":       bash.Language{},
	"c":          cfamily.Language{},
	"cpp":        cfamily.Language{},
	"csharp":     csharp.Language{},
	"go":         golang.Language{},
	"java":       jvm.Java{},
	"javascript": typescript.Language{},
	"kotlin":     jvm.Kotlin{},
	"php":        php.Language{},
	"python":     python.Language{},
	"ruby":       ruby.Language{},
	"rust":       rust.Language{},
	"scala":      jvm.Scala{},
	"svelte":     typescript.Svelte{},
	"typescript": typescript.Language{},
}
