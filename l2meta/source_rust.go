package l2meta

import (
	sitter "github.com/smacker/go-tree-sitter"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
)

// rustSources are the grammars and rules of Rust.
var rustSources = []source{
	{name: "rust", language: func() *sitter.Language { return sitter.NewLanguage(rust.Language()) }, rules: rustRules},
}
