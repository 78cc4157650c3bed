package l2meta

import (
	"github.com/smacker/go-tree-sitter/lua"
)

// luaSources are the grammars and rules of Lua.
var luaSources = []source{
	{name: "lua", language: lua.GetLanguage, rules: luaRules, defects: globalState},
}
