package ruby_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
)

// TestSuperOfALibrary checks that a super is external only if every ancestor is known: of an object without
// bases it is Ruby's own, of a class of a library it may be a method that the workspace defines there.
func TestSuperOfALibrary(t *testing.T) {
	files := map[string]string{
		"own.rb":   "class Own\n  def initialize\n    super\n  end\nend\n",
		"based.rb": "class Based < Lib::Base\n  def initialize\n    super\n  end\nend\n",
	}
	languagetest.Settles(t, files, "own.rb", "super external")
	languagetest.Settles(t, files, "based.rb", "super open")
}

// TestLiteralsAreOfTheLibrary checks that the methods of literals and of functions leave the workspace,
// although it has methods of their names.
func TestLiteralsAreOfTheLibrary(t *testing.T) {
	files := map[string]string{
		"own.rb": "class Own\n  def call(n); end\n\n  def first; end\n\n  def size; end\nend\n",
		"use.rb": `def use
  f = ->(n) { n }
  f.call(1)
  list = [1, [2]]
  list.first
  words = %w[a b]
  words.size
end
`,
	}
	languagetest.Settles(t, files, "use.rb", "call external", "first external", "size external")
}
