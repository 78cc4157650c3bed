package jvm

import (
	"sextant/internal/code"
	"sextant/l2meta/resolve"
	"slices"
	"strings"
)

// context is an instance in scope whose members a name without a receiver may denote: an object
// of an enclosing class or anonymous class, or the receiver of an extension or a function
// literal.
type context struct {
	ref   resolve.Ref // the class, or the symbol that contains the anonymous class or literal
	fact  *code.Fact  // fact that records the type of "this"; nil for a named class
	start int         // byte offset at which the scope begins
	// static reports that no instance of the class is in scope, because the name is in a nested
	// class or object. The members of its companion are still in scope.
	static bool
}

// anonymous reports whether c is an anonymous class, which has members of its own.
func (c context) anonymous() bool { return c.fact != nil && c.fact.Kind == code.FactVar }

// contexts returns the instances in scope at p, the innermost first.
func (j evaluator) contexts(p place) (out []context) {
	nested := false
	for at := p.at; at >= 0; at = p.file.Symbols[at].Parent {
		s := &p.file.Symbols[at]
		if resolve.IsType(s.Kind) {
			r := p.file.Ref(at)
			out = append(out, context{ref: r, start: s.Span.StartByte, static: nested && !isObject(r)})
			nested = nested || p.file.Language == "kotlin" && r.Parent().Valid() &&
				resolve.IsType(r.Parent().Symbol().Kind) && !slices.Contains(s.Modifiers, "inner")
		}
		for _, fact := range p.file.FactsOf(at) {
			if fact.Name != "this" {
				continue
			}
			if fact.Kind == code.FactParam {
				out = append(out, context{ref: p.file.Ref(at), fact: fact, start: s.Span.StartByte + 1})
			} else if fact.Scope[1] == 0 && resolve.IsType(s.Kind) { // the self-type of a Scala class
				out = append(out, context{ref: p.file.Ref(at), fact: fact, start: s.Span.StartByte - 1})
			} else if fact.Scope[0] <= p.pos && p.pos < fact.Scope[1] {
				out = append(out, context{ref: p.file.Ref(at), fact: fact, start: fact.Scope[0]})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b context) int { return b.start - a.start })
	return out
}

// contextType returns the type of the instance c.
func (j evaluator) contextType(c context) jvmType {
	switch {
	case c.fact == nil:
		return jvmType{kind: declared, ref: c.ref, name: c.ref.Symbol().Name}
	case c.fact.Kind == code.FactAssign:
		return j.bound(place{file: c.ref.File}, c.fact).typ
	}
	t := j.types.read(resolve.Type{Text: c.fact.Type, File: c.ref.File, Scope: c.ref.Index})
	if head, alone := head(c.fact.Type); t.kind == unknown && alone && c.ref.File.Language == "kotlin" &&
		slices.Contains(parameters(c.ref), head) {
		return library("kotlin", "Any") // the type is unknown, but every value is an Any
	}
	return t
}

// membersIn returns the members called name of a context. The anonymous class declares them
// or, if it does not, the context's type.
func (j evaluator) membersIn(c context, name string) members {
	var out members
	if c.static {
		return out
	}
	if c.anonymous() {
		for _, i := range c.ref.File.Named(name) {
			s := &c.ref.File.Symbols[i]
			if s.NameSpan.StartByte < c.fact.Scope[0] || s.NameSpan.StartByte >= c.fact.Scope[1] || !directlyIn(c, s) {
				continue
			}
			if !resolve.IsType(s.Kind) {
				out.add(candidate{ref: c.ref.File.Ref(i)})
			}
		}
	}
	switch t := j.contextType(c); t.kind {
	case declared:
		rest := j.members.named(t.ref, name)
		bind := j.types.bindOf(t)
		for _, m := range rest.methods {
			if c.anonymous() {
				m.depth++
			}
			if m.bind == nil {
				m.bind = bind
			}
			out.methods = append(out.methods, m)
		}
		out.fields = append(out.fields, rest.fields...)
		out.extensions = append(out.extensions, rest.extensions...)
		out.outside, out.unknown = append(out.outside, rest.outside...), rest.unknown
	case jvmForeign:
		out.outside = append(out.outside, strings.Trim(t.module+"."+t.name, "."))
	default:
		out.unknown = true
	}
	return out
}

// directlyIn reports whether the anonymous class c declares s, rather than a class inside it.
func directlyIn(c context, s *code.Symbol) bool {
	if s.Parent != c.ref.Index {
		return false
	}
	return anonymousAt(c.ref.File, s.Parent, s.NameSpan.StartByte).Same(c.fact)
}

// this returns the innermost instance in scope at p or, if label is not "", the one that a Kotlin
// label selects: this@Outer.
func (j evaluator) this(p place, label string) jvmValue {
	v, _ := j.instance(p, label)
	return v
}

// instance returns the value of "this" at p, as this does, and the context that it comes from.
func (j evaluator) instance(p place, label string) (jvmValue, context) {
	for _, c := range j.contexts(p) {
		t := j.contextType(c)
		if c.static {
			continue
		}
		if c.fact != nil && c.fact.Kind == code.FactAssign && t.kind == unknown ||
			label != "" && c.ref.Symbol().Name != label {
			continue // a function literal without a receiver
		}
		v := of(t)
		v.own = c.fact == nil || c.anonymous()
		if !v.own {
			v = v.via(resolve.TypedWritten)
		}
		return v, c
	}
	return jvmValue{}, context{}
}

// superAround returns the value of "super" at p. In the anonymous class new Order() { … } it is an
// Order; in one of an interface, a Java object without members of the interface.
func (j evaluator) superAround(p place) jvmValue {
	v, c := j.instance(p, "")
	if !c.anonymous() || v.kind != resolve.Instance || v.typ.kind != declared {
		return j.superOf(v)
	}
	if p.file.Language == "java" && v.typ.ref.Symbol().Kind == code.KindInterface {
		return jvmValue{kind: resolve.Foreign, pkg: "java.lang"}
	}
	v.own, v.super = false, true
	return v
}

// superOf returns v as an instance of its base class, for super.f().
func (j evaluator) superOf(v jvmValue) jvmValue {
	if v.kind != resolve.Instance || v.typ.kind != declared {
		return jvmValue{}
	}
	for _, t := range supers(v.typ.ref) {
		base := j.types.readIn(t, v.typ.ref)
		if base.kind == declared && base.ref.Symbol().Kind == code.KindInterface && len(supers(v.typ.ref)) > 1 {
			continue
		}
		out := of(base)
		out.super = true
		return out
	}
	return jvmValue{kind: resolve.Foreign, pkg: "java.lang"}
}

// fieldAround returns the value of the field called name in the innermost instance in scope that
// has one, or in a companion object of its class. It returns false if there is none.
func (j evaluator) fieldAround(p place, name string) (jvmValue, bool) {
	for _, c := range j.contexts(p) {
		m := j.membersIn(c, name)
		if len(m.fields) > 0 {
			return j.field(m.fields[0]), true
		}
		if p.file.Language != "java" {
			for _, companion := range j.types.companionsOf(c.ref) {
				if m := j.members.named(companion, name); len(m.fields) > 0 {
					return j.field(m.fields[0]), true
				}
			}
		}
	}
	return jvmValue{}, false
}

func (j typeReader) companionsOf(r resolve.Ref) (out []resolve.Ref) {
	if r.Valid() && r.Index >= 0 && resolve.IsType(r.Symbol().Kind) {
		j.lineage(r, func(t resolve.Ref) bool {
			out = append(out, companions(t)...)
			return true
		})
	}
	return out
}
