package resolve

import "sextant/internal/code"

// Type is a type as written, in the place where it is written: names in Text
// mean what they mean in symbol Scope of File, and Bind substitutes type
// parameters. Types are interpreted when a member of them is asked for.
type Type struct {
	Text  string
	File  *File
	Scope int // index of the symbol around it, -1 at file level
	Bind  *Binding
}

// Binding substitutes one type parameter; Next holds the others.
type Binding struct {
	Name string
	Type Type
	Next *Binding
}

// Lookup returns what name is bound to.
func (b *Binding) Lookup(name string) (Type, bool) {
	for ; b != nil; b = b.Next {
		if b.Name == name {
			return b.Type, true
		}
	}
	return Type{}, false
}

// Bind substitutes parameters by arguments, in order, before those of next.
func Bind(parameters []string, arguments []Type, next *Binding) *Binding {
	for i := range min(len(parameters), len(arguments)) {
		next = &Binding{Name: parameters[i], Type: arguments[i], Next: next}
	}
	return next
}

// With returns the type that text means where t is written.
func (t Type) With(text string) Type {
	t.Text = text
	return t
}

// ValueKind is what an expression stands for.
type ValueKind uint8

const (
	Unknown  ValueKind = iota
	Instance           // a value; Type is its type, Ref the type's declaration where that is in the workspace
	Class              // a type named as such; Ref is its declaration
	Module             // a module, package or namespace; Module is the language's own key for it
	Function           // a declared function or method; Ref
	Foreign            // something that comes from outside the workspace; Module where known
)

// Origin says how far a Foreign value is proven to lie outside the workspace:
// what a library declares does, and what it gives back may be what the
// workspace handed to it.
type Origin uint8

const (
	Outside Origin = iota // declared outside, and so is all that it gives
	Holder                // declared outside, as its members are; those give what it was handed: new Table<Row>(rows)
	Lender                // a member of a Holder: to call it leaves the workspace, what it gives may not
	Handed                // may be of the workspace: inject(Service), createMemo(() => user)
)

// Member returns the origin of a member.
func (o Origin) Member() Origin {
	switch o {
	case Holder:
		return Lender
	case Lender:
		return Handed
	}
	return o
}

// Given returns the origin of what a call, an iteration or an index of it gives.
func (o Origin) Given() Origin {
	if o == Outside {
		return Outside
	}
	return Handed
}

// Value is what an expression stands for, as far as it can be read.
type Value struct {
	Kind   ValueKind
	Ref    Ref
	Type   Type
	Module string
	Origin Origin // of Foreign
	// Property is the property of an interface that holds an Instance, where it
	// was read from one: p.onDone of interface Props { onDone: () => void }.
	Property Ref
	// How is the weakest step that the value rests on; "" for a plain name.
	How Strategy
}

// Via returns v resting on s too.
func (v Value) Via(s Strategy) Value {
	v.How = Weaker(v.How, s)
	return v
}

// Strength orders the steps by which a receiver's type is known.
var Strength = map[Strategy]int{TypedWritten: 1, TypedValue: 2, TypedResult: 3, TypedElement: 4, UniqueName: 5, Alternative: 6}

func Weaker(a, b Strategy) Strategy {
	if Strength[b] > Strength[a] {
		return b
	}
	return a
}

// InstanceOf returns a value of a type.
func InstanceOf(t Type, how Strategy) Value { return Value{Kind: Instance, Type: t, How: how} }

// Scope is where an expression stands.
type Scope struct {
	W    *World
	File *File
	At   int // index of the innermost symbol around it, -1 at file level
	Pos  int // byte offset: what is declared behind it may not hold yet
	// Local is the names that function literals around bind which are read by
	// their text alone.
	Local *Local
}

// Local is a name that a function literal binds, Value being nothing where that
// is not known. Next holds the names further out.
type Local struct {
	Name  string
	Value Value
	Next  *Local
}

// Lookup returns the value of a name, and whether a literal binds it.
func (l *Local) Lookup(name string) (Value, bool) {
	for ; l != nil; l = l.Next {
		if l.Name == name {
			return l.Value, true
		}
	}
	return Value{}, false
}

// evaluator is how a language reads expressions: one hook a form. eval walks.
type evaluator interface {
	Name(s Scope, e *Expr) Value            // an identifier
	Member(s Scope, x Value, e *Expr) Value // x.name
	Result(s Scope, f Value, e *Expr) Value // f(…)
	Index(s Scope, x Value, e *Expr) Value  // x[…]
	Construct(s Scope, e *Expr) Value       // new T(…), T{…}
	Cast(s Scope, x Value, e *Expr) Value   // x as T
	Unary(s Scope, x Value, e *Expr) Value  // op x
	Literal(s Scope, e *Expr) Value         // "…", […], x => …
	Binary(s Scope, e *Expr) Value          // a op b; the hook evaluates what it needs
	Marked(s Scope, x Value, e *Expr) Value // x#each, as the extractor marks what it takes of x
}

// Eval returns what e stands for at s; nothing, when the work on one call site is
// beyond its bound.
func Eval(h evaluator, s Scope, e *Expr) Value {
	if !s.W.Enter() {
		return Value{}
	}
	defer s.W.Leave()
	switch e.Op {
	case OpName:
		return h.Name(s, e)
	case OpMember:
		return h.Member(s, Eval(h, s, e.X), e)
	case OpCall:
		return h.Result(s, Eval(h, s, e.X), e)
	case OpIndex:
		return h.Index(s, Eval(h, s, e.X), e)
	case OpNew:
		return h.Construct(s, e)
	case OpCast:
		return h.Cast(s, Eval(h, s, e.X), e)
	case OpUnary:
		return h.Unary(s, Eval(h, s, e.X), e)
	case OpLiteral:
		return h.Literal(s, e)
	case OpBinary:
		return h.Binary(s, e)
	case OpGeneric:
		return Eval(h, s, e.X)
	case OpSuffixed:
		return h.Marked(s, Eval(h, s, e.X), e)
	}
	return Value{}
}

// Bindings returns the facts by which the innermost symbol around at, itself
// included, binds a local name: parameters, variables and assignments, in
// document order. Types are passed over: their fields are no local names. The
// owner is -1 for the file's own, and the list empty when nothing binds it.
func (f *File) Bindings(at int, name string) (owner int, facts []*code.Fact) {
	for {
		for _, fact := range f.FactsOf(at) {
			if fact.Name == name && (fact.Kind == code.FactParam || fact.Kind == code.FactVar || fact.Kind == code.FactAssign) {
				facts = append(facts, fact)
			}
		}
		if len(facts) > 0 || at < 0 {
			return at, facts
		}
		at = f.Symbols[at].Parent
	}
}

// BlockLocal returns the fact of symbol owner that binds a local name at a byte
// offset, where names hold in blocks: the innermost, of those the last; a
// parameter if no block has the name. It is nil when nothing binds it.
func (f *File) BlockLocal(owner, pos int, name string) (best *code.Fact) {
	for _, fact := range f.FactsOf(owner) {
		if fact.Name != name {
			continue
		}
		switch fact.Kind {
		case code.FactParam:
			if best == nil {
				best = fact
			}
		case code.FactVar, code.FactAssign:
			if fact.Scope[0] <= pos && pos < fact.Scope[1] && (best == nil || best.Kind == code.FactParam || best.Scope[0] <= fact.Scope[0]) {
				best = fact
			}
		}
	}
	return best
}
