package jvm

import (
	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/java"
	kotlin "github.com/tree-sitter-grammars/tree-sitter-kotlin/bindings/go"
	scala "github.com/tree-sitter/tree-sitter-scala/bindings/go"

	"sextant/l2meta/syntax"
)

// Sources are the grammars and rules of the languages of the JVM.
var Sources = []syntax.Source{
	{Name: "java", Language: java.GetLanguage, Rules: javaRules},
	{Name: "kotlin", Language: func() *sitter.Language { return sitter.NewLanguage(kotlin.Language()) }, Rules: kotlinRules},
	{Name: "scala", Language: func() *sitter.Language { return sitter.NewLanguage(scala.Language()) }, Rules: scalaRules},
}
