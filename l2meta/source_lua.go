package l2meta

import (
	"github.com/smacker/go-tree-sitter/lua"
)

// LuaSources are the grammars and rules of Lua.
var LuaSources = []Source{
	{Name: "lua", Language: lua.GetLanguage, Rules: luaRules, Defects: GlobalState},
}
