package python

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// pyBase is one entry of a method resolution order: a class of the workspace (ref), a class of a
// library (foreign, its full name), or an unknown class (neither).
type pyBase struct {
	ref     resolve.Ref
	foreign string
}

func (b pyBase) unknown() bool { return !b.ref.Valid() && b.foreign == "" }

type orderKey struct {
	file  int64
	index int
}

// pyOrder returns the method resolution order of a class, computed by Python's C3 algorithm. It
// starts with the class itself and has an empty pyBase for an unknown base. It returns nil if C3
// finds no order.
func pyOrder(w *resolve.World, class resolve.Ref) []pyBase {
	return resolve.Derive(w, orderKey{class.File.ID, class.Index}, func() []pyBase {
		var bases []pyBase
		var orders [][]pyBase
		for _, fact := range pyBases(class) {
			base := baseOf(w, class, fact)
			order := []pyBase{base}
			if base.ref.Valid() {
				order = pyOrder(w, base.ref)
			}
			if order == nil {
				order = []pyBase{{}}
			}
			bases, orders = append(bases, order[0]), append(orders, order)
		}
		merged, ok := merge(append(orders, bases))
		if !ok {
			return nil
		}
		return append([]pyBase{{ref: class}}, merged...)
	})
}

// pyBases returns the bases in the header of a class. Like Python's typing module, it omits
// Generic[T] if a later base has type arguments, because that base inherits from Generic itself:
// class A(Generic[T], I[T]) has the order A, I, Generic.
func pyBases(class resolve.Ref) (out []*code.Fact) {
	for _, fact := range class.Facts() {
		if fact.Kind == code.FactBase {
			out = append(out, fact)
		}
	}
	for i := 0; i < len(out); i++ {
		head, arguments := pyHead(out[i].Type)
		if arguments == "" || head[strings.LastIndexByte(head, '.')+1:] != "Generic" {
			continue
		}
		if slices.ContainsFunc(out[i+1:], func(f *code.Fact) bool {
			_, arguments := pyHead(f.Type)
			return arguments != ""
		}) {
			out = slices.Delete(out, i, i+1)
			i--
		}
	}
	return out
}

// baseOf resolves the class that an entry in the header of a class names. fact records the entry.
func baseOf(w *resolve.World, class resolve.Ref, fact *code.Fact) pyBase {
	text, _ := pyHead(fact.Type)
	at := resolve.Scope{W: w, File: class.File, At: class.Symbol().Parent, Pos: fact.Span.StartByte}
	e := expr.Parse(text, dialect)
	if e.Op == expr.OpMember && resolve.Eval(Language{}, at, e.X).Kind == resolve.Instance {
		return pyBase{} // the class comes from an attribute of an object, which subclasses may replace
	}
	switch v := resolve.Eval(Language{}, at, e); v.Kind {
	case resolve.Class:
		return pyBase{ref: v.Ref}
	case resolve.Foreign:
		return pyBase{foreign: v.Module}
	}
	return pyBase{}
}

// merge performs the merge step of C3; it returns false if no order exists.
func merge(orders [][]pyBase) (out []pyBase, ok bool) {
	for {
		orders = slices.DeleteFunc(orders, func(o []pyBase) bool { return len(o) == 0 })
		if len(orders) == 0 {
			return out, true
		}
		head, found := pyBase{}, false
		for _, o := range orders {
			if !slices.ContainsFunc(orders, func(other []pyBase) bool { return slices.Contains(other[1:], o[0]) }) {
				head, found = o[0], true
				break
			}
		}
		if !found {
			return nil, false
		}
		out = append(out, head)
		for i, o := range orders {
			if o[0] == head {
				orders[i] = o[1:]
			}
		}
	}
}

// plainBases lists library classes that give a subclass no members besides those of object.
var plainBases = map[string]bool{
	"builtins.object": true, "typing.Generic": true, "typing.Protocol": true, "typing_extensions.Protocol": true,
	"typing_extensions.Generic": true,
	"abc.ABC":                   true, "t.Generic": true, "t.Protocol": true,
}

// objectMembers lists the members of every object.
var objectMembers = map[string]bool{
	"__init__": true, "__new__": true, "__repr__": true, "__str__": true, "__eq__": true, "__ne__": true,
	"__hash__": true, "__setattr__": true, "__getattribute__": true,
	"__delattr__": true, "__init_subclass__": true, "__reduce__": true, "__reduce_ex__": true, "__sizeof__": true,
	"__format__": true, "__dir__": true, "__class__": true,
	"__lt__": true, "__le__": true, "__gt__": true, "__ge__": true,
}

// found is the result of a member look-up.
type found struct {
	value    resolve.Value
	owner    resolve.Ref // the class that declares it
	field    bool        // whether the member is a variable or a property, not a method or a class
	declared bool        // whether the class declares the type of that variable or property
}

// member looks up name in the classes of order, a method resolution order. It returns the zero
// found if an unknown base or a __getattr__ method may provide the member.
func member(w *resolve.World, order []pyBase, name string) found {
	foreign, dynamic := "", false
	for i, b := range order {
		switch {
		case b.unknown():
			return found{}
		case b.foreign != "":
			if !plainBases[b.foreign] && foreign == "" {
				foreign = b.foreign
			}
			continue
		}
		if m := own(w, b.ref, name); m.owner.Valid() {
			if m.field && !m.declared {
				if declared, ok := inheritedType(w, order[i+1:], name); ok {
					m.value = declared
				}
			}
			if foreign != "" && objectMembers[name] {
				break // the foreign class, which comes first, has the member itself
			}
			return m
		}
		dynamic = dynamic || len(names(b.ref.File).of(b.ref.Index, "__getattr__")) > 0
	}
	switch {
	case order == nil || dynamic:
		return found{}
	case foreign != "":
		return found{value: resolve.Value{Kind: resolve.Foreign, Module: foreign + "." + name}}
	case objectMembers[name]:
		return found{value: resolve.Value{Kind: resolve.Foreign, Module: "builtins.object." + name}}
	}
	return found{value: libraryMember(w, "builtins.object", name)}
}

// inheritedType returns the type that a base declares for an attribute that a subclass assigns;
// false if none does.
func inheritedType(w *resolve.World, bases []pyBase, name string) (resolve.Value, bool) {
	for _, b := range bases {
		if b.ref.Valid() {
			if m := own(w, b.ref, name); m.declared {
				return m.value, true
			}
		}
	}
	return resolve.Value{}, false
}

type ownKey struct {
	file  int64
	index int
	name  string
}

// own returns the member called name that a class itself declares; the zero found if it declares
// none.
func own(w *resolve.World, class resolve.Ref, name string) found {
	return resolve.Derive(w, ownKey{class.File.ID, class.Index, name}, func() found {
		t := names(class.File)
		flow := final(class.File, t.of(class.Index, name))
		assigned := t.attributes[class.Index][name]
		if v, ok := declaredAttribute(w, class, name); ok {
			return found{v, class, true, true}
		}
		if len(flow) == 0 && len(assigned) == 0 {
			return found{}
		}
		declared := len(flow) > 0 && flow[len(flow)-1].symbol >= 0
		for _, fact := range assigned {
			flow = append(flow, binding{pos: fact.Span.StartByte, symbol: -1, fact: fact})
		}
		v := settleFlow(resolve.Scope{W: w, File: class.File, At: class.Index, Pos: 1 << 62}, flow)
		if !declared || len(assigned) > 0 {
			if enum := class.Symbol().Kind == code.KindEnum && len(assigned) == 0 && v.Kind != resolve.Function; enum {
				v = resolve.Value{Kind: resolve.Instance, Ref: class, How: resolve.TypedValue}
			}
			return found{value: v, owner: class, field: true}
		}
		property := class.File.Symbols[flow[len(flow)-1].symbol].Kind == code.KindProperty
		return found{value: v, owner: class, field: property || v.Kind == resolve.Instance || v.Kind == resolve.Foreign,
			declared: property}
	})
}

// declaredAttribute returns a value of the type that a class declares for an attribute: x: User in
// the class, or self.x: User = u in a method. It returns false if no type is declared.
func declaredAttribute(w *resolve.World, class resolve.Ref, name string) (resolve.Value, bool) {
	for _, fact := range class.Facts() {
		if fact.Kind == code.FactField && fact.Name == name {
			scope := class.Index
			v := typed(w, resolve.Type{Text: fact.Type, File: class.File, Scope: scope}).Via(resolve.TypedWritten)
			if v.Kind != resolve.Unknown || !bareQualifier(fact.Type) {
				return v, true
			}
		}
	}
	return resolve.Value{}, false
}

// bareQualifier reports whether an annotation states no type: ClassVar or Final alone.
func bareQualifier(text string) bool {
	last := text[strings.LastIndexByte(text, '.')+1:]
	return last == "ClassVar" || last == "Final"
}

// construction returns the symbol to which a call of a class, C(), resolves. That is C's own
// __init__ or __new__ if nothing else runs, else the class itself.
func construction(w *resolve.World, class resolve.Ref) resolve.Ref {
	if runs := constructing(w, class); len(runs) == 1 && runs[0].Parent() == class {
		return runs[0]
	}
	return class
}

// constructing returns the methods that run when a class is called: its __new__ and its __init__,
// own or inherited, as far as the workspace declares them.
func constructing(w *resolve.World, class resolve.Ref) (out []resolve.Ref) {
	order := pyOrder(w, class)
	for _, name := range []string{"__init__", "__new__"} {
		if m := member(w, order, name); m.value.Kind == resolve.Function && m.value.Ref.Valid() {
			out = append(out, m.value.Ref)
		}
	}
	return out
}

func (Language) Constructors(w *resolve.World, class resolve.Ref) []resolve.Ref {
	if !isClass(class.File, class.Index) || construction(w, class) != class {
		return nil
	}
	if order := pyOrder(w, class); isDataclass(class) {
		if m := member(w, order, "__post_init__"); m.value.Kind == resolve.Function && m.value.Ref.Valid() {
			return []resolve.Ref{m.value.Ref}
		}
		return nil // a dataclass, whose __init__ is generated
	}
	return constructing(w, class)
}

// isDataclass reports whether a class is decorated with @dataclass, which generates an __init__
// that runs __post_init__.
func isDataclass(class resolve.Ref) bool {
	return slices.ContainsFunc(class.Symbol().Annotations, func(a string) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(a), "@"), "(")
		return name == "dataclass" || strings.HasSuffix(name, ".dataclass")
	})
}

func (Language) Heirs(w *resolve.World, t resolve.Ref) []resolve.Ref { return subclasses(w, t) }

// receiver returns the class on which method v was looked up: C for C().f. It returns the zero Ref
// if that class is unknown.
func receiver(v resolve.Value) resolve.Ref {
	if v.Type.Text == "Self" && v.Type.File != nil {
		return v.Type.File.Ref(v.Type.Scope)
	}
	return resolve.Ref{}
}

// instance returns an instance of a class of the workspace.
func instance(class resolve.Ref, how resolve.Strategy) resolve.Value {
	return resolve.Value{Kind: resolve.Instance, Ref: class,
		Type: resolve.Type{Text: class.Symbol().Name, File: class.File, Scope: class.Symbol().Parent}, How: how}
}

// parameter evaluates parameter p inside its function: self is an object of the method's class, cls
// is the class, and any other parameter is an instance of its annotated type. A parameter without
// an annotation may be a pytest fixture.
func parameter(w *resolve.World, f *resolve.File, function int, p *code.Parameter) resolve.Value {
	class, s := methodOf(f, function), &f.Symbols[function]
	if class >= 0 && p == &s.Parameters[0] && first(f, function) != "" {
		switch {
		case slices.Contains(s.Modifiers, "classmethod") || s.Name == "__new__" || s.Name == "__init_subclass__" ||
			s.Name == "__class_getitem__":
			return resolve.Value{Kind: resolve.Class, Ref: f.Ref(class)}
		case p.Type == "" || isTypeVar(w, f, p.Type):
			return instance(f.Ref(class), "")
		}
	}
	if p.Type == "" {
		return fixture(w, f, function, p.Name)
	}
	return typed(w, resolve.Type{Text: p.Type, File: f, Scope: s.Parent}).Via(resolve.TypedWritten)
}
