package rust

import (
	sitter "github.com/smacker/go-tree-sitter"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"

	"sextant/l2meta/language"
	"sextant/l2meta/resolve"
	"sextant/l2meta/syntax"
)

// Languages describes Rust.
var Languages = []language.Language{
	{Source: syntax.Source{Name: "rust", Language: func() *sitter.Language {
		return sitter.NewLanguage(rust.Language())
	}, Rules: rules},
		Calls: resolve.Language{Settler: Language{}, Annotates: true, Scattered: true, Sealed: true, FunctionsMake: true,
			Stubs: stubs, Operations: operations},
		Services: idioms},
}
