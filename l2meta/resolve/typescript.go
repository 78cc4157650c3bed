package resolve

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
)

// typescript settles calls of TypeScript and JavaScript.
type typescript struct{}

func (typescript) Settle(w *World, f *File, c *code.Call) Verdict {
	if c.Kind == code.CallMacro {
		return Unresolved("a macro")
	}
	s := Scope{W: w, File: f, At: c.Caller, Pos: c.NameSpan.StartByte}
	if c.Kind == code.CallDecorator && c.Caller >= 0 { // it stands outside of what it decorates
		s.At = f.Symbols[c.Caller].Parent
	}
	if c.Receiver == "" {
		return tsBare(s, c)
	}
	x := tsEvalText(s, c.Receiver)
	if x.Kind == Unknown {
		return Unresolved("the type of " + c.Receiver + " is not known")
	}
	v := tsMember(s, x, c.Callee)
	if v.Kind == Function && x.Kind == Instance && tsPatched(s, c, v.Ref) {
		return ThroughValue(c.Callee + " of " + c.Receiver + " is assigned anew")
	}
	return tsVerdict(s, c, tsWhole(w, v), tsRung(s, c, x, v)).DirectlyIf(tsDirect(s, c, x)).On(tsDeclaring(w, x))
}

// tsDirect reports whether a member of x is what the text names, whatever
// derives from its class.
func tsDirect(s Scope, c *code.Call, x Value) bool {
	switch {
	case c.Receiver == "super" || x.Kind == Module || x.Kind == Class && c.Receiver != "this":
		return true
	}
	return MadeHere(s.File, s.At, ParseExpr(c.Receiver, tsDialect), tsDialect, func(_, _ int, e *Expr) bool { return e.Op == OpNew })
}

// tsDeclaring is the class or interface that x is an object of, or the class.
func tsDeclaring(w *World, x Value) Ref {
	if x.Kind == Class {
		return x.Ref
	}
	if x.Kind != Instance {
		return Ref{}
	}
	if shape := tsReadType(w, x.Type); shape.form == tsDeclared {
		return shape.ref
	}
	return Ref{}
}

// tsPatched reports whether the file assigns something else than r to the
// member by the receiver's name.
func tsPatched(s Scope, c *code.Call, r Ref) bool {
	if c.Receiver == "this" {
		return false
	}
	name := c.Receiver + "." + c.Callee
	for at := s.At; ; at = s.File.Symbols[at].Parent {
		for _, fact := range s.File.FactsOf(at) {
			if fact.Kind == code.FactAssign && fact.Name == name && tsFactValue(s.W, s.File, fact, name).Ref != r {
				return true
			}
		}
		if at < 0 {
			return false
		}
	}
}

// tsBare settles f(…), new C(…), super(…) and <C/>.
func tsBare(s Scope, c *code.Call) Verdict {
	if c.Callee == "super" {
		v := tsSuper(s)
		if v.Kind == Instance && v.Type.Text == tsRefText {
			v = Value{Kind: Class, Ref: Ref{File: v.Type.File, Index: v.Type.Scope}}
		}
		return tsVerdict(s, c, v, Constructed)
	}
	n, ok := tsLookup(s, c.Callee)
	if !ok {
		if tsDeclaredGlobally(s.W, c.Callee) {
			return Unresolved(c.Callee + " is declared for all files, or not at all")
		}
		return ExternalTo("builtin")
	}
	v := tsWhole(s.W, tsNameValue(s, n, c.Callee))
	if v.Kind == Foreign && v.Origin == Handed && n.symbol.Valid() {
		return ThroughValue(c.Callee + " holds what a call of " + v.Module + " gave")
	}
	rung := SameFile
	switch {
	case n.imp != nil:
		rung = Imported
	case n.fact != nil && !n.symbol.Valid():
		rung = tsHeld(s, n, v)
		if rung == "" {
			return ThroughValue(c.Callee + " is a variable or a parameter")
		}
	case n.symbol.Symbol().Parent >= 0:
		rung = SameScope
	}
	if k := n.symbol; n.imp == nil && k.Valid() && n.assigned && (k.Symbol().Kind.Callable() || k.Symbol().Kind == code.KindVariable) {
		return ThroughValue(c.Callee + " is assigned anew")
	}
	if v.Kind == Class && v.Ref.Valid() && rung != SameScope && rung != SameFile {
		rung = Constructed
	}
	return tsVerdict(s, c, v, rung)
}

// tsHeld is the rung of a call through a local name that is another name for
// one function, "" where it holds a value.
func tsHeld(s Scope, n tsName, v Value) Strategy {
	known := v.Kind == Function || v.Kind == Class || v.Kind == Foreign || v.Property.Valid()
	if n.assigned || n.fact.Kind != code.FactAssign || !known {
		return ""
	}
	if e := ParseExpr(n.fact.Type, tsDialect); e.Op != OpName && e.Op != OpMember {
		return ""
	}
	return Weaker(SameScope, v.How)
}

// tsRung is the rung by which a member is settled.
func tsRung(s Scope, c *code.Call, x, v Value) Strategy {
	switch x.Kind {
	case Module:
		return Imported
	case Class, Function:
		return TypedStatic
	case Foreign:
		return TypedStatic
	}
	own := c.Receiver == "this" || c.Receiver == "super"
	if shape := tsReadType(s.W, x.Type); shape.form == tsDeclared && v.Kind == Function && v.Ref.Parent().Valid() {
		if p := v.Ref.Parent(); p.File != shape.ref.File || p.Symbol().QualifiedName != shape.ref.Symbol().QualifiedName {
			if own {
				return Inherited
			}
		}
	}
	switch {
	case c.Receiver == "super":
		return Inherited
	case own:
		return SameType
	case x.How == "":
		return TypedValue
	}
	return x.How
}

// tsVerdict is what a call of v is.
func tsVerdict(s Scope, c *code.Call, v Value, rung Strategy) Verdict {
	switch v.Kind {
	case Foreign:
		if v.Origin == Handed && tsMayDeclare(s.W, c.Callee) {
			return Unresolved("what " + v.Module + " gives may be of the workspace, which declares " + c.Callee)
		}
		return ExternalTo(v.Module)
	case Function:
		return Resolved(tsImplementation(v.Ref), rung, tsHow(c, v.Ref))
	case Class:
		target := v.Ref
		if own := tsConstructorOf(v.Ref); own.Valid() {
			target = own
		}
		return Resolved(target, rung, tsHow(c, target))
	case Instance:
		if shape := tsReadType(s.W, v.Type); shape.form == tsForeign && tsNames(s.File, c, v.Property) {
			return Resolved(v.Property, rung, tsHow(c, v.Property))
		} else if shape.form == tsForeign || shape.form == tsBuiltin {
			return ThroughValue(c.Callee + " holds a value")
		} else if shape.form == tsValueType && shape.value.Kind == Function {
			return Resolved(tsImplementation(shape.value.Ref), rung, tsHow(c, shape.value.Ref))
		} else if tsNames(s.File, c, v.Property) && tsTakesFunction(s.W, v.Type) { // what an interface says, as of a method
			return Resolved(v.Property, rung, tsHow(c, v.Property))
		}
		return ThroughValue(c.Callee + " holds a value")
	case Module:
		return Unresolved(c.Callee + " is a module")
	}
	if c.Receiver == "" {
		return Unresolved("what " + c.Callee + " holds is not known")
	}
	return Unresolved("no " + c.Callee + " is known of " + c.Receiver)
}

// tsNames reports whether a call goes by the name of a property, or by one that
// its file gives to that: const { onDone: done } = props. Callers are sought by
// those names: an edge by another would be found from one end alone.
func tsNames(f *File, c *code.Call, property Ref) bool {
	if !property.Valid() {
		return false
	}
	name := property.Symbol().Name
	return name == c.Callee || slices.Contains(f.Aliases(), l2meta.Alias{Name: c.Callee, Of: name})
}

// tsImplementation is the overload with a body, or r itself.
func tsImplementation(r Ref) Ref {
	for _, o := range tsOverloads(r) {
		if o.Symbol().Body[1] > 0 {
			return o
		}
	}
	return r
}

// tsConstructorOf is the constructor that a class declares: of overloads the
// implementation.
func tsConstructorOf(class Ref) (hit Ref) {
	for _, i := range class.File.Children(class.Index) {
		if s := &class.File.Symbols[i]; s.Kind == code.KindConstructor && (!hit.Valid() || s.Body[1] > 0) {
			hit = class.File.Ref(i)
		}
	}
	return hit
}

func tsHow(c *code.Call, r Ref) string {
	if c.Receiver == "" {
		return c.Callee + " is " + r.Symbol().QualifiedName + " of " + r.File.Path
	}
	return "a member of " + c.Receiver + " in " + r.File.Path
}

func (typescript) Implementations(w *World, r Ref) []Ref {
	return tsSubtypeMembers(w, r)
}

// tsSubtypeMembers is the members that override or implement r, in the subtypes
// of its type.
func tsSubtypeMembers(w *World, r Ref) (out []Ref) {
	parent := r.Parent()
	if !parent.Valid() || !tsIsTypeKind(parent.Symbol().Kind) {
		return nil
	}
	if HasModifier(r.Symbol(), "private") || strings.HasPrefix(r.Symbol().Name, "#") {
		return nil
	}
	for _, sub := range tsBelow(w, parent) {
		if hit := tsChild(sub.File, sub.File.Children(sub.Index), r.Symbol().Name, HasModifier(r.Symbol(), "static")); hit.Valid() && hit.Symbol().Kind == code.KindMethod && hit.Symbol().Body[1] > 0 {
			out = append(out, hit)
		}
	}
	return out
}

// tsBelow is the types that derive from one.
func tsBelow(w *World, t Ref) []Ref {
	return Below(w, t, func(base Ref) []Ref { return tsSubtypes(w, base) })
}

func (typescript) Constructors(w *World, class Ref) (out []Ref) {
	if tsConstructorOf(class).Valid() {
		return nil
	}
	for _, c := range tsConstructors(w, class, 0) {
		if c = tsConstructorOf(c.Parent()); !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

func (typescript) Heirs(w *World, t Ref) []Ref { return tsBelow(w, t) }

func (typescript) Admits(w *World, receiver, impl Ref) bool {
	return Related(receiver, impl.Parent(), func(t Ref) []Ref { return tsBelow(w, t) })
}

// tsSubtypes is the types that extend or implement base directly.
func tsSubtypes(w *World, base Ref) (out []Ref) {
	for _, f := range w.Extenders(base) {
		for i := range f.AllFacts() {
			fact := &f.AllFacts()[i]
			if fact.Kind != code.FactBase && fact.Kind != code.FactImpl || fact.Owner < 0 {
				continue
			}
			sub := f.Ref(fact.Owner)
			shape := tsReadType(w, Type{Text: fact.Type, File: f, Scope: fact.Owner})
			if shape.form == tsDeclared && shape.ref.File == base.File && shape.ref.Symbol().QualifiedName == base.Symbol().QualifiedName {
				out = append(out, sub)
			}
		}
	}
	return out
}

func (typescript) Overridden(w *World, r Ref) (out []Ref) {
	parent := r.Parent()
	if !parent.Valid() || !tsIsTypeKind(parent.Symbol().Kind) {
		return nil
	}
	seen := map[Ref]bool{parent: true}
	for queue := []Ref{parent}; len(queue) > 0 && len(seen) < 1000; queue = queue[1:] {
		for _, fact := range queue[0].Facts() {
			if fact.Kind != code.FactBase && fact.Kind != code.FactImpl {
				continue
			}
			shape := tsReadType(w, Type{Text: fact.Type, File: queue[0].File, Scope: queue[0].Index})
			if shape.form != tsDeclared || seen[shape.ref] {
				continue
			}
			seen[shape.ref] = true
			queue = append(queue, shape.ref)
			for _, i := range tsMerged(shape.ref) {
				if hit := tsChild(shape.ref.File, shape.ref.File.Children(i), r.Symbol().Name, HasModifier(r.Symbol(), "static")); hit.Valid() && hit.Symbol().Kind == code.KindMethod {
					out = append(out, tsImplementation(hit))
				}
			}
		}
	}
	return out
}

func (typescript) CallNames(_ *World, r Ref) []string {
	switch s := r.Symbol(); {
	case s.Kind == code.KindConstructor && s.Parent >= 0:
		return []string{r.File.Symbols[s.Parent].Name, "super"}
	case s.Kind == code.KindClass:
		return []string{s.Name, "super"}
	default:
		return []string{s.Name}
	}
}
