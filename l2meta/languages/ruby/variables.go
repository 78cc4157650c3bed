package ruby

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// instanceVariable returns the value of @name in the class around p.
func (r reader) instanceVariable(p place, name string) object {
	self := r.self(p)
	if self.main {
		return r.testVariable(p, name)
	}
	if self.kind != known {
		return object{}
	}
	if x := r.givenBefore(p, name); x.kind == known {
		return x
	}
	return r.variable(self, name)
}

type testVariableKey struct {
	file int64
	test int
	name string
}

// testVariable returns the common value of the assignments to @name that an example of tests outside of
// classes may see: those of the groups around it, as in "before { @job = Job.new }", and its own. In a hook
// or a method of a group, whose examples all run it, it is that of all assignments in the group as well. It
// returns the zero object where the group includes code of other places, which may assign, too.
func (r reader) testVariable(p place, name string) object {
	test := testAround(p.file, p.at)
	if test < 0 {
		return object{}
	}
	return resolve.Derive(r.w, testVariableKey{p.file.ID, test, name}, func() object {
		if shares(p.file, test) {
			return object{}
		}
		var all []given
		for _, f := range p.file.FactsOf(-1) {
			if f.Kind != code.FactAssign || f.Name != name {
				continue
			}
			at := innermost(p.file, -1, f.Span.StartByte)
			if from := testAround(p.file, at); from >= 0 && (within(p.file, from, test) || within(p.file, test, from)) {
				all = append(all, given{place{p.file, at, f.Span.StartByte}, f.Type})
			}
		}
		return r.agreed(all, object{})
	})
}

// testAround returns the innermost test or group of tests around symbol i; -1 if there is none, or if i is in
// a class or in a method of another object: def go in "Class.new do".
func testAround(f *resolve.File, i int) int {
	for ; i >= 0; i = f.Symbols[i].Parent {
		switch s := &f.Symbols[i]; {
		case s.Kind == code.KindTest:
			return i
		case s.Kind == code.KindClass || s.Kind == code.KindModule || slices.Contains(s.Modifiers, "block"):
			return -1
		}
	}
	return -1
}

// within reports whether symbol i is outer, or lies in it.
func within(f *resolve.File, i, outer int) bool {
	for ; i >= 0; i = f.Symbols[i].Parent {
		if i == outer {
			return true
		}
	}
	return false
}

// shares reports whether a group around a test, or in it, includes the hooks of a shared context.
func shares(f *resolve.File, test int) bool {
	for _, name := range []string{"include_context", "include_examples"} {
		for _, i := range f.CallsOf(name) {
			if at := f.Calls()[i].Caller; within(f, test, at) || within(f, at, test) {
				return true
			}
		}
	}
	return false
}

// givenBefore returns the common value of the assignments to an instance variable that precede p
// in its method, if one of them has certainly run before p. It holds there whatever other methods
// assign: @story = Story.find(id) in each action of a controller. It returns the zero object if
// all of them may be skipped: @story = Story.new if params.empty?.
func (r reader) givenBefore(p place, name string) object {
	method, class := methodAround(p.file, p.at), classAround(p.file, p.at)
	if method < 0 || class < 0 {
		return object{}
	}
	var all []given
	always := false
	start := p.file.Symbols[method].Span.StartByte
	for _, f := range p.file.FactsOf(class) {
		if f.Kind == code.FactAssign && f.Name == name && start <= f.Span.StartByte && f.Span.StartByte < p.pos {
			all = append(all, given{place{p.file, method, f.Span.StartByte}, f.Type})
			always = always || p.pos < f.Scope[1]
		}
	}
	if !always {
		return object{}
	}
	return r.agreed(all, object{})
}

type variableKey struct {
	class, name string
	meta        bool
}

// variable returns the common value of all assignments to a variable of x in its class and the ancestors.
func (r reader) variable(x object, name string) object {
	return resolve.Derive(r.w, variableKey{x.class, name, x.meta && !shared(name)}, func() object {
		return r.agreed(r.assignments(x, name), object{})
	})
}

// assignments returns the assignments to a variable of x in its class and the ancestors. The class itself has other
// instance variables than its instances, @x in "def self.a" and in "def a". Both have the same @@x.
func (r reader) assignments(x object, name string) (all []given) {
	for _, s := range r.steps(object{kind: known, class: x.class}) {
		for _, d := range r.declared(s.class) {
			for _, f := range d.Facts() {
				if f.Kind != code.FactAssign || f.Name != name {
					continue
				}
				p := place{d.File, innermost(d.File, d.Index, f.Span.StartByte), f.Span.StartByte}
				if shared(name) || r.self(p).meta == x.meta {
					all = append(all, given{p, f.Type})
				}
			}
		}
	}
	return all
}

// shared reports whether a class and its instances have the variable called name in common.
func shared(name string) bool { return strings.HasPrefix(name, "@@") }

// isDefault reports whether @name of x holds an instance like made, unless a writer was given another value:
//
//	def clock; @clock ||= Clock.new; end
//	def clock=(clock); @clock = clock; end
func (r reader) isDefault(x object, name string, made object) bool {
	if made.meta {
		return false
	}
	for _, g := range r.assignments(x, name) {
		if y := r.value(g.place, g.text, 0); y.kind != rubyNil && !y.same(made) && !isWriter(g) {
			return false
		}
	}
	return true
}

// isWriter reports whether an assignment assigns the parameter of a writer.
func isWriter(g given) bool {
	method := methodAround(g.place.file, g.place.at)
	if method < 0 {
		return false
	}
	s := &g.place.file.Symbols[method]
	return strings.HasSuffix(s.Name, "=") && len(s.Parameters) == 1 && s.Parameters[0].Name == g.text
}
