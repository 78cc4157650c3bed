package php

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// settleHeld resolves a call of the function that a property holds, ($this->done)(1) or
// $this->done->__invoke(1), to the property, or to the method __invoke of the property's declared
// type. It reports false for other calls.
func settleHeld(w *resolve.World, s resolve.Scope, c *code.Call) (resolve.Verdict, bool) {
	within := strings.HasPrefix(c.Receiver, "(") && c.NameSpan.StartByte-c.Span.StartByte < len(c.Receiver)
	if !within && c.Callee != "__invoke" {
		return resolve.Verdict{}, false
	}
	property, x := propertyAt(w, s, expr.Parse(c.Receiver, dialect))
	switch {
	case !property.Valid() && within:
		return resolve.ThroughValue("a property"), true
	case !property.Valid():
		return resolve.Verdict{}, false
	}
	if v := (evaluator{w}).property(x, property.Symbol().Name); v.Kind == resolve.Instance {
		if found := member(w, v.Type, "__invoke"); found.ok {
			return resolve.Resolved(found.Ref, resolve.TypedWritten,
				"the property holds a "+found.holder).On(receiver(w, v)), true
		}
	}
	if !(Language{}).HoldsFunction(w, property) {
		return resolve.ThroughValue("a property"), within
	}
	how := x.How
	switch {
	case !selfish(receiverOf(c)):
	case property.Parent() == around(s):
		how = resolve.SameType
	default:
		how = resolve.Inherited
	}
	return resolve.Resolved(property, how, "the property "+property.Symbol().QualifiedName+", which holds a function"),
		true
}

// receiverOf returns the text before the property in the receiver of a call: "$this" for
// ($this->done)(1).
func receiverOf(c *code.Call) string {
	of, _, _ := strings.Cut(strings.TrimLeft(c.Receiver, "( "), "->")
	return of
}

// propertyAt returns the property that x->name denotes, and the value of x. It returns zero
// values for any other expression.
func propertyAt(w *resolve.World, s resolve.Scope, e *expr.Expr) (resolve.Ref, resolve.Value) {
	if e.Op != expr.OpMember || e.Sep != "->" && e.Sep != "?->" {
		return resolve.Ref{}, resolve.Value{}
	}
	x := eval(s, w, e.X)
	if x.Kind != resolve.Instance {
		return resolve.Ref{}, x
	}
	return propertyNamed(w, receiver(w, x), e.Name, 0), x
}

// propertyNamed returns the property called name that a class declares or inherits; the zero Ref if
// there is none.
func propertyNamed(w *resolve.World, class resolve.Ref, name string, depth int) resolve.Ref {
	if !class.Valid() || depth > 16 {
		return resolve.Ref{}
	}
	if property := class.Member(name, code.KindProperty); property.Valid() {
		return property
	}
	for _, b := range bases(w, class) {
		if r := propertyNamed(w, b.ref, name, depth+1); r.Valid() {
			return r
		}
	}
	return resolve.Ref{}
}

// HoldsFunction reports whether the declared type of a property is a function, or allows any value.
func (Language) HoldsFunction(_ *resolve.World, property resolve.Ref) bool {
	if property.Symbol().Kind != code.KindProperty || !property.Parent().Valid() {
		return false
	}
	typ := property.Symbol().Returns
	for _, fact := range property.Parent().Facts() {
		if fact.Kind == code.FactField && fact.Name == property.Symbol().Name && fact.Type != "" {
			typ = fact.Type
		}
	}
	typ = strings.ToLower(typ)
	return typ == "" || typ == "mixed" || strings.Contains(typ, "callable") || strings.Contains(typ, "closure")
}

// Given resolves a FactGiven, which records that a property holds a function. It returns the
// property and the function: done and save for $this->done = save(...), and for new
// Job(save(...)) if the constructor assigns its parameter to $this->done. It returns zero Refs if
// either is unknown.
func (l Language) Given(w *resolve.World, f *resolve.File, fact *code.Fact) (property, function resolve.Ref) {
	s := resolve.Scope{W: w, File: f, At: fact.Owner, Pos: fact.Span.StartByte}
	if _, at, ok := code.CutPlace(fact.Name); ok {
		property = passed(w, s, fact, at)
	} else {
		property, _ = propertyAt(w, s, expr.Parse(strings.ReplaceAll(fact.Name, ".", "->"), dialect))
	}
	if !property.Valid() || !l.HoldsFunction(w, property) {
		return resolve.Ref{}, resolve.Ref{}
	}
	for i := range f.Calls() {
		c := &f.Calls()[i]
		if c.Kind == code.CallReference && c.Span.StartByte == fact.Span.StartByte &&
			c.Span.EndByte == fact.Span.EndByte {
			if v := l.Settle(w, f, c); v.Outcome == resolve.Settled {
				return property, v.Target
			}
		}
	}
	return resolve.Ref{}, resolve.Ref{}
}

// passed returns the property in which a method or constructor stores an argument. The call is the
// one around the function that fact names; place is the argument's position or name. It returns the
// zero Ref if there is none.
func passed(w *resolve.World, s resolve.Scope, fact *code.Fact, place code.Place) resolve.Ref {
	call := s.File.Taker(fact.Span.StartByte)
	if call == nil {
		return resolve.Ref{}
	}
	v := (Language{}).Settle(w, s.File, call)
	if v.Outcome != resolve.Settled || !v.Target.Parent().Valid() {
		return resolve.Ref{}
	}
	if label, ok := place.Name(); ok {
		place = code.PlaceNamed("$" + label)
	}
	parameter := resolve.ParameterAt(v.Target.Symbol(), place)
	if parameter == nil {
		return resolve.Ref{}
	}
	class := v.Target.Parent()
	for _, keep := range keeps(v.Target) {
		if value, _, _ := strings.Cut(keep.Type, " ?"); value == parameter.Name {
			return propertyNamed(w, class, keep.Name, 16)
		}
	}
	property := propertyNamed(w, class, strings.TrimPrefix(parameter.Name, "$"), 16)
	if property.Valid() && declaredIn(v.Target.Symbol(), property.Symbol()) {
		return property
	}
	return resolve.Ref{}
}

// declaredIn reports whether a constructor declares a property among its parameters.
func declaredIn(function, property *code.Symbol) bool {
	return function.Span.StartByte <= property.Span.StartByte && property.Span.EndByte <= function.Span.EndByte
}

// keeps returns the facts that record assignments to properties of $this within a method.
func keeps(method resolve.Ref) (out []*code.Fact) {
	for _, fact := range method.Parent().Facts() {
		if s := method.Symbol(); fact.Kind == code.FactAssign && s.Span.StartByte <= fact.Span.StartByte &&
			fact.Span.EndByte <= s.Span.EndByte {
			out = append(out, fact)
		}
	}
	return out
}

// GivenBy returns the names by which calls name the methods that assign a property. For the
// constructor it is the name of the class.
func (Language) GivenBy(_ *resolve.World, property resolve.Ref) []string {
	return resolve.KeptBy(property, func(method resolve.Ref) bool {
		return slices.ContainsFunc(keeps(method),
			func(fact *code.Fact) bool { return fact.Name == property.Symbol().Name })
	})
}
