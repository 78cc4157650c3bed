package resolve

import (
	"strconv"
	"strings"

	"sextant/internal/code"
)

var pyDialect = Dialect{Words: true}

// pyAwaited marks, as its Module, the value of a call that is to be awaited.
const pyAwaited = "await"

// pySuper marks, as its Module, super(): members come from behind its class.
const pySuper = "super"

func (python) Name(s Scope, e *Expr) Value {
	v, _, bound := pyLookup(s, e.Name)
	if !bound && pyBuiltins[e.Name] {
		return Value{Kind: Foreign, Module: "builtins." + e.Name}
	}
	return v
}

func (p python) Member(s Scope, x Value, e *Expr) Value {
	return pySeen(s, x, e).value
}

// pySeen is x.name where s sees it: as the function at hand has assigned it,
// or else as it is declared.
func pySeen(s Scope, x Value, e *Expr) pyFound {
	if e.X.Op == OpName {
		if v, ok := pyNarrowed(s, e.X.Name+"."+e.Name); ok && (v.Kind != Unknown || x.Kind != Instance) {
			return pyFound{value: v, field: true}
		}
	}
	return pyMemberOf(s.W, x, e.Name)
}

// pyNarrowed is what the function at s has surely assigned to an attribute
// before: it holds rather than what the class says.
func pyNarrowed(s Scope, attribute string) (v Value, ok bool) {
	at := pyAround(s.File, s.At, s.Pos)
	flow := pyNames(s.File).of(at, attribute)
	if at < 0 || len(flow) == 0 {
		return Value{}, false
	}
	reaching := pyReaching(s.File, flow, s.Pos)
	if first := reaching[0]; first.pos >= s.Pos || !pyNames(s.File).sure(first.pos, s.Pos) {
		return Value{}, false
	}
	v = pySettleFlow(s, reaching)
	return v, true
}

// pyMemberOf is x.name.
func pyMemberOf(w *World, x Value, name string) pyFound {
	switch x.Kind {
	case Module:
		return pyFound{value: pyModuleMember(w, x.Module, name)}
	case Foreign:
		return pyFound{value: Value{Kind: Foreign, Module: x.Module + "." + name, How: x.How}}
	case Class:
		m := pyMember(w, pyOrder(w, x.Ref), name)
		if m.value.Kind == Function {
			m.value = pyOn(m.value, x.Ref)
		}
		m.value = m.value.Via(x.How)
		return m
	case Instance:
		return pyAttribute(w, x, name)
	}
	return pyFound{}
}

// pyAttribute is x.name of an object.
func pyAttribute(w *World, x Value, name string) pyFound {
	if x.Module == pyAwaited || strings.HasPrefix(x.Module, pyOr) && pyMayBe(x, name) {
		return pyFound{}
	}
	if !x.Ref.Valid() {
		head, _ := pyContainer(x)
		return pyFound{value: Value{Kind: Foreign, Module: "builtins." + head + "." + name, Type: x.Type, How: x.How}}
	}
	order := pyOrder(w, x.Ref)
	if x.Module == pySuper && len(order) > 0 {
		order = order[1:]
	}
	m := pyMember(w, order, name)
	switch {
	case m.value.Kind == Function:
		m.value = pyOn(m.value, x.Ref)
	case m.field && m.owner.Valid() && len(pyNames(m.owner.File).of(m.owner.Index, name)) > 0:
		m.value = pyPropertyOn(w, m, x.Ref, name)
	}
	m.value = m.value.Via(x.How)
	return m
}

// pyPropertyOn is the value of a property that is read on an object of a class
// that may inherit it.
func pyPropertyOn(w *World, m pyFound, class Ref, name string) Value {
	for _, i := range m.owner.File.Children(m.owner.Index) {
		if s := &m.owner.File.Symbols[i]; s.Name == name && s.Kind == code.KindProperty {
			return pyResult(w, pyOn(Value{Kind: Function, Ref: m.owner.File.Ref(i)}, class))
		}
	}
	return m.value
}

// pyOn is a function taken from a class or an object of it.
func pyOn(f Value, class Ref) Value {
	f.Type = Type{Text: "Self", File: class.File, Scope: class.Index}
	return f
}

// super is super() in a method, and super(C, self).
func (p python) super(s Scope, e *Expr) Value {
	if len(e.Args) == 2 {
		if v := Eval(p, s, e.Args[0]); v.Kind == Class {
			return Value{Kind: Instance, Ref: v.Ref, Module: pySuper}
		}
		return Value{}
	}
	for at := pyAround(s.File, s.At, s.Pos); at >= 0; at = pyScope(s.File, s.File.Symbols[at].Parent) {
		if class := pyMethodOf(s.File, at); class >= 0 {
			return Value{Kind: Instance, Ref: s.File.Ref(class), Module: pySuper}
		}
	}
	return Value{}
}

func (p python) Index(s Scope, x Value, e *Expr) Value {
	switch x.Kind {
	case Class: // C[int]
		return x
	case Instance:
		if x.Module != pyAwaited {
			return pyItem(s.W, x, e)
		}
	}
	return Value{}
}

func (p python) Unary(s Scope, x Value, e *Expr) Value {
	switch e.Name {
	case "await":
		if x.Kind == Instance && x.Module == pyAwaited {
			x.Module = ""
			return x
		}
		if name, args := pyContainer(x); pyContainers[name] > 0 && len(args) > 0 && (name == "Awaitable" || name == "Coroutine") {
			return pyTyped(s.W, x.Type.With(args[len(args)-1])).Via(x.How).Via(TypedResult)
		}
	case "not":
		return Value{Kind: Foreign, Module: "builtins.bool"}
	}
	return Value{}
}

func (p python) Literal(_ Scope, e *Expr) Value {
	switch e.Name {
	case "string":
		return Value{Kind: Foreign, Module: "builtins.str"}
	case "number":
		return Value{Kind: Foreign, Module: "builtins.int"}
	case "list", "tuple":
		return Value{Kind: Foreign, Module: "builtins." + e.Name}
	case "map":
		return Value{Kind: Foreign, Module: "builtins.dict"}
	}
	return Value{}
}

func (p python) Binary(s Scope, e *Expr) Value {
	var sides []*Expr
	switch e.Name {
	case "or", "and":
		sides = e.Args
		if e.Name == "and" {
			sides = e.Args[1:]
		}
	case "?:":
		sides = e.Args[1:]
	case "==", "!=", "<", ">", "<=", ">=", "in", "not in", "is":
		return Value{Kind: Foreign, Module: "builtins.bool"}
	case "%", "+":
		if v := Eval(p, s, e.Args[0]); v.Kind == Foreign && v.Module == "builtins.str" {
			return v
		}
		return Value{}
	default:
		return Value{}
	}
	v := Value{Kind: Foreign, Module: pyNone}
	for _, side := range sides {
		x := Eval(p, s, side)
		switch {
		case pyIsNone(x):
		case x.Kind == Unknown:
			return Value{}
		case pyIsNone(v):
			v = x
		case !pySame(v, x):
			return Value{}
		}
	}
	return v
}

func (p python) Marked(s Scope, x Value, e *Expr) Value {
	switch e.Name {
	case "each":
		return pyElement(s.W, x)
	case "with":
		return pyEntered(s.W, x)
	case "except":
		if x.Kind == Class {
			return pyInstance(x.Ref, x.How).Via(TypedWritten)
		}
		if x.Kind == Foreign && x.Module != "builtins.tuple" {
			return x
		}
		return Value{}
	}
	if i, err := strconv.Atoi(e.Name); err == nil {
		return pyAt(s.W, x, i)
	}
	return Value{}
}

// pyEntered is what "with x as y" binds y to: what __enter__ gives, or what a
// generator under contextmanager yields.
func pyEntered(w *World, x Value) Value {
	if x.Kind == Foreign {
		return x
	}
	if x.Kind != Instance {
		return Value{}
	}
	if !x.Ref.Valid() {
		return pyElement(w, x)
	}
	for _, name := range []string{"__enter__", "__aenter__"} {
		m := pyMember(w, pyOrder(w, x.Ref), name)
		if m.value.Kind == Function {
			v := pyResult(w, pyOn(m.value, x.Ref)).Via(x.How)
			if v.Module == pyAwaited {
				v.Module = ""
			}
			return v
		}
		if m.value.Kind == Foreign && !strings.HasPrefix(m.value.Module, "builtins.object.") {
			return Value{}
		}
	}
	return Value{}
}

func (python) Construct(Scope, *Expr) Value   { return Value{} }
func (python) Cast(Scope, Value, *Expr) Value { return Value{} }
