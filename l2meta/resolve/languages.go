package resolve

// All is every language whose calls are settled.
var All = Languages{
	"bash":       bash{},
	"c":          cfamily{},
	"cpp":        cfamily{},
	"csharp":     csharp{},
	"go":         golang{},
	"java":       javaLanguage{},
	"javascript": typescript{},
	"kotlin":     kotlin{},
	"php":        php{},
	"python":     python{},
	"ruby":       ruby{},
	"rust":       rust{},
	"scala":      scala{},
	"svelte":     svelte{},
	"typescript": typescript{},
}
