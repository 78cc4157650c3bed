package rust_test

import (
	"testing"

	"sextant/l2meta/languages"
	"sextant/l2meta/languages/rust"
)

func TestRustUnknownToTheGrammar(t *testing.T) {
	f, err := languages.Extract("a.rs",
		[]byte("mod m {\n    unsafe extern \"C\" {\n        pub fn getpid() -> i32;\n    }\n"+
			"    fn f() { check(str![\"x\"], 1); }\n    unsafe extern \"C\" fn g() {}\n}\n"))
	if err != nil || f.BadBytes != 0 {
		t.Errorf("%d bad bytes, error %v", f.BadBytes, err)
	}
	var names []string
	for _, s := range f.Symbols {
		names = append(names, s.QualifiedName)
	}
	if len(names) != 4 || names[1] != "m.getpid" || names[2] != "m.f" || names[3] != "m.g" {
		t.Errorf("symbols %v", names)
	}
	if len(f.Calls) != 2 || f.Calls[0].Args != 2 || f.Calls[1].Callee != "str" {
		t.Errorf("calls %+v", f.Calls)
	}
	if got := string(rust.RustMask([]byte("let mystr = str!(a);"))); got != "let mystr = s_r!(a);" {
		t.Errorf("shown as %q", got)
	}
}
