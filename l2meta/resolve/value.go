package resolve

import "sextant/l2meta/expr"
import "sextant/internal/code"

// Type is a type as written, with the place where it is written: names in Text are resolved in
// symbol Scope of File, and Bind substitutes type parameters. A type is interpreted only when a
// member of it is looked up.
type Type struct {
	Text  string
	File  *File
	Scope int // index of the symbol that encloses the type; -1 at file level
	Bind  *Binding
}

// Binding binds one type parameter to a type. Next leads to the bindings of the others.
type Binding struct {
	Name string
	Type Type
	Next *Binding
}

// Lookup returns the type that is bound to a parameter; false if none is.
func (b *Binding) Lookup(name string) (Type, bool) {
	for ; b != nil; b = b.Next {
		if b.Name == name {
			return b.Type, true
		}
	}
	return Type{}, false
}

// Bind binds each type parameter to the type argument at the same position, and puts these bindings
// before those of next.
func Bind(parameters []string, arguments []Type, next *Binding) *Binding {
	for i := range min(len(parameters), len(arguments)) {
		next = &Binding{Name: parameters[i], Type: arguments[i], Next: next}
	}
	return next
}

// With returns t with another text, whose names are resolved in the same scope.
func (t Type) With(text string) Type {
	t.Text = text
	return t
}

// ValueKind is the kind of a Value.
type ValueKind uint8

const (
	Unknown  ValueKind = iota
	Instance           // a value of Type; Ref is the type's declaration if that is in the workspace
	Class              // a type itself, as T in T.f(); Ref is its declaration
	Module             // a module, package or namespace; Module is the language's own key for it
	Function           // a declared function or method; Ref
	Foreign            // something from outside the workspace; Module if known
)

// Origin says whether a Foreign value, and the values obtained from it, may belong to the
// workspace. A library's function is declared outside the workspace, but its result may be an
// object that the workspace passed to it.
type Origin uint8

const (
	Outside Origin = iota // declared outside the workspace, and so is everything obtained from it
	Holder                // declared outside, but may return workspace objects that it was given: new Table<Row>(rows)
	Lender                // a member of a Holder: declared outside, but a call of it may return a workspace object
	Handed                // perhaps a workspace object: inject(Service), createMemo(() => user)
)

// Member returns the origin of a member of a value with origin o.
func (o Origin) Member() Origin {
	switch o {
	case Holder:
		return Lender
	case Lender:
		return Handed
	}
	return o
}

// Given returns the origin of the result of calling, iterating or indexing a value with origin o.
func (o Origin) Given() Origin {
	if o == Outside {
		return Outside
	}
	return Handed
}

// Value is the result of evaluating an expression; the zero Value means unknown.
type Value struct {
	Kind   ValueKind
	Ref    Ref
	Type   Type
	Module string
	Origin Origin // of Foreign
	// Property is the interface property from which an Instance was read: p.onDone of interface
	// Props { onDone: () => void }.
	Property Ref
	// How is the weakest strategy among those that determined the value (Strength); "" for a plain
	// name.
	How Strategy
}

// Via returns v as a value that strategy s, too, helped to determine: How becomes the weaker of
// v.How and s.
func (v Value) Via(s Strategy) Value {
	v.How = Weaker(v.How, s)
	return v
}

// Strength ranks the strategies that determine a receiver's type; a higher rank is weaker.
var Strength = map[Strategy]int{TypedWritten: 1, TypedValue: 2, TypedResult: 3, TypedElement: 4,
	UniqueName: 5, Alternative: 6}

// Weaker returns the weaker of two strategies; a if they are equally strong.
func Weaker(a, b Strategy) Strategy {
	if Strength[b] > Strength[a] {
		return b
	}
	return a
}

// InstanceOf returns an Instance of type t.
func InstanceOf(t Type, how Strategy) Value { return Value{Kind: Instance, Type: t, How: how} }

// Scope is the place of an expression in a source file, in which its names are resolved.
type Scope struct {
	W    *World
	File *File
	At   int // index of the innermost symbol that encloses the expression; -1 at file level
	Pos  int // byte offset of the expression; a declaration after it may not be visible yet
	// Local lists the names bound by the function literals around the expression, such as the first
	// x in x => x.f(). The extractor recorded such literals only as text.
	Local *Local
}

// Local is a name that a function literal binds. Value is zero if it is unknown. Next leads to
// the other names, of the same and of outer literals.
type Local struct {
	Name  string
	Value Value
	Next  *Local
}

// Lookup returns the value of a name; false if no literal binds it.
func (l *Local) Lookup(name string) (Value, bool) {
	for ; l != nil; l = l.Next {
		if l.Name == name {
			return l.Value, true
		}
	}
	return Value{}, false
}

// evaluator holds the hooks of a language for Eval, one per form of expression.
type evaluator interface {
	Name(s Scope, e *expr.Expr) Value            // an identifier
	Member(s Scope, x Value, e *expr.Expr) Value // x.name
	Result(s Scope, f Value, e *expr.Expr) Value // f(…)
	Index(s Scope, x Value, e *expr.Expr) Value  // x[…]
	Construct(s Scope, e *expr.Expr) Value       // new T(…), T{…}
	Cast(s Scope, x Value, e *expr.Expr) Value   // x as T
	Unary(s Scope, x Value, e *expr.Expr) Value  // op x
	Literal(s Scope, e *expr.Expr) Value         // "…", […], x => …
	Binary(s Scope, e *expr.Expr) Value          // a op b; the hook evaluates what it needs
	Marked(s Scope, x Value, e *expr.Expr) Value // x#each: a marker of the extractor for a part of x
}

// Eval evaluates e in scope s. It returns the zero Value if e is not understood, or if the current
// call site has reached its limit of evaluations (maxSteps).
func Eval(h evaluator, s Scope, e *expr.Expr) Value {
	if !s.W.Enter() {
		return Value{}
	}
	defer s.W.Leave()
	switch e.Op {
	case expr.OpName:
		return h.Name(s, e)
	case expr.OpMember:
		return h.Member(s, Eval(h, s, e.X), e)
	case expr.OpCall:
		return h.Result(s, Eval(h, s, e.X), e)
	case expr.OpIndex:
		return h.Index(s, Eval(h, s, e.X), e)
	case expr.OpNew:
		return h.Construct(s, e)
	case expr.OpCast:
		return h.Cast(s, Eval(h, s, e.X), e)
	case expr.OpUnary:
		return h.Unary(s, Eval(h, s, e.X), e)
	case expr.OpLiteral:
		return h.Literal(s, e)
	case expr.OpBinary:
		return h.Binary(s, e)
	case expr.OpGeneric:
		return Eval(h, s, e.X)
	case expr.OpSuffixed:
		return h.Marked(s, Eval(h, s, e.X), e)
	}
	return Value{}
}

// Bindings returns the parameters, variables and assignments that bind a local name, in document
// order, from the innermost symbol that has any, starting with symbol at. It ignores fields.
// owner is the index of that symbol, or -1 for the file itself. facts is empty if nothing binds
// the name.
func (f *File) Bindings(at int, name string) (owner int, facts []*code.Fact) {
	for {
		for _, fact := range f.FactsOf(at) {
			if fact.Name == name && (fact.Kind == code.FactParam || fact.Kind == code.FactVar ||
				fact.Kind == code.FactAssign) {
				facts = append(facts, fact)
			}
		}
		if len(facts) > 0 || at < 0 {
			return at, facts
		}
		at = f.Symbols[at].Parent
	}
}

// BlockLocal returns the fact of symbol owner that binds a local name at a byte offset, in
// languages with block scope: the last variable of the innermost block, or the parameter if no
// block binds the name. It returns nil if nothing binds it.
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
			if fact.Scope[0] <= pos && pos < fact.Scope[1] &&
				(best == nil || best.Kind == code.FactParam || best.Scope[0] <= fact.Scope[0]) {
				best = fact
			}
		}
	}
	return best
}
