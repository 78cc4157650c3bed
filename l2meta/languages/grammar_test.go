package languages_test

import (
	"testing"

	"sextant/l2meta/languages"
)

// snippets has a valid text for every source. A grammar with an incompatible ABI silently parses
// nothing.
var snippets = map[string]string{
	"bash": "f() { echo hi; }\n", "c": "int f(void) { return 0; }\n", "cpp": "class A { int f(); };\n",
	"csharp": "class A { void F() {} }\n", "css": ".a { color: red; }\n", "dockerfile": "FROM scratch\n",
	"elixir": "defmodule A do\nend\n", "go": "package a\nfunc f() {}\n", "hcl": "resource \"a\" \"b\" {}\n",
	"html": "<p id=\"a\">x</p>\n", "java": "class A { void f() {} }\n", "javascript": "function f() {}\n",
	"kotlin": "fun f() {}\n", "lua": "function f() end\n", "markdown": "# A\n", "php": "<?php function f() {}\n",
	"protobuf": "syntax = \"proto3\";\nmessage A {}\n", "python": "def f(): pass\n", "ruby": "def f; end\n",
	"rust": "fn f() {}\n", "scala": "object A { def f = 1 }\n", "sql": "CREATE TABLE a (b INT);\n",
	"svelte": "<p>x</p>\n", "swift": "func f() {}\n", "toml": "[a]\nb = 1\n", "tsx": "const a = <p>x</p>;\n",
	"typescript": "function f(a: number) {}\n", "vue": "<template><p>x</p></template>\n", "yaml": "a: 1\n",
}

func TestEveryGrammarParses(t *testing.T) {
	for name, s := range languages.Sources {
		text, ok := snippets[name]
		if !ok {
			t.Errorf("%s has no snippet", name)
			continue
		}
		if s.Language == nil {
			continue
		}
		tree, err := s.Grammar().Parse([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(tree.Nodes) < 3 || tree.BadBytes() > 0 || tree.End(0) == 0 {
			t.Errorf("%s: %d nodes, %d bad bytes", name, len(tree.Nodes), tree.BadBytes())
		}
	}
}

// TestRulesNameNodesOfTheirGrammar fails for handlers and comment types of nodes that the grammar
// does not have, and which would never run.
func TestRulesNameNodesOfTheirGrammar(t *testing.T) {
	known := map[string]map[string]bool{} // the node types of all grammars of a rule set
	type set = map[string]bool
	used := map[string]set{}
	for name, s := range languages.Sources {
		group := name
		if name == "tsx" || name == "javascript" {
			group = "typescript"
		}
		if known[group] == nil {
			known[group], used[group] = set{}, set{}
		}
		r, g := s.Rules(), s.Grammar()
		for _, k := range g.Kinds {
			known[group][k] = true
		}
		for k := range r.Handlers {
			used[group][k] = true
		}
		for _, k := range r.Comments {
			used[group][k] = true
		}
	}
	for group, kinds := range used {
		for k := range kinds {
			if !known[group][k] {
				t.Errorf("the rules of %s name %q, which its grammar does not have", group, k)
			}
		}
	}
}
