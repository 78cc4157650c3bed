package rust

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// Language resolves calls in Rust: paths through the module tree, imports and the crates of the
// workspace, and methods by the declared types of their receivers. Macros are not expanded.
type Language struct{}

func (Language) Settle(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	s := resolve.Scope{W: w, File: f, At: c.Caller, Pos: c.NameSpan.StartByte}
	switch {
	case c.Kind == code.CallMacro || c.Kind == code.CallDecorator:
		return settleMacro(s, c)
	case c.Kind == code.CallNew:
		return settleLiteral(s, c)
	case c.Receiver == "":
		return settlePlain(s, c)
	case isPath(c):
		return settlePath(s, c)
	}
	return settleMethod(s, c)
}

// isPath reports whether a call's receiver and name are joined by "::", as in a::b(), rather than
// ".".
func isPath(c *code.Call) bool {
	between := c.NameSpan.StartByte - c.Span.StartByte - len(c.Receiver)
	if between != 2 || strings.ContainsAny(c.Receiver, "(.?[{\"") && !strings.HasPrefix(c.Receiver, "<") {
		return false
	}
	return c.Receiver != "self" || c.NameSpan.StartLine == c.Span.StartLine
}

// verdict returns the result of resolving a call whose path leads to the given definitions. It is
// unresolved unless there is exactly one. how describes the path in the evidence.
func verdict(s resolve.Scope, defs []def, strategy resolve.Strategy, how string) resolve.Verdict {
	switch {
	case len(defs) == 0:
		return resolve.Unresolved(how + ": not found")
	case len(defs) > 1:
		return resolve.Unresolved(how + ": several declarations")
	case defs[0].Module != "":
		return resolve.ExternalTo(defs[0].Module)
	case !defs[0].Ref.Valid():
		return resolve.Unresolved(how + ": leads to something that is not found")
	}
	r := defs[0].Ref
	switch {
	case r.Symbol().Kind == code.KindVariable || r.Symbol().Kind == code.KindConstant && !isVariant(r):
		return resolve.ThroughValue("a constant or static of that name")
	case strategy != "":
	case r.File == s.File:
		strategy = resolve.SameFile
	default:
		strategy = resolve.Imported
	}
	return resolve.Resolved(r, strategy, how)
}

func isVariant(r resolve.Ref) bool {
	p := r.Parent()
	return p.Valid() && p.Symbol().Kind == code.KindEnum
}

// settlePlain resolves f(), Self(…) and the tuple struct Point(…). If a parameter or local
// variable has that name, the call runs its value: f() in |f| f().
func settlePlain(s resolve.Scope, c *code.Call) resolve.Verdict {
	if fact := local(s.File, s.At, s.Pos, c.Callee); fact != nil {
		return resolve.ThroughValue("a local value")
	}
	if c.Callee == "Self" {
		defs, _ := calleeOfSelf(s, []string{"Self"})
		return verdict(s, defs, resolve.Constructed, "Self")
	}
	defs := rustPath(s.W, placeAt(s), []string{c.Callee}, values)
	if len(defs) == 0 && preludeValues[c.Callee] {
		return resolve.ExternalTo("std")
	}
	if len(defs) == 0 {
		if module, ok := foreignGlob(s); ok {
			return resolve.ExternalTo(module)
		}
	}
	return verdict(s, defs, "", "the path "+c.Callee)
}

// foreignGlob returns an external crate whose names a glob import brings into scope at s. A name
// that is unknown otherwise may come from this crate. It returns false if there is none.
func foreignGlob(s resolve.Scope) (module string, ok bool) {
	at := placeAt(s)
	for k := range s.File.Imports {
		i := &s.File.Imports[k]
		if i.Name != "*" || i.Scope != at.Mod.At {
			continue
		}
		for _, d := range rustPath(s.W, at, resolve.SplitPath(i.Module), types) {
			if d.Module != "" {
				return d.Module, true
			}
		}
	}
	return "", false
}

// settlePath resolves a::b(…), T::f(…), <T as Trait>::f(…).
func settlePath(s resolve.Scope, c *code.Call) resolve.Verdict {
	how := "the path " + c.Receiver + "::" + c.Callee
	if inside, ok := strings.CutPrefix(c.Receiver, "<"); ok {
		return settleQualified(s, strings.TrimSuffix(inside, ">"), c.Callee, how)
	}
	segments := resolve.SplitPath(c.Receiver + "::" + c.Callee)
	defs, self := callee(s, c.Receiver+"::"+c.Callee)
	if len(defs) == 1 && defs[0].Ref.Valid() {
		if strings.HasPrefix(traitOf(defs[0].Ref), "From<") {
			return resolve.Unresolved(how + ": conversions go by the argument's type")
		}
		return verdict(s, defs, pathStrategy(defs[0].Ref, segments), how).DirectlyIf(see(s.W, self).decl.Valid())
	}
	if len(defs) == 0 {
		seen := see(s.W, self)
		switch {
		case seen.foreign != "" && !seen.decl.Valid():
			return foreignCall(s, ofForeign(s.W, self, seen, c.Callee), how)
		case seen.known() && !declared(s.W, c.Callee):
			return resolve.ExternalTo("") // the function is derived, or belongs to an external trait
		case seen.decl.Valid() && derivable[c.Callee]:
			return resolve.ExternalTo("std")
		case len(segments) == 2 && prelude[segments[0]]:
			return resolve.ExternalTo("std")
		}
	}
	return verdict(s, defs, "", how)
}

// derivable lists functions of traits that #[derive] or the standard library may implement for a
// type. A call of such a function is external if the workspace does not declare it.
var derivable = resolve.Set("default", "clone", "eq", "ne", "cmp", "partial_cmp", "hash", "fmt", "to_string",
	"to_owned", "into", "try_into", "borrow")

func foreignCall(s resolve.Scope, found found, how string) resolve.Verdict {
	if len(found.refs) == 1 {
		return resolve.Resolved(found.refs[0], resolve.TypedStatic, how)
	}
	if len(found.refs) > 1 || !found.foreign && !standard[found.module] {
		return resolve.Unresolved(how + ": a trait of the workspace may declare it")
	}
	return resolve.ExternalTo(found.module)
}

func pathStrategy(r resolve.Ref, segments []string) resolve.Strategy {
	switch {
	case segments[0] == "Self":
		return resolve.SameType
	case r.Symbol().Kind == code.KindConstant || r.Symbol().Kind == code.KindStruct:
		return resolve.Constructed
	case isMember(r.File, r.Index):
		return resolve.TypedStatic
	}
	return ""
}

// settleQualified resolves <T as Trait>::f and <T>::f.
func settleQualified(s resolve.Scope, inside, name, how string) resolve.Verdict {
	typ, trait, qualified := strings.Cut(inside, " as ")
	t := resolve.Type{Text: typ, File: s.File, Scope: s.At}
	if !qualified {
		return methodVerdict(s, method(s.W, t, name), resolve.TypedStatic, how, name)
	}
	bounded := bounded(s.W, resolve.Type{File: s.File, Scope: s.At}, []string{trait})
	if len(bounded.traits) != 1 {
		return resolve.ExternalTo("")
	}
	seen := see(s.W, t)
	if seen.decl.Valid() {
		of := slices.DeleteFunc(slices.Clone(membersOf(s.W, seen.decl, name).ofTraits), func(r resolve.Ref) bool {
			return implemented(s.W, r) != bounded.traits[0]
		})
		if len(of) == 1 {
			return resolve.Resolved(of[0], resolve.TypedStatic, how)
		}
		if len(of) > 1 {
			return resolve.Unresolved(how + ": several implementations")
		}
	}
	return verdict(s, associated(s.W, bounded.traits[0], name), resolve.TypedStatic, how).DirectlyIf(seen.decl.Valid())
}

// settleLiteral resolves the struct of Point { x: 1 }, Self { … } and Self::Variant { … }.
func settleLiteral(s resolve.Scope, c *code.Call) resolve.Verdict {
	how := "the type " + c.Callee
	segments := append(resolve.SplitPath(c.Receiver), c.Callee)
	if segments[0] == "Self" {
		if len(segments) == 2 {
			defs, _ := calleeOfSelf(s, segments)
			return verdict(s, defs, resolve.Constructed, how)
		}
		defs, _ := calleeOfSelf(s, segments[:1])
		return verdict(s, defs, resolve.Constructed, how)
	}
	return verdict(s, rustPath(s.W, placeAt(s), segments, types), resolve.Constructed, how)
}

// settleMacro resolves the call of a macro: by its path, by an import, or as the only macro of
// that name in the crate. Attributes are calls of macros, too.
func settleMacro(s resolve.Scope, c *code.Call) resolve.Verdict {
	how := "the macro " + c.Callee
	segments := append(resolve.SplitPath(c.Receiver), c.Callee)
	at := placeAt(s)
	defs := rustPath(s.W, at, segments, macros)
	if len(defs) == 0 && c.Kind == code.CallDecorator {
		if defs = rustPath(s.W, at, segments, values); len(defs) == 0 {
			return resolve.ExternalTo("")
		}
	}
	if len(defs) == 0 && len(segments) == 1 {
		if defs = above(s.W, at.Mod, c.Callee); len(defs) == 0 && !builtinMacros[c.Callee] {
			defs = macroOf(s.W, rustRoot(s.W, at.Mod), c.Callee)
		}
	}
	if len(defs) == 0 && (builtinMacros[c.Callee] || !declared(s.W, c.Callee)) {
		return resolve.ExternalTo("std")
	}
	return verdict(s, defs, "", how)
}

// above returns the macro called name that a module around m declares. The scope of a macro
// includes the modules declared after it.
func above(w *resolve.World, m module, name string) []def {
	for range maxDepth {
		p, ok := parent(w, m)
		if !ok {
			break
		}
		m = p
		if out := lookup(w, m, name, macros); len(out) > 0 {
			return out
		}
	}
	return nil
}

// declared reports whether the workspace declares something called name.
func declared(w *resolve.World, name string) bool {
	rows, ok := w.Named(name)
	return !ok || slices.ContainsFunc(rows, func(r l2meta.Declaration) bool { return r.Language == "rust" })
}

// settleMethod resolves x.f() by the type of x.
func settleMethod(s resolve.Scope, c *code.Call) resolve.Verdict {
	if v, ok := settleField(s, c); ok {
		return v
	}
	how := "a method of " + c.Receiver
	x := eval(s, expr.Parse(c.Receiver, dialect), maxExpr)
	if x.Kind != resolve.Instance {
		if !declared(s.W, c.Callee) {
			return resolve.ExternalTo("")
		}
		return resolve.Unresolved("the type of " + c.Receiver + " is not known")
	}
	return methodVerdict(s, method(s.W, x.Type, c.Callee), x.How, how, c.Callee)
}

// methodVerdict returns the result of resolving a call of a method, by the result of looking the
// method up. If Square has "impl Shape for Square" without the method, and the trait Shape
// declares it, the method is inherited.
func methodVerdict(s resolve.Scope, found found, strategy resolve.Strategy, how, name string) resolve.Verdict {
	switch {
	case len(found.refs) == 1:
		if found.inherited && (strategy == resolve.SameType || strategy == "") {
			strategy = resolve.Inherited
		}
		v := resolve.Resolved(found.refs[0], strategy, how).DirectlyIf(found.seen.decl.Valid())
		if traits := found.seen.traits; len(traits) == 1 {
			return v.On(traits[0])
		}
		return v
	case len(found.refs) > 1:
		return resolve.Unresolved(how + ": several declarations")
	case found.foreign || !declared(s.W, name):
		return resolve.ExternalTo(found.module)
	case found.seen.foreign != "" && standard[found.module] && libraryHas(found.seen, name):
		return resolve.ExternalTo(found.module)
	}
	if found.seen.decl.Valid() {
		if _, ok := declaredField(found.seen, name); ok {
			return resolve.ThroughValue("a field of that name")
		}
		if derivable[name] {
			return resolve.ExternalTo("std")
		}
	}
	if !found.seen.known() {
		return resolve.Unresolved(how + ", whose type is not known")
	}
	return resolve.Unresolved(how + ": its type declares none of that name")
}

// Implementations returns the functions that implement r, a function of a trait. It returns nil for
// any other r.
func (Language) Implementations(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	trait := r.Parent()
	if !trait.Valid() || trait.Symbol().Kind != code.KindTrait {
		return nil
	}
	rows, _ := w.Named(r.Symbol().Name)
	for _, row := range rows {
		if row.Language != "rust" || !row.Kind.Callable() {
			continue
		}
		if m := w.Ref(row); m.Valid() && implemented(w, m) == trait {
			out = append(out, m)
		}
	}
	return out
}

// implemented returns the trait of the workspace that the implementation around m implements; the
// zero Ref if there is none.
func implemented(w *resolve.World, m resolve.Ref) resolve.Ref {
	text := traitOf(m)
	if text == "" {
		return resolve.Ref{}
	}
	base, _, _ := strings.Cut(text, "<")
	defs := rustPath(w, placeOf(m.File, m.Symbol().Parent), resolve.SplitPath(base), types)
	if len(defs) != 1 || !defs[0].Ref.Valid() || defs[0].Ref.Symbol().Kind != code.KindTrait {
		return resolve.Ref{}
	}
	return defs[0].Ref
}

// Admits reports whether the function impl may run on a value whose declared type is receiver. If receiver
// is a trait, impl may run if its own type implements the trait.
func (Language) Admits(w *resolve.World, receiver, impl resolve.Ref) bool {
	self, ok := rustSelf(w, impl.File, impl.Index)
	if !ok {
		return true
	}
	decl := see(w, self).decl
	return !decl.Valid() || receiver.Symbol().Kind != code.KindTrait || has(w, decl, receiver)
}

func (Language) Overridden(w *resolve.World, r resolve.Ref) []resolve.Ref {
	trait := implemented(w, r)
	if !trait.Valid() {
		return nil
	}
	return ofTrait(w, trait, r.Symbol().Name, 0)
}

func (Language) CallNames(_ *resolve.World, r resolve.Ref) []string {
	if s := r.Symbol(); resolve.IsType(s.Kind) {
		return []string{s.Name, "Self"} // Self(x), Self { x }
	}
	return []string{r.Symbol().Name}
}
