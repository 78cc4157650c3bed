package l2meta

import (
	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/java"
	kotlin "github.com/tree-sitter-grammars/tree-sitter-kotlin/bindings/go"
	scala "github.com/tree-sitter/tree-sitter-scala/bindings/go"
)

// jvmSources are the grammars and rules of the languages of the JVM.
var jvmSources = []source{
	{name: "java", language: java.GetLanguage, rules: javaRules},
	{name: "kotlin", language: func() *sitter.Language { return sitter.NewLanguage(kotlin.Language()) }, rules: kotlinRules},
	{name: "scala", language: func() *sitter.Language { return sitter.NewLanguage(scala.Language()) }, rules: scalaRules},
}
