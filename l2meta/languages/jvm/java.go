package jvm

import (
	"cmp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// settler resolves call sites by the rules of Java. Kotlin and Scala try rules of their own first
// and share the rest.
type settler struct{ *jvm }

// Java resolves calls in Java as javac does, except where that requires the types of dependencies.
type Java struct{ family }

func (Java) Settle(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	j := newJVM(w)
	p := place{file: f, at: c.Caller, pos: c.NameSpan.StartByte}
	switch {
	case c.Kind == code.CallDecorator:
		return j.calls.typeVerdict(p, c, j.types.read(annotated(p).typ(path(c.Receiver, c.Callee))), false)
	case c.Kind == code.CallNew:
		return j.calls.newVerdict(p, c)
	case c.Kind == code.CallSuper && (c.Callee == "this" || c.Callee == "super"):
		return j.calls.delegation(p, c)
	case c.Kind == code.CallReference && c.Receiver == "":
		return j.calls.typeVerdict(p, c, j.types.read(p.typ(c.Callee)), false)
	case c.Receiver == "":
		return j.calls.onSelf(p, j.calls.bare(p, c))
	}
	if ofEveryObject[c.Callee] && c.Args == 0 {
		return resolve.ExternalTo("java.lang")
	}
	x := j.values.receiver(p, c)
	if c.Kind == code.CallReference && x.kind == resolve.Module {
		return j.calls.typeVerdict(p, c, j.types.read(p.typ(path(c.Receiver, c.Callee))), false)
	}
	return j.calls.dispatched(p, c, x, j.calls.memberVerdict(p, c, x))
}

// annotated returns the place in whose scope the annotation at p is resolved. An annotation in front of
// a class is outside of the class, so the members of the class are not in scope.
func annotated(p place) place {
	if p.at >= 0 && p.pos < p.file.Symbols[p.at].NameSpan.StartByte {
		p.at = p.file.Symbols[p.at].Parent
	}
	return p
}

func path(receiver, name string) string {
	if receiver == "" {
		return name
	}
	return receiver + "." + name
}

// arguments returns the number of arguments of a call; -1 if it is unknown.
func arguments(c *code.Call) int {
	if c.Kind == code.CallReference {
		return -1
	}
	return c.Args
}

// typeVerdict resolves a reference to type t or, if made is set, its construction, new T(…).
func (j settler) typeVerdict(p place, c *code.Call, t jvmType, made bool) resolve.Verdict {
	switch t.kind {
	case declared:
		target := t.ref
		if made {
			target = j.members.made(t.ref, c.Args)
		}
		return resolve.Resolved(target, resolve.Constructed, "the type "+t.ref.Symbol().QualifiedName)
	case jvmForeign:
		return resolve.ExternalTo(t.module)
	case jvmFunc:
		return resolve.ThroughValue("a function type")
	}
	return resolve.Unresolved("the type " + c.Callee + " is not known")
}

// newVerdict resolves new T(…), outer.new T(…) and enum constants.
func (j settler) newVerdict(p place, c *code.Call) resolve.Verdict {
	return j.typeVerdict(p, c, j.newType(p, c), true)
}

// newType returns the type that a call with new constructs.
func (j settler) newType(p place, c *code.Call) jvmType {
	t := j.types.read(p.typ(path(c.Receiver, c.Callee)))
	if t.kind == declared || c.Receiver == "" {
		return t
	}
	// outer.new T(…): the name before the dot is no package.
	if x := j.values.eval(p, p.parse(c.Receiver)); x.kind == resolve.Instance && x.typ.kind == declared {
		if r, ok := j.types.nested(x.typ.ref, c.Callee); ok {
			return jvmType{kind: declared, ref: r, name: c.Callee}
		}
	}
	return t
}

// delegation resolves this(…) and super(…).
func (j settler) delegation(p place, c *code.Call) resolve.Verdict {
	own := p.file.Type(c.Caller)
	if own < 0 {
		return resolve.Unresolved("no class is around it")
	}
	t := jvmType{kind: declared, ref: p.file.Ref(own)}
	if c.Callee == "super" {
		if p.file.Symbols[own].Kind == code.KindEnum {
			return resolve.ExternalTo("java.lang")
		}
		base := j.values.superOf(of(t))
		if base.kind == resolve.Foreign {
			return resolve.ExternalTo(base.pkg)
		}
		t = base.typ
		if t.kind == declared && t.ref.Symbol().Kind == code.KindInterface {
			return resolve.ExternalTo("java.lang") // the constructor of Object
		}
	}
	v := j.typeVerdict(p, c, t, true)
	if v.Outcome == resolve.Settled {
		v.Strategy = resolve.TypedStatic
	}
	return v
}

// bare resolves f(…): to a method of the innermost enclosing type that has one of that name, or
// to a static import.
func (j settler) bare(p place, c *code.Call) resolve.Verdict {
	var passed []string
	unread := false
	for i, context := range j.values.contexts(p) {
		m := j.values.membersIn(context, c.Callee)
		if len(m.methods) > 0 {
			if len(passed) > 0 || unread {
				return resolve.Unresolved("a type around may inherit " + c.Callee + " too")
			}
			if j.outsideGoesFirst(m, c.Callee) {
				return resolve.Unresolved("a base from outside has " + c.Callee + " too")
			}
			v := j.among(p, m.methods, c, resolve.SameType)
			if v.Outcome == resolve.Settled && i == 0 && v.Strategy == resolve.SameType && context.fact == nil &&
				v.Target.Parent() != context.ref {
				v.Strategy = resolve.Inherited
			}
			return v
		}
		if objectMethods[c.Callee] && i == 0 {
			return resolve.ExternalTo("java.lang")
		}
		unread = unread || m.unknown
		for _, o := range m.outside {
			if !lacks(o, c.Callee) {
				passed = append(passed, o)
			}
		}
	}
	if v, ok := j.staticImport(p, c, passed, unread); ok {
		return v
	}
	if len(passed) > 0 {
		module, _, _ := cutLast(passed[0])
		return resolve.ExternalTo(module)
	}
	if unread {
		return resolve.Unresolved("a base type is not known")
	}
	if slices.ContainsFunc(j.values.contexts(p), func(x context) bool {
		return x.ref.Symbol().Kind == code.KindEnum
	}) && enumMethods[c.Callee] {
		return resolve.ExternalTo("java.lang")
	}
	return resolve.Unresolved("no type around has " + c.Callee)
}

// cutLast splits a dotted name at its last dot. If it has none, last is the whole name and ok is
// false.
func cutLast(name string) (before, last string, ok bool) {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[:i], name[i+1:], true
	}
	return "", name, false
}

var objectMethods = resolve.Words("equals hashCode toString getClass notify notifyAll wait clone finalize")

// ofSubclasses lists methods of Object that are protected: an interface has only those that it declares.
var ofSubclasses = resolve.Words("clone finalize")

// ofEveryObject lists methods of Object that classes cannot override.
var ofEveryObject = resolve.Words("getClass notify notifyAll")
var enumMethods = resolve.Words("values valueOf name ordinal compareTo getDeclaringClass")

// lacks reports whether the tables of the standard libraries list a type, given by its full name, without
// a method of that name. It is false for a type that they do not list.
func lacks(full, method string) bool {
	has, known := hasMember(full, method)
	return known && !has
}

// oneHas reports whether the tables of the standard libraries list a method of that name for one of
// several types, given by their full names.
func oneHas(types []string, method string) bool {
	return slices.ContainsFunc(types, func(full string) bool {
		has, _ := hasMember(full, method)
		return has
	})
}

// among resolves a call to the only candidate that accepts its arguments. If none or several do, the
// call is unresolved.
func (j settler) among(p place, candidates []candidate, c *code.Call, s resolve.Strategy) resolve.Verdict {
	fit := j.overloads.byArguments(p, j.members.choose(p.file, candidates, arguments(c)), argumentsOf(p, c))
	switch len(fit) {
	case 0:
		return resolve.Unresolved("no " + c.Callee + " takes as many arguments")
	case 1:
		return resolve.Resolved(fit[0].ref, s, "a member of "+owner(fit[0].ref))
	}
	return resolve.Unresolved("one of " + listed(fit))
}

type argumentsKey struct{}

// argumentsOf returns the arguments of a call, or nil if extraction did not record them.
func argumentsOf(p place, c *code.Call) []*expr.Expr {
	if e := passed(p, c); e != nil {
		return e.Args
	}
	return nil
}

// passed returns a call expression with the arguments of c, or nil if extraction did not record
// them.
func passed(p place, c *code.Call) *expr.Expr {
	texts := resolve.Memo(p.file, argumentsKey{}, func() map[int]string {
		by := map[int]string{}
		for i := range p.file.AllFacts() {
			if fact := &p.file.AllFacts()[i]; fact.Kind == code.FactArguments {
				by[fact.Span.StartByte] = fact.Type
			}
		}
		return by
	})
	text, ok := texts[c.NameSpan.StartByte]
	if !ok {
		return nil
	}
	if e := p.parse("f" + text); e.Op == expr.OpCall {
		return e
	}
	return nil
}

// owner returns a phrase for messages that names the declaration around r, or r's package.
func owner(r resolve.Ref) string {
	if owner := r.Parent(); owner.Valid() {
		return owner.Symbol().QualifiedName
	}
	return "package " + r.File.Package()
}

// listed returns the signatures of equally good overloads, for a message.
func listed(found []candidate) string {
	var out []string
	for _, c := range found[:min(len(found), 4)] {
		var types []string
		for _, param := range c.ref.Symbol().Parameters {
			types = append(types, erased(param.Type))
		}
		out = append(out, c.ref.Symbol().QualifiedName+"("+strings.Join(types, ", ")+")")
	}
	return strings.Join(out, ", ")
}

// memberVerdict resolves x.f(…).
func (j settler) memberVerdict(p place, c *code.Call, x jvmValue) resolve.Verdict {
	switch x.kind {
	case resolve.Foreign:
		if x.origin == resolve.Handed && j.members.mayDeclare(c.Callee) {
			return resolve.Unresolved("what " + cmp.Or(x.pkg, "a library") +
				" gives may be of the workspace, which declares " + c.Callee)
		}
		return resolve.ExternalTo(x.pkg)
	case resolve.Module:
		return resolve.Unresolved(x.pkg + " is not known")
	case resolve.Unknown, resolve.Function:
		if x.reason != "" {
			return resolve.Unresolved(x.reason)
		}
		return resolve.Unresolved("the type of " + c.Receiver + " is not known")
	}
	switch x.typ.kind {
	case jvmForeign:
		return resolve.ExternalTo(x.typ.module)
	case array:
		return resolve.ExternalTo("java.lang")
	case declared:
		return j.declaredVerdict(p, c, x)
	}
	return resolve.Unresolved("the type of " + c.Receiver + " is not known")
}

// declaredVerdict resolves x.f(…), where the type of x is declared in the workspace.
func (j settler) declaredVerdict(p place, c *code.Call, x jvmValue) resolve.Verdict {
	m := j.members.named(x.typ.ref, c.Callee)
	accessor := c.Args == 0 && len(m.fields) == 1 && isRecord(x.typ.ref) &&
		len(j.members.choose(p.file, m.methods, 0)) == 0
	if len(m.methods) > 0 && !accessor {
		switch near := m.methods[0]; {
		case objectMethods[c.Callee] && !ofSubclasses[c.Callee] && near.ref.Parent().Symbol().Kind == code.KindInterface:
			return resolve.ExternalTo("java.lang") // every interface has the public members of Object
		case j.outsideGoesFirst(m, c.Callee):
			return resolve.Unresolved("a base from outside has " + c.Callee + " too")
		}
		v := j.among(p, m.methods, c, x.strategy())
		if v.Outcome == resolve.Settled && v.Strategy == resolve.SameType && v.Target.Parent() != x.typ.ref {
			v.Strategy = resolve.Inherited
		}
		return v
	}
	s := x.typ.ref.Symbol()
	switch {
	case objectMethods[c.Callee]:
		return resolve.ExternalTo("java.lang")
	case s.Kind == code.KindEnum && enumMethods[c.Callee]:
		return resolve.ExternalTo("java.lang")
	case accessor:
		return resolve.Resolved(m.fields[0].ref, x.strategy(), "the accessor of a component of "+s.Name)
	case len(m.outside) > 0 && !m.unknown:
		module, _, _ := cutLast(m.outside[0])
		return resolve.ExternalTo(module)
	case m.unknown:
		return resolve.Unresolved("a base of " + s.Name + " is not known")
	}
	return resolve.Unresolved(s.Name + " declares no " + c.Callee)
}

// outsideGoesFirst reports whether a base from outside may declare the method called name that is called, rather than
// the interface that m found it in: class Rows extends ArrayList<Row> implements Sized, where Sized has a default size().
// The method of a class goes before those of interfaces, and the class overrides those of its bases, as an interface
// does: interface Rows extends List<Row> { int size(); }.
func (j settler) outsideGoesFirst(m members, name string) bool {
	near := m.methods[0]
	owner := near.ref.Parent()
	if near.depth == 0 || owner.Symbol().Kind != code.KindInterface {
		return false
	}
	overridden := j.types.ancestry(owner).outside
	return slices.ContainsFunc(m.outside, func(base string) bool {
		return !slices.Contains(overridden, base) && oneHas([]string{base}, name)
	})
}

// isRecord reports whether r is a record, the only kind of Java class with parameters of its own.
func isRecord(r resolve.Ref) bool {
	return r.File.Language == "java" && r.Symbol().Kind == code.KindClass && len(r.Symbol().Parameters) > 0
}

// strategy returns the rule by which a call of a member of v is resolved, which determines the
// confidence of the result: SameType for this.f(), TypedWritten if the type of v is declared.
func (v jvmValue) strategy() resolve.Strategy {
	switch {
	case v.own:
		return resolve.SameType
	case v.super, v.kind == resolve.Class:
		return resolve.TypedStatic
	case v.how == "":
		return resolve.TypedWritten
	}
	return v.how
}

// baseOutside returns a value of the nearest library type that has the method, among the external
// bases of the types that enclose p. It returns no value if an enclosing type declares the method,
// or if one of the bases is unknown.
func (j evaluator) baseOutside(p place, name string) jvmValue {
	for _, context := range j.contexts(p) {
		m := j.membersIn(context, name)
		if m.unknown || m.found() {
			return jvmValue{}
		}
		for _, full := range append(m.outside, "java.lang.Object") {
			if has, known := hasMember(full, name); has {
				module, last, _ := cutLast(full)
				return of(library(module, last))
			} else if !known {
				return jvmValue{}
			}
		}
	}
	return jvmValue{}
}

// bareCandidates returns the functions called name that a call without a receiver, f(…), may refer to at
// p, if it has args arguments.
func (j evaluator) bareCandidates(p place, name string, args int) []candidate {
	if p.file.Language != "java" {
		return j.kotlin.bareCandidates(p, name, args)
	}
	for _, context := range j.contexts(p) {
		if m := j.membersIn(context, name); len(m.methods) > 0 {
			return j.members.choose(p.file, m.methods, args)
		}
	}
	return j.members.choose(p.file, j.importedStatic(p, name, args).methods, args)
}
