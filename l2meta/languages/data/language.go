package data

import (
	"github.com/smacker/go-tree-sitter/hcl"
	"github.com/smacker/go-tree-sitter/html"
	"github.com/smacker/go-tree-sitter/protobuf"
	"github.com/smacker/go-tree-sitter/toml"

	"sextant/l2meta/language"
	"sextant/l2meta/resolve"
	"sextant/l2meta/syntax"
)

// Languages describes style sheets, pages, manifests, schemas and prose. An entry without a
// grammar has dialects that no single grammar supports.
var Languages = []language.Language{
	{Source: syntax.Source{Name: "css", Rules: cssRules}}, // @include calls mixins, so CallsNothing is unset
	{Source: syntax.Source{Name: "dockerfile", Rules: dockerfileRules}, Calls: resolve.Language{CallsNothing: true}},
	{Source: syntax.Source{Name: "hcl", Language: hcl.GetLanguage, Rules: hclRules},
		Calls: resolve.Language{CallsNothing: true}},
	{Source: syntax.Source{Name: "html", Language: html.GetLanguage, Rules: htmlRules},
		Calls: resolve.Language{InPages: true}},
	{Source: syntax.Source{Name: "markdown", Rules: markdownRules}, Calls: resolve.Language{CallsNothing: true}},
	{Source: syntax.Source{Name: "protobuf", Language: protobuf.GetLanguage, Rules: protobufRules},
		Calls: resolve.Language{CallsNothing: true}},
	{Source: syntax.Source{Name: "sql", Rules: sqlRules}},
	{Source: syntax.Source{Name: "toml", Language: toml.GetLanguage, Rules: tomlRules},
		Calls: resolve.Language{CallsNothing: true}},
	{Source: syntax.Source{Name: "yaml", Rules: yamlRules}, Calls: resolve.Language{CallsNothing: true}},
}
