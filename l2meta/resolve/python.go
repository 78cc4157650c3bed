package resolve

import (
	"slices"
	"strings"

	"sextant/internal/code"
)

// python settles calls by Python's scopes, imports and method resolution
// order, and by types as far as annotations, constructions and single
// assignments tell them. A name with several meanings stays open.
type python struct{}

func (p python) Settle(w *World, f *File, c *code.Call) Verdict {
	s := Scope{W: w, File: f, At: c.Caller, Pos: c.NameSpan.StartByte}
	if c.Receiver == "" {
		return p.plain(s, c)
	}
	e := &Expr{Op: OpMember, X: ParseExpr(c.Receiver, pyDialect), Name: c.Callee, Sep: "."}
	x := Eval(p, s, e.X)
	m := pySeen(s, x, e)
	switch {
	case m.field && m.value.Kind == Function && pyHeld(m, c.Callee), m.field && m.value.Kind == Class && m.owner.Valid():
		return ThroughValue("an attribute that holds what is called")
	case m.value.Kind == Unknown && m.field:
		return ThroughValue("an attribute that is called")
	case m.value.Kind == Unknown && x.Kind == Unknown:
		return Unresolved("the type of " + c.Receiver + " is not known")
	case m.value.Kind == Unknown:
		return Unresolved("no " + c.Callee + " is known of " + c.Receiver)
	}
	v := pyVerdict(w, c, m.value, pyStep(s, x, m), "a member of "+c.Receiver)
	return v.DirectlyIf(x.Kind == Module || x.Module == pySuper || pyNamesClass(s, x, e.X) || pyMade(s, e.X)).On(x.Ref)
}

// pyNamesClass reports whether an expression names one class: cls and type(x)
// may be any that derives from it.
func pyNamesClass(s Scope, x Value, e *Expr) bool {
	if x.Kind != Class || x.How != "" {
		return false
	}
	for e.Op == OpMember {
		e = e.X
	}
	if e.Op != OpName {
		return false
	}
	_, scope, bound := pyLookup(s, e.Name)
	return bound && !(scope >= 0 && pyIsParameter(s.File, scope, e.Name))
}

// pyMade reports whether an expression is an object of just the class that it
// is made of: C(), or a local variable that is given nothing else.
func pyMade(s Scope, e *Expr) bool {
	return MadeHere(s.File, pyAround(s.File, s.At, s.Pos), e, pyDialect, func(at, pos int, e *Expr) bool {
		here := Scope{W: s.W, File: s.File, At: at, Pos: min(pos, s.Pos)}
		return e.Op == OpCall && pyNamesClass(here, Eval(python{}, here, e.X), e.X)
	})
}

// pyHeld reports whether a method put the function there, rather than the
// class.
func pyHeld(m pyFound, name string) bool {
	return !m.owner.Valid() || len(pyNames(m.owner.File).attributes[m.owner.Index][name]) > 0
}

// plain settles a call of a bare name.
func (p python) plain(s Scope, c *code.Call) Verdict {
	v, scope, bound := pyLookup(s, c.Callee)
	switch {
	case !bound && pyBuiltins[c.Callee]:
		return ExternalTo(Builtin)
	case !bound:
		return Unresolved("nothing binds " + c.Callee)
	case v.Kind == Unknown && scope >= 0:
		return ThroughValue("a local name that holds what is called")
	case v.How != "" && (v.Kind == Class || v.Kind == Function && pyIsParameter(s.File, scope, c.Callee)):
		return ThroughValue("a value that holds what is called")
	case scope >= 0 && pyRebound(s.File, scope, c.Callee):
		return ThroughValue("a local variable that is bound more than once")
	case v.Kind == Unknown:
		return Unresolved(c.Callee + " is bound to what is not known, or to several things")
	}
	step := SameFile
	switch {
	case v.How != "":
		step = v.How
	case v.Ref.Valid() && v.Ref.File != s.File:
		step = Imported
	case scope >= 0:
		step = SameScope
	}
	return pyVerdict(s.W, c, v, step, "what "+c.Callee+" is bound to")
}

// pyIsParameter reports whether a scope has name as a parameter.
func pyIsParameter(f *File, scope int, name string) bool {
	return slices.ContainsFunc(pyNames(f).of(scope, name), func(b pyBinding) bool { return b.parameter != nil })
}

// pyRebound reports whether a function assigns a name that it binds elsewhere too.
func pyRebound(f *File, scope int, name string) bool {
	flow := pyNames(f).of(scope, name)
	return len(flow) > 1 && !pyIsClass(f, scope) && slices.ContainsFunc(flow, func(b pyBinding) bool { return b.fact != nil })
}

// pyStep is the rung that a member was found by.
func pyStep(s Scope, x Value, m pyFound) Strategy {
	if m.value.How == Alternative {
		return Alternative
	}
	if x.Kind == Module {
		return Imported
	}
	if x.How != "" {
		return x.How
	}
	if m.value.How != "" {
		return m.value.How
	}
	if x.Kind == Class || x.Module == pySuper {
		return TypedStatic
	}
	if m.owner != x.Ref {
		return Inherited
	}
	return SameType
}

// pyVerdict is what a call of v is.
func pyVerdict(w *World, c *code.Call, v Value, step Strategy, how string) Verdict {
	switch v.Kind {
	case Function:
		return Resolved(v.Ref, step, how)
	case Class:
		if c.Kind == code.CallReference {
			return Resolved(v.Ref, step, how)
		}
		if Strength[v.How] == 0 {
			step = Constructed
		}
		return Resolved(pyConstruction(w, v.Ref), step, "construction of "+v.Ref.Symbol().QualifiedName)
	case Foreign:
		return ExternalTo(pyOutside(v.Module))
	case Module:
		return Unresolved("a module is called")
	}
	return ThroughValue("an object that is called")
}

// pyOutside is the module of a foreign name, as it is imported.
func pyOutside(name string) string {
	if strings.HasPrefix(name, "builtins.") {
		return Builtin
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return name
}

// CallNames is the names by which r is called: a constructor by its class's.
func (python) CallNames(_ *World, r Ref) []string {
	s := r.Symbol()
	names := []string{s.Name}
	if IsType(s.Kind) {
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
func pySubclasses(w *World, class Ref) []Ref {
	return Derive(w, pySubclassKey{class.File.ID, class.Index}, func() []Ref {
		return Descendants(class, func(base Ref) []Ref { return pyExtending(w, base) })
	})
}

// pyExtending is the classes that name class as a base.
func pyExtending(w *World, class Ref) (out []Ref) {
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

func (python) Implementations(w *World, r Ref) (out []Ref) {
	class := r.Parent()
	out = pyDeclaredElse(w, r)
	if !class.Valid() || !pyIsClass(class.File, class.Index) {
		return out
	}
	if pyMangled(r.Symbol().Name) {
		return out
	}
	for _, c := range pySubclasses(w, class) {
		if m := pyOwn(w, c, r.Symbol().Name); m.value.Kind == Function && m.value.Ref.Valid() && m.value.Ref.Parent() == c {
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
func pyDeclaredElse(w *World, r Ref) (out []Ref) {
	flow := pyFinal(r.File, pyNames(r.File).of(pyScope(r.File, r.Symbol().Parent), r.Symbol().Name))
	if v := pySettleFlow(Scope{W: w, File: r.File, At: r.Symbol().Parent, Pos: 1 << 62}, flow); v.How != Alternative {
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

func (python) Admits(w *World, receiver, impl Ref) bool {
	return Related(receiver, impl.Parent(), func(c Ref) []Ref { return pySubclasses(w, c) })
}

// pyAncestors is the bases of a class of the workspace, and theirs: those of
// its order, also where there is none.
func pyAncestors(w *World, class Ref) []Ref {
	return Descendants(class, func(c Ref) (out []Ref) {
		for _, fact := range pyBases(c) {
			if b := pyBaseOf(w, c, fact); b.ref.Valid() {
				out = append(out, b.ref)
			}
		}
		return out
	})
}

func (python) Overridden(w *World, r Ref) (out []Ref) {
	class := r.Parent()
	out = pyDeclaredElse(w, r)
	if !class.Valid() || !pyIsClass(class.File, class.Index) {
		return out
	}
	if r.Symbol().Name == "__new__" {
		out = append(out, ConstructedBy(w, r)...)
	}
	names := []string{r.Symbol().Name}
	for _, fact := range class.Facts() { // visit_b = visit_a
		if fact.Kind == code.FactAssign && fact.Type == r.Symbol().Name {
			names = append(names, fact.Name)
		}
	}
	for _, b := range pyAncestors(w, class) {
		for _, name := range names {
			if m := pyOwn(w, b, name); m.value.Kind == Function && m.value.Ref.Valid() {
				out = append(out, m.value.Ref)
			}
		}
	}
	return out
}
