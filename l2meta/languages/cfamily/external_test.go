package cfamily_test

import (
	"testing"

	"sextant/l2meta/languages/cfamily"
	"sextant/l2meta/languages/languagetest"
)

// TestCHiddenNamesStayOpen checks that a function without a symbol is not external if a macro may
// generate its name, or if its head could not be parsed.
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
	}, "use.c", "my_insert open", "tree_my_of_node open", "jq_yylex open", "inflate external", "memcpy external",
		"my_insertion external", "tree_my external")
}

func TestCMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"*_insert", "my_insert", true}, {"*_insert", "my_insertion", false}, {"*_insert", "insert", false},
		{"tree_*", "tree_x", true}, {"tree_*", "my_tree_x", false}, {"a_*_of_*", "a_b_of_c", true},
		{"a_*_of_*", "a_of_c", false},
		{"*_x", "a_x_x", true},
	} {
		if got := cfamily.CMatches(c.pattern, c.name); got != c.want {
			t.Errorf("%s, %s: %v", c.pattern, c.name, got)
		}
	}
}

// TestCLibraryByItsHeader checks that a C library function is external if a header that declares it
// is included, even if a file that is not included has a static function of that name, and if a
// macro replaces its name by another external one. A definition for all files of the workspace
// takes the library's place.
func TestCLibraryByItsHeader(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"base.h": `#include <stdlib.h>
#include <fcntl.h>
struct conn { int (*open)(const char *path); };
#ifdef _WIN32
#define unlink _unlink
#define rmdir win_rmdir
#define chdir(d) 0
#endif
`,
		"win.h": "int win_rmdir(const char *path);\n",
		"alloc.c": "static void free(void *p) { (void)p; }\nint close(int fd) { return fd; }\n" +
			"static int open(const char *path) { return 0; }\nvoid exit(int code) {}\n" +
			"int inflate(int x) { return x; }\n",
		"use.c": `#include "base.h"
#include "zlib.h"
int use(void *p) {
	free(p); open("a"); exit(1); close(1); inflate(1); unlink("a"); rmdir("a"); chdir("a");
	return 0;
}
`,
		"own.c": "#include <stdlib.h>\n#include \"own.h\"\nint own(void *p) { free(p); return 0; }\n",
		"own.h": "#define free(p) release(p)\n",
	}, "use.c", "free external", "open external", "exit open", "close open", "inflate open", "unlink external",
		"rmdir open", "chdir open")
}
