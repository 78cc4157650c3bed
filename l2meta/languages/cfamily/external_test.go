package cfamily_test

import (
	"testing"

	"sextant/l2meta/languages/cfamily"
	"sextant/l2meta/languages/languagetest"
)

// A function whose name a macro makes, or whose head is not readable, is not
// external for having no symbol.
func TestCHiddenNamesStayOpen(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"tree.h": `#define tree_gen(prefix, type) static void prefix##_insert(type *t) {} \
	static int tree_##prefix##_of_##type(void) { return 0; }
#define yylex jq_yylex
`,
		"use.c": `#include "tree.h"
#include <zlib.h>
tree_gen(my, node)
int run(struct node *n) {
	my_insert(n); tree_my_of_node(); jq_yylex(); inflate(n); memcpy(n, n, 1); my_insertion(n); tree_my(n);
	return 0;
}
`,
		"other.c": "#include <zlib.h>\nint other(void) { your_insert(); return 0; }\n",
	}, "use.c", "my_insert open", "tree_my_of_node open", "jq_yylex open", "inflate external", "memcpy external", "my_insertion external", "tree_my external")
}

func TestCMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"*_insert", "my_insert", true}, {"*_insert", "my_insertion", false}, {"*_insert", "insert", false},
		{"tree_*", "tree_x", true}, {"tree_*", "my_tree_x", false}, {"a_*_of_*", "a_b_of_c", true}, {"a_*_of_*", "a_of_c", false},
		{"*_x", "a_x_x", true},
	} {
		if got := cfamily.CMatches(c.pattern, c.name); got != c.want {
			t.Errorf("%s, %s: %v", c.pattern, c.name, got)
		}
	}
}
