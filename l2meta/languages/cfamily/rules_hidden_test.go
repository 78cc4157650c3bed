package cfamily_test

import (
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta/languages"
)

func TestCHiddenNames(t *testing.T) {
	const text = `#define yylex jq_yylex
#define YY_DECL int scan_next(void)
#define LIMIT 10
#define tree_gen(prefix, type) static void prefix##insert(type *t) {} \
	static int tree_##prefix##_of_##type(void) { return 0; }
#define CAT(a, b) a##b
int broken( {{ (
static int *lost (int b)
{ return 0; }
int plain(void) { return lost(1); }
`
	f, err := languages.Extract("a.c", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, fact := range f.Facts {
		if fact.Kind == code.FactHidden {
			got = append(got, fact.Name)
		}
	}
	if is, want := strings.Join(got, " "), "jq_yylex scan_next *insert tree_*_of_* lost"; is != want {
		t.Errorf("hidden: %s; want %s (%d bytes lost)", is, want, f.BadBytes)
	}
}
