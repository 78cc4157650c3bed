package rust

import (
	sitter "github.com/smacker/go-tree-sitter"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"

	"sextant/l2meta/syntax"
)

// Sources are the grammars and rules of Rust.
var Sources = []syntax.Source{
	{Name: "rust", Language: func() *sitter.Language { return sitter.NewLanguage(rust.Language()) }, Rules: rules},
}
