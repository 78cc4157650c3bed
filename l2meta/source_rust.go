package l2meta

import (
	sitter "github.com/smacker/go-tree-sitter"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
)

// RustSources are the grammars and rules of Rust.
var RustSources = []Source{
	{Name: "rust", Language: func() *sitter.Language { return sitter.NewLanguage(rust.Language()) }, Rules: rustRules},
}
