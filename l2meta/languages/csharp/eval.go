package csharp

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

var dialect = expr.Dialect{Casts: true, Generics: true, Arrows: true}

// evaluator evaluates C# expressions. The name of a method without a call, job.Save, evaluates to
// a Function value. Its Module is the name of the method, and its Type or Ref that of the
// receiver. Overloads share the name, so the value does not select one of them; a call does.
type evaluator struct {
	w *resolve.World
	// given holds the values of a lambda's parameters while its body is evaluated.
	given *given
}

// given is the value of one parameter of a lambda. next leads to the values of the other
// parameters.
type given struct {
	name  string
	value resolve.Value
	next  *given
}

func eval(s resolve.Scope, w *resolve.World, e *expr.Expr) resolve.Value {
	return evaluator{w: w}.eval(s, e)
}

func (c evaluator) eval(s resolve.Scope, e *expr.Expr) resolve.Value {
	if e.Op == expr.OpGeneric { // a receiver: Type<T>
		e = names(&expr.Expr{Op: expr.OpMember, X: e}).X
	}
	return resolve.Eval(c, s, names(e))
}

// names makes the type arguments in front of a member access a part of the name: "List<int>" in
// List<int>.Empty. Without them the name would denote another type, because List and List<T> are
// two types.
func names(e *expr.Expr) *expr.Expr {
	if e.X == nil {
		return e
	}
	copied := *e
	copied.X = names(e.X)
	if e.Op == expr.OpMember && e.X.Op == expr.OpGeneric &&
		(e.X.X.Op == expr.OpName || e.X.X.Op == expr.OpMember) {
		name := *names(e.X.X)
		name.Name += "<" + strings.Join(e.X.TypeArgs, ", ") + ">"
		copied.X = &name
	}
	return &copied
}

// self returns the type that symbol r declares, with its own type parameters as type arguments:
// global::App.Box<T> for class Box<T> in namespace App.
func self(r resolve.Ref) resolve.Type {
	text := "global::" + fullName(r)
	if p := typeParameters(r); len(p) > 0 {
		text += "<" + strings.Join(p, ", ") + ">"
	}
	return resolve.Type{Text: text, File: r.File, Scope: r.Index}
}

func instance(t resolve.Type, how resolve.Strategy) resolve.Value {
	return resolve.Value{Kind: resolve.Instance, Type: t, How: how}
}

// around returns at if the symbol with that index is a type, otherwise the index of the nearest type
// around it. It returns -1 if there is none.
func around(f *resolve.File, at int) int {
	if at >= 0 && resolve.IsType(f.Symbols[at].Kind) {
		return at
	}
	if at < 0 {
		return -1
	}
	return f.Type(at)
}

// local returns the fact that declares or assigns the local variable name: the last such fact
// whose scope contains s. It returns nil if there is none.
func local(s resolve.Scope, name string) *code.Fact {
	for at := s.At; ; at = s.File.Symbols[at].Parent {
		var best *code.Fact
		for _, f := range s.File.FactsOf(at) {
			if f.Name != name || f.Kind != code.FactParam && f.Kind != code.FactVar && f.Kind != code.FactAssign {
				continue
			}
			if at != s.At && f.Kind == code.FactParam && resolve.IsType(s.File.Symbols[at].Kind) &&
				slices.Contains(s.File.Symbols[at].Modifiers, "record") {
				continue // in the methods of a record, the name of a parameter means its property
			}
			if f.Scope[1] > 0 && (s.Pos < f.Scope[0] || s.Pos >= f.Scope[1]) {
				continue
			}
			if best == nil || f.Scope[0] >= best.Scope[0] {
				best = f
			}
		}
		if best != nil || at < 0 {
			return best
		}
	}
}

type factKey struct {
	file int64
	fact *code.Fact
}

// bound returns the value of the local variable or parameter that a fact declares or assigns: a Job for
// Job j, and for var j = new Job().
func bound(w *resolve.World, f *resolve.File, fact *code.Fact) resolve.Value {
	if fact.Kind != code.FactAssign {
		return instance(resolve.Type{Text: fact.Type, File: f, Scope: fact.Owner}, resolve.TypedWritten)
	}
	return resolve.Derive(w, factKey{f.ID, fact}, func() resolve.Value {
		v := eval(resolve.Scope{W: w, File: f, At: fact.Owner, Pos: fact.Span.StartByte}, w,
			expr.Parse(fact.Type, dialect))
		if v.Kind != resolve.Instance {
			return resolve.Value{}
		}
		v.Property = resolve.Ref{} // the name may be assigned another value later
		return v
	})
}

// Name evaluates a name: this and base, a lambda's parameter, a local, a member of the types around
// it, then a type or a namespace.
func (c evaluator) Name(s resolve.Scope, e *expr.Expr) resolve.Value {
	switch e.Name {
	case "this", "base":
		return c.self(s, e.Name == "base")
	case "true", "false":
		return instance(resolve.Type{Text: "bool", File: s.File, Scope: s.At}, resolve.TypedWritten)
	case "null", "default":
		return resolve.Value{}
	}
	for g := c.given; g != nil; g = g.next {
		if g.name == e.Name {
			return g.value
		}
	}
	if primitive(e.Name) || e.Name == "object" {
		return resolve.Value{Kind: resolve.Class, Type: resolve.Type{Text: e.Name, File: s.File, Scope: s.At}}
	}
	if fact := local(s, e.Name); fact != nil {
		return bound(c.w, s.File, fact)
	}
	for t := around(s.File, s.At); t >= 0; t = s.File.Type(t) {
		v, found, foreign := c.ofType(s, csharpResolve(c.w, self(s.File.Ref(t))), e.Name)
		if found {
			return v
		}
		if foreign {
			if p, ok := tabledProperty(c.w, csharpResolve(c.w, self(s.File.Ref(t))), e.Name); ok {
				return instance(p, resolve.TypedElement)
			}
		}
		if foreign && len(simple(c.w, s.File, s.At, e.Name, 0)) == 0 &&
			foreignType(c.w, s.File, s.At, e.Name, 0).lib == nil {
			return resolve.Value{}
		}
	}
	if v := c.typeNamed(s, e.Name, 0); v.Kind != resolve.Module {
		return v
	}
	return c.usedValue(s, e.Name)
}

// self returns the value of this, or of base: the first base that is a class.
func (c evaluator) self(s resolve.Scope, base bool) resolve.Value {
	t := around(s.File, s.At)
	if t < 0 {
		return resolve.Value{}
	}
	self := self(s.File.Ref(t))
	if !base {
		return instance(self, resolve.TypedWritten)
	}
	bases, _ := bases(c.w, csharpResolve(c.w, self))
	for _, b := range bases {
		switch {
		case b.known() && !b.isInterface():
			return instance(typed(b), resolve.TypedWritten)
		case b.lib != nil && !isInterfaceName(b.name):
			return instance(b.written(), resolve.TypedWritten)
		}
	}
	return resolve.Value{Kind: resolve.Foreign}
}

// typed returns t, a type of the workspace, as a resolve.Type: Box<T> with the binding of T to the type
// argument of t.
func typed(t csharpType) resolve.Type {
	self := self(t.parts[0])
	self.Bind = t.bind()
	return self
}

// ofType returns the value of the member called name of a value of type t. If there is no such member,
// found is false, and foreign reports that a base class outside the workspace may have it.
func (c evaluator) ofType(s resolve.Scope, t csharpType, name string) (v resolve.Value, found, foreign bool) {
	if !t.known() {
		return resolve.Value{}, false, false
	}
	levels, foreign := lineage(c.w, t)
	for _, level := range levels {
		for _, r := range own(s, level, name) {
			switch m := r.Symbol(); {
			case m.Kind.Callable():
				return resolve.Value{Kind: resolve.Function, Module: name, Type: typed(t)}, true, false
			case resolve.IsType(m.Kind):
				return resolve.Value{Kind: resolve.Class, Ref: r, Type: self(r)}, true, false
			case r.Parent().Symbol().Kind == code.KindEnum:
				return instance(self(r.Parent()), resolve.TypedWritten), true, false
			default:
				v := instance(resolve.Type{Text: m.Returns, File: r.File, Scope: r.Symbol().Parent,
					Bind: level.bind()}, resolve.TypedWritten)
				v.Property = r
				return v, true, false
			}
		}
	}
	return resolve.Value{}, false, foreign
}

// Member evaluates x.Name: a type of a namespace (System.Text), a static member, a field or a
// property. A method becomes a Function value; Result selects its overload when the value is
// called.
func (c evaluator) Member(s resolve.Scope, x resolve.Value, e *expr.Expr) resolve.Value {
	switch x.Kind {
	case resolve.Module:
		if x.Module == "global" { // global::App.Job
			return c.typeNamed(s, "global::"+e.Name, 0)
		}
		return c.typeNamed(s, x.Module+"."+e.Name, 0)
	case resolve.Foreign:
		x.Origin = resolve.Handed // base.Part: a property of a library's class may hold any object
		return x
	case resolve.Class, resolve.Instance:
		t := csharpResolve(c.w, x.Type)
		v, found, _ := c.ofType(s, t, e.Name)
		switch {
		case found && v.Kind == resolve.Instance:
			return v.Via(x.How)
		case found && v.Kind == resolve.Function && x.Kind == resolve.Instance:
			v.How = x.How
			return v
		case found:
			return v
		case len(t.any) > 0:
			for _, b := range t.any {
				if v, found, _ := c.ofType(s, csharpResolve(c.w, b), e.Name); found {
					return v.Via(resolve.TypedElement)
				}
			}
		}
		if p, ok := c.libraryMember(t, x, e.Name); ok {
			return p
		}
		return resolve.Value{Kind: resolve.Function, Module: e.Name, Type: x.Type, How: x.How}
	}
	return resolve.Value{}
}

// handsOf returns the arguments of a call expression as hands.
func handsOf(e *expr.Expr) hands {
	return hands{count: len(e.Args), args: e.Args, typeCount: len(e.TypeArgs), types: e.TypeArgs}
}

// Index evaluates x[i] by the indexer of x's type. xs[1..] of an array, string or span is xs.
func (c evaluator) Index(s resolve.Scope, x resolve.Value, e *expr.Expr) resolve.Value {
	if x.Kind != resolve.Instance {
		return resolve.Value{}
	}
	t := csharpResolve(c.w, x.Type)
	if t.known() {
		if v, found := c.indexer(s, t, e); found {
			return v.Via(x.How)
		}
	}
	if len(e.Args) == 1 && strings.Contains(e.Args[0].Text, "..") {
		if name := csharpName(t.name); name != "string" && name != "[]" && !strings.HasSuffix(name, "Span") {
			return resolve.Value{}
		}
		return x // a range, xs[1..], has the type of xs
	}
	if p, ok := tabledProperty(c.w, t, "this"); ok {
		return instance(p, resolve.TypedElement).Via(x.How)
	}
	return resolve.Value{}
}

// indexer returns the value of x[i], where x is of type t. It looks for the nearest type, among t and its
// bases, that declares indexers, and selects the indexer that takes the arguments. found is false if no
// type declares any.
//
//	public Order this[int i] => ...
//	public Item this[string name] => ...
func (c evaluator) indexer(s resolve.Scope, t csharpType, e *expr.Expr) (v resolve.Value, found bool) {
	levels, _ := lineage(c.w, t)
	for _, level := range levels {
		var fit []method
		for _, r := range own(s, level, "this") {
			fit = append(fit, method{Ref: r, bind: level.bind()})
		}
		if len(fit) == 0 {
			continue
		}
		chosen := csharpFound{method: fit[0], ok: true}
		if len(fit) > 1 {
			chosen = choose(c.w, s, fit, handsOf(e))
		}
		if !chosen.ok {
			return resolve.Value{}, true
		}
		r := chosen.method.Ref
		v := instance(resolve.Type{Text: r.Symbol().Returns, File: r.File, Scope: r.Symbol().Parent,
			Bind: level.bind()}, resolve.TypedWritten)
		v.Property = r
		return v, true
	}
	return resolve.Value{}, false
}

// libraryMember returns the value of a property of the library type t. x is the receiver: a value of t or,
// for a static property and an enum constant, t itself. A type such as "int?" also has the property Value.
// It returns false if t has no such property.
func (c evaluator) libraryMember(t csharpType, x resolve.Value, name string) (resolve.Value, bool) {
	switch {
	case t.lib != nil && x.Kind == resolve.Class && slices.Equal(t.lib.Bases, enumBases):
		return instance(t.written(), resolve.TypedWritten), true
	case x.Kind == resolve.Instance && strings.HasSuffix(x.Type.Text, "?") && name == "Value":
		return x, true
	}
	p, ok := tabledProperty(c.w, t, name)
	return instance(p, resolve.TypedElement).Via(x.How), ok
}

var enumBases = []string{"Enum"}

func (c evaluator) Construct(s resolve.Scope, e *expr.Expr) resolve.Value {
	if e.Type == "" {
		return resolve.Value{}
	}
	return instance(resolve.Type{Text: e.Type, File: s.File, Scope: s.At}, resolve.TypedValue)
}

func (c evaluator) Cast(s resolve.Scope, _ resolve.Value, e *expr.Expr) resolve.Value {
	return instance(resolve.Type{Text: e.Type, File: s.File, Scope: s.At}, resolve.TypedWritten)
}

// Unary evaluates await x, x?, !x, -x and typeof(T).
func (c evaluator) Unary(s resolve.Scope, x resolve.Value, e *expr.Expr) resolve.Value {
	switch e.Name {
	case "await":
		if x.Kind == resolve.Instance {
			return c.awaited(x)
		}
		return resolve.Value{}
	case "?", "ref":
		return x
	case "!":
		return instance(resolve.Type{Text: "bool", File: s.File, Scope: s.At}, resolve.TypedWritten)
	case "-", "+", "~":
		return x
	case "typeof":
		return instance(resolve.Type{Text: "Type", File: s.File, Scope: -1}, resolve.TypedWritten)
	}
	return resolve.Value{}
}

// awaited evaluates await x as x.GetAwaiter().GetResult().
func (c evaluator) awaited(x resolve.Value) resolve.Value {
	t := csharpResolve(c.w, x.Type)
	for _, name := range []string{"GetAwaiter", "GetResult"} {
		g, ok := tabledOwn(c.w, t, name, 0)
		if !ok {
			return resolve.Value{}
		}
		x = instance(g.typ(g.result), resolve.TypedResult).Via(x.How)
		t = csharpResolve(c.w, x.Type)
	}
	return x
}

func (c evaluator) Literal(s resolve.Scope, e *expr.Expr) resolve.Value {
	text := ""
	switch {
	case e.Name == "string" && strings.HasPrefix(e.Text, "'"):
		text = "char"
	case e.Name == "string":
		text = "string"
	case e.Name == "number":
		text = number(e.Text)
	}
	if text == "" {
		return resolve.Value{}
	}
	return instance(resolve.Type{Text: text, Scope: inLibrary}, resolve.TypedWritten)
}

// number returns the type of a literal: 1, 1L, 1u, 1.5, 1.5f, 1m. It returns "" if the type depends
// on the value, as it does for hexadecimal and large numbers.
func number(text string) string {
	lower := strings.ToLower(strings.ReplaceAll(text, "_", ""))
	hex := strings.HasPrefix(lower, "0x")
	switch last := lower[len(lower)-1]; {
	case strings.HasSuffix(lower, "ul") || strings.HasSuffix(lower, "lu"):
		return "ulong"
	case last == 'l':
		return "long"
	case last == 'u':
		return "uint"
	case hex || strings.HasPrefix(lower, "0b"):
		return ""
	case last == 'f':
		return "float"
	case last == 'm':
		return "decimal"
	case last == 'd', strings.ContainsAny(lower, ".e"):
		return "double"
	case len(lower) < 10:
		return "int"
	}
	return ""
}

// Binary evaluates a ?? b and c ? a : b by the side whose type is known, comparisons as bool, and
// "a" + b as string.
func (c evaluator) Binary(s resolve.Scope, e *expr.Expr) resolve.Value {
	switch e.Name {
	case "??", "?:":
		for _, a := range e.Args[len(e.Args)-2:] {
			if v := c.eval(s, a); v.Kind == resolve.Instance {
				return v
			}
		}
	case "==", "!=", "<", ">", "<=", ">=", "&&", "||", "is":
		return instance(resolve.Type{Text: "bool", File: s.File, Scope: s.At}, resolve.TypedWritten)
	case "+":
		for _, a := range e.Args {
			if v := c.eval(s, a); v.Kind == resolve.Instance &&
				csharpName(csharpResolve(c.w, v.Type).name) == "string" {
				return v
			}
		}
	}
	return resolve.Value{}
}

// Marked evaluates names whose values are not written as expressions: x of foreach (var x in xs), x
// of out var x, the parameter of a lambda, and a of var (a, b) = pair.
func (c evaluator) Marked(s resolve.Scope, x resolve.Value, e *expr.Expr) resolve.Value {
	m := e.Marker()
	if m == code.MarkEach {
		return c.each(s, x)
	}
	if i, ok := m.Out(); ok {
		return c.expected(s, x, e.X, i, func(t resolve.Type) (resolve.Type, bool) { return t, true })
	}
	if i, k, ok := m.In(); ok {
		return c.handed(s, x, e.X, i, k)
	}
	i, ok := m.Part()
	if t := csharpResolve(c.w, x.Type); ok && x.Kind == resolve.Instance && t.name == "()" && i < len(t.args) {
		element := t.args[i]
		element.Text, _, _ = cutLast(element.Text)
		return instance(element, resolve.TypedElement)
	}
	return resolve.Value{}
}
