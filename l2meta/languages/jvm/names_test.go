package jvm_test

import (
	"slices"
	"strings"
	"testing"

	"sextant/l2meta/languages"
	"sextant/l2meta/languages/jvm"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// TestImportsLeadToFiles checks the files to which imports of types, members, functions and packages lead.
func TestImportsLeadToFiles(t *testing.T) {
	files := map[string]string{
		"p/Outer.java": "package p;\npublic class Outer { public static class Inner {} public static void make() {} }\n",
		"p/Top.kt":     "package p\nfun top() {}\nval value = 1\nobject Single { fun one() {} }\n",
		"p/More.kt":    "package p\nfun top(n: Int) {}\n",
		"p/Obj.scala":  "package p\nobject Obj {\n def run() = {}\n object Deep { def go() = {} }\n}\n",
		"q/Use.java": "package q;\nimport p.Outer;\nimport p.Outer.Inner;\nimport static p.Outer.make;\nimport static " +
			"p.Outer.*;\nimport p.*;\nimport p.Gone;\nimport java.util.List;\nclass Use {}\n",
		"q/Use.kt": "package q\nimport p.Outer\nimport p.top\nimport p.value as other\nimport p.Single.one\nimport p.*\n" +
			"import p.gone\nfun use() {}\n",
		"q/Use.scala": "package q\nimport p.Obj\nimport p.Obj.run\nimport p.Obj.Deep.{go => went}\nimport p.Obj._\n" +
			"import p.Obj.{run => _}\nimport p._\nclass Use2\n",
	}
	want := map[string][]string{
		"q/Use.java":  {"p/Outer.java", "p/Outer.java", "p/Outer.java", "p/Outer.java", "", "", ""},
		"q/Use.kt":    {"p/Outer.java", "p/More.kt p/Top.kt", "p/Top.kt", "p/Top.kt", "", ""},
		"q/Use.scala": {"p/Obj.scala", "p/Obj.scala", "p/Obj.scala", "p/Obj.scala", "", ""},
	}
	languagetest.World(t, files, func(r *resolve.Resolver) {
		for path, leads := range want {
			f := r.World().File(path)
			var got []string
			for i := range f.Imports {
				var to []string
				for _, file := range (jvm.Java{}).Imports(r.World(), f, &f.Imports[i]) {
					to = append(to, file.Path)
				}
				slices.Sort(to)
				got = append(got, strings.Join(to, " "))
			}
			if !slices.Equal(got, leads) {
				t.Errorf("the imports of %s lead to %q, want %q", path, got, leads)
			}
		}
	})
}

// TestOverriddenMethods checks that a method overrides those of its type's bases that have its parameters, a
// property those of its name, and that statics and private methods override nothing.
func TestOverriddenMethods(t *testing.T) {
	files := map[string]string{
		"p/Base.java": "package p;\ninterface Shape<T> { void draw(T t); }\n" +
			"class Base implements Shape<String> { public void draw(String s) {} void one(int n) {} static void fix() {} " +
			"private void hid() {} }\n" +
			"class Sub extends Base { public void draw(String s) {} void one(String s) {} static void fix() {} void hid() {} " +
			"void own() {} }\n",
		"p/Open.kt": "package p\ninterface Named {\n val name: String\n fun tell(n: Int)\n}\n" +
			"open class Tells : Named {\n override val name = \"\"\n override fun tell(n: Int) {}\n fun plain() {}\n}\n" +
			"class More : Tells() {\n override val name = \"x\"\n override fun tell(n: Int) {}\n fun plain() {}\n}\n",
	}
	want := map[string][]string{
		"p/Base.java Base.draw": {"Shape.draw"}, "p/Base.java Sub.draw": {"Base.draw", "Shape.draw"},
		"p/Base.java Sub.one": nil, "p/Base.java Sub.fix": nil, "p/Base.java Sub.hid": nil, "p/Base.java Sub.own": nil,
		"p/Base.java Shape.draw": nil, "p/Open.kt Tells.name": {"Named.name"},
		"p/Open.kt More.name": {"Named.name", "Tells.name"}, "p/Open.kt More.tell": {"Named.tell", "Tells.tell"},
		"p/Open.kt More.plain": nil,
	}
	languagetest.World(t, files, func(r *resolve.Resolver) {
		for place, bases := range want {
			path, name, _ := strings.Cut(place, " ")
			f := r.World().File(path)
			symbols := f.Qualified(name)
			if len(symbols) == 0 {
				t.Fatalf("nothing is called %s", place)
			}
			var got []string
			for _, o := range (jvm.Java{}).Overridden(r.World(), f.Ref(symbols[0])) {
				got = append(got, o.Symbol().QualifiedName)
			}
			if slices.Sort(got); !slices.Equal(got, bases) {
				t.Errorf("%s overrides %q, want %q", place, got, bases)
			}
		}
	})
}

// TestNamesOfCalls checks under which names calls of a declaration are written.
func TestNamesOfCalls(t *testing.T) {
	files := map[string]string{
		"p/A.java": "package p;\npublic class A { A() {} void run() {} }\n",
		"p/B.kt": "package p\nobject Maker {\n operator fun invoke(n: Int) = 1\n}\n" +
			"class Host {\n companion object {\n operator fun invoke() = 1\n }\n val done: (Int) -> Unit = {}\n" +
			" val plain = 1\n}\n",
		"p/C.scala": "package p\nclass C {\n def +(o: C): C = o\n def apply(n: Int) = n\n}\n" +
			"object C { def apply() = new C }\nclass D extends C\n",
	}
	want := map[string][]string{
		"p/A.java A": {"A", "this", "super"}, "p/A.java A.A": {"A", "this", "super"}, "p/A.java A.run": {"run"},
		"p/B.kt Maker.invoke": {"invoke", "this", "Maker"}, "p/B.kt Host.done": {"done", "invoke"},
		"p/B.kt Host.plain": {"plain"}, "p/B.kt Host.Companion.invoke": {"invoke", "this", "Companion", "Host"},
		"p/C.scala C.+": {"+", "+="}, "p/C.scala C.apply": {"apply", "this", "C", "D"},
	}
	languagetest.World(t, files, func(r *resolve.Resolver) {
		for place, names := range want {
			path, name, _ := strings.Cut(place, " ")
			f := r.World().File(path)
			symbols := f.Qualified(name)
			if len(symbols) == 0 {
				t.Errorf("nothing is called %s", place)
				continue
			}
			got := languages.All[f.Language].Settler.CallNames(r.World(), f.Ref(symbols[0]))
			if !slices.Equal(got, names) {
				t.Errorf("calls of %s: %q, want %q", place, got, names)
			}
		}
	})
}
