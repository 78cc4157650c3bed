package jvm

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/resolve"
)

// scalaSettler resolves call sites by the rules of Scala.
type scalaSettler struct{ *jvm }

// Scala resolves calls in Scala: a name by the innermost scope that binds it, a member by the type
// of its receiver, and overloads by the argument lists.
type Scala struct{ family }

func (Scala) Settle(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	j := newJVM(w)
	p := place{file: f, at: c.Caller, pos: c.NameSpan.StartByte}
	if j.scalaCalls.ofLanguage(p, c) {
		return resolve.ExternalTo("scala")
	}
	return j.scalaCalls.proven(p, c, j.scalaCalls.settle(p, c))
}

func (j scalaSettler) settle(p place, c *code.Call) resolve.Verdict {
	f := p.file
	if c.Kind == code.CallDecorator || c.Kind == code.CallNew ||
		c.Kind == code.CallSuper && c.Callee != "this" && c.Receiver != "super" && !scalaIsSelected(f, c) {
		return j.calls.typeVerdict(p, c, j.types.read(annotated(p).typ(path(c.Receiver, c.Callee))), false)
	}
	call := scalaCallAt(f, c.NameSpan.StartByte)
	if call == nil { // c is a reference, f without arguments
		call = &scalaCall{}
		if c.Receiver != "" {
			call.receiver = scalaReference(c.Receiver)
		}
	}
	switch {
	case c.Callee == "this" && call.receiver == nil:
		return j.calls.delegation(p, c)
	case call.receiver == nil:
		return j.calls.onSelf(p, j.bare(p, c, call))
	}
	return j.member(p, c, call)
}

// scalaIsSelected reports whether c calls a member of super, super.f(…), rather than the
// constructor of a base in the head of a class.
func scalaIsSelected(f *resolve.File, c *code.Call) bool {
	call := scalaCallAt(f, c.NameSpan.StartByte)
	return call != nil && call.receiver != nil
}

// scalaReference returns the receiver of a reference, such as a.b in a.b.f, as a term: (. (n a) b). The
// receiver is recorded as source text; if that is not a path of names, the term is (?), unknown.
func scalaReference(text string) *scalaTerm {
	for i := range len(text) {
		if !facts.NameByte(text[i]) && text[i] != '.' {
			return &scalaTerm{list: []*scalaTerm{{word: "?"}}}
		}
	}
	return scalaPathTerm(text)
}

// bare resolves a call without a receiver, f(…).
func (j scalaSettler) bare(p place, c *code.Call, call *scalaCall) resolve.Verdict {
	found := j.names.lookup(p, c.Callee)
	switch {
	case len(found.methods) > 0:
		v := j.among(p, found.methods, c, call, found.how)
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
	return j.applied(p, c, found.value, call)
}

// among resolves a call to the only candidate that it may refer to. If there are several, the call is
// unresolved.
func (j scalaSettler) among(p place, found []candidate, c *code.Call, call *scalaCall,
	s resolve.Strategy) resolve.Verdict {
	fit := j.scalaOverloads.narrowed(p, found, call)
	if len(fit) != 1 {
		return resolve.Unresolved("one of " + listed(fit))
	}
	return resolve.Resolved(fit[0].ref, s, "a member of "+owner(fit[0].ref))
}

// scalaObjects returns the objects that the name of type r means in an expression: r itself if it is an
// object, otherwise its companion objects.
func scalaObjects(r resolve.Ref) []resolve.Ref {
	if isObject(r) {
		return []resolve.Ref{r}
	}
	return companions(r)
}

// applied resolves x(…), the call of a value or an object. It resolves to the method apply of x.
// For Order(1) with a case class Order it resolves to the class, because the compiler generates
// apply.
func (j scalaSettler) applied(p place, c *code.Call, x jvmValue, call *scalaCall) resolve.Verdict {
	switch {
	case x.kind == resolve.Foreign:
		return resolve.ExternalTo(x.pkg)
	case x.kind == resolve.Class && x.typ.kind == jvmForeign:
		return resolve.ExternalTo(x.typ.module)
	case x.kind == resolve.Instance && x.typ.kind == declared:
		if m := j.members.named(x.typ.ref, "apply"); len(m.methods) > 0 {
			return j.among(p, m.methods, c, call, x.strategy())
		}
		return resolve.ThroughValue(c.Callee + " is a value")
	case x.kind != resolve.Class:
		return resolve.ThroughValue(c.Callee + " is a value")
	}
	found, _ := j.terms.makers(p, x)
	fit := j.scalaOverloads.narrowed(p, found, call)
	switch {
	case len(fit) == 1 && resolve.IsType(fit[0].ref.Symbol().Kind):
		return resolve.Resolved(fit[0].ref, resolve.Constructed, "the case class "+fit[0].ref.Symbol().QualifiedName)
	case len(fit) == 0:
		return resolve.Unresolved(c.Callee + " has no apply")
	}
	return j.among(p, fit, c, call, resolve.TypedStatic)
}

// member resolves x.f(…).
func (j scalaSettler) member(p place, c *code.Call, call *scalaCall) resolve.Verdict {
	x := j.terms.eval(p, call.receiver)
	found := j.selected(p, x, c.Callee)
	switch {
	case len(found.methods) > 0:
		return j.calls.dispatched(p, c, x, j.among(p, found.methods, c, call, found.how))
	case found.value.kind == resolve.Function:
		return resolve.ThroughValue(c.Callee + " is a value")
	case found.value.kind == resolve.Module:
		return resolve.Unresolved(x.pkg + " is not known")
	case found.value.kind != resolve.Unknown && c.Kind != code.CallReference:
		return j.applied(p, c, found.value, call)
	}
	if o, _, ok := j.views.view(p, x, c.Callee, call); ok {
		return resolve.Resolved(o.ref, resolve.TypedElement, "a member of "+owner(o.ref)+", by an implicit conversion")
	}
	switch {
	case x.kind == resolve.Unknown && x.reason != "":
		return resolve.Unresolved(x.reason)
	case x.kind == resolve.Unknown:
		return resolve.Unresolved("the type of " + c.Receiver + " is not known")
	case x.kind == resolve.Instance && x.typ.kind != declared && j.mayBeAdded(c.Callee) && !scalaHas(x, c.Callee):
		return resolve.Unresolved("a conversion may give " + c.Callee + " to " + c.Receiver)
	case x.typ.kind != declared:
		return resolve.ExternalTo(x.typ.module)
	case objectMethods[c.Callee]:
		return resolve.ExternalTo("java.lang")
	case len(j.types.ancestry(x.typ.ref).outside) > 0 && x.kind == resolve.Instance && !j.mayBeAdded(c.Callee):
		return resolve.ExternalTo("")
	}
	return resolve.Unresolved("the type of " + c.Receiver + " has no " + c.Callee)
}

type scalaAddedKey string

// mayBeAdded reports whether an implicit class of the workspace declares a method called name.
// Such a class may add the method to values of other types.
func (j scalaSettler) mayBeAdded(name string) bool {
	return resolve.Derive(j.w, scalaAddedKey(name), func() bool {
		rows, all := j.w.Named(name)
		return !all || slices.ContainsFunc(rows, func(row l2meta.Declaration) bool {
			if row.Language != "scala" || row.Parent < 0 {
				return false
			}
			r := j.w.Ref(row)
			return r.Valid() && r.Parent().Valid() && scalaIsView(r.Parent())
		})
	})
}
