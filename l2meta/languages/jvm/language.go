package jvm

import (
	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/java"
	kotlin "github.com/tree-sitter-grammars/tree-sitter-kotlin/bindings/go"
	scala "github.com/tree-sitter/tree-sitter-scala/bindings/go"

	lang "sextant/l2meta/language"
	"sextant/l2meta/resolve"
	"sextant/l2meta/syntax"
)

// familyName is the family of the JVM languages.
const familyName = "java"

// Languages describes the languages of the JVM.
var Languages = []lang.Language{
	{Source: syntax.Source{Name: "java", Language: java.GetLanguage, Rules: javaRules},
		Calls: resolve.Language{Settler: Java{}, Family: familyName, Annotates: true, PackageIsFolder: true,
			Closed: true, Stubs: javaStubs},
		Services: idioms},
	{Source: syntax.Source{Name: "kotlin", Language: func() *sitter.Language { return sitter.NewLanguage(kotlin.Language()) }, Rules: kotlinRules},
		Calls: resolve.Language{Settler: Kotlin{}, Family: familyName, Annotates: true, PackageIsFolder: true,
			Closed: true, Stubs: kotlinStubs},
		Services: idioms},
	{Source: syntax.Source{Name: "scala", Language: func() *sitter.Language { return sitter.NewLanguage(scala.Language()) }, Rules: scalaRules},
		Calls: resolve.Language{Settler: Scala{}, Family: familyName, Annotates: true, PackageIsFolder: true,
			Closed: true, Stubs: scalaStubs},
		Services: idioms},
}
