package l2meta

import (
	"github.com/smacker/go-tree-sitter/hcl"
	"github.com/smacker/go-tree-sitter/html"
	"github.com/smacker/go-tree-sitter/protobuf"
	"github.com/smacker/go-tree-sitter/toml"
)

// dataSources are the grammars and rules of languages without calls. Those without a
// grammar have dialects that no one grammar knows.
var dataSources = []source{
	{name: "css", rules: cssRules},
	{name: "dockerfile", rules: dockerfileRules},
	{name: "hcl", language: hcl.GetLanguage, rules: hclRules},
	{name: "html", language: html.GetLanguage, rules: htmlRules},
	{name: "markdown", rules: markdownRules},
	{name: "protobuf", language: protobuf.GetLanguage, rules: protobufRules},
	{name: "sql", rules: sqlRules},
	{name: "toml", language: toml.GetLanguage, rules: tomlRules},
	{name: "yaml", rules: yamlRules},
}
