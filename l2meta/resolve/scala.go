package resolve

import (
	"slices"
	"strings"

	"sextant/internal/code"
)

// scala settles calls in Scala: by the name alone in each scope, as the
// language does, and only where one declaration has it, as lists of parameters
// may be left out or be given by the compiler.
type scala struct{ jvmFamily }

func (scala) settle(w *World, f *File, c *code.Call) Verdict {
	j := &jvm{w: w}
	p := jvmPlace{file: f, at: c.Caller, pos: c.NameSpan.StartByte}
	switch {
	case c.Kind == code.CallDecorator:
		return j.typeVerdict(p, c, j.read(jvmAnnotated(p).typ(jvmPath(c.Receiver, c.Callee))), false)
	case c.Kind == code.CallNew, c.Kind == code.CallSuper && c.Receiver != "super" && c.Callee != "this":
		v := j.typeVerdict(p, c, j.read(jvmAnnotated(p).typ(jvmPath(c.Receiver, c.Callee))), false)
		return v
	case c.Receiver == "":
		return j.scalaBare(p, c)
	}
	return j.scalaMember(p, c, j.receiver(p, c))
}

// scalaBare settles f(…): the innermost scope that binds the name counts.
func (j *jvm) scalaBare(p jvmPlace, c *code.Call) Verdict {
	if c.Callee == "this" {
		return j.delegation(p, c)
	}
	if fact := jvmLocal(p, c.Callee); fact != nil {
		if c.Kind == code.CallReference {
			return funcValue(c.Callee + " is a value")
		}
		return j.applied(p, c, j.bound(p, fact))
	}
	if found := j.localFunctions(p, c.Callee); len(found) > 0 {
		return j.scalaAmong(p, found, c, SameScope)
	}
	outside, unread := "", false
	for i, context := range j.contexts(p) {
		m := j.membersIn(context, c.Callee)
		if m.found() && (outside != "" || unread) {
			return open("a type around may inherit " + c.Callee + " too")
		}
		if len(m.methods) > 0 {
			v := j.scalaAmong(p, m.methods, c, SameType)
			if v.Outcome == Settled && i == 0 && context.fact == nil && v.Target.Parent() != context.ref {
				v.Strategy = Inherited
			}
			return v
		}
		if len(m.fields) > 0 {
			if c.Kind == code.CallReference {
				return funcValue(c.Callee + " is a value")
			}
			return j.applied(p, c, j.field(m.fields[0]))
		}
		if jvmObjectMethods[c.Callee] {
			return external("java.lang")
		}
		unread = unread || m.unknown
		for _, o := range m.outside {
			if !jvmLacks(o, c.Callee) {
				outside = o
			}
		}
	}
	if v, ok := j.scalaOuter(p, c); ok {
		if v.Outcome == Settled && outside != "" && !jvmTypeLike(c.Callee) {
			return open("a type around may inherit " + c.Callee + " too")
		}
		return v
	}
	if outside != "" {
		module, _, _ := jvmCutLast(outside)
		return external(module)
	}
	return open("nothing in scope is called " + c.Callee)
}

// scalaOuter settles f(…) on what imports and packages bring: functions, and
// objects that are applied.
func (j *jvm) scalaOuter(p jvmPlace, c *code.Call) (Verdict, bool) {
	var named, all []jvmCandidate
	for _, i := range p.file.Imports {
		local := i.Alias
		if local == "" {
			local = i.Name
		}
		switch {
		case i.Name == "*":
			all = append(all, j.scalaMembers(p, i.Module, c.Callee)...)
		case local == c.Callee:
			named = append(named, j.scalaMembers(p, i.Module, i.Name)...)
		}
	}
	if len(named) > 0 {
		return j.scalaAmong(p, named, c, Imported), true
	}
	if t := j.read(p.typ(c.Callee)); t.kind == jvmDeclared {
		return j.applied(p, c, jvmNamed(t)), true
	} else if t.kind == jvmForeign {
		return external(t.module), true
	}
	var own []jvmCandidate
	for pkg := p.file.jvmClause(); pkg != "" && len(own) == 0; pkg, _, _ = jvmCutLast(pkg) {
		own = j.scalaMembers(p, pkg, c.Callee)
	}
	switch {
	case len(own) > 0:
		return j.scalaAmong(p, own, c, SamePackage), true
	case len(all) > 0:
		return j.scalaAmong(p, all, c, Imported), true
	}
	return Verdict{}, false
}

// scalaMembers is the functions of that name that an object, or the object of a
// package, has.
func (j *jvm) scalaMembers(p jvmPlace, path, name string) (out []jvmCandidate) {
	steps := strings.Split(strings.TrimPrefix(path, "_root_."), ".")
	r, ok := j.qualified(p.file, steps)
	if !ok {
		r, ok = j.relative(p.file, steps)
	}
	if !ok {
		for _, top := range j.top(path, name) {
			if jvmCallable(top.Symbol()) {
				out = append(out, jvmCandidate{ref: top})
			}
		}
		return out
	}
	for _, o := range scalaObjects(r) {
		out = append(out, j.members(o, name).methods...)
	}
	return out
}

// scalaObjects is the objects that go by the name of r: itself, or beside it.
func scalaObjects(r Ref) []Ref {
	if jvmIsObject(r) {
		return []Ref{r}
	}
	return jvmCompanions(r)
}

// scalaAmong settles a call on the only declaration of a name, or on the only
// one of several that takes so many arguments.
func (j *jvm) scalaAmong(p jvmPlace, found []jvmCandidate, c *code.Call, s Strategy) Verdict {
	fit := j.choose(p.file, found, -1)
	if len(fit) > 1 && c.Kind != code.CallReference && c.Args >= 0 {
		if takes := j.choose(p.file, found, c.Args); len(takes) > 0 {
			fit = takes
		}
	}
	if len(fit) != 1 {
		return open("one of " + jvmListed(fit))
	}
	return settled(fit[0].ref, s, "a member of "+jvmOwner(fit[0].ref))
}

// applied settles the call of a value or an object: on its apply, on the class
// where a case class has it made.
func (j *jvm) applied(p jvmPlace, c *code.Call, x jvmValue) Verdict {
	if x.typ.kind != jvmDeclared {
		return funcValue(c.Callee + " is a value")
	}
	if x.kind == Instance {
		if m := j.members(x.typ.ref, "apply"); len(m.methods) > 0 {
			return j.scalaAmong(p, m.methods, c, x.strategy())
		}
		return funcValue(c.Callee + " is a value")
	}
	var written []jvmCandidate
	for _, o := range scalaObjects(x.typ.ref) {
		written = append(written, j.members(o, "apply").methods...)
	}
	isCase := slices.Contains(x.typ.ref.Symbol().Modifiers, "case")
	if isCase && (len(written) == 0 || jvmTakes(x.typ.ref.Symbol(), c.Args)) {
		return settled(x.typ.ref, Constructed, "the case class "+x.typ.ref.Symbol().QualifiedName)
	}
	if len(written) == 0 {
		return open(c.Callee + " has no apply")
	}
	return j.scalaAmong(p, written, c, TypedStatic)
}

// scalaMember settles x.f(…).
func (j *jvm) scalaMember(p jvmPlace, c *code.Call, x jvmValue) Verdict {
	if x.typ.kind != jvmDeclared || x.kind != Instance && x.kind != Class {
		return j.memberVerdict(p, c, x)
	}
	types := []Ref{x.typ.ref}
	if x.kind == Class {
		types = scalaObjects(x.typ.ref)
	}
	for _, t := range types {
		m := j.members(t, c.Callee)
		if len(m.methods) > 0 {
			v := j.scalaAmong(p, m.methods, c, x.strategy())
			if v.Outcome == Settled && v.Strategy == SameType && v.Target.Parent() != t {
				v.Strategy = Inherited
			}
			return v
		}
		if n, ok := j.nested(t, c.Callee); ok && x.kind == Class {
			return j.applied(p, c, jvmNamed(jvmType{kind: jvmDeclared, ref: n}))
		}
		if len(m.fields) > 0 {
			return j.applied(p, c, j.field(m.fields[0]))
		}
		if jvmObjectMethods[c.Callee] {
			return external("java.lang")
		}
	}
	return open("the type of " + c.Receiver + " has no " + c.Callee)
}
