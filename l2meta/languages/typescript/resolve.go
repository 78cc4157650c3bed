package typescript

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// Language resolves calls of TypeScript and JavaScript.
type Language struct{}

func (Language) Settle(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	if c.Kind == code.CallMacro {
		return resolve.Unresolved("a macro")
	}
	s := resolve.Scope{W: w, File: f, At: c.Caller, Pos: c.NameSpan.StartByte}
	// the decorator is outside of the declaration that it decorates
	if c.Kind == code.CallDecorator && c.Caller >= 0 {
		s.At = f.Symbols[c.Caller].Parent
	}
	if c.Receiver == "" {
		return bare(s, c)
	}
	x := evalText(s, c.Receiver)
	if x.Kind == resolve.Unknown {
		return resolve.Unresolved("the type of " + c.Receiver + " is not known")
	}
	v := member(s, x, c.Callee)
	if v.Kind == resolve.Function && x.Kind == resolve.Instance && patched(s, c, v.Ref) {
		return resolve.ThroughValue(c.Callee + " of " + c.Receiver + " is assigned anew")
	}
	if field := holding(w, x, v, c.Callee); field.Valid() {
		v = resolve.Value{Kind: resolve.Function, Ref: field}
		return resolve.Resolved(field, rung(s, c, x, v), how(c, field)).On(declaring(w, x))
	}
	return verdict(s, c, whole(w, v), rung(s, c, x, v)).DirectlyIf(direct(s, c, x)).On(declaring(w, x))
}

// direct reports whether a call on x always calls the named member itself, and no override in a
// subclass.
func direct(s resolve.Scope, c *code.Call, x resolve.Value) bool {
	switch {
	case c.Receiver == "super" || x.Kind == resolve.Module || x.Kind == resolve.Class && c.Receiver != "this":
		return true
	}
	return resolve.MadeHere(s.File, s.At, expr.Parse(c.Receiver, dialect), dialect,
		func(_, _ int, e *expr.Expr) bool { return e.Op == expr.OpNew })
}

// declaring returns the class or interface of the instance x, or the class x; the zero Ref if x is
// neither.
func declaring(w *resolve.World, x resolve.Value) resolve.Ref {
	if x.Kind == resolve.Class {
		return x.Ref
	}
	if x.Kind != resolve.Instance {
		return resolve.Ref{}
	}
	if shape := readType(w, x.Type); shape.form == declared {
		return shape.ref
	}
	return resolve.Ref{}
}

// patched reports whether the code around s assigns a value other than r to the member that is
// called: job.save = other, for the call job.save().
func patched(s resolve.Scope, c *code.Call, r resolve.Ref) bool {
	if c.Receiver == "this" {
		return false
	}
	name := c.Receiver + "." + c.Callee
	for at := s.At; ; at = s.File.Symbols[at].Parent {
		for _, fact := range s.File.FactsOf(at) {
			if fact.Kind == code.FactAssign && fact.Name == name && factValue(s.W, s.File, fact, name).Ref != r {
				return true
			}
		}
		if at < 0 {
			return false
		}
	}
}

// bare resolves a call without a receiver: f(…), new C(…), super(…) and <C/>.
func bare(s resolve.Scope, c *code.Call) resolve.Verdict {
	if c.Callee == "super" {
		v := super(s)
		if v.Kind == resolve.Instance && v.Type.Text == refText {
			v = resolve.Value{Kind: resolve.Class, Ref: resolve.Ref{File: v.Type.File, Index: v.Type.Scope}}
		}
		return verdict(s, c, v, resolve.Constructed)
	}
	n, ok := lookup(s, c.Callee)
	if !ok {
		return undeclared(s, c)
	}
	v := whole(s.W, nameValue(s, n, c.Callee))
	if v.Kind == resolve.Foreign && v.Origin == resolve.Handed && n.symbol.Valid() {
		return resolve.ThroughValue(c.Callee + " holds what a call of " + v.Module + " gave")
	}
	rung := resolve.SameFile
	switch {
	case n.imp != nil:
		rung = resolve.Imported
	case n.fact != nil && !n.symbol.Valid():
		rung = held(s, n, v)
		if rung == "" {
			return resolve.ThroughValue(c.Callee + " is a variable or a parameter")
		}
	case n.symbol.Symbol().Parent >= 0:
		rung = resolve.SameScope
	}
	if k := n.symbol; n.imp == nil && k.Valid() && n.assigned &&
		(k.Symbol().Kind.Callable() || k.Symbol().Kind == code.KindVariable) {
		return resolve.ThroughValue(c.Callee + " is assigned anew")
	}
	if v.Kind == resolve.Class && v.Ref.Valid() && rung != resolve.SameScope && rung != resolve.SameFile {
		rung = resolve.Constructed
	}
	return verdict(s, c, v, rung)
}

// undeclared resolves a call of a name that its file neither declares nor imports.
func undeclared(s resolve.Scope, c *code.Call) resolve.Verdict {
	if v, found := autoImported(s.W, s.File, c.Callee); v.Kind != resolve.Unknown {
		return verdict(s, c, whole(s.W, v), resolve.Imported)
	} else if found {
		return resolve.Unresolved("several files export " + c.Callee + " for all others")
	}
	if declaredGlobally(s.W, c.Callee) {
		return resolve.Unresolved(c.Callee + " is declared for all files, or not at all")
	}
	return resolve.ExternalTo("builtin")
}

// held returns the strategy for a call through a local name that always holds the same function:
// save after const save = api.save. It returns "" if the name may hold other values.
func held(s resolve.Scope, n name, v resolve.Value) resolve.Strategy {
	known := v.Kind == resolve.Function || v.Kind == resolve.Class || v.Kind == resolve.Foreign || v.Property.Valid()
	if n.assigned || n.fact.Kind != code.FactAssign || !known {
		return ""
	}
	if e := expr.Parse(n.fact.Type, dialect); e.Op != expr.OpName && e.Op != expr.OpMember {
		return ""
	}
	return resolve.Weaker(resolve.SameScope, v.How)
}

// rung returns the strategy by which member v of x was found. Strategies are the rungs of a
// ladder, from the surest to the least sure.
func rung(s resolve.Scope, c *code.Call, x, v resolve.Value) resolve.Strategy {
	switch x.Kind {
	case resolve.Module:
		return resolve.Imported
	case resolve.Class, resolve.Function:
		return resolve.TypedStatic
	case resolve.Foreign:
		return resolve.TypedStatic
	}
	own := c.Receiver == "this" || c.Receiver == "super"
	if shape := readType(s.W, x.Type); shape.form == declared && v.Kind == resolve.Function && v.Ref.Parent().Valid() {
		if p := v.Ref.Parent(); p.File != shape.ref.File ||
			p.Symbol().QualifiedName != shape.ref.Symbol().QualifiedName {
			if own {
				return resolve.Inherited
			}
		}
	}
	switch {
	case c.Receiver == "super":
		return resolve.Inherited
	case own:
		return resolve.SameType
	case x.How == "":
		return resolve.TypedValue
	}
	return x.How
}

// verdict resolves call c, whose callee evaluates to v. rung is the strategy by which v was found.
func verdict(s resolve.Scope, c *code.Call, v resolve.Value, rung resolve.Strategy) resolve.Verdict {
	switch v.Kind {
	case resolve.Foreign:
		if v.Origin == resolve.Handed && mayDeclare(s.W, c.Callee) {
			return resolve.Unresolved("what " + v.Module + " gives may be of the workspace, which declares " + c.Callee)
		}
		return resolve.ExternalTo(v.Module)
	case resolve.Function:
		return resolve.Resolved(implementation(v.Ref), rung, how(c, v.Ref))
	case resolve.Class:
		target := v.Ref
		if own := constructorOf(v.Ref); own.Valid() {
			target = own
		}
		return resolve.Resolved(target, rung, how(c, target))
	case resolve.Instance:
		if shape := readType(s.W, v.Type); shape.form == foreign && names(s.File, c, v.Property) {
			return resolve.Resolved(v.Property, rung, how(c, v.Property))
		} else if shape.form == foreign || shape.form == builtin {
			return resolve.ThroughValue(c.Callee + " holds a value")
		} else if f := shape.value.Ref; shape.form == valueType && shape.value.Kind == resolve.Function &&
			(f.Symbol().Name == c.Callee || !names(s.File, c, v.Property)) {
			return resolve.Resolved(implementation(f), rung, how(c, f))
		} else if names(s.File, c, v.Property) && holdsCallable(s.W, v.Type) { // a property of an interface
			return resolve.Resolved(v.Property, rung, how(c, v.Property))
		}
		return resolve.ThroughValue(c.Callee + " holds a value")
	case resolve.Module:
		return resolve.Unresolved(c.Callee + " is a module")
	}
	if c.Receiver == "" {
		return resolve.Unresolved("what " + c.Callee + " holds is not known")
	}
	return resolve.Unresolved("no " + c.Callee + " is known of " + c.Receiver)
}

// names reports whether a call uses the name of a property, or a name that its file binds to it:
// const { onDone: done } = props. The search for callers of a property uses these names, so a
// call by any other name must not resolve to it.
func names(f *resolve.File, c *code.Call, property resolve.Ref) bool {
	if !property.Valid() {
		return false
	}
	name := property.Symbol().Name
	return name == c.Callee || slices.Contains(f.Aliases(), l2meta.Alias{Name: c.Callee, Of: name})
}

// implementation returns the overload of r that has a body, or r itself if none has.
func implementation(r resolve.Ref) resolve.Ref {
	for _, o := range overloads(r) {
		if o.Symbol().Body[1] > 0 {
			return o
		}
	}
	return r
}

// constructorOf returns the constructor that a class declares; of overloads, the implementation.
func constructorOf(class resolve.Ref) (hit resolve.Ref) {
	for _, i := range class.File.Children(class.Index) {
		if s := &class.File.Symbols[i]; s.Kind == code.KindConstructor && (!hit.Valid() || s.Body[1] > 0) {
			hit = class.File.Ref(i)
		}
	}
	return hit
}

func how(c *code.Call, r resolve.Ref) string {
	if c.Receiver == "" {
		return c.Callee + " is " + r.Symbol().QualifiedName + " of " + r.File.Path
	}
	return "a member of " + c.Receiver + " in " + r.File.Path
}

func (Language) Implementations(w *resolve.World, r resolve.Ref) []resolve.Ref {
	return subtypeMembers(w, r)
}

// subtypeMembers returns the members that override or implement r in subtypes of its type.
func subtypeMembers(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	parent := r.Parent()
	if !parent.Valid() || !isTypeKind(parent.Symbol().Kind) {
		return nil
	}
	if resolve.HasModifier(r.Symbol(), "private") || strings.HasPrefix(r.Symbol().Name, "#") {
		return nil
	}
	for _, sub := range below(w, parent) {
		hit := child(sub.File, sub.File.Children(sub.Index), r.Symbol().Name, resolve.HasModifier(r.Symbol(), "static"))
		switch {
		case !hit.Valid() || hit == r:
		case hit.Symbol().Computed:
			out = append(out, accessorsFor(sub, r)...)
		case hit.Symbol().Kind == code.KindMethod && hit.Symbol().Body[1] > 0:
			out = append(out, hit)
		}
	}
	return out
}

// below returns the types that derive from t.
func below(w *resolve.World, t resolve.Ref) []resolve.Ref {
	return resolve.Below(w, t, func(base resolve.Ref) []resolve.Ref { return subtypes(w, base) })
}

func (Language) Constructors(w *resolve.World, class resolve.Ref) (out []resolve.Ref) {
	if constructorOf(class).Valid() {
		return nil
	}
	for _, c := range constructors(w, class, 0) {
		if c = constructorOf(c.Parent()); !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

func (Language) Heirs(w *resolve.World, t resolve.Ref) []resolve.Ref { return below(w, t) }

func (Language) Admits(w *resolve.World, receiver, impl resolve.Ref) bool {
	return resolve.Related(receiver, impl.Parent(), func(t resolve.Ref) []resolve.Ref { return below(w, t) })
}

// subtypes returns the types that extend or implement base directly.
func subtypes(w *resolve.World, base resolve.Ref) (out []resolve.Ref) {
	for _, f := range w.Extenders(base) {
		for i := range f.AllFacts() {
			fact := &f.AllFacts()[i]
			if fact.Kind != code.FactBase && fact.Kind != code.FactImpl || fact.Owner < 0 {
				continue
			}
			sub := f.Ref(fact.Owner)
			shape := readType(w, resolve.Type{Text: fact.Type, File: f, Scope: fact.Owner})
			if shape.form == declared && shape.ref.File == base.File &&
				shape.ref.Symbol().QualifiedName == base.Symbol().QualifiedName {
				out = append(out, sub)
			}
		}
	}
	return out
}

func (Language) Overridden(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	parent := r.Parent()
	if !parent.Valid() || !isTypeKind(parent.Symbol().Kind) {
		return nil
	}
	seen := map[resolve.Ref]bool{parent: true}
	for queue := []resolve.Ref{parent}; len(queue) > 0 && len(seen) < 1000; queue = queue[1:] {
		for _, fact := range queue[0].Facts() {
			if fact.Kind != code.FactBase && fact.Kind != code.FactImpl {
				continue
			}
			shape := readType(w, resolve.Type{Text: fact.Type, File: queue[0].File, Scope: queue[0].Index})
			if shape.form != declared || seen[shape.ref] {
				continue
			}
			seen[shape.ref] = true
			queue = append(queue, shape.ref)
			for _, i := range merged(shape.ref) {
				if r.Symbol().Computed {
					out = append(out, accessorsFor(shape.ref.File.Ref(i), r)...)
				}
				static := resolve.HasModifier(r.Symbol(), "static")
				hit := child(shape.ref.File, shape.ref.File.Children(i), r.Symbol().Name, static)
				if hit.Valid() && mayRun(hit.Symbol(), r.Symbol()) {
					out = append(out, implementation(hit))
				}
			}
		}
	}
	return out
}

// mayRun reports whether a call or an access of base, a member of a type, may run m, a member of a
// subtype.
func mayRun(base, m *code.Symbol) bool {
	return base.Kind == code.KindMethod || holds(base) || m.Computed && base.Kind == code.KindField
}

func (Language) CallNames(_ *resolve.World, r resolve.Ref) []string {
	switch s := r.Symbol(); {
	case s.Kind == code.KindConstructor && s.Parent >= 0:
		return []string{r.File.Symbols[s.Parent].Name, "super"}
	case s.Kind == code.KindClass:
		return []string{s.Name, "super"}
	default:
		return []string{s.Name}
	}
}
