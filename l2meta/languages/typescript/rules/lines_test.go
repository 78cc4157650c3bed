package rules_test

import (
	"testing"

	"sextant/l2meta/languages"
	"sextant/l2meta/languages/typescript/rules"
)

// TestMembersEndAtTheirLine checks that a member which starts with a bracket ends the previous one,
// and that the code after the interface is parsed.
func TestMembersEndAtTheirLine(t *testing.T) {
	for _, text := range []string{
		"interface A {\n  <T>(a: T): T\n  <T, U>(a: T, b: U): U\n}\n",
		"interface A {\n  <T>(a: T): Promise<T>\n  // x\n  <T, U>(\n    a: T,\n    b: U\n  ): U\n  <V>(a: V): void\n}\n",
		"type A = {\n  <T>(a: T): T\n  <T extends Record<string, () => void> = {}>(a: T): T\n  new <T>(a: T): T\n}\n",
		"interface A {\n  a: T\n  [key: string]: T\n  b: U\n}\n",
	} {
		f, err := languages.Extract("a.ts", []byte(text+"function after() { b() }\nclass C { m() {} }\n"))
		if err != nil {
			t.Fatal(err)
		}
		if f.BadBytes > 0 {
			t.Errorf("%d bytes bad:\n%s", f.BadBytes, text)
		}
		if last := f.Symbols[len(f.Symbols)-1]; last.QualifiedName != "C.m" {
			t.Errorf("ends in %s:\n%s", last.QualifiedName, text)
		}
	}
	for _, text := range []string{ // expressions that continue on the next line
		"const x = a\n  <T>(b)\n", "const x = c ? d\n  [e] : f\n", "const x = a\n  [b](c)\n",
		"f<\n  [a: string, b: number]\n>()\n",
	} {
		if shown := string(rules.TsMask([]byte(text))); shown != text {
			t.Errorf("%q is shown as %q", text, shown)
		}
	}
}
