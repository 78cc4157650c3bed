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
