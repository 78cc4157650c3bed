package ruby_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// TestSuperOfALibrary checks that a super is external only if every ancestor is known: of an object without
// bases it is Ruby's own, of a class of a library it may be a method that the workspace defines there.
func TestSuperOfALibrary(t *testing.T) {
	files := map[string]string{
		"own.rb":   "class Own\n  def initialize\n    super\n  end\nend\n",
		"based.rb": "class Based < Lib::Base\n  def initialize\n    super\n  end\nend\n",
	}
	languagetest.Settles(t, files, "own.rb", "initialize external")
	languagetest.Settles(t, files, "based.rb", "initialize open")
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

// TestSuperIsCalledByTheNameOfItsMethod checks that an unresolved super may call a method of the same name
// alone.
func TestSuperIsCalledByTheNameOfItsMethod(t *testing.T) {
	files := map[string]string{
		"story.rb": "class Story < Lib::Base\n  def title\n    super\n  end\n\n  def score\n    1\n  end\nend\n",
		"page.rb":  "class Page < Lib::Base\n  def title\n    super()\n  end\nend\n",
	}
	languagetest.World(t, files, func(r *resolve.Resolver) {
		story, err := r.File("story.rb")
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]int{"title": 2, "score": 0} {
			in, err := r.Callers(story.Ref(story.Named(name)[0]), 10)
			if err != nil || len(in.Open) != want {
				t.Errorf("%s: %d sites may be callers, %v; want %d", name, len(in.Open), err, want)
			}
		}
	})
}
