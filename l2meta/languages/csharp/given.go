package csharp

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// settleMember resolves the call of a member that holds a function, Done(1), to the member: a field, property
// or event.
func settleMember(s resolve.Scope, member resolve.Ref, how resolve.Strategy) resolve.Verdict {
	if how == "" {
		how = ofSelf(s, member)
	}
	return resolve.Resolved(member, how, "the member "+member.Symbol().QualifiedName+", which holds a function")
}

// ofSelf returns the strategy, the rule of resolution, for a member of the object around s: SameType if
// the type around s declares the member, otherwise Inherited.
func ofSelf(s resolve.Scope, member resolve.Ref) resolve.Strategy {
	if t := around(s.File, s.At); t >= 0 && fullName(s.File.Ref(t)) == fullName(member.Parent()) {
		return resolve.SameType
	}
	return resolve.Inherited
}

// invokes returns the member whose delegate Invoke calls: Done of Done?.Invoke(1). It returns the
// zero Ref for any other call.
func invokes(w *resolve.World, c *code.Call, x resolve.Value) resolve.Ref {
	if c.Callee == "Invoke" && x.Kind == resolve.Instance && x.Property.Valid() && isDelegate(w, x.Property, x.Type) {
		return x.Property
	}
	return resolve.Ref{}
}

// isDelegate reports whether t, the type of a member, is a delegate type of the workspace or, judging
// by its name, a delegate type of .NET: Func, ClickEventHandler. The type of every event is one.
func isDelegate(w *resolve.World, member resolve.Ref, t resolve.Type) bool {
	d := csharpResolve(w, t)
	if d.known() {
		return d.parts[0].Symbol().Kind == code.KindType
	}
	return delegates[d.name] && d.name != "Expression" || slices.Contains(member.Symbol().Modifiers, "event") ||
		strings.HasSuffix(d.name, "EventHandler") || strings.HasSuffix(d.name, "Delegate") ||
		strings.HasSuffix(d.name, "Callback")
}

func typeOf(member resolve.Ref) resolve.Type {
	return resolve.Type{Text: member.Symbol().Returns, File: member.File, Scope: member.Symbol().Parent}
}

// HoldsFunction reports whether a member's type may be a delegate. Delegates of .NET are recognised by their
// names.
func (Language) HoldsFunction(w *resolve.World, member resolve.Ref) bool {
	if k := member.Symbol().Kind; k != code.KindField && k != code.KindProperty || !member.Parent().Valid() {
		return false
	}
	t := csharpResolve(w, typeOf(member))
	return t.name != "Expression" && csharpName(t.name) != "object" && len(t.any) == 0 && takesFunction(t, -1) != never
}

// Given resolves a fact which records that a function is assigned to a member: by Done = Save, Done += Save
// or new Job { Done = Save }, or as an argument, new Job(Save). It returns the member and the function. The
// function is the zero Ref if it is unknown; if the member is unknown, both are.
func (Language) Given(w *resolve.World, f *resolve.File, fact *code.Fact) (member, function resolve.Ref) {
	s := resolve.Scope{W: w, File: f, At: fact.Owner, Pos: fact.Span.StartByte}
	if called, place, ok := code.CutPlace(fact.Name); ok {
		member = passed(w, s, called, place)
	} else if e := expr.Parse(fact.Name, dialect); e.Op == expr.OpMember ||
		e.Op == expr.OpName && local(s, e.Name) == nil {
		member = eval(s, w, e).Property
	}
	if !member.Valid() || !(Language{}).HoldsFunction(w, member) {
		return resolve.Ref{}, resolve.Ref{}
	}
	return member, group(w, s, expr.Parse(fact.Type, dialect), arityOf(w, typeOf(member)))
}

// arityOf returns the number of parameters of a delegate type; -1 if it is unknown.
func arityOf(w *resolve.World, t resolve.Type) int {
	d := csharpResolve(w, t)
	switch {
	case d.known():
		return len(d.parts[0].Symbol().Parameters)
	case d.name == "Func":
		return len(d.args) - 1
	case d.name == "Action":
		return len(d.args)
	case d.name == "Predicate":
		return 1
	case d.name == "Comparison", d.name == "EventHandler":
		return 2
	}
	return -1
}

// group returns the method that expression e denotes. e is a method without a call, Save or job.Save, that is
// assigned to a delegate with arity parameters (-1 if unknown). It returns the zero Ref if none or several
// methods fit.
func group(w *resolve.World, s resolve.Scope, e *expr.Expr, arity int) resolve.Ref {
	h, found := hands{count: arity, typeCount: -1}, csharpFound{}
	switch e.Op {
	case expr.OpName:
		if local(s, e.Name) == nil {
			found = unqualified(w, s, e.Name, h)
		}
	case expr.OpMember:
		if x := eval(s, w, e.X); x.Kind == resolve.Class || x.Kind == resolve.Instance {
			found, _ = member(w, s, x.Type, e.Name, h)
		}
	}
	if !found.ok {
		return resolve.Ref{}
	}
	return found.method.Ref
}

// passed returns the member to which a function assigns one of its arguments: Job.Done for new Job(Save),
// if the constructor assigns its first parameter to Done. called is the function as written, "new Job", and
// place the position or name of the argument. It returns the zero Ref if there is none.
func passed(w *resolve.World, s resolve.Scope, called string, place code.Place) resolve.Ref {
	e := expr.Parse(called, dialect)
	if typ, ok := strings.CutPrefix(called, "new "); ok {
		t := csharpResolve(w, resolve.Type{Text: typ, File: s.File, Scope: s.At})
		for _, part := range t.parts {
			for _, i := range append(part.File.Children(part.Index), part.Index) {
				if k := part.File.Symbols[i].Kind; k == code.KindConstructor || i == part.Index {
					if hit := keeping(part.File.Ref(i), place); hit.Valid() {
						return hit
					}
				}
			}
		}
		return resolve.Ref{}
	}
	if f := group(w, s, e, -1); f.Valid() {
		return keeping(f, place)
	}
	return resolve.Ref{}
}

// keeping returns the member to which a function assigns the parameter for an argument, where place is the
// position or name of the argument. A parameter of a record is itself a property. It returns the zero Ref
// if there is none.
func keeping(function resolve.Ref, place code.Place) resolve.Ref {
	parameter := resolve.ParameterAt(function.Symbol(), place)
	class := function
	if !resolve.IsType(class.Symbol().Kind) {
		class = function.Parent()
	}
	if parameter == nil || !class.Valid() {
		return resolve.Ref{}
	}
	for _, fact := range function.Facts() {
		if field, ok := strings.CutPrefix(fact.Name, "this."); ok && fact.Kind == code.FactAssign &&
			fact.Type == parameter.Name {
			return class.Member(field, code.KindField, code.KindProperty)
		}
	}
	if class == function && slices.Contains(class.Symbol().Modifiers, "record") {
		return class.Member(parameter.Name, code.KindField, code.KindProperty)
	}
	return resolve.Ref{}
}

// GivenBy returns the names of calls that may pass a value for the member as an argument: the name of the
// type that declares it, for its constructors, and the names of methods that assign a parameter to it.
func (Language) GivenBy(_ *resolve.World, member resolve.Ref) []string {
	return resolve.KeptBy(member, func(method resolve.Ref) bool {
		return slices.ContainsFunc(method.Facts(), func(fact *code.Fact) bool {
			return fact.Kind == code.FactAssign && fact.Name == "this."+member.Symbol().Name
		})
	})
}
