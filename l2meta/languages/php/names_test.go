package php_test

import (
	"slices"
	"testing"

	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/languages/php"
	"sextant/l2meta/resolve"
)

// TestNamesOfCalls checks that callers have the name of a function or a class in every spelling, and a
// constructor those of its class.
func TestNamesOfCalls(t *testing.T) {
	files := map[string]string{"a.php": "<?php\nfunction sendMail() {}\nclass Order { function __construct() {} " +
		"function __invoke() {} public int $plain = 1; public ?\\Closure $done; function run() {} }\n"}
	want := map[string][]string{
		"sendMail":          {"sendMail", "sendmail", "SENDMAIL", "SendMail"},
		"Order.__construct": {"__construct", "Order", "order", "ORDER", "self", "static", "parent"},
		"Order.__invoke":    {"__invoke", "Order"},
		"Order.plain":       {"plain", "PLAIN", "Plain"},
		"Order.done":        {"done", "__invoke"},
		"Order.run":         {"run", "RUN", "Run"},
		"Order":             {"Order", "order", "ORDER", "self", "static"},
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
			if len(names) < 4 && len(got) != len(names) {
				t.Errorf("%s: %q, want %q", name, got, names)
			}
		}
	})
}

// TestImportsLeadToFiles checks the files to which use clauses and includes lead.
func TestImportsLeadToFiles(t *testing.T) {
	files := map[string]string{
		"src/use.php": "<?php\nnamespace App;\nuse Lib\\Order;\nuse function Lib\\send;\nuse Out\\Side;\n" +
			"include 'lib/part.php';\nrequire_once '../top.php';\ninclude 'lib/absent.php';\ninclude $computed;\n" +
			"use Lib\\Twice;\n",
		"src/lib/order.php": "<?php\nnamespace Lib;\nclass Order {}\n",
		"src/lib/send.php":  "<?php\nnamespace Lib;\nfunction send() {}\n",
		"src/lib/part.php":  "<?php\n$x = 1;\n",
		"src/lib/one.php":   "<?php\nnamespace Lib;\nclass Twice {}\n",
		"src/lib/two.php":   "<?php\nnamespace Lib;\nclass Twice {}\n",
		"top.php":           "<?php\n$y = 1;\n",
	}
	want := []string{"src/lib/order.php", "src/lib/send.php", "", "src/lib/part.php", "top.php", "", "", ""}
	languagetest.World(t, files, func(r *resolve.Resolver) {
		f := r.World().File("src/use.php")
		for i := range f.Imports {
			got := ""
			for _, to := range (php.Language{}).Imports(r.World(), f, &f.Imports[i]) {
				if to != nil {
					got = to.Path
				}
			}
			if got != want[i] {
				t.Errorf("import %q leads to %q, want %q", f.Imports[i].Module, got, want[i])
			}
		}
	})
}

// TestOverriddenMethods checks that a method overrides those of its class's bases, and no function or method
// of an unrelated class.
func TestOverriddenMethods(t *testing.T) {
	files := map[string]string{
		"a.php": "<?php\ninterface Shape { function area(); }\nabstract class Base implements Shape, \\Countable {\n" +
			"  function area() {} function count() {} }\nclass Square extends Base { function area() {} function own() {} }\n" +
			"class Apart { function area() {} }\nfunction area() {}\n" +
			"trait Sized { function area() {} }\nclass Box implements Shape { use Sized; }\n" +
			"class Plain { function area() {} }\nclass Late extends Plain implements Shape {}\n",
	}
	want := map[string][]string{"Square.area": {"Base.area", "Shape.area"}, "Base.area": {"Shape.area"}, "Square.own": nil,
		"Apart.area": nil, "Shape.area": nil, "area": nil, "Base.count": nil,
		"Sized.area": {"Shape.area"}, "Plain.area": {"Shape.area"}}
	languagetest.World(t, files, func(r *resolve.Resolver) {
		f := r.World().File("a.php")
		for name, bases := range want {
			var got []string
			for _, o := range (php.Language{}).Overridden(r.World(), f.Ref(f.Qualified(name)[0])) {
				got = append(got, o.Symbol().QualifiedName)
			}
			if !slices.Equal(got, bases) {
				t.Errorf("%s overrides %q, want %q", name, got, bases)
			}
		}
	})
}
