package ruby

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// step is one class in Ruby's method lookup order.
type step struct {
	class   string // full name, "." between its parts
	meta    bool   // whether the step is for the singleton methods of the class
	unknown string // set instead of class: an ancestor that the workspace does not declare
}

// standard returns the library type with the name of an ancestor that the workspace does not declare; ok is
// false if the library has no such type.
func (s step) standard() (typ string, ok bool) {
	typ = strings.TrimPrefix(s.unknown, "::")
	if s.meta {
		typ = "self." + typ
	}
	return typ, standard.Type(typ) != nil
}

// found is the result of a method lookup.
type found struct {
	ref     resolve.Ref
	step    step
	depth   int    // number of steps before the one that declares the method
	unknown string // the ancestor at which the lookup stopped without a result
	twice   bool   // whether there are several declarations, of which an unknown one applies
	library string // the ancestor from the library that declares the method
}

func (m found) provenance() string { return "declared by " + m.step.class }

func (m found) strategy(x object) resolve.Strategy {
	switch {
	case x.how != "" && x.how != resolve.SameType:
		return x.how
	case m.depth > 0:
		return resolve.Inherited
	}
	return resolve.SameType
}

// find looks up the method called name of x, for code at p.
func (r reader) find(p place, x object, name string) found {
	if x.kind != known {
		return found{unknown: "an unknown class"}
	}
	return r.search(p, r.steps(x), name)
}

// search finds a method in a lookup order, nearest class first. An unknown ancestor ends the
// search, because it may have the method.
func (r reader) search(p place, steps []step, name string) found {
	for i, s := range steps {
		if s.unknown != "" {
			typ, known := s.standard()
			if !known {
				return found{unknown: s.unknown}
			}
			switch m := r.added(p, typ, name); {
			case m.ref.Valid() || m.twice:
				return m
			case declaresItself(typ, name):
				return found{library: typ}
			}
			continue
		}
		all := r.members(s.class)[member{name, s.meta}]
		if s.meta {
			all = slices.Concat(all, r.apart(s.class, name))
		}
		if len(all) == 0 {
			continue
		}
		ref, ok := r.pick(p, all)
		if ref = r.original(s, ref); ok && !ref.Valid() {
			return found{unknown: "an alias"}
		}
		return found{ref: ref, step: s, depth: i, twice: !ok}
	}
	return found{}
}

// original returns the method that the alias ref names, or the zero Ref if the class does not
// declare it. If ref is no alias, original returns ref.
func (r reader) original(s step, ref resolve.Ref) resolve.Ref {
	if !ref.Valid() {
		return ref
	}
	for _, f := range ref.Facts() {
		if f.Kind != code.FactAlias {
			continue
		}
		old := r.members(s.class)[member{strings.Trim(f.Type, `:"'`), s.meta}]
		if len(old) != 1 || old[0] == ref {
			return resolve.Ref{}
		}
		return old[0]
	}
	return ref
}

// pick returns the declaration that code at p refers to among several with one full name: the one
// in its own file, in its project, outside of tests, or in a file that it requires. It returns
// false if several remain, unless they are parts of one class.
func (r reader) pick(p place, all []resolve.Ref) (resolve.Ref, bool) {
	switch len(all) {
	case 0: // none, or too many declarations of the name to be listed
		return resolve.Ref{}, false
	case 1:
		return all[0], true
	}
	project := r.project(p.file.Dir)
	tests := p.file.Class == code.ClassTest
	var required []*resolve.File
	for _, keep := range []func(resolve.Ref) bool{
		func(x resolve.Ref) bool { return x.File == p.file },
		func(x resolve.Ref) bool { return r.project(x.File.Dir) == project },
		func(x resolve.Ref) bool { return tests || x.File.Class == code.ClassSource },
		func(x resolve.Ref) bool {
			if required == nil {
				required = r.required(p.file)
			}
			return slices.Contains(required, x.File)
		},
	} {
		some := slices.DeleteFunc(slices.Clone(all), func(x resolve.Ref) bool { return !keep(x) })
		if len(some) == 1 {
			return some[0], true
		}
		if len(some) > 1 {
			all = some
		}
	}
	// The declarations are parts of one class in several files, and any of them represents it.
	if k := all[0].Symbol().Kind; k == code.KindClass || k == code.KindModule {
		return all[0], true
	}
	return resolve.Ref{}, false
}

// member identifies a method of a class, or of its singleton class.
type member struct {
	name string
	meta bool
}

type membersKey string

// members returns the methods in all declarations of a class.
func (r reader) members(class string) map[member][]resolve.Ref {
	return resolve.Derive(r.w, membersKey(class), func() map[member][]resolve.Ref {
		out := map[member][]resolve.Ref{}
		for _, d := range r.declared(class) {
			both := slices.ContainsFunc(d.Facts(), func(f *code.Fact) bool {
				return f.Kind == code.FactImpl && f.Type == "self"
			})
			for _, i := range d.File.Children(d.Index) {
				ref := d.File.Ref(i)
				if _, other := owner(d.File, i); other {
					continue // def Other.m
				}
				for _, m := range membersOf(ref.Symbol()) {
					out[m] = append(out[m], ref)
					if both && !m.meta {
						m.meta = true
						out[m] = append(out[m], ref)
					}
				}
			}
		}
		return out
	})
}

// membersOf returns the methods that a symbol of a class declares.
func membersOf(s *code.Symbol) (out []member) {
	if slices.Contains(s.Modifiers, "block") {
		return nil // the method belongs to the object for which the block is evaluated
	}
	self := slices.Contains(s.Modifiers, "self")
	switch s.Kind {
	case code.KindMethod, code.KindConstructor, code.KindFunction:
	case code.KindTest:
		if !testMethod(s) {
			return nil
		}
	case code.KindProperty:
		return attribute(s, self)
	default:
		return nil
	}
	out = append(out, member{s.Name, self})
	if slices.Contains(s.Modifiers, "module_function") {
		out = append(out, member{s.Name, true})
	}
	return out
}

// testMethod reports whether a test is a method rather than a block with a title.
func testMethod(s *code.Symbol) bool {
	return s.Kind == code.KindTest && strings.HasPrefix(s.Name, "test_") && rubyName.MatchString(s.Name)
}

// attribute returns the methods that attr_accessor and similar macros declare: x and x= for
// attr_accessor :x. It returns none for macros such as has_many, whose methods the library
// creates at run time. self is set if s is declared in class << self.
func attribute(s *code.Symbol, self bool) (out []member) {
	for _, macro := range s.Modifiers {
		both := ofClassAndInstance(macro)
		kind := strings.TrimLeft(strings.TrimPrefix(macro, "thread_"), "cm")
		reads := kind == "attr" || kind == "attr_reader" || kind == "attr_accessor"
		writes := kind == "attr_writer" || kind == "attr_accessor"
		for _, meta := range []bool{false, true} {
			if reads && (both || meta == self) {
				out = append(out, member{s.Name, meta})
			}
			if writes && (both || meta == self) {
				out = append(out, member{s.Name + "=", meta})
			}
		}
	}
	return out
}

// ofClassAndInstance reports whether a macro declares attributes that a class and its instances share.
func ofClassAndInstance(macro string) bool {
	kind := strings.TrimPrefix(macro, "thread_")
	return strings.HasPrefix(kind, "cattr_") || strings.HasPrefix(kind, "mattr_")
}

type stepsKey struct {
	class string
	meta  bool
}

// steps returns the method lookup order of x.
func (r reader) steps(x object) []step {
	return resolve.Derive(r.w, stepsKey{x.class, x.meta}, func() []step {
		if x.meta {
			return r.metaSteps(x.class)
		}
		return r.instanceSteps(x.class)
	})
}

// instanceSteps returns the lookup order of a class's instance methods: prepended modules, the
// last first; the class itself; included modules, the last first; and the ancestors of its
// superclass.
func (r reader) instanceSteps(class string) (out []step) {
	var before, behind, super []step
	module := r.isModule(class)
	for _, d := range r.declared(class) {
		for _, f := range d.Facts() {
			switch {
			case f.Kind != code.FactBase:
			case f.Name == "prepend":
				before = append(r.stepsOf(d, f), before...)
			case f.Name == "include":
				behind = append(r.stepsOf(d, f), behind...)
			case len(super) == 0:
				super = r.superSteps(d, f)
			}
		}
	}
	out = append(append(append(out, before...), step{class: class}), behind...)
	switch {
	case len(super) > 0:
		return append(out, super...)
	case module && class != "Kernel":
		return append(out, step{unknown: "what includes " + class})
	case class == "Object" || class == "Kernel":
		return out
	}
	return append(out, step{class: "Object"}, step{class: "Kernel"})
}

// stepsOf returns the lookup order of a module that class d includes or prepends. Fact f records
// the include. The order becomes a part of the order of d.
func (r reader) stepsOf(d resolve.Ref, f *code.Fact) []step {
	x := r.constant(place{d.File, d.Index, f.Span.StartByte}, f.Type)
	if x.kind != known {
		s := step{unknown: f.Type}
		if _, ok := s.standard(); !ok && modules[strings.TrimPrefix(f.Type, "::")] {
			return nil
		}
		return []step{s}
	}
	steps := r.steps(object{kind: known, class: x.class})
	if n := len(steps); n > 0 && strings.HasPrefix(steps[n-1].unknown, "what includes ") {
		steps = steps[:n-1]
	}
	return slices.Clone(steps)
}

// superSteps returns the lookup order of the superclass of class d: the superclass and its
// ancestors. Fact f records the superclass.
func (r reader) superSteps(d resolve.Ref, f *code.Fact) []step {
	if x := r.superclass(d, f); x.kind == known && x.meta && !core[x.class] {
		return slices.Clone(r.steps(object{kind: known, class: x.class}))
	}
	if f.Type == "Object" || f.Type == "::Object" {
		return nil
	}
	return []step{{unknown: f.Type}}
}

// superclass returns the class that f names in the head of class d. The name is resolved outside of
// d.
func (r reader) superclass(d resolve.Ref, f *code.Fact) object {
	p := place{d.File, d.Symbol().Parent, f.Span.StartByte}
	if f.Type == "self" {
		return r.self(p)
	}
	return r.constant(p, f.Type)
}

// metaSteps returns the lookup order of a class's singleton methods: the class, the modules that
// extend it, and the superclass. A module that extends the class may be the ClassMethods of a
// concern (see concernSteps).
func (r reader) metaSteps(class string) []step {
	out := []step{{class: class, meta: true}}
	var behind, super []step
	for _, d := range r.declared(class) {
		for _, f := range d.Facts() {
			switch {
			case f.Kind == code.FactImpl && f.Type != "self":
				behind = append(r.stepsOf(d, f), behind...)
			case f.Kind == code.FactBase && f.Name != "":
				behind = append(r.concernSteps(d, f), behind...)
			case f.Kind == code.FactBase && len(super) == 0:
				super = r.superMeta(d, f)
			}
		}
	}
	out = append(append(out, behind...), super...)
	if n := len(out); out[n-1].unknown != "" {
		return out
	}
	return append(out, step{class: "Class"}, step{class: "Module"}, step{class: "Object"}, step{class: "Kernel"})
}

func (r reader) superMeta(d resolve.Ref, f *code.Fact) []step {
	if x := r.superclass(d, f); x.kind == known && x.meta && !core[x.class] {
		return slices.Clone(r.steps(object{kind: known, class: x.class, meta: true}))
	}
	return []step{{unknown: f.Type, meta: true}}
}

// concernSteps returns the step for the module ClassMethods inside of a module that class d
// includes; nil if there is none. Fact f records the include. Rails calls such a module a
// concern: its ClassMethods extend each class that includes it.
func (r reader) concernSteps(d resolve.Ref, f *code.Fact) []step {
	x := r.constant(place{d.File, d.Index, f.Span.StartByte}, f.Type)
	if x.kind != known || len(r.declared(x.class+".ClassMethods")) == 0 {
		return nil
	}
	return []step{{class: x.class + ".ClassMethods"}}
}

// isModule reports whether the workspace declares a module with the full name class.
func (r reader) isModule(class string) bool {
	all := r.declared(class)
	return len(all) > 0 && all[0].Symbol().Kind == code.KindModule
}
