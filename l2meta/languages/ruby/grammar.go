package ruby

import (
	"github.com/smacker/go-tree-sitter/ruby"

	"sextant/l2meta/syntax"
)

// Sources are the grammars and rules of Ruby.
var Sources = []syntax.Source{
	{Name: "ruby", Language: ruby.GetLanguage, Rules: rules, Defects: syntax.HeredocList},
}
