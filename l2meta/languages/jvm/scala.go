package jvm

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/resolve"
)

// Scala resolves calls in Scala: a name by the innermost scope that binds it, a member by the type
// of its receiver, and overloads by the argument lists.
type Scala struct{ family }

func (Scala) Settle(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	j := &jvm{w: w}
	p := place{file: f, at: c.Caller, pos: c.NameSpan.StartByte}
	if j.scala().scalaOfLanguage(p, c) {
		return resolve.ExternalTo("scala")
	}
	return j.scala().scalaProven(p, c, j.scala().scalaSettle(p, c))
}

func (j scalaEvaluator) scalaSettle(p place, c *code.Call) resolve.Verdict {
	f := p.file
	if c.Kind == code.CallDecorator || c.Kind == code.CallNew || c.Kind == code.CallSuper && c.Callee != "this" && c.Receiver != "super" && !scalaIsSelected(f, c) {
		return j.typeVerdict(p, c, j.read(annotated(p).typ(path(c.Receiver, c.Callee))), false)
	}
	call := scalaCallAt(f, c.NameSpan.StartByte)
	if call == nil { // a reference
		call = &scalaCall{}
		if c.Receiver != "" {
			call.receiver = scalaReference(c.Receiver)
		}
	}
	switch {
	case c.Callee == "this" && call.receiver == nil:
		return j.delegation(p, c)
	case call.receiver == nil:
		return j.onSelf(p, j.scalaBare(p, c, call))
	}
	return j.scalaMember(p, c, call)
}

// scalaIsSelected reports whether c is a member of super, rather than the construction of a base.
func scalaIsSelected(f *resolve.File, c *code.Call) bool {
	call := scalaCallAt(f, c.NameSpan.StartByte)
	return call != nil && call.receiver != nil
}

// scalaReference returns the term for the receiver of a reference, which is recorded as written: a
// path, or an unknown term.
func scalaReference(text string) *scalaTerm {
	for i := range len(text) {
		if !facts.NameByte(text[i]) && text[i] != '.' {
			return &scalaTerm{list: []*scalaTerm{{word: "?"}}}
		}
	}
	return scalaPathTerm(text)
}

// scalaBare resolves f(…).
func (j scalaEvaluator) scalaBare(p place, c *code.Call, call *scalaCall) resolve.Verdict {
	found := j.scalaLookup(p, c.Callee)
	switch {
	case len(found.methods) > 0:
		v := j.scalaAmong(p, found.methods, c, call, found.how)
		if v.Outcome == resolve.Settled && (found.unsure || found.outside != "") {
			v.Strategy = resolve.SameFile
		}
		return v
	case found.value.kind == resolve.Function:
		return resolve.ThroughValue(c.Callee + " is a value")
	case found.value.kind == resolve.Unknown:
		if found.outside != "" {
			module, _, _ := cutLast(found.outside)
			return resolve.ExternalTo(module)
		}
		return resolve.Unresolved("nothing in scope is called " + c.Callee)
	case c.Kind == code.CallReference && found.value.kind != resolve.Class:
		return resolve.ThroughValue(c.Callee + " is a value")
	}
	return j.scalaApplied(p, c, found.value, call)
}

// scalaAmong resolves a call to the only candidate that it may refer to.
func (j scalaEvaluator) scalaAmong(p place, found []candidate, c *code.Call, call *scalaCall, s resolve.Strategy) resolve.Verdict {
	fit := j.scalaNarrowed(p, found, call)
	if len(fit) != 1 {
		return resolve.Unresolved("one of " + listed(fit))
	}
	return resolve.Resolved(fit[0].ref, s, "a member of "+owner(fit[0].ref))
}

// scalaObjects returns the objects that the name of r also refers to: r itself, or its companions.
func scalaObjects(r resolve.Ref) []resolve.Ref {
	if isObject(r) {
		return []resolve.Ref{r}
	}
	return companions(r)
}

// scalaApplied resolves the call of a value or an object: to its apply, or to the case class whose
// generated apply it calls.
func (j scalaEvaluator) scalaApplied(p place, c *code.Call, x jvmValue, call *scalaCall) resolve.Verdict {
	switch {
	case x.kind == resolve.Foreign:
		return resolve.ExternalTo(x.pkg)
	case x.kind == resolve.Class && x.typ.kind == jvmForeign:
		return resolve.ExternalTo(x.typ.module)
	case x.kind == resolve.Instance && x.typ.kind == declared:
		if m := j.members(x.typ.ref, "apply"); len(m.methods) > 0 {
			return j.scalaAmong(p, m.methods, c, call, x.strategy())
		}
		return resolve.ThroughValue(c.Callee + " is a value")
	case x.kind != resolve.Class:
		return resolve.ThroughValue(c.Callee + " is a value")
	}
	found, _ := j.scalaMakers(p, x)
	fit := j.scalaNarrowed(p, found, call)
	switch {
	case len(fit) == 1 && resolve.IsType(fit[0].ref.Symbol().Kind):
		return resolve.Resolved(fit[0].ref, resolve.Constructed, "the case class "+fit[0].ref.Symbol().QualifiedName)
	case len(fit) == 0:
		return resolve.Unresolved(c.Callee + " has no apply")
	}
	return j.scalaAmong(p, fit, c, call, resolve.TypedStatic)
}

// scalaMember resolves x.f(…).
func (j scalaEvaluator) scalaMember(p place, c *code.Call, call *scalaCall) resolve.Verdict {
	x := j.term(p, call.receiver)
	found := j.scalaSelected(p, x, c.Callee)
	switch {
	case len(found.methods) > 0:
		return j.dispatched(p, c, x, j.scalaAmong(p, found.methods, c, call, found.how))
	case found.value.kind == resolve.Function:
		return resolve.ThroughValue(c.Callee + " is a value")
	case found.value.kind == resolve.Module:
		return resolve.Unresolved(x.pkg + " is not known")
	case found.value.kind != resolve.Unknown && c.Kind != code.CallReference:
		return j.scalaApplied(p, c, found.value, call)
	}
	if o, _, ok := j.scalaView(p, x, c.Callee, call); ok {
		return resolve.Resolved(o.ref, resolve.TypedElement, "a member of "+owner(o.ref)+", by an implicit conversion")
	}
	switch {
	case x.kind == resolve.Unknown && x.reason != "":
		return resolve.Unresolved(x.reason)
	case x.kind == resolve.Unknown:
		return resolve.Unresolved("the type of " + c.Receiver + " is not known")
	case x.kind == resolve.Instance && x.typ.kind != declared && j.scalaMayBeAdded(c.Callee) && !scalaHas(x, c.Callee):
		return resolve.Unresolved("a conversion may give " + c.Callee + " to " + c.Receiver)
	case x.typ.kind != declared:
		return resolve.ExternalTo(x.typ.module)
	case objectMethods[c.Callee]:
		return resolve.ExternalTo("java.lang")
	case len(j.ancestry(x.typ.ref).outside) > 0 && x.kind == resolve.Instance && !j.scalaMayBeAdded(c.Callee):
		return resolve.ExternalTo("")
	}
	return resolve.Unresolved("the type of " + c.Receiver + " has no " + c.Callee)
}

type scalaAddedKey string

// scalaMayBeAdded reports whether an implicit class of the workspace has a method of that name.
func (j scalaEvaluator) scalaMayBeAdded(name string) bool {
	return resolve.Derive(j.w, scalaAddedKey(name), func() bool {
		rows, all := j.w.Named(name)
		return !all || slices.ContainsFunc(rows, func(row l2meta.Row) bool {
			if row.Language != "scala" || row.Symbol.Parent < 0 {
				return false
			}
			r := j.w.Ref(row)
			return r.Valid() && r.Parent().Valid() && scalaIsView(r.Parent())
		})
	})
}
