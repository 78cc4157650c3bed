package php_test

import (
	"slices"
	"testing"

	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// TestNamesOfCalls checks that callers have the name of a function or a class in every spelling, and a
// constructor those of its class.
func TestNamesOfCalls(t *testing.T) {
	files := map[string]string{"a.php": "<?php\nfunction sendMail() {}\nclass Order { function __construct() {} " +
		"function __invoke() {} }\n"}
	want := map[string][]string{
		"sendMail":          {"sendMail", "sendmail", "SENDMAIL", "SendMail"},
		"Order.__construct": {"__construct", "Order", "order", "ORDER", "self", "static", "parent"},
		"Order.__invoke":    {"__invoke", "Order"},
	}
	languagetest.World(t, files, func(r *resolve.Resolver) {
		f := r.World().File("a.php")
		for name, names := range want {
			i := f.Qualified(name)
			if len(i) != 1 {
				t.Fatalf("%s: %d symbols", name, len(i))
			}
			got := languages.All["php"].Settler.CallNames(r.World(), f.Ref(i[0]))
			for _, n := range names {
				if !slices.Contains(got, n) {
					t.Errorf("%s: %q lacks %s", name, got, n)
				}
			}
		}
	})
}
