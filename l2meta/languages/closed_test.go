package languages_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sextant/internal/budget"
	"sextant/internal/store"
	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// TestClosedWorld checks that an unresolved member call is external if nothing in the workspace has
// the callee's name, and stays unresolved otherwise. Every workspace calls found() and sought():
// the first name is declared nowhere, the second by the text of the case.
func TestClosedWorld(t *testing.T) {
	t.Parallel()
	uses := map[string]string{
		"ts":   "export function use(x: any) { x.sought(); x.found() }\n",
		"js":   "export function use(x) { x.sought(); x.found() }\n",
		"py":   "def use(x):\n    x.sought()\n    x.found()\n",
		"java": "package u; import lib.X; class Use { void use() { X.with(x -> { x.sought(); x.found(); }); } }\n",
		"kt":   "package u\nimport lib.X\nfun use() { X.with { x -> x.sought(); x.found() } }\n",
		"scala": "package u\nimport lib.X\n" +
			"class Use { def use(x: X) = { x.given(1).sought(1); x.given(1).found(1) } }\n",
		"rb": "def use(x)\n  x.given.sought\n  found(1)\nend\n",
		"cs": "using Lib; class Use { void F() { unknown.sought(); unknown.found(); } }\n",
	}
	for _, c := range []struct{ name, use, file, text string }{
		{"method", "ts", "a.ts", "export class A { sought() {} }"},
		{"method of another language of the family", "js", "a.ts", "export class A { sought() {} }"},
		{"key", "ts", "a.ts", "export const a = make({ sought: 1 })"},
		{"shorthand", "js", "a.js", "export const a = make({ sought })"},
		{"inline type", "ts", "a.ts", "export let a: { sought(): void }[]"},
		{"assigned member", "js", "a.js", "make().sought = 1"},
		{"assigned by string", "js", "a.js", "make()['sought'] = 1"},
		{"handed as a string", "js", "a.js", "app.decorate('sought', f)"},
		{"listed", "js", "a.js", "for (const m of ['sought', 'get']) app[m] = f"},
		{"keys of a type", "ts", "a.ts", "export type A = { [K in 'sought' | 'get']: () => void }"},
		{"exported as", "ts", "a.ts", "const a = make()\nexport { a as sought }"},
		{"imported as", "ts", "a.ts", "import { a as sought } from 'lib'"},
		{"lost text", "ts", "a.ts", "export class { sought( = "},
		{"setattr", "py", "a.py", "setattr(A, 'sought', f)"},
		{"keyword", "py", "a.py", "m = Mock(sought=f)"},
		{"dictionary", "py", "a.py", "T = type('T', (), {'sought': f})"},
		{"imported as", "py", "a.py", "from lib import a as sought"},
		{"function", "java", "A.kt", "package a\nfun sought() {}"},
		{"record", "java", "A.java", "package a; record A(int sought) {}"},
		{"lost text", "kt", "A.kt", "package a\nfun <A : B<C> sought( : D\nclass E {"},
		{"variable", "scala", "A.scala", "package a\nclass A { var sought = 1 }"},
		{"method", "rb", "a.rb", "class A; def sought; end; end"},
		{"attribute", "rb", "a.rb", "class A; attr_reader :sought; end"},
		{"delegated", "rb", "a.rb", "class A; def_delegators :@x, :size, :sought; end"},
		{"listed", "rb", "a.rb", "%w[sought other].each { |m| A.define_method(m) { 1 } }"},
		{"key of a made object", "rb", "a.rb", "A = OpenStruct.new(sought: 1)"},
		{"evaluated text", "rb", "a.rb", "A.class_eval <<~RUBY\n  def sought\n  end\nRUBY\n"},
		{"property", "cs", "A.cs", "class A { System.Action sought { get; } }"},
		{"delegate", "cs", "A.cs", "class A { delegate void sought(); }"},
	} {
		t.Run(c.use+" "+c.name, func(t *testing.T) {
			files := map[string]string{"src/Use." + c.use: uses[c.use], "src/other/" + c.file: c.text}
			languagetest.Settles(t, files, "src/Use."+c.use, "sought open", "found external")
			delete(files, "src/other/"+c.file)
			languagetest.Settles(t, files, "src/Use."+c.use, "sought external")
		})
	}
}

// TestClosedWorldTraps checks calls that must stay unresolved although no declaration has the name:
// of a local variable that holds a function, and of members that a compiler generates.
func TestClosedWorldTraps(t *testing.T) {
	for _, c := range []struct {
		path  string
		want  []string
		files map[string]string
	}{
		{"src/U.scala", []string{"found external", "* open"}, map[string]string{ // * is a method
			"src/U.scala": "package u\nimport lib.X\n" +
				"class U { def use(x: X) = { x.given(1).found(1); x.given(1) * 2 } }\n",
			"src/A.scala": "package a\nclass A { def *(n: Int) = n }\n"}},
		{"src/U.kt", []string{"block open"}, map[string]string{
			"src/U.kt": "package u\nimport lib.X\nfun use(block: X.() -> Unit) { X.with { x -> x.block() } }\n"}},
		{"src/U.java", []string{"getTitle open", "setTitle open", "getOther external", "copy open", "component1 open"},
			map[string]string{
				"src/U.java": "package u; import lib.X; class U { void f() { X.with(x -> { x.getTitle(); " +
					"x.setTitle(1); x.getOther(); x.copy(); x.component1(); }); } }\n",
				"src/B.kt": "package u\ndata class B(var title: String)\n"}},
		{"src/U.java", []string{"getTitle open", "isOpen open", "getOther external"}, map[string]string{
			"src/U.java": "package u; import lib.X; class U { void f() { X.with(x -> { x.getTitle(); x.isOpen(); " +
				"x.getOther(); }); } }\n",
			"src/B.java": "package u; import lombok.Data; @Data class B { String title; boolean open; }\n",
			"src/C.java": "package u; class C { String other; }\n"}},
		{"src/U.cs", []string{"Invoke open", "Deconstruct open"}, map[string]string{
			"src/U.cs": "class U { void F() { unknown.Invoke(); unknown.Deconstruct(); } }\n"}},
		{"src/u.rb", []string{"add_text open", "text_url open", "add external", "given open", "given= open",
			"text? open", "other? external", "other= external", "new open"}, map[string]string{
			"src/u.rb": "def f(x)\n  x.y.add_text(1)\n  x.y.text_url\n  x.y.add\n  x.y.given\n  x.y.given = 1\n" +
				"  x.y.text?\n  x.y.other?\n  x.y.other = 1\n  x.y.z.new\nend\n",
			"src/a.rb": "class A\n  attr_accessor :given\n  %i[text].each { |k| define_method(\"add_#{k}\") { k } " +
				"}\n  class_eval \"def #{name}_url; end\"\n  KINDS.each { |k| define_method(\"#{k}?\") { k } }\nend\n"}},
		{"src/u.rb", []string{"include? open", "nowhere external", "nil? external"}, map[string]string{ // also in Ruby's library
			"src/u.rb": "def f(x)\n  x.y.include?(1)\n  x.y.nowhere\n  x.y.nil?\nend\n",
			"src/a.rb": "class List\n  Array.instance_methods.each { |m| define_method(m) { |*a| @all.send(m, *a) } " +
				"}\nend\n"}},
		// Reflection declares no method if the file defines no method from text.
		{"src/u.rb", []string{"nowhere external"}, map[string]string{
			"src/u.rb": "def f(x)\n  x.y.nowhere\nend\n",
			"src/a.rb": "class List\n  def known(k)\n    Array.instance_methods.include?(k)\n  end\nend\n",
			"src/b.rb": "class Other\n  define_method(:made) { 1 }\nend\n"}},
	} {
		languagetest.Settles(t, c.files, c.path, c.want...)
	}
}

// TestClosedWorldFollowsNames checks that a call is no longer external once a file declares its
// name, and that it is again when no file does. It checks the ledger, and results derived without
// it.
func TestClosedWorldFollowsNames(t *testing.T) {
	dir := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("use.py", "def use(x):\n    x.sought()\n")
	write("other.py", "class A:\n    def kept(self): pass\n")
	live := languagetest.Indexed(t, dir)
	asked, ahead := resolve.NewCache(languages.All, nil), resolve.NewCache(languages.All, budget.New(3<<20))
	for i, c := range []struct {
		text    string
		outside bool
	}{
		{"class A:\n    def kept(self): pass\n", true},
		{"class A:\n    def kept(self): pass\n    def sought(self): pass\n", false},
		{"class A:\n    def first(self): pass\n    def sought(self): pass\n", false},
		{"class A:\n    def kept(self): pass\n", true},
		{"setattr(A, 'sought', f)\n", false},
		{"# sought\n", true},
		{"", true},
	} {
		if write("other.py", c.text); c.text == "" {
			if err := os.Remove(filepath.Join(dir, "other.py")); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := live.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		settle(t, live, ahead)
		for name, cache := range map[string]*resolve.Cache{"asked": asked, "settled ahead": ahead} {
			if got := edges(t, live, cache)["use.py"]; strings.Contains(got,
				"no python declaration in the workspace is named sought") != c.outside {
				t.Errorf("step %d, %s: %q, want outside %v", i, name, got, c.outside)
			}
		}
	}
}

// TestClosedWorldWaitsForTheWholeIndex checks that no name counts as undeclared while the index is
// incomplete, and that results derived then are not kept.
func TestClosedWorldWaitsForTheWholeIndex(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "use.py"), []byte("def use(x):\n    x.sought()\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	live := languagetest.Indexed(t, dir)
	partial := true
	cache := resolve.NewCache(languages.All, nil)
	cache.WhilePartial(func(context.Context, *store.View) (bool, error) { return partial, nil })
	for _, partial = range []bool{true, false} {
		_ = cache.Settle(t.Context(), index{live}, nil)
		if got := edges(t, live, cache)["use.py"]; strings.Contains(got, "no python declaration") == partial {
			t.Errorf("partial %v: %q", partial, got)
		}
	}
}
