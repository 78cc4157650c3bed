package l2meta

import (
	"github.com/smacker/go-tree-sitter/python"
)

// PythonSources are the grammars and rules of Python.
var PythonSources = []Source{
	{Name: "python", Language: python.GetLanguage, Rules: pythonRules},
}
