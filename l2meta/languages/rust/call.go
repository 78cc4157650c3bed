package rust

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// callValue evaluates call e: find(1) to an Order, if find returns an Order. It returns the zero
// Value if the callee or its result type is unknown.
func callValue(s resolve.Scope, e *expr.Expr, depth int) resolve.Value {
	f := e.X
	if _, ok := code.FormOf(f.Name); ok && f.Op == expr.OpName {
		return literalParameter(s, e, depth)
	}
	if f.Op == expr.OpGeneric {
		f = f.X
	}
	if f.Op == expr.OpMember && f.Sep == "." {
		x := eval(s, f.X, depth)
		if x.Kind != resolve.Instance {
			return resolve.Value{}
		}
		return methodResult(s, x, f.Name)
	}
	segments := resolve.SplitPath(f.String())
	if len(segments) == 0 {
		return resolve.Value{}
	}
	if v, ok := wrapped(s, f, segments, e, depth); ok {
		return v
	}
	if len(segments) == 1 && local(s.File, s.At, s.Pos, segments[0]) != nil {
		return resolve.Value{}
	}
	defs, self := callee(s, f.String())
	if len(defs) == 1 && defs[0].Ref.Valid() {
		return resultOf(s.W, defs[0].Ref, self, resolve.TypedResult)
	}
	// The trait functions default and from return the type before their name, T for T::default(),
	// even if their declaration is unknown.
	last := segments[len(segments)-1]
	if self.File != nil && (last == "default" || last == "from" || last == "new") && see(s.W, self).known() &&
		(len(defs) != 1 || defs[0].unknown()) {
		if last != "new" {
			return resolve.InstanceOf(self, resolve.TypedValue)
		}
	}
	if self.File != nil && (len(defs) == 0 || defs[0].Module != "") {
		if t, ok := libraryMember(s, see(s.W, self), last); ok {
			return resolve.InstanceOf(t, resolve.TypedResult)
		}
	}
	if t, ok := libraryFunction(s, segments, defs); ok {
		return resolve.InstanceOf(t, resolve.TypedResult)
	}
	if self.File != nil && see(s.W, self).foreign != "" &&
		(last == "new" || last == "with_capacity" || last == "default" || last == "from") {
		return resolve.InstanceOf(self, resolve.TypedValue)
	}
	return resolve.Value{}
}

// wrapped evaluates a call that wraps a value: Some(x), Ok(x), Box::new(x). It returns false for
// any other call.
func wrapped(s resolve.Scope, f *expr.Expr, segments []string, e *expr.Expr, depth int) (resolve.Value, bool) {
	last := segments[len(segments)-1]
	name := map[string]string{"Some": "Option", "Ok": "Result"}[last]
	if len(segments) == 2 && (last == "new" || last == "pin" || last == "clone") && wrapping[segments[0]] {
		name = segments[0]
	}
	if name == "" || len(e.Args) != 1 ||
		len(segments) == 1 && len(rustPath(s.W, placeAt(s), segments, values)) > 0 {
		return resolve.Value{}, false
	}
	if len(segments) == 2 && see(s.W, resolve.Type{Text: name, File: s.File, Scope: s.At}).foreign == "" {
		return resolve.Value{}, false
	}
	x := eval(s, e.Args[0], depth)
	if x.Kind != resolve.Instance || last == "clone" {
		return x, true
	}
	return resolve.InstanceOf(of(name, x.Type), resolve.Weaker(x.How, resolve.TypedValue)), true
}

// callee resolves the path of a call to the declarations that it may mean. self is the type that
// the path before the last name denotes, Point for Point::new. It is the zero Type for a path of
// one name.
func callee(s resolve.Scope, path string) (defs []def, self resolve.Type) {
	segments := resolve.SplitPath(path)
	if len(segments) > 1 {
		i := strings.LastIndex(path, "::")
		self = resolve.Type{Text: strings.Replace(strings.TrimSuffix(path[:i], "::"), "::<", "<", 1),
			File: s.File, Scope: s.At}
	}
	if len(segments) > 0 && segments[0] == "Self" {
		return calleeOfSelf(s, segments)
	}
	if len(segments) == 2 {
		if bounds, ok := parameter(resolve.Type{File: s.File, Scope: s.At}, segments[0]); ok {
			for _, trait := range bounded(s.W, resolve.Type{File: s.File, Scope: s.At}, bounds).traits {
				defs = append(defs, associated(s.W, trait, segments[1])...)
			}
			return defs, self
		}
	}
	return rustPath(s.W, placeAt(s), segments, values), self
}

// calleeOfSelf returns the declarations that Self or Self::name refers to, and the type Self. In
// the code of a trait, Self::name is an associated function of the trait.
func calleeOfSelf(s resolve.Scope, segments []string) (defs []def, self resolve.Type) {
	self, ok := rustSelf(s.W, s.File, s.At)
	if !ok {
		return nil, resolve.Type{}
	}
	seen := see(s.W, self)
	switch {
	case len(segments) == 1 && seen.decl.Valid():
		return []def{{Ref: seen.decl}}, self
	case len(segments) != 2:
	case seen.decl.Valid():
		return step(s.W, moduleAt(s.File, s.At), def{Ref: seen.decl}, segments[1], values), self
	case len(seen.traits) == 1:
		return associated(s.W, seen.traits[0], segments[1]), self
	}
	return nil, self
}

// resultOf returns the value of a call of r, by the result type that r declares. In that type Self means the
// type self: for Point::new() -> Self it is Point.
func resultOf(w *resolve.World, r resolve.Ref, self resolve.Type, how resolve.Strategy) resolve.Value {
	sym := r.Symbol()
	switch sym.Kind {
	case code.KindStruct:
		return resolve.InstanceOf(resolve.Type{Text: sym.Name, File: r.File, Scope: sym.Parent}, resolve.TypedValue)
	case code.KindConstant:
		if isVariant(r) {
			return declaredValue(w, r, self)
		}
		return resolve.Value{} // a constant that holds a function has no result type
	}
	for _, fact := range r.Facts() {
		if fact.Kind != code.FactResult {
			continue
		}
		t := resolve.Type{Text: fact.Type, File: r.File, Scope: r.Index}
		if self.File != nil {
			seen := see(w, self)
			t.Bind = resolve.Bind(ownParameters(r, seen), seen.args, nil)
			if seen.known() {
				t.Bind = &resolve.Binding{Name: "Self", Type: self, Next: t.Bind}
			}
		}
		return resolve.InstanceOf(t, how)
	}
	return resolve.Value{}
}

// ownParameters returns the type parameters of the implementation around method r, in the order
// in which it passes them to its type: T for impl<T> Stack<T>.
func ownParameters(r resolve.Ref, seen seenType) (out []string) {
	for _, fact := range r.Facts() {
		if fact.Kind != code.FactParam || fact.Name != "self" {
			continue
		}
		if i := strings.IndexByte(fact.Type, '<'); i > 0 && strings.HasSuffix(fact.Type, ">") {
			for _, a := range expr.SplitTypes(fact.Type[i+1 : len(fact.Type)-1]) {
				if !strings.HasPrefix(a, "'") {
					out = append(out, a)
				}
			}
		}
		return out
	}
	if seen.decl.Valid() {
		return parameters(seen.decl)
	}
	return nil
}

// methodResult evaluates x.name(…): xs.first() to an Option<T>, where xs is a Vec<T>. It returns
// the zero Value if the method or its result is unknown, or if several methods are possible.
func methodResult(s resolve.Scope, x resolve.Value, name string) resolve.Value {
	found := method(s.W, x.Type, name)
	how := resolve.Weaker(x.How, resolve.TypedResult)
	switch {
	case len(found.refs) == 1:
		return resultOf(s.W, found.refs[0], found.on, how)
	case len(found.refs) > 1:
		return resolve.Value{}
	}
	switch name {
	case "clone", "to_owned", "by_ref":
		if found.seen.known() {
			return x
		}
	case "to_string":
		return resolve.InstanceOf(resolve.Type{Text: "std::string::String", File: s.File, Scope: -1}, how)
	}
	seen := see(s.W, x.Type)
	for range 3 {
		if shape, ok := methods[seen.foreign][name]; ok {
			return shaped(seen, shape, x, how)
		}
		inner := resolve.Type{}
		if derefs[seen.foreign] && len(seen.args) > 0 {
			inner = seen.args[len(seen.args)-1]
		}
		// The library implements Read for Arc<File>, which is no method of Arc<RwLock<T>>.
		behind := see(s.W, inner)
		if _, ok := methods[behind.foreign][name]; !ok || wrapperOwn[name] {
			if t, ok := libraryMember(s, seen, name); ok {
				return resolve.InstanceOf(t, resolve.Weaker(how, resolve.TypedElement))
			}
		}
		if inner.File == nil {
			break
		}
		x.Type, seen = inner, behind
	}
	return resolve.Value{}
}

// shaped evaluates a method call on the container x. shape, from the table methods, describes the
// result: an Option<T> for first() of a Vec<T>, an iterator of K for keys() of a HashMap<K, V>,
// an iterator of pairs (usize, T) for enumerate().
func shaped(seen seenType, shape shape, x resolve.Value, how resolve.Strategy) resolve.Value {
	if shape.arg < 0 {
		return resolve.InstanceOf(x.Type, how)
	}
	if shape.wrap == "Pairs" {
		if len(seen.args) < 2 {
			return resolve.Value{}
		}
		return resolve.InstanceOf(of("Iter", tuple(seen.args[0], seen.args[1])), resolve.TypedElement)
	}
	if shape.arg >= len(seen.args) {
		return resolve.Value{}
	}
	t := seen.args[shape.arg]
	lock := seen.foreign == "Mutex" || seen.foreign == "RwLock"
	switch {
	case shape.wrap == "Counted":
		t = of("Iter", tuple(resolve.Type{Text: "usize", File: t.File, Scope: t.Scope}, t))
	case shape.wrap != "" && !(lock && !standard[seen.module]):
		t = of(shape.wrap, t)
	}
	return resolve.InstanceOf(t, resolve.Weaker(how, resolve.TypedElement))
}
