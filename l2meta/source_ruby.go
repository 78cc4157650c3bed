package l2meta

import (
	"github.com/smacker/go-tree-sitter/ruby"
)

// rubySources are the grammars and rules of Ruby.
var rubySources = []source{
	{name: "ruby", language: ruby.GetLanguage, rules: rubyRules, defects: heredocList},
}
