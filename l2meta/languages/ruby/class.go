package ruby

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// rubyStep is one class in the order in which Ruby looks for a method.
type rubyStep struct {
	class   string // full name, "." between its parts
	meta    bool   // the methods of the class itself
	unknown string // instead of the others: an ancestor that the workspace does not declare
}

// rubyFound is the outcome of a look-up.
type rubyFound struct {
	ref     resolve.Ref
	step    rubyStep
	depth   int    // steps before it
	unknown string // nothing before this ancestor declares it
	twice   bool   // several declarations, and nothing tells which one holds
}

func (m rubyFound) provenance() string { return "declared by " + m.step.class }

func (m rubyFound) strategy(x rubyObject) resolve.Strategy {
	switch {
	case x.how != "" && x.how != resolve.SameType:
		return x.how
	case m.depth > 0:
		return resolve.Inherited
	}
	return resolve.SameType
}

// find looks for a method of x.
func (r rubyReader) find(p rubyPlace, x rubyObject, name string) rubyFound {
	if x.kind != rubyKnown {
		return rubyFound{unknown: "an unknown class"}
	}
	return r.search(p, r.steps(x), name)
}

func (r rubyReader) search(p rubyPlace, steps []rubyStep, name string) rubyFound {
	for i, s := range steps {
		if s.unknown != "" {
			return rubyFound{unknown: s.unknown}
		}
		all := r.members(s.class)[rubyMember{name, s.meta}]
		if len(all) == 0 {
			continue
		}
		ref, ok := r.pick(p, all)
		if ref = r.original(s, ref); ok && !ref.Valid() {
			return rubyFound{unknown: "an alias"}
		}
		return rubyFound{ref: ref, step: s, depth: i, twice: !ok}
	}
	return rubyFound{}
}

// original is the method that an alias names, the zero Ref where the class does
// not declare it; ref itself where it is no alias.
func (r rubyReader) original(s rubyStep, ref resolve.Ref) resolve.Ref {
	if !ref.Valid() {
		return ref
	}
	for _, f := range ref.Facts() {
		if f.Kind != code.FactAlias {
			continue
		}
		old := r.members(s.class)[rubyMember{strings.Trim(f.Type, `:"'`), s.meta}]
		if len(old) != 1 || old[0] == ref {
			return resolve.Ref{}
		}
		return old[0]
	}
	return ref
}

// pick is the one declaration that p means among several of one full name: its
// own file's, those of its project, those that are not tests', those that it
// requires.
func (r rubyReader) pick(p rubyPlace, all []resolve.Ref) (resolve.Ref, bool) {
	switch len(all) {
	case 0: // as of a name that too many declarations bear to be listed
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
	// Parts of one class over files: the first names it as well as the others.
	if k := all[0].Symbol().Kind; k == code.KindClass || k == code.KindModule {
		return all[0], true
	}
	return resolve.Ref{}, false
}

// rubyMember is a method's name in a class, or in the class's own class.
type rubyMember struct {
	name string
	meta bool
}

type rubyMembersKey string

// members is the methods that all the declarations of a class have.
func (r rubyReader) members(class string) map[rubyMember][]resolve.Ref {
	return resolve.Derive(r.w, rubyMembersKey(class), func() map[rubyMember][]resolve.Ref {
		out := map[rubyMember][]resolve.Ref{}
		for _, d := range r.declared(class) {
			both := slices.ContainsFunc(d.Facts(), func(f *code.Fact) bool {
				return f.Kind == code.FactImpl && f.Type == "self"
			})
			for _, i := range d.File.Children(d.Index) {
				ref := d.File.Ref(i)
				for _, m := range rubyMembersOf(ref.Symbol()) {
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

// rubyMembersOf is the methods that one symbol of a class stands for.
func rubyMembersOf(s *code.Symbol) (out []rubyMember) {
	if slices.Contains(s.Modifiers, "block") {
		return nil // a method of what the block is for
	}
	self := slices.Contains(s.Modifiers, "self")
	switch s.Kind {
	case code.KindMethod, code.KindConstructor, code.KindFunction:
	case code.KindTest:
		if !rubyTestMethod(s) {
			return nil
		}
	case code.KindProperty:
		return rubyAttribute(s, self)
	default:
		return nil
	}
	out = append(out, rubyMember{s.Name, self})
	if slices.Contains(s.Modifiers, "module_function") {
		out = append(out, rubyMember{s.Name, true})
	}
	return out
}

// rubyTestMethod reports whether a test is a method, not a block with a title.
func rubyTestMethod(s *code.Symbol) bool {
	return s.Kind == code.KindTest && strings.HasPrefix(s.Name, "test_") && rubyName.MatchString(s.Name)
}

// rubyAttribute is the methods that attr_accessor and its like declare. Those
// of associations and Struct members are made at run time, elsewhere.
func rubyAttribute(s *code.Symbol, self bool) (out []rubyMember) {
	for _, macro := range s.Modifiers {
		kind := strings.TrimPrefix(macro, "thread_")
		both := strings.HasPrefix(kind, "cattr_") || strings.HasPrefix(kind, "mattr_")
		kind = strings.TrimLeft(kind, "cm")
		reads := kind == "attr" || kind == "attr_reader" || kind == "attr_accessor"
		writes := kind == "attr_writer" || kind == "attr_accessor"
		for _, meta := range []bool{false, true} {
			if reads && (both || meta == self) {
				out = append(out, rubyMember{s.Name, meta})
			}
			if writes && (both || meta == self) {
				out = append(out, rubyMember{s.Name + "=", meta})
			}
		}
	}
	return out
}

type rubyStepsKey struct {
	class string
	meta  bool
}

// steps is the order in which methods of x are looked for.
func (r rubyReader) steps(x rubyObject) []rubyStep {
	return resolve.Derive(r.w, rubyStepsKey{x.class, x.meta}, func() []rubyStep {
		if x.meta {
			return r.metaSteps(x.class)
		}
		return r.instanceSteps(x.class)
	})
}

// instanceSteps is the ancestors of a class: what it prepends, the last first,
// itself, what it includes, the last first, and its superclass's ancestors.
func (r rubyReader) instanceSteps(class string) (out []rubyStep) {
	var before, behind, super []rubyStep
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
	out = append(append(append(out, before...), rubyStep{class: class}), behind...)
	switch {
	case len(super) > 0:
		return append(out, super...)
	case module && class != "Kernel":
		return append(out, rubyStep{unknown: "what includes " + class})
	case class == "Object" || class == "Kernel":
		return out
	}
	return append(out, rubyStep{class: "Object"}, rubyStep{class: "Kernel"})
}

// stepsOf is the steps through a module that a fact of d takes in.
func (r rubyReader) stepsOf(d resolve.Ref, f *code.Fact) []rubyStep {
	x := r.constant(rubyPlace{d.File, d.Index, f.Span.StartByte}, f.Type)
	if x.kind != rubyKnown {
		if rubyModules[strings.TrimPrefix(f.Type, "::")] {
			return nil
		}
		return []rubyStep{{unknown: f.Type}}
	}
	steps := r.steps(rubyObject{kind: rubyKnown, class: x.class})
	if n := len(steps); n > 0 && strings.HasPrefix(steps[n-1].unknown, "what includes ") {
		steps = steps[:n-1]
	}
	return slices.Clone(steps)
}

// superSteps is the steps from a superclass on.
func (r rubyReader) superSteps(d resolve.Ref, f *code.Fact) []rubyStep {
	if x := r.superclass(d, f); x.kind == rubyKnown && x.meta && !rubyCore[x.class] {
		return slices.Clone(r.steps(rubyObject{kind: rubyKnown, class: x.class}))
	}
	if f.Type == "Object" || f.Type == "::Object" {
		return nil
	}
	return []rubyStep{{unknown: f.Type}}
}

// superclass is what the head of class d names, looked up outside of d.
func (r rubyReader) superclass(d resolve.Ref, f *code.Fact) rubyObject {
	p := rubyPlace{d.File, d.Symbol().Parent, f.Span.StartByte}
	if f.Type == "self" {
		return r.self(p)
	}
	return r.constant(p, f.Type)
}

// metaSteps is where a class's own methods are looked for: in it, in what it
// extends, in what its concerns extend it with, in its superclass's.
func (r rubyReader) metaSteps(class string) []rubyStep {
	out := []rubyStep{{class: class, meta: true}}
	var behind, super []rubyStep
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
	return append(out, rubyStep{class: "Class"}, rubyStep{class: "Module"}, rubyStep{class: "Object"}, rubyStep{class: "Kernel"})
}

func (r rubyReader) superMeta(d resolve.Ref, f *code.Fact) []rubyStep {
	if x := r.superclass(d, f); x.kind == rubyKnown && x.meta && !rubyCore[x.class] {
		return slices.Clone(r.steps(rubyObject{kind: rubyKnown, class: x.class, meta: true}))
	}
	return []rubyStep{{unknown: f.Type}}
}

// concernSteps is the module ClassMethods of an included module, by which
// concerns extend the class that includes them.
func (r rubyReader) concernSteps(d resolve.Ref, f *code.Fact) []rubyStep {
	x := r.constant(rubyPlace{d.File, d.Index, f.Span.StartByte}, f.Type)
	if x.kind != rubyKnown || len(r.declared(x.class+".ClassMethods")) == 0 {
		return nil
	}
	return []rubyStep{{class: x.class + ".ClassMethods"}}
}

// isModule reports whether the workspace declares class as a module.
func (r rubyReader) isModule(class string) bool {
	all := r.declared(class)
	return len(all) > 0 && all[0].Symbol().Kind == code.KindModule
}
