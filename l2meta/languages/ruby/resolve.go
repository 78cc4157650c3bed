package ruby

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// Language resolves calls in Ruby. A program may change any class at run time; Language only
// considers the declarations in the text of classes and modules. A call on self resolves to a
// method that self's class or its ancestors declare, and a call on a constant to a method of that
// class. A variable has a class if all values that are ever assigned to it have that class. If an
// unknown ancestor may declare the method before the known ones, the call stays unresolved,
// provided that the workspace has a method of that name.
type Language struct{}

// reader resolves names and values in one world.
type reader struct{ w *resolve.World }

// place is a position in a file. The symbol determines the class, and the byte offset which local
// variables are visible.
type place struct {
	file *resolve.File
	at   int // innermost symbol, -1 at file level
	pos  int
}

func (Language) Settle(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	r := reader{w}
	p := place{f, c.Caller, c.NameSpan.StartByte}
	switch {
	case c.Kind == code.CallSuper:
		return r.super(p)
	case c.Kind == code.CallNew:
		return r.construct(p, c)
	case c.Kind == code.CallReference && c.Receiver != "":
		return r.member(p, c.Receiver, c.Callee)
	case c.Kind == code.CallReference:
		return resolve.Unresolved("a symbol may name a method of anything")
	case c.Receiver == "":
		return r.bare(p, c.Callee, c.Args)
	}
	return r.member(p, c.Receiver, c.Callee)
}

// bare resolves a call without a receiver: to a method of self, or to a top-level method, which
// every object has. A fixture of a group of tests, as in let(:job) { Job.new }, is a value.
func (r reader) bare(p place, name string, args int) resolve.Verdict {
	if hit, ok := r.helper(p, name); ok {
		return resolve.Resolved(hit, resolve.SameScope, "declared in "+hit.Parent().Symbol().Name)
	}
	self := r.self(p)
	if name == "new" && self.meta && self.kind == known {
		return r.constructed(p, self, resolve.SameType)
	}
	m := r.find(p, self, name)
	switch {
	case m.ref.Valid():
		return r.on(self, m, resolve.Resolved(m.ref, m.strategy(self), m.provenance()))
	case m.twice:
		return resolve.Unresolved("declared more than once")
	}
	if m.library != "" {
		return resolve.ExternalTo(m.library)
	}
	if hit, ok := r.included(p, self, func(steps []step) found { return r.search(p, steps, name) }); ok {
		return resolve.Resolved(hit, resolve.Inherited, "declared in all that includes "+self.class)
	}
	if args == 0 && name != "described_class" && testAround(p.file, p.at) >= 0 {
		if _, bound := r.local(p, name); bound {
			return resolve.ThroughValue("a fixture of the tests")
		}
	}
	return r.function(p, name, m)
}

// included finds a method for code in a module, whose self is an object of any class that includes
// the module. It calls look with the lookup order of each such class, and returns the method if
// look finds the same one in all of them. It returns false otherwise.
func (r reader) included(p place, self object, look func([]step) found) (hit resolve.Ref, ok bool) {
	if self.kind != known || self.meta || !r.isModule(self.class) {
		return resolve.Ref{}, false
	}
	for _, class := range r.below(self.class) {
		if r.isModule(class) {
			continue
		}
		m := look(r.steps(object{kind: known, class: class}))
		if !m.ref.Valid() || hit.Valid() && hit != m.ref {
			return resolve.Ref{}, false
		}
		hit = m.ref
	}
	return hit, hit.Valid()
}

// function resolves a bare call to a top-level method, because no class of self declares the
// method.
func (r reader) function(p place, name string, m found) resolve.Verdict {
	main := r.self(p).main
	switch hits := functions(p.file, name, main); len(hits) {
	case 0:
	case 1:
		return resolve.Resolved(p.file.Ref(hits[0]), resolve.SameFile, "the top-level "+name+" of the file")
	default:
		return resolve.Unresolved("declared more than once in the file")
	}
	if m.unknown != "" {
		return resolve.Unresolved(m.unknown + " may declare it")
	}
	var found []resolve.Ref
	for _, f := range r.required(p.file) {
		for _, i := range functions(f, name, main) {
			found = append(found, f.Ref(i))
		}
	}
	switch {
	case len(found) == 1:
		return resolve.Resolved(found[0], resolve.Imported, "a top-level method of the required "+found[0].File.Path)
	case len(found) > 1:
		return resolve.Unresolved("several required files declare it")
	case kernel[name]:
		return resolve.ExternalTo(resolve.Builtin)
	}
	return resolve.Unresolved("no class around the call declares it")
}

// member resolves a call on a receiver.
func (r reader) member(p place, receiver, name string) resolve.Verdict {
	if own := p.file.Qualified(receiver + "." + name); len(own) == 1 && rubyName.MatchString(receiver) &&
		p.file.Symbols[own[0]].Parent == p.at {
		return resolve.Resolved(p.file.Ref(own[0]), resolve.SameScope, "a method of this one object")
	}
	x := r.value(p, receiver, 0)
	if typ, ok := standardOf(x); ok && x.kind != known {
		return r.standardCall(p, x, typ, name)
	}
	switch {
	case x.kind == foreign:
		return resolve.ExternalTo(x.class)
	case x.kind != known:
		return resolve.Unresolved("the class of " + receiver + " is not known")
	case name == "new" && x.meta:
		return r.constructed(p, x, resolve.Constructed)
	}
	m := r.find(p, x, name)
	switch {
	case m.ref.Valid():
		v := resolve.Resolved(m.ref, m.strategy(x), m.provenance())
		return r.on(x, m, v.DirectlyIf(rubyPath.MatchString(receiver) || r.made(p, receiver)))
	case m.twice:
		return resolve.Unresolved("declared more than once")
	case m.library != "":
		return resolve.ExternalTo(m.library)
	}
	if run := r.delegated(p, x, name); run.ref.Valid() && !run.twice {
		return r.on(x, run, resolve.Resolved(run.ref, run.strategy(x), run.provenance()).Directly())
	}
	switch {
	case m.unknown != "":
		return resolve.Unresolved(m.unknown + " may declare it")
	case objectMethods[name] || x.meta && moduleMethods[name]:
		return resolve.ExternalTo(resolve.Builtin)
	}
	if typ, ok := standardOf(x); ok && declaresStandard(typ, name) {
		return resolve.ExternalTo(resolve.Builtin)
	}
	return resolve.Unresolved(x.class + " declares no " + name)
}

// standardCall resolves a call on an object of a library type.
func (r reader) standardCall(p place, x object, typ, name string) resolve.Verdict {
	switch m := r.added(p, typ, name); {
	case m.ref.Valid():
		return resolve.Resolved(m.ref, resolve.TypedValue, "added to "+m.step.class)
	case m.twice:
		return resolve.Unresolved("declared more than once")
	case x.kind == foreign || declaresStandard(typ, name):
		return resolve.ExternalTo(resolve.Builtin)
	case Language{}.Makes(r.w, name):
		return resolve.Unresolved(typ + " declares no " + name)
	}
	// The workspace adds no such method to the type, so another library must add it.
	return resolve.ExternalTo("")
}

// construct resolves X.new, recorded as a call of X.
func (r reader) construct(p place, c *code.Call) resolve.Verdict {
	path := c.Callee
	switch {
	case c.Receiver != "":
		path = c.Receiver + "::" + path
	case c.Span.StartByte < c.NameSpan.StartByte:
		path = "::" + path
	}
	x := r.constant(p, path)
	switch {
	case x.kind == foreign:
		return resolve.ExternalTo(x.class)
	case x.kind != known || !x.meta:
		return resolve.Unresolved(path + " is not declared in the workspace")
	}
	return r.constructed(p, x, resolve.Constructed)
}

// constructed resolves the construction of class x: to its own "new", else to its initialize, else
// to the class.
func (r reader) constructed(p place, x object, s resolve.Strategy) resolve.Verdict {
	if m := r.find(p, x, "new"); m.ref.Valid() {
		return resolve.Resolved(m.ref, s, "the class's own new")
	}
	if core[x.class] {
		return resolve.ExternalTo(x.class)
	}
	if m := r.find(p, object{kind: known, class: x.class}, "initialize"); m.ref.Valid() && m.step.class == x.class {
		return resolve.Resolved(m.ref, s, m.provenance())
	}
	if ref, ok := r.pick(p, r.declared(x.class)); ok && ref.Symbol().Kind == code.KindClass {
		return resolve.Resolved(ref, s, "the class "+x.class)
	}
	return resolve.Unresolved("declared more than once, or no class")
}

// super resolves super to the next method of the same name in the lookup order.
func (r reader) super(p place) resolve.Verdict {
	at := methodAround(p.file, p.at)
	if at < 0 {
		return resolve.Unresolved("super outside of a method")
	}
	self := r.self(p)
	if self.kind != known || self.main {
		return resolve.Unresolved("the class around super is not known")
	}
	name := p.file.Symbols[at].Name
	look := func(steps []step) found { return r.behind(p, steps, self, name) }
	if r.isModule(self.class) && !self.meta {
		if hit, ok := r.included(p, self, look); ok {
			return resolve.Resolved(hit, resolve.TypedStatic, "next in all that includes "+self.class)
		}
		return resolve.Unresolved("what a module's super means is up to who includes it")
	}
	switch m := look(r.steps(self)); {
	case m.ref.Valid():
		return resolve.Resolved(m.ref, resolve.TypedStatic, m.provenance())
	case m.library != "":
		return resolve.ExternalTo(m.library)
	case m.unknown != "":
		return resolve.Unresolved(m.unknown + " may declare it")
	}
	return resolve.ExternalTo(resolve.Builtin)
}

// behind looks up a method in a lookup order, beginning after the class of x.
func (r reader) behind(p place, steps []step, x object, name string) found {
	for i, s := range steps {
		if s.class == x.class && s.meta == x.meta {
			return r.search(p, steps[i+1:], name)
		}
	}
	return found{unknown: "an unknown class"}
}

// helper returns the method called name in a test group around p. It returns false if there is
// none.
func (r reader) helper(p place, name string) (resolve.Ref, bool) {
	for at := p.at; at >= 0; at = p.file.Symbols[at].Parent {
		s := &p.file.Symbols[at]
		if s.Kind == code.KindClass || s.Kind == code.KindModule {
			break
		}
		if s.Kind != code.KindTest {
			continue
		}
		if hit, ok := resolve.Only(p.file, p.file.Children(at), name); ok &&
			p.file.Symbols[hit].Kind != code.KindTest && !slices.Contains(p.file.Symbols[hit].Modifiers, "block") {
			return p.file.Ref(hit), true
		}
	}
	return resolve.Ref{}, false
}

// functions returns the top-level methods called name in f. If main is set, it includes the
// singleton methods of the main object: def self.f at the top level.
func functions(f *resolve.File, name string, main bool) (out []int) {
	for _, i := range f.Named(name) {
		s := &f.Symbols[i]
		own := s.Kind == code.KindMethod && slices.Contains(s.Modifiers, "self")
		if slices.Contains(s.Modifiers, "block") {
			continue
		}
		if s.Parent < 0 && s.QualifiedName == name && (s.Kind == code.KindFunction || main && own) {
			out = append(out, i)
		}
	}
	return out
}

// methodAround returns symbol i if it is a method, or else the method around it; -1 if there is
// none.
func methodAround(f *resolve.File, i int) int {
	for ; i >= 0; i = f.Symbols[i].Parent {
		switch f.Symbols[i].Kind {
		case code.KindMethod, code.KindConstructor, code.KindFunction:
			return i
		case code.KindTest:
			if testMethod(&f.Symbols[i]) {
				return i
			}
		case code.KindClass, code.KindModule:
			return -1
		}
	}
	return -1
}
