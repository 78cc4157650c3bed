package jvm_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

func TestJavaContainers(t *testing.T) {
	languagetest.World(t, map[string]string{
		"a/Node.java": "package a;\npublic class Node<T> { void f() {} }\n",
		"a/Nodes.java": "package a;\nimport java.util.ArrayList;\npublic class Nodes<T extends Node> extends " +
			"ArrayList<T> {}\n",
		"a/Elements.java": "package a;\npublic class Elements extends Nodes<Node> {\n" +
			"  public Node remove(int i) { return null; }\n}\n",
		"a/Use.java": `package a;
import java.util.*;
class Use {
  void use(Elements els, List<Node> list, Map<String, Node> map) {
    els.get(0).f();
  }
}
`,
	}, func(r *resolve.Resolver) {
		got := languagetest.Sites(t, r, "a/Use.java")
		if s := got["f"]; s.Outcome != resolve.Settled {
			t.Errorf("f: %+v", s.Verdict)
		}
	})
}
