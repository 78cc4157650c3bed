package python

import (
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

var pyDialect = resolve.Dialect{Words: true}

// pyAwaited marks, as its Module, the value of a call that is to be awaited.
const pyAwaited = "await"

// pySuper marks, as its Module, super(): members come from behind its class.
const pySuper = "super"

func (Language) Name(s resolve.Scope, e *resolve.Expr) resolve.Value {
	v, _, bound := pyLookup(s, e.Name)
	if !bound && pyBuiltins[e.Name] {
		return resolve.Value{Kind: resolve.Foreign, Module: "builtins." + e.Name}
	}
	return v
}

func (p Language) Member(s resolve.Scope, x resolve.Value, e *resolve.Expr) resolve.Value {
	return pySeen(s, x, e).value
}

// pySeen is x.name where s sees it: as the function at hand has assigned it,
// or else as it is declared.
func pySeen(s resolve.Scope, x resolve.Value, e *resolve.Expr) pyFound {
	if e.X.Op == resolve.OpName {
		if v, ok := pyNarrowed(s, e.X.Name+"."+e.Name); ok && (v.Kind != resolve.Unknown || x.Kind != resolve.Instance) {
			return pyFound{value: v, field: true}
		}
	}
	return pyMemberOf(s.W, x, e.Name)
}

// pyNarrowed is what the function at s has surely assigned to an attribute
// before: it holds rather than what the class says.
func pyNarrowed(s resolve.Scope, attribute string) (v resolve.Value, ok bool) {
	at := pyAround(s.File, s.At, s.Pos)
	flow := pyNames(s.File).of(at, attribute)
	if at < 0 || len(flow) == 0 {
		return resolve.Value{}, false
	}
	reaching := pyReaching(s.File, flow, s.Pos)
	if first := reaching[0]; first.pos >= s.Pos || !pyNames(s.File).sure(first.pos, s.Pos) {
		return resolve.Value{}, false
	}
	v = pySettleFlow(s, reaching)
	return v, true
}

// pyMemberOf is x.name.
func pyMemberOf(w *resolve.World, x resolve.Value, name string) pyFound {
	switch x.Kind {
	case resolve.Module:
		return pyFound{value: pyModuleMember(w, x.Module, name)}
	case resolve.Foreign:
		return pyFound{value: resolve.Value{Kind: resolve.Foreign, Module: x.Module + "." + name, How: x.How}}
	case resolve.Class:
		m := pyMember(w, pyOrder(w, x.Ref), name)
		if m.value.Kind == resolve.Function {
			m.value = pyOn(m.value, x.Ref)
		}
		m.value = m.value.Via(x.How)
		return m
	case resolve.Instance:
		return pyAttribute(w, x, name)
	}
	return pyFound{}
}

// pyAttribute is x.name of an object.
func pyAttribute(w *resolve.World, x resolve.Value, name string) pyFound {
	if x.Module == pyAwaited || strings.HasPrefix(x.Module, pyOr) && pyMayBe(x, name) {
		return pyFound{}
	}
	if !x.Ref.Valid() {
		head, _ := pyContainer(x)
		return pyFound{value: resolve.Value{Kind: resolve.Foreign, Module: "builtins." + head + "." + name, Type: x.Type, How: x.How}}
	}
	order := pyOrder(w, x.Ref)
	if x.Module == pySuper && len(order) > 0 {
		order = order[1:]
	}
	m := pyMember(w, order, name)
	switch {
	case m.value.Kind == resolve.Function:
		m.value = pyOn(m.value, x.Ref)
	case m.field && m.owner.Valid() && len(pyNames(m.owner.File).of(m.owner.Index, name)) > 0:
		m.value = pyPropertyOn(w, m, x.Ref, name)
	}
	m.value = m.value.Via(x.How)
	return m
}

// pyPropertyOn is the value of a property that is read on an object of a class
// that may inherit it.
func pyPropertyOn(w *resolve.World, m pyFound, class resolve.Ref, name string) resolve.Value {
	for _, i := range m.owner.File.Children(m.owner.Index) {
		if s := &m.owner.File.Symbols[i]; s.Name == name && s.Kind == code.KindProperty {
			return pyResult(w, pyOn(resolve.Value{Kind: resolve.Function, Ref: m.owner.File.Ref(i)}, class))
		}
	}
	return m.value
}

// pyOn is a function taken from a class or an object of it.
func pyOn(f resolve.Value, class resolve.Ref) resolve.Value {
	f.Type = resolve.Type{Text: "Self", File: class.File, Scope: class.Index}
	return f
}

// super is super() in a method, and super(C, self).
func (p Language) super(s resolve.Scope, e *resolve.Expr) resolve.Value {
	if len(e.Args) == 2 {
		if v := resolve.Eval(p, s, e.Args[0]); v.Kind == resolve.Class {
			return resolve.Value{Kind: resolve.Instance, Ref: v.Ref, Module: pySuper}
		}
		return resolve.Value{}
	}
	for at := pyAround(s.File, s.At, s.Pos); at >= 0; at = pyScope(s.File, s.File.Symbols[at].Parent) {
		if class := pyMethodOf(s.File, at); class >= 0 {
			return resolve.Value{Kind: resolve.Instance, Ref: s.File.Ref(class), Module: pySuper}
		}
	}
	return resolve.Value{}
}

func (p Language) Index(s resolve.Scope, x resolve.Value, e *resolve.Expr) resolve.Value {
	switch x.Kind {
	case resolve.Class: // C[int]
		return x
	case resolve.Instance:
		if x.Module != pyAwaited {
			return pyItem(s.W, x, e)
		}
	}
	return resolve.Value{}
}

func (p Language) Unary(s resolve.Scope, x resolve.Value, e *resolve.Expr) resolve.Value {
	switch e.Name {
	case "await":
		if x.Kind == resolve.Instance && x.Module == pyAwaited {
			x.Module = ""
			return x
		}
		if name, args := pyContainer(x); pyContainers[name] > 0 && len(args) > 0 && (name == "Awaitable" || name == "Coroutine") {
			return pyTyped(s.W, x.Type.With(args[len(args)-1])).Via(x.How).Via(resolve.TypedResult)
		}
	case "not":
		return resolve.Value{Kind: resolve.Foreign, Module: "builtins.bool"}
	}
	return resolve.Value{}
}

func (p Language) Literal(_ resolve.Scope, e *resolve.Expr) resolve.Value {
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

func (p Language) Binary(s resolve.Scope, e *resolve.Expr) resolve.Value {
	var sides []*resolve.Expr
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
	case "%", "+":
		if v := resolve.Eval(p, s, e.Args[0]); v.Kind == resolve.Foreign && v.Module == "builtins.str" {
			return v
		}
		return resolve.Value{}
	default:
		return resolve.Value{}
	}
	v := resolve.Value{Kind: resolve.Foreign, Module: pyNone}
	for _, side := range sides {
		x := resolve.Eval(p, s, side)
		switch {
		case pyIsNone(x):
		case x.Kind == resolve.Unknown:
			return resolve.Value{}
		case pyIsNone(v):
			v = x
		case !pySame(v, x):
			return resolve.Value{}
		}
	}
	return v
}

func (p Language) Marked(s resolve.Scope, x resolve.Value, e *resolve.Expr) resolve.Value {
	switch e.Name {
	case "each":
		return pyElement(s.W, x)
	case "with":
		return pyEntered(s.W, x)
	case "except":
		if x.Kind == resolve.Class {
			return pyInstance(x.Ref, x.How).Via(resolve.TypedWritten)
		}
		if x.Kind == resolve.Foreign && x.Module != "builtins.tuple" {
			return x
		}
		return resolve.Value{}
	}
	if i, err := strconv.Atoi(e.Name); err == nil {
		return pyAt(s.W, x, i)
	}
	return resolve.Value{}
}

// pyEntered is what "with x as y" binds y to: what __enter__ gives, or what a
// generator under contextmanager yields.
func pyEntered(w *resolve.World, x resolve.Value) resolve.Value {
	if x.Kind == resolve.Foreign {
		return x
	}
	if x.Kind != resolve.Instance {
		return resolve.Value{}
	}
	if !x.Ref.Valid() {
		return pyElement(w, x)
	}
	for _, name := range []string{"__enter__", "__aenter__"} {
		m := pyMember(w, pyOrder(w, x.Ref), name)
		if m.value.Kind == resolve.Function {
			v := pyResult(w, pyOn(m.value, x.Ref)).Via(x.How)
			if v.Module == pyAwaited {
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

func (Language) Construct(resolve.Scope, *resolve.Expr) resolve.Value { return resolve.Value{} }
func (Language) Cast(resolve.Scope, resolve.Value, *resolve.Expr) resolve.Value {
	return resolve.Value{}
}
