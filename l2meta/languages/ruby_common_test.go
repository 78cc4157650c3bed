package languages_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// TestRubyClassOfACommonName checks a class whose name has too many declarations to be listed. Its
// construction must stay unresolved, without ending the query or the process.
func TestRubyClassOfACommonName(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{
		"dot.rb":    "class Dot\n  INSTANCE = new\n  def self.make\n    new\n  end\nend\n",
		"common.js": strings.Repeat("function Dot() {}\n", 2100),
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root := languagetest.Indexed(t, dir)
	if got := edges(t, root, resolve.NewCache(languages.All, nil))["dot.rb"]; strings.Count(got, "new") != 2 {
		t.Errorf("the calls are\n%s", got)
	}
	settle(t, root, resolve.NewCache(languages.All, nil))
}

// TestRubyLibrary checks that a call on a library value is external, even if the workspace declares
// the name of the member.
func TestRubyLibrary(t *testing.T) {
	files := map[string]string{
		"own.rb": "class Words\n  def strip; end\n  def first; end\n  def message; end\n  def synchronize; end\n" +
			"  def touch; end\nend\n",
		"use.rb": `require "fileutils"
class Use
  def initialize
    @lock = Monitor.new
  end

  def use(*args)
    "a b".split.first
    args.first
    @lock.synchronize { args }
    FileUtils.touch("x")
    args.given.strip
  rescue ArgumentError => e
    e.message
  end
end
`,
	}
	files["chosen.rb"] = "if defined?(Given)\n  class Array\n    def sometimes; end\n  end\nend\nclass Words\n" +
		"  def use\n    [1].sometimes\n    'a'.synchronize\n    Class.new(Words).new.first\n  end\nend\n"
	languagetest.Settles(t, files, "chosen.rb", "sometimes open", "synchronize external", "first open")
	languagetest.Settles(t, files, "use.rb", "split external", "first external", "synchronize external",
		"touch external", "message external", "strip open")
}

// TestRubyLiteralIsTheWholeExpression checks that a literal is typed, and that a chain is not typed
// by the literal at its head.
func TestRubyLiteralIsTheWholeExpression(t *testing.T) {
	// own declares the called names, so that only a type proves that a call is external.
	files := map[string]string{"own.rb": "class Own\n  def strip; end\n  def each_slice; end\n  def curry; end\nend\n"}
	cases := []struct{ expression, sent, want string }{
		{`%w[a b]`, "each_slice", "external"},
		{`%w(a (b) c)`, "each_slice", "external"},
		{`%i|a b|`, "each_slice", "external"},
		{`%w[a b].inject(other)`, "strip", "open"},
		{`%w[a b].join("-")`, "strip", "external"},
		{`%w[a b] == other[1]`, "each_slice", "open"},
		{"<<~X\n      text\n    X", "strip", "external"},
		{"<<~X.then { other }\n      text\n    X", "strip", "open"},
		{"-> { {} }", "curry", "external"},
		{"->(a, b) { a }", "curry", "external"},
		{"-> a do a end", "curry", "external"},
		{"-> { {} }.call", "curry", "open"},
		{"->(a) { a }.call({ b: 1 })", "curry", "open"},
		{"lambda { |a| a }", "curry", "external"},
		{"lambda { |a| a }.call(1)", "curry", "open"},
		{"proc do |a| a end", "curry", "external"},
		{"lambda do |a| a end.call(other do 1 end)", "curry", "open"},
	}
	file := func(i int) string { return fmt.Sprintf("use%d.rb", i) }
	for i, c := range cases {
		files[file(i)] = "class Use\n  def use(other)\n    x = " + c.expression + "\n    x." + c.sent + "\n  end\nend\n"
	}
	languagetest.World(t, files, func(r *resolve.Resolver) {
		for i, c := range cases {
			s, ok := languagetest.Sites(t, r, file(i))[c.sent]
			told := map[resolve.Outcome]string{resolve.Open: "open", resolve.External: "external"}[s.Outcome]
			if !ok || told != c.want {
				t.Errorf("%s of %s: %q (%s), want %q", c.sent, c.expression, told, s.Reason, c.want)
			}
		}
	})
}
