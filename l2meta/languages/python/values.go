package python

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

var dialect = expr.Dialect{Words: true}

// awaited is the Module of a Value that has its type only after await: the result of an async
// function.
const awaited = "await"

// super is the Module of the value of super(). Its members are looked up in the classes that
// follow the class of the value in the method resolution order.
const super = "super"

func (Language) Name(s resolve.Scope, e *expr.Expr) resolve.Value {
	v, _, bound := lookup(s, e.Name)
	if x, ok := tested(s, e.Name, v); bound && ok {
		return x
	}
	if !bound && builtins[e.Name] {
		return resolve.Value{Kind: resolve.Foreign, Module: "builtins." + e.Name}
	}
	return v
}

func (p Language) Member(s resolve.Scope, x resolve.Value, e *expr.Expr) resolve.Value {
	return seen(s, x, e).value
}

// seen evaluates x.name at s: by the value that the same function assigned to it before s, or
// else by the declaration.
func seen(s resolve.Scope, x resolve.Value, e *expr.Expr) found {
	if e.X.Op == expr.OpName {
		if v, ok := narrowed(s, e.X.Name+"."+e.Name); ok && (v.Kind != resolve.Unknown || x.Kind != resolve.Instance) {
			return found{value: v, field: true}
		}
	}
	return memberOf(s.W, x, e.Name)
}

// narrowed returns the value that the function around s has certainly assigned to an attribute
// before s. That value has precedence over the declaration in the class. It returns false if an
// assignment is not certain.
func narrowed(s resolve.Scope, attribute string) (v resolve.Value, ok bool) {
	at := around(s.File, s.At, s.Pos)
	flow := names(s.File).of(at, attribute)
	if at < 0 || len(flow) == 0 {
		return resolve.Value{}, false
	}
	reaching := reaching(s.File, flow, s.Pos)
	if first := reaching[0]; first.pos >= s.Pos || !names(s.File).sure(first.pos, s.Pos) {
		return resolve.Value{}, false
	}
	v = settleFlow(s, reaching)
	return v, true
}

// memberOf returns the member x.name.
func memberOf(w *resolve.World, x resolve.Value, name string) found {
	switch x.Kind {
	case resolve.Module:
		return found{value: moduleMember(w, x.Module, name)}
	case resolve.Foreign:
		if v := libraryMember(w, x.Module, name); v.Kind != resolve.Unknown {
			return found{value: v.Via(x.How)}
		}
		return found{value: resolve.Value{Kind: resolve.Foreign, Module: x.Module + "." + name, How: x.How}}
	case resolve.Class:
		m := member(w, pyOrder(w, x.Ref), name)
		if m.value.Kind == resolve.Function {
			m.value = on(m.value, x.Ref)
		} else if v, ok := records(w, x.Ref, m, name); ok {
			m.value = v
		} else {
			m = ofSetClass(w, m, x.Ref, name)
		}
		m.value = m.value.Via(x.How)
		return m
	case resolve.Instance:
		return attribute(w, x, name)
	}
	return found{}
}

// attribute returns the member x.name of an object.
func attribute(w *resolve.World, x resolve.Value, name string) found {
	if x.Module == awaited || strings.HasPrefix(x.Module, or) && mayBe(x, name) {
		return found{}
	}
	if m, ok := ofOwnSet(w, x, name); ok {
		return m
	}
	if !x.Ref.Valid() {
		return found{value: resolve.Value{Kind: resolve.Foreign, Module: genericClass(x) + "." + name,
			Type: x.Type, How: x.How}}
	}
	order := pyOrder(w, x.Ref)
	if x.Module == super && len(order) > 0 {
		order = order[1:]
	}
	m := member(w, order, name)
	switch {
	case m.value.Kind == resolve.Function:
		m.value = on(m.value, x.Ref)
	case m.field && m.owner.Valid() && len(names(m.owner.File).of(m.owner.Index, name)) > 0:
		m.value = propertyOn(w, m, x.Ref, name)
	default:
		m = ofSetClass(w, m, x.Ref, name)
	}
	m.value = m.value.Via(x.How)
	return m
}

// propertyOn returns the value of the property called name for an object of a class: the result of
// the getter, which m.owner, the class itself or a base, declares.
func propertyOn(w *resolve.World, m found, class resolve.Ref, name string) resolve.Value {
	if property := m.owner.Member(name, code.KindProperty); property.Valid() {
		return result(w, on(resolve.Value{Kind: resolve.Function, Ref: property}, class))
	}
	return m.value
}

// on returns f as a method that was looked up on a class, or on an object of the class.
func on(f resolve.Value, class resolve.Ref) resolve.Value {
	f.Type = resolve.Type{Text: "Self", File: class.File, Scope: class.Index}
	return f
}

// super evaluates super() in a method, and super(C, self).
func (p Language) super(s resolve.Scope, e *expr.Expr) resolve.Value {
	if len(e.Args) == 2 {
		if v := resolve.Eval(p, s, e.Args[0]); v.Kind == resolve.Class {
			return resolve.Value{Kind: resolve.Instance, Ref: v.Ref, Module: super}
		}
		return resolve.Value{}
	}
	for at := around(s.File, s.At, s.Pos); at >= 0; at = pyScope(s.File, s.File.Symbols[at].Parent) {
		if class := methodOf(s.File, at); class >= 0 {
			return resolve.Value{Kind: resolve.Instance, Ref: s.File.Ref(class), Module: super}
		}
	}
	return resolve.Value{}
}

// Index evaluates x[i]. C[int], where C is a class, evaluates to the class.
func (p Language) Index(s resolve.Scope, x resolve.Value, e *expr.Expr) resolve.Value {
	switch x.Kind {
	case resolve.Class: // C[int]
		return x
	case resolve.Foreign:
		return item(s.W, x, e)
	case resolve.Instance:
		if x.Module != awaited {
			return item(s.W, x, e)
		}
	}
	return resolve.Value{}
}

// Unary evaluates await x and not x. The call of an async function returns an awaitable; await
// gives the value of the function's result type.
func (p Language) Unary(s resolve.Scope, x resolve.Value, e *expr.Expr) resolve.Value {
	switch e.Name {
	case "await":
		if x.Kind == resolve.Instance && x.Module == awaited {
			x.Module = ""
			return x
		}
		name, args := container(x)
		handed := name == "Awaitable" || name == "Coroutine" || x.Module == "asyncio.Task" ||
			x.Module == "asyncio.Future"
		if handed && len(args) > 0 {
			return typed(s.W, x.Type.With(args[len(args)-1])).Via(x.How).Via(resolve.TypedResult)
		}
	case "not":
		return resolve.Value{Kind: resolve.Foreign, Module: "builtins.bool"}
	}
	return resolve.Value{}
}

func (p Language) Literal(_ resolve.Scope, e *expr.Expr) resolve.Value {
	switch e.Name {
	case "string":
		return resolve.Value{Kind: resolve.Foreign, Module: "builtins.str"}
	case "number":
		return resolve.Value{Kind: resolve.Foreign, Module: "builtins.int"}
	case "list", "tuple":
		return resolve.Value{Kind: resolve.Foreign, Module: "builtins." + e.Name}
	case "map":
		return resolve.Value{Kind: resolve.Foreign, Module: "builtins.dict"}
	}
	return resolve.Value{}
}

// Binary evaluates binary operators. a or b, and a if c else b, have the type that a and b share,
// where None is ignored. a and b has the type of b. A comparison is a bool. Path("a") / "b" has
// the result of the method __truediv__.
func (p Language) Binary(s resolve.Scope, e *expr.Expr) resolve.Value {
	var sides []*expr.Expr
	switch e.Name {
	case "or", "and":
		sides = e.Args
		if e.Name == "and" {
			sides = e.Args[1:]
		}
	case "?:":
		sides = e.Args[1:]
	case "==", "!=", "<", ">", "<=", ">=", "in", "not in", "is":
		return resolve.Value{Kind: resolve.Foreign, Module: "builtins.bool"}
	case "%", "+", "/", "-", "*", "|":
		v := resolve.Eval(p, s, e.Args[0])
		if v.Kind == resolve.Foreign && v.Module == "builtins.str" {
			return v
		} else if v.Kind == resolve.Foreign { // an operator of a library type: Path("a") / "b"
			return libraryMember(s.W, v.Module, operatorMethods[e.Name]+"()")
		}
		return resolve.Value{}
	default:
		return resolve.Value{}
	}
	v := resolve.Value{Kind: resolve.Foreign, Module: none}
	for _, side := range sides {
		x := resolve.Eval(p, s, side)
		switch {
		case isNone(x):
		case x.Kind == resolve.Unknown:
			return resolve.Value{}
		case isNone(v):
			v = x
		default:
			both, ok := combined(v, x)
			if !ok {
				return resolve.Value{}
			}
			v = both
		}
	}
	return v
}

// operatorMethods maps operators to the methods that they call.
var operatorMethods = map[string]string{"%": "__mod__", "+": "__add__", "/": "__truediv__", "-": "__sub__",
	"*": "__mul__", "|": "__or__"}

// Marked evaluates x of "for x in xs", "with f() as x" and "except E as x", and a of "a, b = pair".
func (p Language) Marked(s resolve.Scope, x resolve.Value, e *expr.Expr) resolve.Value {
	switch e.Marker() {
	case code.MarkEach:
		return element(s.W, x)
	case code.MarkWith:
		return entered(s.W, x)
	case code.MarkExcept:
		if x.Kind == resolve.Class {
			return instance(x.Ref, x.How).Via(resolve.TypedWritten)
		}
		if x.Kind == resolve.Foreign && x.Module != "builtins.tuple" {
			return x
		}
		return resolve.Value{}
	}
	if i, ok := e.Marker().Part(); ok {
		return at(s.W, x, i)
	}
	return resolve.Value{}
}

// entered evaluates y of "with x as y": the result of __enter__, or the value that a generator
// under contextmanager yields.
func entered(w *resolve.World, x resolve.Value) resolve.Value {
	if x.Kind == resolve.Foreign {
		return x
	}
	if x.Kind != resolve.Instance {
		return resolve.Value{}
	}
	if !x.Ref.Valid() {
		return element(w, x)
	}
	for _, name := range []string{"__enter__", "__aenter__"} {
		m := member(w, pyOrder(w, x.Ref), name)
		if m.value.Kind == resolve.Function {
			v := result(w, on(m.value, x.Ref)).Via(x.How)
			if v.Module == awaited {
				v.Module = ""
			}
			return v
		}
		if m.value.Kind == resolve.Foreign && !strings.HasPrefix(m.value.Module, "builtins.object.") {
			return resolve.Value{}
		}
	}
	return resolve.Value{}
}

func (Language) Construct(resolve.Scope, *expr.Expr) resolve.Value { return resolve.Value{} }
func (Language) Cast(resolve.Scope, resolve.Value, *expr.Expr) resolve.Value {
	return resolve.Value{}
}
