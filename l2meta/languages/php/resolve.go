package php

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// Language resolves calls by namespaces, use declarations and the types that code and its
// documentation declare. Names of functions fall back to the global namespace, names of classes do
// not:
//
//	namespace A; save();    A\save, or else \save
//	namespace A; new Job;   A\Job only
//
// Calls of magic methods, and calls through callable strings or variables that hold functions, stay
// unresolved.
type Language struct{}

func (Language) Settle(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	s := resolve.Scope{W: w, File: f, At: c.Caller, Pos: c.NameSpan.StartByte}
	switch {
	case c.Kind == code.CallNew || c.Kind == code.CallDecorator:
		return construct(w, s, c)
	case c.Receiver == "" || strings.HasSuffix(c.Receiver, `\`) || qualifies(f, c):
		return functionCall(w, s, c)
	}
	if v, ok := settleHeld(w, s, c); ok {
		return v
	}
	return methodCall(w, s, c)
}

// qualifies reports whether a call's receiver is a namespace: a single byte, "\", is between the
// receiver and the callee's name, whereas "->" and "::" have two.
func qualifies(f *resolve.File, c *code.Call) bool {
	return c.Span.StartByte+len(c.Receiver)+1 == c.NameSpan.StartByte
}

// name joins a receiver and a name as written: A and f to A\f.
func name(receiver, name string) string {
	switch receiver {
	case "", `\`:
		return receiver + name
	}
	return receiver + `\` + name
}

// construct resolves new A(…) to its __construct, or to the class if it declares none.
func construct(w *resolve.World, s resolve.Scope, c *code.Call) resolve.Verdict {
	t := classNamed(w, s, name(c.Receiver, c.Callee))
	if !t.known() {
		if t.foreign {
			return resolve.ExternalTo(strings.TrimPrefix(t.name, `\`))
		}
		return resolve.Unresolved("the class is not known, or declared more than once")
	}
	if i, ok := own(t.ref, "__construct"); ok {
		return resolve.Resolved(t.ref.File.Ref(i), resolve.Constructed, "constructs "+t.name)
	}
	return resolve.Resolved(t.ref, resolve.Constructed, "constructs "+t.name)
}

// functionCall resolves f(…) and A\f(…).
func functionCall(w *resolve.World, s resolve.Scope, c *code.Call) resolve.Verdict {
	if strings.HasPrefix(c.Callee, "$") {
		return resolve.ThroughValue("a variable")
	}
	r, full, several := functionNamed(w, s, name(c.Receiver, c.Callee))
	switch {
	case several:
		return resolve.Unresolved("several functions " + full)
	case !r.Valid():
		return resolve.ExternalTo(resolve.Builtin)
	case r.File == s.File:
		return resolve.Resolved(r, resolve.SameFile, "declared in the file")
	case c.Receiver != "" || imported(s.File, c.Callee):
		return resolve.Resolved(r, resolve.Imported, "the function "+full)
	}
	return resolve.Resolved(r, resolve.SamePackage, "the function "+full)
}

func imported(f *resolve.File, name string) bool {
	return slices.ContainsFunc(f.Imports, func(i code.Import) bool {
		return !i.TypeOnly && strings.EqualFold(alias(i), name)
	})
}

// methodCall resolves x->f(…) and T::f(…).
func methodCall(w *resolve.World, s resolve.Scope, c *code.Call) resolve.Verdict {
	e := expr.Parse(c.Receiver, dialect)
	x := eval(s, w, e)
	if x.Kind == resolve.Foreign || x.Kind == resolve.Function && e.Op == expr.OpName { // parent::f(), Gone::f()
		return resolve.ExternalTo(x.Module)
	}
	if x.Kind != resolve.Instance && x.Kind != resolve.Class {
		return resolve.Unresolved("the type of the receiver is not known")
	}
	found := member(w, x.Type, c.Callee)
	switch {
	case found.several:
		return resolve.Unresolved("the receiver is of several types")
	case !found.ok && found.magic:
		return resolve.Unresolved("a magic method may answer it")
	case !found.ok && found.foreign:
		return resolve.ExternalTo("")
	case !found.ok:
		return resolve.Unresolved("no such method is declared")
	}
	how := x.How
	switch {
	case c.Receiver == "parent" || found.depth > 0 && selfish(c.Receiver):
		how = resolve.Inherited
	case selfish(c.Receiver):
		how = resolve.SameType
	case x.Kind == resolve.Class:
		how = resolve.TypedStatic
	case how == "":
		how = resolve.TypedWritten
	}
	v := resolve.Resolved(found.Ref, how, "the receiver is a "+found.holder)
	return v.DirectlyIf(direct(s, c, x)).On(receiver(w, x))
}

// direct reports whether a call runs exactly the method of a known class, never an override. That
// is so if the call names the class, T::f(), self::f() and parent::f() but not static::f(), or if
// the receiver is constructed in the call.
func direct(s resolve.Scope, c *code.Call, x resolve.Value) bool {
	if x.Kind == resolve.Class && c.Receiver != "static" && !strings.HasPrefix(c.Receiver, "$") ||
		c.Receiver == "self" || c.Receiver == "parent" {
		return true
	}
	return resolve.MadeHere(s.File, s.At, expr.Parse(c.Receiver, dialect), dialect,
		func(_, _ int, e *expr.Expr) bool {
			return e.Op == expr.OpNew && e.Type != "static"
		})
}

// receiver returns the single class of x; the zero Ref if there is none or several.
func receiver(w *resolve.World, x resolve.Value) resolve.Ref {
	if x.Type.File == nil {
		return resolve.Ref{}
	}
	alternatives := alternatives(x.Type.Text)
	if len(alternatives) != 1 || strings.Contains(alternatives[0], "&") {
		return resolve.Ref{}
	}
	return classOf(w, x.Type, alternatives[0]).ref
}

// selfish reports whether a receiver is the enclosing object or class: $this, self or static.
func selfish(receiver string) bool {
	return receiver == "$this" || receiver == "self" || receiver == "static"
}

func (Language) Implementations(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	if !r.Parent().Valid() || !resolve.IsType(r.Parent().Symbol().Kind) {
		return nil
	}
	if resolve.HasModifier(r.Symbol(), "private") && r.Parent().Symbol().Kind != code.KindTrait ||
		resolve.HasModifier(r.Symbol(), "final") {
		return nil
	}
	trait := r.Parent().Symbol().Kind == code.KindTrait
	for _, sub := range below(w, r.Parent()) {
		if m, ok := own(sub, r.Symbol().Name); ok {
			out = append(out, sub.File.Ref(m))
		} else if trait {
			continue // the class may use the method under another name
		} else if found := methodOf(w, sub, r.Symbol().Name, 0); found.Ref != r && runsIn(w, sub, found.Ref) &&
			!slices.Contains(out, found.Ref) &&
			strings.EqualFold(found.Symbol().Name, r.Symbol().Name) {
			out = append(out, found.Ref) // class Job extends Base implements Runs { use Running; }
		}
	}
	return out
}

// runs reports whether a method has a body: whether it is neither abstract nor an interface's.
func runs(method resolve.Ref) bool {
	return !resolve.HasModifier(method.Symbol(), "abstract") &&
		method.Parent().Valid() && method.Parent().Symbol().Kind != code.KindInterface
}

// runsIn reports whether a call of method on a class that does not declare it runs method, which the
// class has from a trait or a base.
func runsIn(w *resolve.World, class, method resolve.Ref) bool {
	if !method.Valid() || !runs(method) {
		return false
	}
	if _, declared := own(class, method.Symbol().Name); declared {
		return false
	}
	found := methodOf(w, class, method.Symbol().Name, 0)
	return found.ok && found.Ref == method
}

// below returns the types that derive from t.
func below(w *resolve.World, t resolve.Ref) []resolve.Ref {
	return resolve.Below(w, t, func(base resolve.Ref) []resolve.Ref {
		return w.SubtypesWhere(base, func(sub resolve.Ref) bool {
			return slices.ContainsFunc(bases(w, sub), func(b class) bool { return b.ref == base })
		})
	})
}

func (Language) Constructors(w *resolve.World, class resolve.Ref) []resolve.Ref {
	if _, own := own(class, "__construct"); own {
		return nil
	}
	if found := methodOf(w, class, "__construct", 0); found.ok {
		return []resolve.Ref{found.Ref}
	}
	return nil
}

func (Language) Heirs(w *resolve.World, t resolve.Ref) []resolve.Ref { return below(w, t) }

func (Language) Admits(w *resolve.World, receiver, impl resolve.Ref) bool {
	return resolve.Related(receiver, impl.Parent(), func(t resolve.Ref) []resolve.Ref { return below(w, t) })
}

func (Language) Overridden(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	if !r.Parent().Valid() || !resolve.IsType(r.Parent().Symbol().Kind) {
		return nil
	}
	classes := slices.Clone(bases(w, r.Parent()))
	if runs(r) {
		for _, heir := range below(w, r.Parent()) {
			if runsIn(w, heir, r) { // r implements the interfaces of heir
				classes = append(classes, bases(w, heir)...)
			}
		}
	}
	seen := map[resolve.Ref]bool{r.Parent(): true}
	for i := 0; i < len(classes) && len(seen) < resolve.MaxLineage; i++ {
		c := classes[i]
		if !c.known() || seen[c.ref] {
			continue
		}
		seen[c.ref] = true
		if m, ok := own(c.ref, r.Symbol().Name); ok {
			out = append(out, c.ref.File.Ref(m))
		}
		classes = append(classes, bases(w, c.ref)...)
	}
	return out
}

func (l Language) CallNames(w *resolve.World, r resolve.Ref) []string {
	s := r.Symbol()
	if s.Kind == code.KindProperty && l.HoldsFunction(w, r) {
		return []string{s.Name, "__invoke"}
	}
	// ($this->handler)() runs __invoke if the property holds an object of the class
	if s.Name == "__invoke" && r.Parent().Valid() {
		return []string{s.Name, r.Parent().Symbol().Name}
	}
	names := spellings(s.Name)
	if s.Kind == code.KindConstructor && r.Parent().Valid() {
		return append(append(names, spellings(r.Parent().Symbol().Name)...), "self", "static", "parent")
	}
	if resolve.IsType(s.Kind) {
		return append(names, "self", "static")
	}
	return names
}

// Spellings returns the spellings of a name that calls use: use Order as Bestellung gives the class
// the name bestellung, too.
func (Language) Spellings(name string) []string { return spellings(name) }

// spellings returns the spellings of a name that calls use. Names of functions and classes are
// case-insensitive.
func spellings(name string) (out []string) {
	if name == "" {
		return nil
	}
	for _, n := range []string{name, strings.ToLower(name), strings.ToUpper(name), code.Capitalized(name),
		code.Decapitalized(name)} {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
