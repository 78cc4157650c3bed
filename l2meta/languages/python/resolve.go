package python

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// Language settles calls by Python's scopes, imports and method resolution
// order, and by types as far as annotations, constructions and single
// assignments tell them. A name with several meanings stays open.
type Language struct{}

func (p Language) Settle(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	s := resolve.Scope{W: w, File: f, At: c.Caller, Pos: c.NameSpan.StartByte}
	if c.Receiver == "" {
		return p.plain(s, c)
	}
	e := &resolve.Expr{Op: resolve.OpMember, X: resolve.ParseExpr(c.Receiver, pyDialect), Name: c.Callee, Sep: "."}
	x := resolve.Eval(p, s, e.X)
	m := pySeen(s, x, e)
	switch {
	case m.field && m.value.Kind == resolve.Function && pyHeld(m, c.Callee), m.field && m.value.Kind == resolve.Class && m.owner.Valid():
		return resolve.ThroughValue("an attribute that holds what is called")
	case m.value.Kind == resolve.Unknown && m.field:
		return resolve.ThroughValue("an attribute that is called")
	case m.value.Kind == resolve.Unknown && x.Kind == resolve.Unknown:
		return resolve.Unresolved("the type of " + c.Receiver + " is not known")
	case m.value.Kind == resolve.Unknown:
		return resolve.Unresolved("no " + c.Callee + " is known of " + c.Receiver)
	}
	v := pyVerdict(w, c, m.value, pyStep(s, x, m), "a member of "+c.Receiver)
	return v.DirectlyIf(x.Kind == resolve.Module || x.Module == pySuper || pyNamesClass(s, x, e.X) || pyMade(s, e.X)).On(x.Ref)
}

// pyNamesClass reports whether an expression names one class: cls and type(x)
// may be any that derives from it.
func pyNamesClass(s resolve.Scope, x resolve.Value, e *resolve.Expr) bool {
	if x.Kind != resolve.Class || x.How != "" {
		return false
	}
	for e.Op == resolve.OpMember {
		e = e.X
	}
	if e.Op != resolve.OpName {
		return false
	}
	_, scope, bound := pyLookup(s, e.Name)
	return bound && !(scope >= 0 && pyIsParameter(s.File, scope, e.Name))
}

// pyMade reports whether an expression is an object of just the class that it
// is made of: C(), or a local variable that is given nothing else.
func pyMade(s resolve.Scope, e *resolve.Expr) bool {
	return resolve.MadeHere(s.File, pyAround(s.File, s.At, s.Pos), e, pyDialect, func(at, pos int, e *resolve.Expr) bool {
		here := resolve.Scope{W: s.W, File: s.File, At: at, Pos: min(pos, s.Pos)}
		return e.Op == resolve.OpCall && pyNamesClass(here, resolve.Eval(Language{}, here, e.X), e.X)
	})
}

// pyHeld reports whether a method put the function there, rather than the
// class.
func pyHeld(m pyFound, name string) bool {
	return !m.owner.Valid() || len(pyNames(m.owner.File).attributes[m.owner.Index][name]) > 0
}

// plain settles a call of a bare name.
func (p Language) plain(s resolve.Scope, c *code.Call) resolve.Verdict {
	v, scope, bound := pyLookup(s, c.Callee)
	switch {
	case !bound && pyBuiltins[c.Callee]:
		return resolve.ExternalTo(resolve.Builtin)
	case !bound:
		return resolve.Unresolved("nothing binds " + c.Callee)
	case v.Kind == resolve.Unknown && scope >= 0:
		return resolve.ThroughValue("a local name that holds what is called")
	case v.How != "" && (v.Kind == resolve.Class || v.Kind == resolve.Function && pyIsParameter(s.File, scope, c.Callee)):
		return resolve.ThroughValue("a value that holds what is called")
	case scope >= 0 && pyRebound(s.File, scope, c.Callee):
		return resolve.ThroughValue("a local variable that is bound more than once")
	case v.Kind == resolve.Unknown:
		return resolve.Unresolved(c.Callee + " is bound to what is not known, or to several things")
	}
	step := resolve.SameFile
	switch {
	case v.How != "":
		step = v.How
	case v.Ref.Valid() && v.Ref.File != s.File:
		step = resolve.Imported
	case scope >= 0:
		step = resolve.SameScope
	}
	return pyVerdict(s.W, c, v, step, "what "+c.Callee+" is bound to")
}

// pyIsParameter reports whether a scope has name as a parameter.
func pyIsParameter(f *resolve.File, scope int, name string) bool {
	return slices.ContainsFunc(pyNames(f).of(scope, name), func(b pyBinding) bool { return b.parameter != nil })
}

// pyRebound reports whether a function assigns a name that it binds elsewhere too.
func pyRebound(f *resolve.File, scope int, name string) bool {
	flow := pyNames(f).of(scope, name)
	return len(flow) > 1 && !pyIsClass(f, scope) && slices.ContainsFunc(flow, func(b pyBinding) bool { return b.fact != nil })
}

// pyStep is the rung that a member was found by.
func pyStep(s resolve.Scope, x resolve.Value, m pyFound) resolve.Strategy {
	if m.value.How == resolve.Alternative {
		return resolve.Alternative
	}
	if x.Kind == resolve.Module {
		return resolve.Imported
	}
	if x.How != "" {
		return x.How
	}
	if m.value.How != "" {
		return m.value.How
	}
	if x.Kind == resolve.Class || x.Module == pySuper {
		return resolve.TypedStatic
	}
	if m.owner != x.Ref {
		return resolve.Inherited
	}
	return resolve.SameType
}

// pyVerdict is what a call of v is.
func pyVerdict(w *resolve.World, c *code.Call, v resolve.Value, step resolve.Strategy, how string) resolve.Verdict {
	switch v.Kind {
	case resolve.Function:
		return resolve.Resolved(v.Ref, step, how)
	case resolve.Class:
		if c.Kind == code.CallReference {
			return resolve.Resolved(v.Ref, step, how)
		}
		if resolve.Strength[v.How] == 0 {
			step = resolve.Constructed
		}
		return resolve.Resolved(pyConstruction(w, v.Ref), step, "construction of "+v.Ref.Symbol().QualifiedName)
	case resolve.Foreign:
		return resolve.ExternalTo(pyOutside(v.Module))
	case resolve.Module:
		return resolve.Unresolved("a module is called")
	}
	return resolve.ThroughValue("an object that is called")
}

// pyOutside is the module of a foreign name, as it is imported.
func pyOutside(name string) string {
	if strings.HasPrefix(name, "builtins.") {
		return resolve.Builtin
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return name
}

// CallNames is the names by which r is called: a constructor by its class's.
func (Language) CallNames(_ *resolve.World, r resolve.Ref) []string {
	s := r.Symbol()
	names := []string{s.Name}
	if resolve.IsType(s.Kind) {
		return append(names, "cls")
	}
	if class := r.Parent(); class.Valid() && (s.Name == "__init__" || s.Name == "__new__") {
		names = append(names, "cls", class.Symbol().Name)
	}
	return names
}

type pySubclassKey struct {
	file  int64
	index int
}

// pySubclasses is the classes of the workspace that have class as a base,
// directly or not.
func pySubclasses(w *resolve.World, class resolve.Ref) []resolve.Ref {
	return resolve.Derive(w, pySubclassKey{class.File.ID, class.Index}, func() []resolve.Ref {
		return resolve.Descendants(class, func(base resolve.Ref) []resolve.Ref { return pyExtending(w, base) })
	})
}

// pyExtending is the classes that name class as a base.
func pyExtending(w *resolve.World, class resolve.Ref) (out []resolve.Ref) {
	for _, f := range w.Extenders(class) {
		for i := range f.Symbols {
			if !pyIsClass(f, i) {
				continue
			}
			for _, fact := range pyBases(f.Ref(i)) {
				if pyBaseOf(w, f.Ref(i), fact).ref == class {
					out = append(out, f.Ref(i))
				}
			}
		}
	}
	return out
}

func (Language) Implementations(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	class := r.Parent()
	out = pyDeclaredElse(w, r)
	if !class.Valid() || !pyIsClass(class.File, class.Index) {
		return out
	}
	if pyMangled(r.Symbol().Name) {
		return out
	}
	for _, c := range pySubclasses(w, class) {
		if m := pyOwn(w, c, r.Symbol().Name); m.value.Kind == resolve.Function && m.value.Ref.Valid() && m.value.Ref.Parent() == c {
			out = append(append(out, m.value.Ref), pyDeclaredElse(w, m.value.Ref)...)
		}
	}
	return out
}

// pyDeclaredElse is the other declarations of r's name in its scope, where a
// condition chooses between them:
//
//	if TYPE_CHECKING:
//	    def m(self) -> int: ...
//	else:
//	    def m(self): return 1
func pyDeclaredElse(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	flow := pyFinal(r.File, pyNames(r.File).of(pyScope(r.File, r.Symbol().Parent), r.Symbol().Name))
	if v := pySettleFlow(resolve.Scope{W: w, File: r.File, At: r.Symbol().Parent, Pos: 1 << 62}, flow); v.How != resolve.Alternative {
		return nil
	}
	for _, b := range flow {
		if other := r.File.Ref(b.symbol); other != r {
			out = append(out, other)
		}
	}
	return out
}

// pyMangled reports whether a member's name is one of its own in every class.
func pyMangled(name string) bool {
	return strings.HasPrefix(name, "__") && !strings.HasSuffix(name, "__")
}

func (Language) Admits(w *resolve.World, receiver, impl resolve.Ref) bool {
	return resolve.Related(receiver, impl.Parent(), func(c resolve.Ref) []resolve.Ref { return pySubclasses(w, c) })
}

// pyAncestors is the bases of a class of the workspace, and theirs: those of
// its order, also where there is none.
func pyAncestors(w *resolve.World, class resolve.Ref) []resolve.Ref {
	return resolve.Descendants(class, func(c resolve.Ref) (out []resolve.Ref) {
		for _, fact := range pyBases(c) {
			if b := pyBaseOf(w, c, fact); b.ref.Valid() {
				out = append(out, b.ref)
			}
		}
		return out
	})
}

func (Language) Overridden(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	class := r.Parent()
	out = pyDeclaredElse(w, r)
	if !class.Valid() || !pyIsClass(class.File, class.Index) {
		return out
	}
	if r.Symbol().Name == "__new__" {
		out = append(out, resolve.ConstructedBy(w, r)...)
	}
	names := []string{r.Symbol().Name}
	for _, fact := range class.Facts() { // visit_b = visit_a
		if fact.Kind == code.FactAssign && fact.Type == r.Symbol().Name {
			names = append(names, fact.Name)
		}
	}
	for _, b := range pyAncestors(w, class) {
		for _, name := range names {
			if m := pyOwn(w, b, name); m.value.Kind == resolve.Function && m.value.Ref.Valid() {
				out = append(out, m.value.Ref)
			}
		}
	}
	return out
}
