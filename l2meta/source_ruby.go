package l2meta

import (
	"github.com/smacker/go-tree-sitter/ruby"
)

// RubySources are the grammars and rules of Ruby.
var RubySources = []Source{
	{Name: "ruby", Language: ruby.GetLanguage, Rules: rubyRules, Defects: HeredocList},
}
