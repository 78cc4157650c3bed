package data

import (
	"github.com/smacker/go-tree-sitter/hcl"
	"github.com/smacker/go-tree-sitter/html"
	"github.com/smacker/go-tree-sitter/protobuf"
	"github.com/smacker/go-tree-sitter/toml"

	"sextant/l2meta/syntax"
)

// Sources are the grammars and rules of languages without calls. Those without a
// grammar have dialects that no one grammar knows.
var Sources = []syntax.Source{
	{Name: "css", Rules: cssRules},
	{Name: "dockerfile", Rules: dockerfileRules},
	{Name: "hcl", Language: hcl.GetLanguage, Rules: hclRules},
	{Name: "html", Language: html.GetLanguage, Rules: htmlRules},
	{Name: "markdown", Rules: markdownRules},
	{Name: "protobuf", Language: protobuf.GetLanguage, Rules: protobufRules},
	{Name: "sql", Rules: sqlRules},
	{Name: "toml", Language: toml.GetLanguage, Rules: tomlRules},
	{Name: "yaml", Rules: yamlRules},
}
