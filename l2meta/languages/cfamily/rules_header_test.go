package cfamily_test

import (
	"testing"

	"sextant/l2meta/languages"
	"sextant/l2meta/languages/cfamily"
)

func TestHeadersAreReadInTheLanguageTheySpeak(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"a.h", "struct a { int b; };\nint f(void);\n", "c"},
		{"a.h", "/* a class of things:\nclass A { in a comment };\n*/\nint f(void);\n", "c"},
		{"a.h",
			"#ifdef __cplusplus\nextern \"C\" {\nnamespace x {}\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif\n",
			"c"},
		{"a.h", "struct s { int class; };\nint class = 1;\n", "c"},
		{"a.h", "class A {\n public:\n  int f();\n};\n", "cpp"},
		{"a.h", "#ifndef A\n#define A\nnamespace a {\nint f();\n}\n#endif\n", "cpp"},
		{"a.H", "  template <typename T> T f(T);\n", "cpp"},
		{"a.h", "inline std::string f();\n", "cpp"},
		{"a.h", "#if defined(__cplusplus)\nclass A;\n#else\ntypedef struct A A;\n#endif\n", "c"},
		{"a.h", "struct A {\n  bool operator==(const A& o) const;\n};\n", "cpp"},
		{"a.h", "struct A {\n  int operator()(int a);\n};\n", "cpp"},
		{"a.h", "int f(int operator);\nint operator(int a);\nint g = operator == (1);\n", "c"},
		{"a.c", "int namespace = 1;\nclass x;\n", "c"},
	} {
		if got := cfamily.CDialect(c.path, []byte(c.text)); got != c.want {
			t.Errorf("%s %q is read as %s, want %s", c.path, c.text, got, c.want)
		}
	}
	f, err := languages.Extract("a.h", []byte("class A {\n public:\n  int f();\n};\n"))
	if err != nil || f.Language != "cpp" || f.BadBytes != 0 || len(f.Symbols) != 2 {
		t.Errorf("language %q, %d bad bytes, %d symbols, error %v", f.Language, f.BadBytes, len(f.Symbols), err)
	}
}

// TestMaskBlanksMacros checks the text that the parser sees in place of the original.
func TestMaskBlanksMacros(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"class API Foo : public B {", "class     Foo : public B {"},
		{"class API(1) Foo {", "class        Foo {"},
		{"struct FOO x;", "struct FOO x;"},
		{"API int f(void);", "    int f(void);"},
		{"API foo_t *f(void);", "    foo_t *f(void);"},
		{"FILE *f(void);", "FILE *f(void);"},
		{"DWORD WINAPI f(int a);", "DWORD        f(int a);"},
		{"static int __init f(void) {", "static int        f(void) {"},
		{"int f(void) NO_SAN;", "int f(void)       ;"},
		{"int x GUARDED_BY(mu);", "int x               ;"},
		{"if (x) ASSERT(y);", "if (x) ASSERT(y);"},
		{"else ASSERT(y);", "else ASSERT(y);"},
		{"return FOO(x);", "return FOO(x);"},
		{"int y = FOO;", "int y = FOO;"},
		{"f(FOO *x);", "f(FOO *x);"},
		{"typedef int (WINAPI *fn)(int);", "typedef int (       *fn)(int);"},
		{"BEGIN_DECLS\nint f(void);", "           \nint f(void);"},
		{"DWORD\nf(int a)", "DWORD\nf(int a)"},
		{"{\n  Q_OBJECT\n  Q_INFO(1)\npublic:\n f();", "{\n          \n           \npublic:\n f();"},
		{": \n  WARNING(a : 1)\n  EXPORT buf(int a) {", ": \n                \n  EXPORT buf(int a) {"},
		{"EXPORT buf(int a) noexcept : a(a) {", "       buf(int a) noexcept : a(a) {"},
		{"template <class U> EXPORT buf(U a)\n : a(a) {", "template <class U>        buf(U a)\n : a(a) {"},
		{"EXPORT ~buf() = default;", "       ~buf() = default;"},
		{"x = a ? ONE(b) : two(c);", "x = a ? ONE(b) : two(c);"},
		{"case ONE: f(b);\n  TWO g(c);", "case ONE: f(b);\n  TWO g(c);"},
		{"{\n  ASSERT(a);\n  CHECK(b);\n}", "{\n  ASSERT(a);\n  CHECK(b);\n}"},
		{"TEST_END\nTEST_BEGIN(a) {\n}", "TEST_END\nTEST_BEGIN(a) {\n}"},
		{"x =\n  ONE\n  TWO(1);", "x =\n  ONE\n  TWO(1);"},
		{`s = "API int"; // API int`, `s = "API int"; // API int`},
		{`s = R"(API int ")"; API int x;`, `s = R"(API int ")";     int x;`},
		{"if (a) {\n#ifdef B\n} else {\n#endif\n}", "if (a) {\n        \n} else {\n      \n}"},
		{"#ifdef A\nif (x) {\n#else\nif (y) {\n#endif\n}", "        \nif (x) {\n     \n        \n      \n}"},
		{"#if 0\nif (x) {\n#else\nif (y) {\n#endif\n}", "     \n        \n     \nif (y) {\n      \n}"},
		{"#define A \\\n f(); /* c */ \\\n g()\nint x;", "#define A \\\n f();         \\\n g()\nint x;"},
		{"#define A /* c */\nint x;", "#define A /* c */\nint x;"},
		{"int (*f)(void) NO_SAN;", "int (*f)(void)       ;"},
		{"void f(int)\n#if G\n__attribute__((x))\n#endif\n;", "void f(int)\n     \n__attribute__((x))\n      \n;"},
		{"x = a\n#ifdef B\n+ b\n#endif\n;", "x = a\n        \n+ b\n      \n;"},
		{"enum {\nA,\n#ifdef B\nC,\n#else\nD,\n#endif\n};", "enum {\nA,\n        \nC,\n     \nD,\n      \n};"},
		{"switch (a) {\ncase 1:\n#ifdef B\nf();\n#endif\n}", "switch (a) {\ncase 1:\n#ifdef B\nf();\n#endif\n}"},
		{"#ifdef A\nint x;\n#else\nint y;\n#endif", "#ifdef A\nint x;\n#else\nint y;\n#endif"},
		{"f(a,\n#ifdef B\nb,\n#endif\nc)", "f(a,\n        \nb,\n      \nc)"},
	} {
		if got := string(cfamily.CMask([]byte(c.text))); got != c.want {
			t.Errorf("%q\nis shown as %q\n      want %q", c.text, got, c.want)
		}
	}
}
