package rust

import (
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// dialect describes Rust's expressions.
var dialect = expr.Dialect{Composites: true, Generics: true, Arrows: true, Macros: true}

// eval evaluates e in the scope of s; it returns the zero Value if that is unknown.
func eval(s resolve.Scope, e *expr.Expr, depth int) resolve.Value {
	if e == nil || depth == 0 {
		return resolve.Value{}
	}
	switch e.Op {
	case expr.OpName:
		return nameValue(s, e, depth)
	case expr.OpGeneric:
		return eval(s, e.X, depth-1)
	case expr.OpMember:
		if e.Sep == "::" {
			return pathValue(s, e)
		}
		x := eval(s, e.X, depth-1)
		if t, ok := fieldOf(s.W, x.Type, e.Name); ok && x.Kind == resolve.Instance {
			return resolve.Value{Kind: resolve.Instance, Type: t, How: resolve.Weaker(x.How, resolve.TypedWritten)}
		}
		if x.Kind != resolve.Instance || e.X.Sep == "::" {
			return fieldIn(s, e.X, e.Name)
		}
	case expr.OpCall:
		return callValue(s, e, depth-1)
	case expr.OpNew:
		return resolve.InstanceOf(resolve.Type{Text: e.Type, File: s.File, Scope: s.At}, resolve.TypedValue)
	case expr.OpCast:
		return resolve.InstanceOf(resolve.Type{Text: e.Type, File: s.File, Scope: s.At}, resolve.TypedWritten)
	case expr.OpUnary:
		return unary(s, e, depth-1)
	case expr.OpIndex:
		return index(s, e, depth-1)
	case expr.OpLiteral, expr.OpUnknown, expr.OpBinary:
		return literal(s, e, depth)
	case expr.OpSuffixed:
		return marked(s, e, depth-1)
	}
	return resolve.Value{}
}

// maxExpr bounds the nesting of evaluations: evaluating a variable may require evaluating its
// initializer, and the variables in that.
const maxExpr = 24

// local returns the fact that declares or assigns the local variable name, as visible at byte
// offset pos of f: the last one in the innermost block that has any. It returns nil if there is
// none.
func local(f *resolve.File, at, pos int, name string) *code.Fact {
	owner := f.Callable(at)
	if owner < 0 {
		owner = at
	}
	return f.BlockLocal(owner, pos, name)
}

// nameValue evaluates a name: a local variable or parameter by its declared type or by its
// assigned value, otherwise a path, such as that of a constant.
func nameValue(s resolve.Scope, e *expr.Expr, depth int) resolve.Value {
	fact := local(s.File, s.At, s.Pos, e.Name)
	if fact == nil {
		return pathValue(s, e)
	}
	owner := s.File.Callable(s.At)
	if owner < 0 {
		owner = s.At
	}
	if fact.Kind != code.FactAssign {
		if fact.Name == "self" {
			return selfValue(s, owner)
		}
		return resolve.InstanceOf(resolve.Type{Text: fact.Type, File: s.File, Scope: owner}, resolve.TypedWritten)
	}
	inner := s
	inner.At, inner.Pos = owner, fact.Scope[0]-1
	return eval(inner, expr.Parse(fact.Type, dialect), depth-1)
}

// selfValue returns the value of self in a method. Its type is that of the implementation, T for
// impl T; in the code of a trait it is the trait.
func selfValue(s resolve.Scope, owner int) resolve.Value {
	if t, ok := rustSelf(s.W, s.File, owner); ok {
		return resolve.InstanceOf(t, resolve.SameType)
	}
	return resolve.Value{}
}

// pathValue evaluates a path to a value: a constant, a static, a unit struct, an enum variant, or a constant
// of a type, Self::MAX or T::MAX.
func pathValue(s resolve.Scope, e *expr.Expr) resolve.Value {
	segments := resolve.SplitPath(e.String())
	if len(segments) == 0 {
		return resolve.Value{}
	}
	defs, self := callee(s, e.String())
	if segments[0] == "Self" {
		if len(segments) == 1 && self.File != nil || len(defs) == 1 && defs[0].Ref.Valid() && isVariant(defs[0].Ref) {
			return resolve.InstanceOf(self, resolve.TypedValue)
		}
	}
	if len(defs) != 1 || !defs[0].Ref.Valid() {
		return resolve.Value{}
	}
	return declaredValue(s.W, defs[0].Ref, self)
}

// declaredValue returns the value of a name that refers to declaration r: a unit struct (Unit), a
// variant of an enum (Kind::A), a constant, whose type is declared, or a function. self is the
// type that the path before the name denotes.
func declaredValue(w *resolve.World, r resolve.Ref, self resolve.Type) resolve.Value {
	sym := r.Symbol()
	switch sym.Kind {
	case code.KindStruct:
		return resolve.InstanceOf(resolve.Type{Text: sym.Name, File: r.File, Scope: sym.Parent}, resolve.TypedValue)
	case code.KindConstant, code.KindVariable:
		if isVariant(r) {
			enum := r.Parent().Symbol()
			return resolve.InstanceOf(resolve.Type{Text: enum.Name, File: r.File, Scope: enum.Parent},
				resolve.TypedValue)
		}
		return constantValue(w, r, self)
	case code.KindFunction, code.KindMethod, code.KindTest:
		return resolve.Value{Kind: resolve.Function, Ref: r}
	}
	return resolve.Value{}
}

// unary evaluates &x, *x, x? and x.await. If x is a Box<T>, *x is a T; if x is a Result<T, E>, x?
// is a T. Since a future has the type of its result here, x.await is x.
func unary(s resolve.Scope, e *expr.Expr, depth int) resolve.Value {
	x := eval(s, e.X, depth)
	if x.Kind != resolve.Instance {
		return resolve.Value{}
	}
	switch e.Name {
	case "&", "&&", "mut", "await":
		return x
	case "*":
		if seen := see(s.W, x.Type); derefs[seen.foreign] && len(seen.args) > 0 {
			x.Type = seen.args[len(seen.args)-1]
		}
		return x
	case "?":
		if seen := see(s.W, x.Type); (seen.foreign == "Option" || seen.foreign == "Result") && len(seen.args) > 0 {
			return resolve.InstanceOf(seen.args[0], resolve.Weaker(x.How, resolve.TypedElement))
		}
	}
	return resolve.Value{}
}

// index evaluates x[i]: to an element of a Vec<T>, or to a value of a HashMap<K, V>. A range,
// x[1..], has the type of x.
func index(s resolve.Scope, e *expr.Expr, depth int) resolve.Value {
	x := eval(s, e.X, depth)
	if x.Kind != resolve.Instance || len(e.Args) != 1 {
		return resolve.Value{}
	}
	if strings.Contains(e.Args[0].Text, "..") {
		return x
	}
	for range 3 {
		seen := see(s.W, x.Type)
		switch {
		case len(seen.args) == 0:
			return resolve.Value{}
		case derefs[seen.foreign]:
			x.Type = seen.args[len(seen.args)-1]
			continue
		case methods[seen.foreign]["pop"] != shape{} || methods[seen.foreign]["first"].wrap == "Option":
			return resolve.InstanceOf(seen.args[0], resolve.Weaker(x.How, resolve.TypedElement))
		case methods[seen.foreign]["entry"].wrap == "Entry" && len(seen.args) > 1:
			return resolve.InstanceOf(seen.args[1], resolve.Weaker(x.How, resolve.TypedElement))
		}
		return resolve.Value{}
	}
	return resolve.Value{}
}

// marked evaluates the part of a value that a pattern or a loop binds: x in Some(x).
func marked(s resolve.Scope, e *expr.Expr, depth int) resolve.Value {
	if i, ok := e.Marker().Part(); ok {
		return part(s, e.X, i, depth)
	}
	x := eval(s, e.X, depth)
	if x.Kind != resolve.Instance {
		return resolve.Value{}
	}
	seen := see(s.W, x.Type)
	m := e.Marker()
	want := map[code.Marker]string{code.MarkSome: "Option", code.MarkOk: "Result", code.MarkErr: "Result"}[m]
	switch {
	case m == code.MarkEach:
		return each(s.W, x, 3)
	case seen.foreign == want && m == code.MarkErr && len(seen.args) > 1:
		return resolve.InstanceOf(seen.args[1], resolve.Weaker(x.How, resolve.TypedElement))
	case seen.foreign == want && m != code.MarkErr && len(seen.args) > 0:
		return resolve.InstanceOf(seen.args[0], resolve.Weaker(x.How, resolve.TypedElement))
	}
	return resolve.Value{}
}

// part evaluates element i of a tuple, such as element 1 for b in let (a, b) = pair. It also
// evaluates field i of a struct or enum variant, such as field 0 for x in Shape::Circle(x).
func part(s resolve.Scope, e *expr.Expr, i, depth int) resolve.Value {
	if e.Op == expr.OpLiteral && e.Name == "tuple" {
		if i < len(e.Args) {
			return eval(s, e.Args[i], depth)
		}
		return resolve.Value{}
	}
	if e.Op == expr.OpName && local(s.File, s.At, s.Pos, e.Name) == nil ||
		e.Op == expr.OpMember && e.Sep == "::" {
		return fieldIn(s, e, strconv.Itoa(i))
	}
	x := eval(s, e, depth)
	if seen := see(s.W, x.Type); x.Kind == resolve.Instance && seen.foreign == "(" && i < len(seen.args) {
		return resolve.InstanceOf(seen.args[i], resolve.Weaker(x.How, resolve.TypedElement))
	}
	return resolve.Value{}
}

// fieldIn returns the value that a pattern binds to a field of the struct or enum variant called e: of v in
// Shape::Flat { v }, and of "0" in Self::Round(x).
func fieldIn(s resolve.Scope, e *expr.Expr, field string) resolve.Value {
	segments := resolve.SplitPath(e.String())
	var defs []def
	if len(segments) > 1 && segments[0] == "Self" {
		if t, ok := rustSelf(s.W, s.File, s.At); ok {
			if seen := see(s.W, t); seen.decl.Valid() {
				defs = variant(seen.decl, segments[1])
			}
		}
	} else {
		defs = rustPath(s.W, placeAt(s), segments, types)
	}
	if len(defs) == 1 && defs[0].Ref.Valid() {
		if t, ok := declaredField(seenType{decl: defs[0].Ref}, field); ok {
			return resolve.InstanceOf(t, resolve.TypedElement)
		}
	}
	return resolve.Value{}
}

// each returns the value of e in for e in x: a T if x is a Vec<T>, a pair (K, V) if it is a HashMap<K, V>.
func each(w *resolve.World, x resolve.Value, depth int) resolve.Value {
	seen := see(w, x.Type)
	if it, ok := iterated(w, seen, x.Type.File); ok {
		seen = it
	}
	shapes := methods[seen.foreign]
	switch {
	case depth == 0 || len(seen.args) == 0:
		return resolve.Value{}
	case derefs[seen.foreign]:
		x.Type = seen.args[len(seen.args)-1]
		return each(w, x, depth-1)
	case seen.foreign == "Counted":
		return resolve.InstanceOf(tuple(of("usize"), seen.args[0]), resolve.TypedElement)
	case seen.foreign == "Pairs" || shapes["entry"].wrap == "Entry":
		if len(seen.args) > 1 {
			return resolve.InstanceOf(tuple(seen.args[0], seen.args[1]), resolve.TypedElement)
		}
		return resolve.Value{}
	case seen.foreign == "Iter" || seen.foreign == "Option" || shapes["iter"].wrap == "Iter":
		return resolve.InstanceOf(seen.args[0], resolve.Weaker(x.How, resolve.TypedElement))
	}
	return resolve.Value{}
}

// tuple returns the type of a tuple; an element may be the zero Type, which is unknown.
func tuple(elements ...resolve.Type) resolve.Type {
	t := of("tuple", elements...)
	list := strings.TrimSuffix(strings.TrimPrefix(t.Text, "std::tuple<"), ">")
	t.Text = "(" + list + ")"
	return t
}
