package l2meta

import (
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/bash"
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"
	"github.com/smacker/go-tree-sitter/csharp"
	"github.com/smacker/go-tree-sitter/elixir"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/hcl"
	"github.com/smacker/go-tree-sitter/html"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/lua"
	"github.com/smacker/go-tree-sitter/protobuf"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/ruby"
	"github.com/smacker/go-tree-sitter/swift"
	"github.com/smacker/go-tree-sitter/toml"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
	kotlin "github.com/tree-sitter-grammars/tree-sitter-kotlin/bindings/go"
	php "github.com/tree-sitter/tree-sitter-php/bindings/go"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
	scala "github.com/tree-sitter/tree-sitter-scala/bindings/go"
)

// grammar makes the grammar of a source.
func (s source) grammar() *grammar {
	if s.language == nil {
		return newGrammar(nil, s.rules())
	}
	return newGrammar(guarded(s.name, s.language()), s.rules())
}

// source is where the grammar and the rules of a language come from.
type source struct {
	name     string
	language func() *sitter.Language // nil: the rules read the text, whose dialects no one grammar knows
	rules    func() *rules
}

// sourceOf finds the source of a language of package lang. One grammar source
// a language: two of them would link duplicate C symbols. The official
// grammars (Kotlin, PHP, Rust, Scala) are taken where the bundled ones fail on
// too many files; an ABI above 14 is refused at run time without an error,
// which TestEveryGrammarParses would show.
func sourceOf(language, path string) (source, bool) {
	if language == "typescript" && strings.HasSuffix(strings.ToLower(path), ".tsx") {
		language = "tsx"
	}
	s, ok := sources[language]
	s.name = language
	return s, ok
}

// sources is never written to after it is made.
var sources = map[string]source{
	"bash":       {language: bash.GetLanguage, rules: bashRules},
	"c":          {language: c.GetLanguage, rules: cRules},
	"cpp":        {language: cpp.GetLanguage, rules: cppRules},
	"csharp":     {language: csharp.GetLanguage, rules: csharpRules},
	"css":        {rules: cssRules},
	"dockerfile": {rules: dockerfileRules},
	"elixir":     {language: elixir.GetLanguage, rules: elixirRules},
	"go":         {language: golang.GetLanguage, rules: goRules},
	"hcl":        {language: hcl.GetLanguage, rules: hclRules},
	"html":       {language: html.GetLanguage, rules: htmlRules},
	"java":       {language: java.GetLanguage, rules: javaRules},
	"javascript": {language: javascript.GetLanguage, rules: typescriptRules},
	"kotlin":     {language: func() *sitter.Language { return sitter.NewLanguage(kotlin.Language()) }, rules: kotlinRules},
	"lua":        {language: lua.GetLanguage, rules: luaRules},
	"markdown":   {rules: markdownRules},
	"php":        {language: func() *sitter.Language { return sitter.NewLanguage(php.LanguagePHP()) }, rules: phpRules},
	"protobuf":   {language: protobuf.GetLanguage, rules: protobufRules},
	"python":     {language: python.GetLanguage, rules: pythonRules},
	"ruby":       {language: ruby.GetLanguage, rules: rubyRules},
	"rust":       {language: func() *sitter.Language { return sitter.NewLanguage(rust.Language()) }, rules: rustRules},
	"scala":      {language: func() *sitter.Language { return sitter.NewLanguage(scala.Language()) }, rules: scalaRules},
	"sql":        {rules: sqlRules},
	"svelte":     {language: html.GetLanguage, rules: svelteRules},
	"swift":      {language: swift.GetLanguage, rules: swiftRules},
	"toml":       {language: toml.GetLanguage, rules: tomlRules},
	"tsx":        {language: tsx.GetLanguage, rules: typescriptRules},
	"typescript": {language: typescript.GetLanguage, rules: typescriptRules},
	"yaml":       {rules: yamlRules},
}
