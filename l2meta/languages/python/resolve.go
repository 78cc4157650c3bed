package python

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// Language resolves calls by Python's scopes, imports and method resolution order, and by types as
// far as annotations, constructions and single assignments determine them. A call of a name with
// several possible meanings stays unresolved.
type Language struct{}

func (p Language) Settle(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	s := resolve.Scope{W: w, File: f, At: c.Caller, Pos: c.NameSpan.StartByte}
	if c.Receiver == "" {
		return p.plain(s, c)
	}
	e := &expr.Expr{Op: expr.OpMember, X: expr.Parse(c.Receiver, dialect), Name: c.Callee, Sep: "."}
	x := resolve.Eval(p, s, e.X)
	m := seen(s, x, e)
	if y, ok := sharedBy(w, x, c.Callee); ok {
		m = memberOf(w, y, c.Callee)
		return verdict(w, c, m.value, step(s, y, m), "a member that all types of "+c.Receiver+" have")
	}
	switch {
	case m.field && mayBeCalled(m, c.Callee):
		return settleField(s, x, m, c.Callee)
	case m.field && m.value.Kind == resolve.Class && m.owner.Valid():
		return resolve.ThroughValue("an attribute that holds what is called")
	case m.value.Kind == resolve.Unknown && x.Kind == resolve.Unknown:
		return resolve.Unresolved("the type of " + c.Receiver + " is not known")
	case m.value.Kind == resolve.Unknown:
		return resolve.Unresolved("no " + c.Callee + " is known of " + c.Receiver)
	}
	v := verdict(w, c, m.value, step(s, x, m), "a member of "+c.Receiver)
	return v.DirectlyIf(x.Kind == resolve.Module || x.Module == super || namesClass(s, x, e.X) ||
		made(s, e.X)).On(x.Ref)
}

// namesClass reports whether expression e, whose value is x, names exactly one class: C does, but
// cls and type(x) do not, because they may be any subclass.
func namesClass(s resolve.Scope, x resolve.Value, e *expr.Expr) bool {
	if x.Kind != resolve.Class || x.How != "" {
		return false
	}
	for e.Op == expr.OpMember {
		e = e.X
	}
	if e.Op != expr.OpName {
		return false
	}
	_, scope, bound := lookup(s, e.Name)
	return bound && !(scope >= 0 && isParameter(s.File, scope, e.Name))
}

// made reports whether expression e is an object of exactly the class that constructs it, never of
// a subclass: C(), or a local variable to which nothing else is assigned.
func made(s resolve.Scope, e *expr.Expr) bool {
	return resolve.MadeHere(s.File, around(s.File, s.At, s.Pos), e, dialect, func(at, pos int, e *expr.Expr) bool {
		here := resolve.Scope{W: s.W, File: s.File, At: at, Pos: min(pos, s.Pos)}
		return e.Op == expr.OpCall && namesClass(here, resolve.Eval(Language{}, here, e.X), e.X)
	})
}

// held reports whether the attribute called name holds a function that a method assigned to it,
// self.done = save, and is not a method of the class. It reports true if the class is unknown.
func held(m found, name string) bool {
	return !m.owner.Valid() || len(names(m.owner.File).attributes[m.owner.Index][name]) > 0
}

// plain resolves a call of a bare name: f().
func (p Language) plain(s resolve.Scope, c *code.Call) resolve.Verdict {
	v, scope, bound := lookup(s, c.Callee)
	switch {
	case !bound && builtins[c.Callee]:
		return resolve.ExternalTo(resolve.Builtin)
	case !bound:
		return resolve.Unresolved("nothing binds " + c.Callee)
	case v.Kind == resolve.Unknown && scope >= 0:
		return resolve.ThroughValue("a local name that holds what is called")
	case v.How != "" && (v.Kind == resolve.Class || v.Kind == resolve.Function && isParameter(s.File, scope, c.Callee)):
		return resolve.ThroughValue("a value that holds what is called")
	case scope >= 0 && rebound(s.File, scope, c.Callee):
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
	// cls(1) may construct any derived class.
	named := v.Kind == resolve.Class && !(scope >= 0 && isParameter(s.File, scope, c.Callee))
	return verdict(s.W, c, v, step, "what "+c.Callee+" is bound to").DirectlyIf(named)
}

// isParameter reports whether name is a parameter of a scope.
func isParameter(f *resolve.File, scope int, name string) bool {
	return slices.ContainsFunc(names(f).of(scope, name), func(b binding) bool { return b.parameter != nil })
}

// rebound reports whether a function binds name more than once, at least once by an assignment:
// def f(): ..., then f = g.
func rebound(f *resolve.File, scope int, name string) bool {
	flow := names(f).of(scope, name)
	return len(flow) > 1 && !isClass(f, scope) && slices.ContainsFunc(flow, func(b binding) bool {
		return b.fact != nil
	})
}

// step returns the strategy with which member m of x was found.
func step(s resolve.Scope, x resolve.Value, m found) resolve.Strategy {
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
	if x.Kind == resolve.Class || x.Module == super {
		return resolve.TypedStatic
	}
	if m.owner != x.Ref {
		return resolve.Inherited
	}
	return resolve.SameType
}

// verdict resolves call c, whose callee evaluates to v. step is the strategy by which v was found,
// and how explains it to the user.
func verdict(w *resolve.World, c *code.Call, v resolve.Value, step resolve.Strategy, how string) resolve.Verdict {
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
		return resolve.Resolved(construction(w, v.Ref), step, "construction of "+v.Ref.Symbol().QualifiedName)
	case resolve.Foreign:
		return resolve.ExternalTo(outside(v.Module))
	case resolve.Module:
		return resolve.Unresolved("a module is called")
	}
	return resolve.ThroughValue("an object that is called")
}

// outside returns the module of a library name: "os.path" for "os.path.join", and resolve.Builtin
// for a builtin.
func outside(name string) string {
	if strings.HasPrefix(name, "builtins.") {
		return resolve.Builtin
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return name
}

// CallNames returns the names that calls of r use. For a constructor they are the name of its
// class and cls.
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

type subclassKey struct {
	file  int64
	index int
}

// subclasses returns the direct and indirect subclasses of class in the workspace.
func subclasses(w *resolve.World, class resolve.Ref) []resolve.Ref {
	return resolve.Derive(w, subclassKey{class.File.ID, class.Index}, func() []resolve.Ref {
		return resolve.Descendants(class, func(base resolve.Ref) []resolve.Ref { return extending(w, base) })
	})
}

// extending returns the classes that name class as a base.
func extending(w *resolve.World, class resolve.Ref) (out []resolve.Ref) {
	for _, f := range w.Extenders(class) {
		for i := range f.Symbols {
			if !isClass(f, i) {
				continue
			}
			for _, fact := range pyBases(f.Ref(i)) {
				if baseOf(w, f.Ref(i), fact).ref == class {
					out = append(out, f.Ref(i))
				}
			}
		}
	}
	return out
}

func (Language) Implementations(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	class := r.Parent()
	out = declaredElse(w, r)
	if !class.Valid() || !isClass(class.File, class.Index) {
		return out
	}
	if mangled(r.Symbol().Name) {
		return out
	}
	if r.Symbol().Computed {
		return overriddenBy(w, class, r)
	}
	for _, c := range subclasses(w, class) {
		if m := own(w, c, r.Symbol().Name); m.value.Kind == resolve.Function && m.value.Ref.Valid() &&
			m.value.Ref.Parent() == c {
			out = append(append(out, m.value.Ref), declaredElse(w, m.value.Ref)...)
		}
	}
	return out
}

// declaredElse returns the other declarations of r's name in its scope, where a
// condition chooses between them:
//
//	if TYPE_CHECKING:
//	    def m(self) -> int: ...
//	else:
//	    def m(self): return 1
func declaredElse(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	flow := final(r.File, names(r.File).of(pyScope(r.File, r.Symbol().Parent), r.Symbol().Name))
	if v := settleFlow(resolve.Scope{W: w, File: r.File, At: r.Symbol().Parent, Pos: 1 << 62}, flow); v.How !=
		resolve.Alternative {
		return nil
	}
	for _, b := range flow {
		if other := r.File.Ref(b.symbol); other != r {
			out = append(out, other)
		}
	}
	return out
}

// mangled reports whether a member's name is private to its class: __x.
func mangled(name string) bool {
	return strings.HasPrefix(name, "__") && !strings.HasSuffix(name, "__")
}

func (Language) Admits(w *resolve.World, receiver, impl resolve.Ref) bool {
	return resolve.Related(receiver, impl.Parent(), func(c resolve.Ref) []resolve.Ref { return subclasses(w, c) })
}

// ancestors returns the direct and indirect bases of a class in the workspace, even if it has no
// method resolution order.
func ancestors(w *resolve.World, class resolve.Ref) []resolve.Ref {
	return resolve.Descendants(class, func(c resolve.Ref) (out []resolve.Ref) {
		for _, fact := range pyBases(c) {
			if b := baseOf(w, c, fact); b.ref.Valid() {
				out = append(out, b.ref)
			}
		}
		return out
	})
}

func (Language) Overridden(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	class := r.Parent()
	out = declaredElse(w, r)
	if !class.Valid() || !isClass(class.File, class.Index) {
		return out
	}
	if n := r.Symbol().Name; n == "__new__" || n == "__post_init__" {
		out = append(out, resolve.ConstructedBy(w, r)...)
	}
	if r.Symbol().Computed {
		for _, b := range ancestors(w, class) {
			if base := accessorOf(b, r.Symbol().Name, hasAccessor(r.Symbol(), "setter")); base.Valid() {
				out = append(out, base)
			}
		}
	}
	names := []string{r.Symbol().Name}
	for _, fact := range class.Facts() { // a method may override under another name, too: visit_b = visit_a
		if fact.Kind == code.FactAssign && fact.Type == r.Symbol().Name {
			names = append(names, fact.Name)
		}
	}
	for _, b := range ancestors(w, class) {
		for _, name := range names {
			if m := own(w, b, name); m.value.Kind == resolve.Function && m.value.Ref.Valid() {
				out = append(out, m.value.Ref)
				// a subclass may replace a field by a method: render = None
			} else if field := fieldOf(b, name); field.Valid() {
				out = append(out, field)
			}
		}
	}
	return out
}
