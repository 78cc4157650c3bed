package golang

import (
	"github.com/smacker/go-tree-sitter/golang"

	"sextant/l2meta/language"
	"sextant/l2meta/resolve"
	"sextant/l2meta/syntax"
)

// Languages describes Go.
var Languages = []language.Language{
	{Source: syntax.Source{Name: "go", Language: golang.GetLanguage, Rules: rules},
		Calls: resolve.Language{Settler: Language{}, ImportConfidence: 0.99, Scattered: true, PackageIsFolder: true,
			Unimported: true, Sealed: true, Packaged: true, Stubs: stubs, Operations: operations},
		Services: idioms},
}
