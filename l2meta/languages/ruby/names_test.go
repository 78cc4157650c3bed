package ruby_test

import (
	"slices"
	"testing"

	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/languages/ruby"
	"sextant/l2meta/resolve"
)

// declaredFiles declare classes with members that override each other.
var declaredFiles = map[string]string{"a.rb": `
class Base
  def initialize; end
  def run; end
  def self.new(*); end
  def self.run; end
  attr_accessor :tag
  def perform; end
  def lone; end
end
class Sub < Base
  def run; end
  def self.run; end
end
class Low < Sub
  def run; end
  def tag; end
end
module Mix
  def run; end
end
class Uses
  include Mix
  def run; end
end
class First
  prepend Mix
  def run; end
end
class Unrelated
  def run; end
  def new; end
end
def run; end
def new; end
`}

// TestDeclared checks for declarations under which names calls may refer to them, what they override, and which
// classes are below them.
func TestDeclared(t *testing.T) {
	languagetest.World(t, declaredFiles, func(r *resolve.Resolver) {
		w, f := r.World(), r.World().File("a.rb")
		at := func(name string) resolve.Ref {
			hits := f.Qualified(name)
			if len(hits) == 0 {
				t.Fatalf("nothing declares %s", name)
			}
			return f.Ref(hits[0])
		}
		names := func(refs []resolve.Ref) (out []string) {
			for _, r := range refs {
				out = append(out, r.Symbol().QualifiedName)
			}
			slices.Sort(out)
			return slices.Compact(out)
		}
		l := ruby.Language{}
		check := func(name string, got []string, want ...string) {
			t.Helper()
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
		check("calls", l.CallNames(w, at("Base")), "Base", "new")
		check("calls", l.CallNames(w, at("Base.initialize")), "initialize", "Base", "new")
		check("calls", l.CallNames(w, at("Base.new")), "new", "Base")
		check("calls", l.CallNames(w, at("new")), "new")
		check("calls", l.CallNames(w, at("Base.run")), "run")
		check("calls", l.CallNames(w, at("Base.tag")), "tag", "tag=")
		check("calls", l.CallNames(w, at("Base.perform"))[:3], "perform", "perform_later", "perform_now")
		check("calls", l.CallNames(w, at("Mix")), "Mix")
		check("below Base.run", names(l.Implementations(w, at("Base.run"))), "Low.run", "Sub.run")
		check("below Base.lone", names(l.Implementations(w, at("Base.lone"))))
		check("below Base.tag", names(l.Implementations(w, at("Base.tag"))), "Low.tag")
		check("below Mix.run", names(l.Implementations(w, at("Mix.run"))), "Uses.run")
		check("below run", names(l.Implementations(w, at("run"))))
		check("above Low.run", names(l.Overridden(w, at("Low.run"))), "Base.run", "Sub.run")
		check("above Low.tag", names(l.Overridden(w, at("Low.tag"))), "Base.tag")
		check("above Uses.run", names(l.Overridden(w, at("Uses.run"))), "Mix.run")
		check("above Base.run", names(l.Overridden(w, at("Base.run"))))
		check("above run", names(l.Overridden(w, at("run"))))
		check("heirs of Base", names(l.Heirs(w, at("Base"))), "Low", "Sub")
		check("heirs of Mix", names(l.Heirs(w, at("Mix"))), "First", "Uses")
		check("heirs of Low", names(l.Heirs(w, at("Low"))))
		check("new Base", names(l.Constructors(w, at("Base"))))
		check("new Low", names(l.Constructors(w, at("Low"))), "Base.initialize")
		check("new Uses", names(l.Constructors(w, at("Uses"))))
		check("new Mix", names(l.Constructors(w, at("Mix"))))
		for _, c := range []struct {
			receiver, impl string
			want           bool
		}{{"Base", "Low.run", true}, {"Low", "Base.run", true}, {"Sub", "Unrelated.run", false}, {"Base", "run", true},
			{"Mix", "Uses.run", true}, {"Uses", "First.run", false}} {
			if got := l.Admits(w, at(c.receiver), at(c.impl)); got != c.want {
				t.Errorf("%s admits %s: %v, want %v", c.receiver, c.impl, got, c.want)
			}
		}
	})
}
