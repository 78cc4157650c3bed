package resolve

import (
	"cmp"
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/expr"
)

// This file finds the declarations that may run instead of the target that a call resolves to. They
// depend on the call site, not on the target alone:
//
//	b.hi()        b is declared a B: B.hi, or its overrides below B
//	this.hi()     in C, which inherits B.hi: B.hi, or its overrides below C
//	super.hi()    B.hi and nothing else; likewise new B().hi(), and B.hi() by the name of the class
//	new B()       the inherited constructor, if B declares none: constructors.go
//	p.onDone()    if onDone is a property: the functions that are assigned to it (given.go)
//
// Queries for callees and queries for callers both use the function runs, so an edge found from its
// caller is also found from the implementation that it may run.

// Dispatchable reports whether a call of a symbol may run another body: an override of a method, a
// constructor of a class, a base's constructor before a constructor, a function assigned to a
// property.
func Dispatchable(s *code.Symbol) bool {
	return s.Kind == code.KindMethod || s.Kind == code.KindFunction || s.Kind == code.KindConstructor ||
		IsType(s.Kind) || holdsValue(s.Kind)
}

// mayReplace reports whether a symbol may run at a call that resolves to another symbol, as an
// override does at a call of the method that it overrides.
func mayReplace(s *code.Symbol) bool {
	return s.Kind.Callable() && s.Kind != code.KindTest && s.Kind != code.KindMacro || holdsValue(s.Kind)
}

type runsKey struct{ target, receiver Ref }

// runs returns the declarations that may run instead of target if receiver is the declared type of
// the call's receiver. The zero Ref means any receiver.
func (r *Resolver) runs(target, receiver Ref) []Ref {
	if !Dispatchable(target.Symbol()) {
		return nil
	}
	if receiver.Valid() {
		if list, ok := r.w.known.receiving(r.w, target, receiver); ok {
			return list
		}
		return r.admitted(target, receiver, r.runs(target, Ref{}))
	}
	list, ok := r.w.known.dispatch(r.w, target, false)
	if !ok {
		list = implementations(r.w, target)
	}
	return list
}

// admitted returns those elements of all that may run if receiver is the declared type of the
// call's receiver. all lists the declarations that may run instead of target on any receiver.
func (r *Resolver) admitted(target, receiver Ref, all []Ref) []Ref {
	return Derive(r.w, runsKey{target, receiver}, func() (out []Ref) {
		l, given := r.w.languages.of(target.File), givenFor(r.w, target)
		for _, impl := range all {
			admits := slices.Contains(given, impl)
			if !admits {
				r.w.apart(func() { admits = l.Admits(r.w, receiver, impl) })
			}
			if admits {
				out = append(out, impl)
			}
		}
		return out
	})
}

type implementationsKey symbolAt

// implementations returns the declarations that may run instead of r, without duplicates and
// without r itself.
func implementations(w *World, r Ref) []Ref {
	return DeriveRefs(w, implementationsKey(r.at()), func() (out []Ref) {
		list := w.languages.of(r.File).Implementations
		if IsType(r.Symbol().Kind) || w.runsBases(r) {
			list = constructorsOf
		}
		w.apart(func() { out = slices.Concat(list(w, r), givenFor(w, r)) })
		seen := map[Ref]bool{r: true}
		return slices.DeleteFunc(out, func(impl Ref) bool {
			was := seen[impl]
			seen[impl] = true
			return was
		})
	})
}

// declaring is implemented by the Settler of a language that declares a function apart from its
// definition, as a C header does.
type declaring interface {
	// Definition returns the declaration to which calls of r resolve: if r is a prototype, the
	// function with the body; otherwise r itself.
	Definition(w *World, r Ref) Ref
}

// overridden returns the declarations that have r among their implementations, sorted by path and
// index.
func overridden(w *World, r Ref) (out []Ref) {
	list := w.languages.of(r.File).Overridden(w, r)
	if r.Symbol().Kind == code.KindConstructor {
		list = append(slices.Clip(list), ConstructedBy(w, r)...)
	}
	for _, found := range append(slices.Clip(list), givenTo(w, r)...) {
		// Settler.Overridden returns one member of each name, but a class may declare several:
		// overloads, or a member that is declared twice.
		for _, i := range found.File.Qualified(found.Symbol().QualifiedName) {
			base := found.File.Ref(i)
			if Dispatchable(base.Symbol()) && !slices.Contains(out, base) && slices.Contains(implementations(w, base), r) {
				out = append(out, base)
			}
		}
	}
	slices.SortFunc(out, func(a, b Ref) int { return cmp.Or(cmp.Compare(a.File.Path, b.File.Path), a.Index-b.Index) })
	return out
}

// Dispatched returns the declarations that may run at a site instead of its target. It returns none
// for an unresolved site, and for one such as super.hi() that can only run its target.
func (r *Resolver) Dispatched(s *Site) (out []Dispatch, err error) {
	if s.Outcome != Settled || s.Direct {
		return nil, r.w.Err()
	}
	out, err = r.Implementations(s.Target, s.Receiver)
	return slices.DeleteFunc(out, func(d Dispatch) bool { return !r.MayRunAt(s.Target, d.Target, s.File, s.Call) }), err
}

// Implementations returns the declarations that may run instead of ref, if receiver is the declared
// type of the call's receiver; on any receiver if that is the zero Ref.
func (r *Resolver) Implementations(ref, receiver Ref) (out []Dispatch, err error) {
	provenance := "implements or overrides "
	switch k := ref.Symbol().Kind; {
	case IsType(k):
		provenance = "constructs "
	case k == code.KindConstructor:
		provenance = "runs before "
	case holdsValue(k):
		provenance = "is given for "
	}
	for _, i := range r.runs(ref, receiver) {
		out = append(out, Dispatch{Target: i, Via: ref, Confidence: Uncalibrated,
			Provenance: provenance + ref.Symbol().QualifiedName})
	}
	return out, r.w.Err()
}

// Overridden returns the declarations whose calls may run ref.
func (r *Resolver) Overridden(ref Ref) (out []Dispatch, err error) {
	if !mayReplace(ref.Symbol()) {
		return nil, r.w.Err()
	}
	list, ok := r.w.known.dispatch(r.w, ref, true)
	if !ok {
		list = overridden(r.w, ref)
	}
	for _, i := range list {
		provenance := "implemented or overridden by "
		switch k := i.Symbol().Kind; {
		case IsType(k):
			provenance = "constructed by "
		case k == code.KindConstructor:
			provenance = "runs after "
		case holdsValue(k):
			provenance = "given "
		}
		out = append(out, Dispatch{Target: i, Via: i, Confidence: Uncalibrated,
			Provenance: provenance + ref.Symbol().QualifiedName})
	}
	return out, r.w.Err()
}

// CallersThrough returns those callers of base at which ref, an override of base, may run instead.
// It searches at most maxFiles files.
func (r *Resolver) CallersThrough(base, ref Ref, maxFiles int) (Inbound, error) {
	in, err := r.Callers(base, maxFiles)
	if err != nil {
		return in, err
	}
	all := in.Callers
	in.Callers = nil
	for _, at := range all {
		if !at.Direct && r.mayRun(base, ref, at.receiver) && r.mayRunAt(base, ref, at) {
			in.Callers = append(in.Callers, at)
		}
	}
	return in, r.w.Err()
}

// mayRunAt reports whether ref may run at a call site of base. It loads the site's file, to call
// MayRunAt, only if the arguments or the kind of the site matter.
func (r *Resolver) mayRunAt(base, ref Ref, at SiteRef) bool {
	if !r.overloaded(base, ref) && !holdsValue(base.Symbol().Kind) && !base.Symbol().Computed &&
		!r.narrowed(base, ref) {
		return true
	}
	f := r.w.Load(*at.File)
	return f != nil && at.Call < f.Sites()+len(f.Accesses()) && r.MayRunAt(base, ref, f, f.Site(at.Call))
}

// MayRun reports whether ref may run at calls of base on a receiver whose declared type is
// receiver; on any receiver if that is the zero Ref.
func (r *Resolver) MayRun(base, receiver, ref Ref) (bool, error) {
	may, ok := r.w.known.mayRun(r.w.snap.generation, base, receiver, ref)
	if !ok {
		may = slices.Contains(r.runs(base, receiver), ref)
	}
	return may, r.w.Err()
}

// mayRun reports whether ref may run at calls of base on a receiver of a type that is given by its
// file's id and its index; file 0 means any receiver.
func (r *Resolver) mayRun(base, ref Ref, receiver symbolAt) bool {
	on := Ref{}
	if receiver.file != 0 {
		if f := r.w.ByID(receiver.file); f != nil {
			on = f.Ref(int(receiver.index))
		}
	}
	may, _ := r.MayRun(base, on, ref)
	return may
}

// narrowing is implemented by the Settler of a language in which the type arguments of a receiver
// limit the implementations that a call may run:
//
//	void add(Depot<Crate> d) { d.put(c); }   // may run put of class Crates implements Depot<Crate>,
//	                                         // not of class Labels implements Depot<Label>
type narrowing interface {
	// Narrowed reports whether impl, an implementation of base, belongs to a type that binds type
	// parameters of base's type. If not, impl may run whatever the receiver's type arguments are.
	Narrowed(w *World, base, impl Ref) bool
	// Receives reports whether impl, for which Narrowed is true, may run at call c of f, which
	// resolves to base. It reports true if the type arguments of the receiver are unknown.
	Receives(w *World, f *File, c *code.Call, base, impl Ref) bool
}

type narrowedKey struct{ base, impl symbolAt }

// narrowed reports whether the receiver's type arguments decide whether a call of base may run impl.
func (r *Resolver) narrowed(base, impl Ref) bool {
	l, ok := r.w.languages.of(impl.File).(narrowing)
	if !ok || !base.Parent().Valid() || !impl.Parent().Valid() || base.Parent() == impl.Parent() {
		return false
	}
	return Derive(r.w, narrowedKey{base.at(), impl.at()}, func() (narrowed bool) {
		r.w.apart(func() { narrowed = l.Narrowed(r.w, base, impl) })
		return narrowed
	})
}

// receives reports whether call c of f may run impl, according to the receiver's type arguments.
func (r *Resolver) receives(base, impl Ref, f *File, c *code.Call) (may bool) {
	l, ok := r.w.languages.of(f).(narrowing)
	if !ok {
		return true
	}
	r.w.apart(func() { may = l.Receives(r.w, f, c, base, impl) })
	return may
}

// Related reports whether one value can have the types a and b: they are equal, one derives from
// the other, or a third type derives from both. below returns the types that derive from a type.
func Related(a, b Ref, below func(Ref) []Ref) bool {
	if a == b {
		return true
	}
	of := below(a)
	if slices.Contains(of, b) {
		return true
	}
	for _, sub := range below(b) {
		if sub == a || slices.Contains(of, sub) {
			return true
		}
	}
	return false
}

// HasModifier reports whether a declaration has any of some modifiers.
func HasModifier(s *code.Symbol, modifiers ...string) bool {
	return slices.ContainsFunc(modifiers, func(m string) bool { return slices.Contains(s.Modifiers, m) })
}

type madeKey struct{}

// MadeAs returns the expression that constructs the only object that a local variable ever holds:
// "new T()" for T t = new T(). binder is the fact that declares the variable. It returns false if
// there is no such expression.
func (f *File) MadeAs(binder *code.Fact) (object string, ok bool) {
	made := Memo(f, madeKey{}, func() map[int]string {
		out := map[int]string{}
		for _, fact := range f.AllFacts() {
			if fact.Kind == code.FactMade {
				out[fact.Span.StartByte] = fact.Type
			}
		}
		return out
	})
	if binder == nil || binder.Kind != code.FactVar && binder.Kind != code.FactAssign {
		return "", false
	}
	object, ok = made[binder.Span.StartByte]
	return object, ok
}

// maxRebound bounds the number of expressions that MadeHere examines for one receiver. Each
// variable on the way to the construction adds one: a := T{}; b := a; b.run().
const maxRebound = 4

// MadeHere reports whether the value of e, an expression in the code of symbol at, is an object
// constructed right there, so that its dynamic type is its static type: new T(), or a local
// variable to which that is assigned once. made reports whether an expression in symbol at is such
// a construction. Its names are resolved as of byte offset pos.
//
//	t := T{}; t.run()   runs T.run, no override
func MadeHere(f *File, at int, e *expr.Expr, dialect expr.Dialect, made func(at, pos int, e *expr.Expr) bool) bool {
	pos := 1 << 62
	for range maxRebound {
		if made(at, pos, e) {
			return true
		}
		if e.Op != expr.OpName {
			return false
		}
		owner, facts := f.Bindings(at, e.Name)
		if owner < 0 || len(facts) != 1 || facts[0].Kind != code.FactAssign || f.rebound(owner, e.Name) {
			return false
		}
		at, pos, e = owner, facts[0].Span.StartByte, expr.Parse(facts[0].Type, dialect)
	}
	return false
}

// rebound reports whether a symbol nested in owner, such as a closure, assigns to the local
// variable of owner with the given name.
func (f *File) rebound(owner int, name string) bool {
	for i := range f.AllFacts() {
		fact := &f.AllFacts()[i]
		if fact.Kind != code.FactAssign || fact.Name != name || fact.Owner == owner {
			continue
		}
		for at := fact.Owner; at >= 0; at = f.Symbols[at].Parent {
			if at == owner {
				return true
			}
		}
	}
	return false
}

type belowTypeKey Ref

// Below returns the types that derive from t, directly or indirectly. direct returns the types that
// derive directly from a type. The result is kept for the generation.
func Below(w *World, t Ref, direct func(Ref) []Ref) []Ref {
	return Derive(w, belowTypeKey(t), func() []Ref { return Descendants(t, direct) })
}
