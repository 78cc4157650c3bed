package jvm

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/resolve"
)

// mayInvoke reports whether a value may be called like a function.
func (j kotlinEvaluator) mayInvoke(x jvmValue) bool {
	switch x.typ.kind {
	case declared:
		return len(j.members.named(x.typ.ref, "invoke").methods) > 0 || j.types.ancestry(x.typ.ref).unknown
	case array:
		return false
	case jvmForeign:
		return !facts.Plain[x.typ.name] && !facts.Containers[x.typ.name] && !facts.Maps[x.typ.name]
	}
	return true
}

// invoked resolves c, a call of the value x. It resolves to the function invoke of x's type, or
// to the property from which x was read if that holds a function. how is the rule by which the
// property was found.
func (j kotlinEvaluator) invoked(p place, c *code.Call, x jvmValue, how resolve.Strategy) resolve.Verdict {
	if x.kind == resolve.Instance && x.typ.kind == declared {
		if m := j.members.named(x.typ.ref, "invoke"); len(m.methods) > 0 {
			return j.calls.among(p, m.methods, c, x.strategy())
		}
	}
	if x.member.Valid() && (Kotlin{}).HoldsFunction(j.w, x.member) {
		return settleProperty(x.member, how)
	}
	return resolve.ThroughValue(c.Callee + " is a value")
}

// settleProperty resolves a call of a function-valued property to the property: done(1),
// job.done(1), job.done?.invoke(1).
func settleProperty(property resolve.Ref, how resolve.Strategy) resolve.Verdict {
	return resolve.Resolved(property, how, "the property "+property.Symbol().QualifiedName+", which holds a function")
}

// HoldsFunction reports whether calls may resolve to a property because it holds a function: its
// type is a function type, or its value is a function literal. It also returns true for the only
// method of a fun interface, because a function can be passed as an implementation of it.
func (Kotlin) HoldsFunction(w *resolve.World, property resolve.Ref) bool {
	s := property.Symbol()
	if !property.Parent().Valid() || !resolve.IsType(property.Parent().Symbol().Kind) ||
		kotlinReceiver(property) != nil {
		return false
	}
	if s.Kind == code.KindMethod { // fun interface Done { fun done(n: Int) }
		only, ok := onlyAbstract(property.Parent())
		return ok && only == property && slices.Contains(property.Parent().Symbol().Modifiers, "fun")
	}
	if s.Kind != code.KindProperty {
		return false
	}
	j := newJVM(w)
	if v := j.values.field(candidate{ref: property}); v.kind == resolve.Instance {
		return v.typ.kind == jvmFunc
	}
	return kotlinHoldsLiteral(property)
}

// kotlinHoldsLiteral reports whether the value of a property without a declared type is a function
// literal or a reference.
func kotlinHoldsLiteral(property resolve.Ref) bool {
	s := property.Symbol()
	for _, fact := range property.File.FactsOf(s.Parent) {
		if fact.Kind == code.FactAssign && fact.Name == s.Name && fact.Span.StartByte == s.NameSpan.StartByte {
			return strings.HasPrefix(fact.Type, "{") || strings.HasPrefix(fact.Type, "::")
		}
	}
	return false
}

// CallNames returns the names under which source code may call r: its own and, for a property that holds
// a function, also invoke, as in done?.invoke(1).
func (k Kotlin) CallNames(w *resolve.World, r resolve.Ref) []string {
	names := newJVM(w).members.callNames(r)
	if r.Symbol().Kind == code.KindProperty && k.HoldsFunction(w, r) {
		names = append(names, "invoke")
	}
	return names
}

// Given returns the property and the function of a recorded assignment of a function, such as
// done = ::save or Job(::save). It returns two zero Refs if either is unknown.
func (k Kotlin) Given(w *resolve.World, f *resolve.File, fact *code.Fact) (property, function resolve.Ref) {
	j := newJVM(w)
	p := place{file: f, at: fact.Owner, pos: fact.Span.StartByte}
	called, at, placed := code.CutPlace(fact.Name)
	switch {
	case placed && fact.Owner >= 0 && resolve.IsType(f.Symbols[fact.Owner].Kind) &&
		f.Symbols[fact.Owner].Name == called && f.Taker(p.pos) == nil:
		property = j.kotlin.keeping(f.Ref(fact.Owner), at) // the default value of a constructor parameter
	case placed:
		property = j.kotlin.passed(k, f, p.pos, at)
	case fact.Owner >= 0 && f.Symbols[fact.Owner].Kind == code.KindProperty && f.Symbols[fact.Owner].Name == fact.Name:
		property = f.Ref(fact.Owner)
	default:
		property = j.values.eval(p, p.parse(fact.Name)).member
	}
	if !property.Valid() || !k.HoldsFunction(w, property) {
		return resolve.Ref{}, resolve.Ref{}
	}
	for i := range f.Calls() {
		c := &f.Calls()[i]
		if c.Kind != code.CallReference || c.NameSpan.StartByte < fact.Span.StartByte ||
			c.NameSpan.EndByte != fact.Span.EndByte {
			continue
		}
		if v := k.Settle(w, f, c); v.Outcome == resolve.Settled && v.Target.Symbol().Kind.Callable() {
			return property, v.Target
		}
	}
	return resolve.Ref{}, resolve.Ref{}
}

// passed returns the property to which the callee assigns an argument of the call around byte offset pos,
// where at is the position or name of the argument. For a fun interface, Done(::save), it returns the
// method of the interface. It returns the zero Ref if the callee is unknown or assigns the argument to no
// property.
func (j kotlinEvaluator) passed(k Kotlin, f *resolve.File, pos int, at code.Place) resolve.Ref {
	call := f.Taker(pos)
	if call == nil {
		return resolve.Ref{}
	}
	v := k.Settle(j.w, f, call)
	if v.Outcome != resolve.Settled || v.Target.File.Language != "kotlin" {
		return resolve.Ref{}
	}
	if v.Target.Symbol().Kind == code.KindInterface { // Done(::save)
		only, _ := onlyAbstract(v.Target)
		return only
	}
	return j.keeping(v.Target, at)
}

// keeping returns the property to which a class or function assigns one of its parameters, given by its
// position or name. A parameter of a class may be the property itself: class Job(val done: F). It
// returns the zero Ref if there is none.
func (j kotlinEvaluator) keeping(function resolve.Ref, place code.Place) resolve.Ref {
	s := function.Symbol()
	parameter := resolve.ParameterAt(s, place)
	class := function
	if !resolve.IsType(s.Kind) {
		class = function.Parent()
	}
	if parameter == nil || !class.Valid() {
		return resolve.Ref{}
	}
	name := parameter.Name
	for _, fact := range function.Facts() {
		if property, ok := strings.CutPrefix(fact.Name, "this."); ok && fact.Kind == code.FactAssign &&
			fact.Type == name {
			return class.Member(property, code.KindProperty)
		}
	}
	property := class.Member(name, code.KindProperty)
	for _, fact := range class.Facts() {
		if class == function && property.Valid() && fact.Kind == code.FactParam && fact.Name == name &&
			covers(fact.Span, property.Symbol().Span) {
			return property // val done of the primary constructor
		}
	}
	return resolve.Ref{}
}

func covers(list, one code.Span) bool {
	return list.StartByte <= one.StartByte && one.EndByte <= list.EndByte
}

// GivenBy returns the names of calls that may pass a value for the property as an argument: the name of
// the class that declares it, and the names of methods that assign a parameter to it.
func (Kotlin) GivenBy(_ *resolve.World, property resolve.Ref) []string {
	return resolve.KeptBy(property, func(method resolve.Ref) bool {
		return slices.ContainsFunc(method.Facts(), func(fact *code.Fact) bool {
			return fact.Kind == code.FactAssign && fact.Name == "this."+property.Symbol().Name
		})
	})
}
