package python

import (
	"github.com/smacker/go-tree-sitter/python"

	"sextant/l2meta/syntax"
)

// Sources are the grammars and rules of Python.
var Sources = []syntax.Source{
	{Name: "python", Language: python.GetLanguage, Rules: rules},
}
