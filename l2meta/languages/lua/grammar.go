package lua

import (
	"github.com/smacker/go-tree-sitter/lua"

	"sextant/l2meta/syntax"
)

// Sources are the grammars and rules of Lua.
var Sources = []syntax.Source{
	{Name: "lua", Language: lua.GetLanguage, Rules: rules, Defects: syntax.GlobalState},
}
