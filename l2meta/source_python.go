package l2meta

import (
	"github.com/smacker/go-tree-sitter/python"
)

// pythonSources are the grammars and rules of Python.
var pythonSources = []source{
	{name: "python", language: python.GetLanguage, rules: pythonRules},
}
