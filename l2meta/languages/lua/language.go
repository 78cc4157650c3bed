package lua

import (
	"github.com/smacker/go-tree-sitter/lua"

	"sextant/l2meta/language"
	"sextant/l2meta/syntax"
)

// Languages describes Lua.
var Languages = []language.Language{
	{Source: syntax.Source{Name: "lua", Language: lua.GetLanguage, Rules: rules, Defects: syntax.GlobalState}},
}
