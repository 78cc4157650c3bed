package cfamily

import (
	"strings"
	"testing"
)

// masked are texts with the parts that are blanked between « and ».
var masked = []string{
	// Macros of classes.
	"class «EXPORT» Name {", "class «EXPORT» Name : Base {", "struct «EXPORT(1, x)» Name {", "class «EXPORT» Name;",
	"struct EXPORT Name;", "class «EXPORT» Name final {", "class «EXPORT» Name<int> {", "class «ONE TWO» Name {",
	"union «EXPORT» Name {", "enum «EXPORT» Name {", "class EXPORT {", "class Name {", "class EXPORT = x;",
	// Macros before declarations.
	"«EXPORT» int f(void);", "«EXPORT» static int f(void);", "int a; «EXPORT» struct S s;", "«EXPORT(x)» int f(void);",
	"f(EXPORT(x) int);", "«EXPORT» const char *name;", "«EXPORT» const Type *name;", "EXPORT const + 1;",
	"«EXPORT» Type name(int);", "«EXPORT» Type name;", "«EXPORT» a::Type<b, c> *name = 1;", "«EXPORT» Type &name[3];",
	"EXPORT name(int);", "EXPORT Type + name;", "EXPORT return name;", "«EXPORT» Type const *name;",
	"{ «EXPORT» Type name; }",
	"f(); EXPORT x;", "«__init» int f(void) {", "__attribute__((x)) int f(void) {", "__typeof__(x) y;", "AB int f(void);",
	"«ABC» int f(void);", "A_1 f;", "«A_B» int f;", "Ab3 f();",
	// Macros between a type and a function.
	"int «WINAPI» f(void);", "int *«WINAPI» f(void);", "return WINAPI f(1);", "void «PRINTF(1, 2)» f(char *, ...);",
	"void *«PRINTF(a)» *f(int) {", "if PRINTF(a) f(b);", "void «PRINTF(a)» f(int) __attribute__((x));",
	"void PRINTF(a) f(int) = 1;", "int («WINAPI» *f)(int);", "int (WINAPI f)(int);", "int (WINAPI *f);",
	"void «printflike(1, 2)» f(char *, ...);", "void f(char *, ...) «printflike(1, 2)»;", "x = g(1, 2);", "g(1, 2) f(x);",
	"void g(a, b) f(x);", "DWORD «WINAPI» f(void);",
	// Macros alone on a line, and behind a declarator.
	"«BEGIN_DECLS»\nint f(void);", "«BEGIN_DECLS»\nnamespace a {", "BEGIN_DECLS\n(a);", "x = 1,\nEND_DECLS\n;",
	"LABEL\nf(1);",
	"int f(void) «NO_THREAD»;", "int f() const «NO_THREAD» {", "int x «GUARDED(mu)»;", "int x «GUARDED(mu)» = 1;",
	"int x[2] «ALIGNED»;", "void f() «ONE» «TWO(x)»;", "if (f(x)) CHECK;", "return x CHECK;", "int (*f)(void) «NOTE»;",
	"f(x) CHECK;", "int f(void) «A_NOTE» : x(1) {", "void f() override «NOTE»;",
	"«EXPORT» ~Name();", "«EXPORT» Name(int a) : a(a) {", "«EXPORT» Name() noexcept : a(1) {",
	"«EXPORT» Name() noexcept(true) : a(1) {", "EXPORT Name(int a) {", "template <class T> «EXPORT» ~Name();",
	"struct A {\n«Q_OBJECT»\nQ_PROPERTY(int x)\n};", "TEST_END\nTEST_BEGIN(a) {",
	"«TEST_END»\n«TEST_BEGIN(a)»\nint f(void);", "«NOTE(x)»\n«EXPORT» Type f(void);",
	// No macros.
	"x = EXPORT;", "f(EXPORT, 1);", "MAX(a, b);", "EXPORT;", "#define EXPORT int f(void)\nint g;", "\"EXPORT int f\";",
	"// EXPORT int f(void);\nint g;", "/* EXPORT int f; */ int g;", "case EXPORT: int x;", "Type EXPORT = 1;",
	"Export int f();",
	// Texts that end early.
	"x /", "x /*", "x /* y", "x //", "x \"", "x '", "EXPORT", "«EXPORT» int", "int f(", "EXPORT(", "#if",
	"#ifdef A\nint", "x \\",
	// Conditionals that the grammar cannot parse keep their first branch.
	"«#ifdef A\n»if (a) {«\n#else\nif (b) {\n#endif\n»f(); }", "#ifdef A\nint a;\n#else\nint b;\n#endif\n",
	"«#if 0\nif (a) {\n#else\n»if (b) {\n«#endif\n»f(); }", "int a[] = {\n«#ifdef A\n»1,\n«#endif\n»2 };",
	"int a[] = {\n«#ifdef A\n»1,\n«#else\n»3,\n«#endif\n»2 };", "f(\n«#ifdef A\n»1\n«#else\n2\n#endif\n»);",
	"x = 1 +\n«#ifdef A\n»1\n«#else\n2\n#endif\n»;", "if (a\n«#ifdef A\n»&& b\n«#endif\n») f();",
	"x = a\n«#ifdef A\n»&& b\n«#endif\n»;", "int x;\n#ifdef A\n&y;\n#endif\n;",
	"x = a\n«#ifdef A\n»| b\n«#else\n| c\n#endif\n»;",
	"f(a)\n«#ifdef A\n»__attribute__((x))\n«#endif\n»;", "int x;\n#ifdef A\n__attribute__((x)) int y;\n#endif\n;",
	"A::A()\n  :\n«#ifdef A\n»a(1)\n«#else\na(2)\n#endif\n»{ }", "label:\n#ifdef A\nf();\n#endif\n;",
	"#define A(x) \\\n  x «/* y */» \\\n  z\nint b;", "#define A \"/*\" \\\n  z\nint b; /* c */",
	"#define A 1 // see /*\n«EXPORT» int b; /* c */",
	"#error can't\n«EXPORT» int b; // '", "#define A '\"' // \"\n«EXPORT» int b;",
	"#ifdef A\n#ifdef B\nint b;\n#endif\nint a;\n#endif\n",
	"«#ifdef A\n»{\n«#ifdef B\n»if (b) {\n«#else\nif (c) {\n#endif\n»}\n«#elif C\n{ {\n#else\n{ { {\n#endif\n»}",
}

// TestMask checks which parts of a text are blanked for the grammar: those between « and ».
func TestMask(t *testing.T) {
	for _, marked := range masked {
		text := strings.NewReplacer("«", "", "»", "").Replace(marked)
		got := string(mask([]byte(text)))
		var want strings.Builder
		blank := false
		for _, r := range marked {
			switch {
			case r == '«':
				blank = true
			case r == '»':
				blank = false
			case blank && r != '\n':
				want.WriteByte(' ')
			default:
				want.WriteRune(r)
			}
		}
		if got != want.String() {
			t.Errorf("%q:\ngot  %q\nwant %q", marked, got, want.String())
		}
	}
}

func TestIsCPPLine(t *testing.T) {
	for line, want := range map[string]bool{
		"namespace a {": true, "template<class T>": true, "public:": true, "virtual void f();": true, "class Name {": true,
		"class Name;": true, "class  Name : Base": true, "class": false, "class = 1;": false, "class x = f(1)": false,
		"class Name": true, "class (x);": false, "int class;": false, "std::string s;": true, "bool operator==(T a);": true,
		"int operator;": false, "operator == 1": false, "void f(void);": false, "T &operator[](int i);": true,
		"class Name(x) {": true, "classy x;": false,
	} {
		if got := isCPPLine([]byte(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestIsCPP(t *testing.T) {
	for text, want := range map[string]bool{
		"int f(void);\n":            false,
		"int f(void);\nclass A {\n": true,
		"#ifdef __cplusplus\nextern \"C\" {\nnamespace a {}\n#endif\nint x;\n": false,
		"#ifdef __cplusplus\n#ifdef A\nclass A;\n#endif\nclass B;\n#endif\n":   false,
		"#ifdef __cplusplus\n#else\nclass A;\n#endif\n":                        true,
		"#ifdef __cplusplus\n#endif\nclass A;\n":                               true,
		"#ifndef __cplusplus\nclass A;\n#endif\n":                              true,
		"#ifdef A\nclass A;\n#endif\n":                                         true,
		"#ifdef A\n#ifdef __cplusplus\n#endif\nclass A;\n#endif\n":             true,
		"// class A {\nint x;\n":                                               false,
		"/* a\nclass A {\n*/ int x;\n":                                         false,
		"/* a\nclass A {\n*/ class B {\n":                                      true,
		"/* a */ int x; /* b\nnamespace c {\n*/\n":                             false,
		"int x; /* a */\nnamespace c {\n":                                      true,
		"#define class int\nint y;\n":                                          false,
		"# if defined(__cplusplus)\nclass A;\n# endif\n":                       false,
	} {
		if got := isCPP([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
