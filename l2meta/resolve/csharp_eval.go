package resolve

import (
	"strconv"
	"strings"

	"sextant/internal/code"
)

var csharpDialect = Dialect{Casts: true, Generics: true, Arrows: true}

// csharpEvaluator reads C# expressions. A method group is a Function whose
// Module is the method's name and whose Type or Ref is that of the receiver: which
// method it is shows only when it is called.
type csharpEvaluator struct{ w *World }

func csharpEval(s Scope, w *World, e *Expr) Value {
	if e.Op == OpGeneric { // a receiver: Type<T>
		e = csharpNames(&Expr{Op: OpMember, X: e}).X
	}
	return eval(csharpEvaluator{w}, s, csharpNames(e))
}

// csharpNames writes the type arguments of a name before a member into the
// name: it is another type than the name without them.
func csharpNames(e *Expr) *Expr {
	if e.X == nil {
		return e
	}
	copied := *e
	copied.X = csharpNames(e.X)
	if e.Op == OpMember && e.X.Op == OpGeneric && (e.X.X.Op == OpName || e.X.X.Op == OpMember) {
		name := *csharpNames(e.X.X)
		name.Name += "<" + strings.Join(e.X.TypeArgs, ", ") + ">"
		copied.X = &name
	}
	return &copied
}

// csharpSelf is the type that symbol r declares, with its own parameters.
func csharpSelf(r Ref) Type {
	text := "global::" + csharpFullName(r)
	if p := csharpTypeParameters(r); len(p) > 0 {
		text += "<" + strings.Join(p, ", ") + ">"
	}
	return Type{Text: text, File: r.File, Scope: r.Index}
}

func csharpInstance(t Type, how Strategy) Value { return Value{Kind: Instance, Type: t, How: how} }

// csharpAround is the type around symbol at, itself included; -1 without one.
func csharpAround(f *File, at int) int {
	if at >= 0 && IsType(f.Symbols[at].Kind) {
		return at
	}
	if at < 0 {
		return -1
	}
	return f.Type(at)
}

// csharpLocal is the fact that binds a local name at s: of those in scope the
// one that was declared last.
func csharpLocal(s Scope, name string) *code.Fact {
	for at := s.At; ; at = s.File.Symbols[at].Parent {
		var best *code.Fact
		for _, f := range s.File.FactsOf(at) {
			if f.Name != name || f.Kind != code.FactParam && f.Kind != code.FactVar && f.Kind != code.FactAssign {
				continue
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

type csharpFactKey struct {
	file int64
	fact *code.Fact
}

// csharpBound is the value that a local name stands for.
func csharpBound(w *World, f *File, fact *code.Fact) Value {
	if fact.Kind != code.FactAssign {
		return csharpInstance(Type{Text: fact.Type, File: f, Scope: fact.Owner}, TypedWritten)
	}
	return Derive(w, csharpFactKey{f.ID, fact}, func() Value {
		v := csharpEval(Scope{w, f, fact.Owner, fact.Span.StartByte}, w, ParseExpr(fact.Type, csharpDialect))
		if v.Kind != Instance {
			return Value{}
		}
		return v
	})
}

func (c csharpEvaluator) name(s Scope, e *Expr) Value {
	switch e.Name {
	case "this", "base":
		return c.self(s, e.Name == "base")
	case "true", "false":
		return csharpInstance(Type{Text: "bool", File: s.File, Scope: s.At}, TypedWritten)
	case "null", "default":
		return Value{}
	}
	if csharpPrimitive(e.Name) || e.Name == "object" {
		return Value{Kind: Class, Type: Type{Text: e.Name, File: s.File, Scope: s.At}}
	}
	if fact := csharpLocal(s, e.Name); fact != nil {
		return csharpBound(c.w, s.File, fact)
	}
	for t := csharpAround(s.File, s.At); t >= 0; t = s.File.Type(t) {
		v, found, foreign := c.ofType(s, csharpResolve(c.w, csharpSelf(s.File.Ref(t))), e.Name)
		if found {
			return v
		}
		if foreign && len(csharpSimple(c.w, s.File, s.At, e.Name, 0)) == 0 {
			return Value{}
		}
	}
	return c.typeNamed(s, e.Name, 0)
}

// typeNamed is the type or, for want of one, the namespace of that name.
func (c csharpEvaluator) typeNamed(s Scope, name string, arity int) Value {
	if plain, arguments := csharpCut(name); len(arguments) > 0 {
		if parts := csharpQualified(c.w, s.File, s.At, plain, len(arguments)); len(parts) > 0 {
			return Value{Kind: Class, Ref: parts[0], Type: Type{Text: name, File: s.File, Scope: s.At}}
		}
		return Value{Kind: Module, Module: plain}
	}
	if parts := csharpQualified(c.w, s.File, s.At, name, arity); len(parts) > 0 {
		return Value{Kind: Class, Ref: parts[0], Type: csharpSelf(parts[0])}
	}
	return Value{Kind: Module, Module: name}
}

func (c csharpEvaluator) self(s Scope, base bool) Value {
	t := csharpAround(s.File, s.At)
	if t < 0 {
		return Value{}
	}
	self := csharpSelf(s.File.Ref(t))
	if !base {
		return csharpInstance(self, TypedWritten)
	}
	bases, _ := csharpBases(c.w, csharpResolve(c.w, self))
	for _, b := range bases {
		if b.known() && !b.isInterface() {
			return csharpInstance(csharpTyped(b), TypedWritten)
		}
	}
	return Value{Kind: Foreign}
}

// csharpTyped is the Type of what was resolved to a type of the workspace.
func csharpTyped(t csharpType) Type {
	self := csharpSelf(t.parts[0])
	self.Bind = t.bind()
	return self
}

// ofType is the member of that name of t; foreign says that a base class
// outside of the workspace may have it.
func (c csharpEvaluator) ofType(s Scope, t csharpType, name string) (v Value, found, foreign bool) {
	if !t.known() {
		return Value{}, false, false
	}
	levels, foreign := csharpLineage(c.w, t)
	for _, level := range levels {
		for _, r := range csharpOwn(s, level, name) {
			switch m := r.Symbol(); {
			case m.Kind.Callable():
				return Value{Kind: Function, Module: name, Type: csharpTyped(t)}, true, false
			case IsType(m.Kind):
				return Value{Kind: Class, Ref: r, Type: csharpSelf(r)}, true, false
			case r.Parent().Symbol().Kind == code.KindEnum:
				return csharpInstance(csharpSelf(r.Parent()), TypedWritten), true, false
			default:
				return csharpInstance(Type{Text: m.Returns, File: r.File, Scope: r.Symbol().Parent, Bind: level.bind()}, TypedWritten), true, false
			}
		}
	}
	return Value{}, false, foreign
}

func (c csharpEvaluator) member(s Scope, x Value, e *Expr) Value {
	switch x.Kind {
	case Module:
		return c.typeNamed(s, x.Module+"."+e.Name, 0)
	case Foreign:
		return x
	case Class, Instance:
		t := csharpResolve(c.w, x.Type)
		v, found, _ := c.ofType(s, t, e.Name)
		switch {
		case found && v.Kind == Instance:
			return v.via(x.How)
		case found && v.Kind == Function && x.Kind == Instance:
			v.How = x.How
			return v
		case found:
			return v
		case len(t.any) > 0:
			for _, b := range t.any {
				if v, found, _ := c.ofType(s, csharpResolve(c.w, b), e.Name); found {
					return v.via(TypedElement)
				}
			}
		}
		if std, ok := csharpStandardProperty(t, e.Name); ok {
			return csharpInstance(std, TypedElement).via(x.How)
		}
		return Value{Kind: Function, Module: e.Name, Type: x.Type, How: x.How}
	}
	return Value{}
}

// hands is what a call expression hands over.
func csharpHandsOf(e *Expr) csharpHands {
	return csharpHands{count: len(e.Args), args: e.Args, typeCount: len(e.TypeArgs), types: e.TypeArgs}
}

func (c csharpEvaluator) result(s Scope, f Value, e *Expr) Value {
	h := csharpHandsOf(e)
	x := e.X
	if x.Op == OpGeneric {
		h.typeCount, h.types, x = len(x.TypeArgs), x.TypeArgs, x.X
	}
	switch {
	case f.Kind == Instance: // a delegate
		return c.invoked(f)
	case x.Op == OpName && x.Name == "nameof":
		return c.literal(s, &Expr{Name: "string"})
	case x.Op == OpName:
		return c.resultOf(s, csharpUnqualified(c.w, s, x.Name, h), h, Type{}, "")
	case f.Kind != Function:
		return Value{}
	}
	found, _ := csharpMember(c.w, s, f.Type, f.Module, h)
	v := c.resultOf(s, found, h, f.Type, f.How)
	if v.Kind == Unknown && !found.ok && !found.several {
		if std, ok := csharpStandardResult(csharpResolve(c.w, f.Type), f.Module); ok {
			return csharpInstance(std, TypedElement).via(f.How)
		}
	}
	return v
}

// invoked is the result of calling a delegate: the last argument of Func.
func (c csharpEvaluator) invoked(f Value) Value {
	t := csharpResolve(c.w, f.Type)
	if t.known() {
		for _, fact := range t.parts[0].Facts() {
			if fact.Kind == code.FactResult {
				return csharpInstance(Type{Text: fact.Type, File: t.parts[0].File, Scope: t.parts[0].Index, Bind: t.bind()}, TypedResult)
			}
		}
	}
	if t.name == "Func" && len(t.args) > 0 {
		return csharpInstance(t.args[len(t.args)-1], TypedResult)
	}
	return Value{}
}

// resultOf is what a method gives back: of several that fit, what all give.
func (c csharpEvaluator) resultOf(s Scope, found csharpFound, h csharpHands, receiver Type, how Strategy) Value {
	switch {
	case found.value.Valid():
		m := found.value.Symbol()
		return c.invoked(csharpInstance(Type{Text: m.Returns, File: found.value.File, Scope: m.Parent, Bind: found.bind}, how))
	case found.ok:
		return csharpInstance(c.returns(s, found.method, h, receiver), TypedResult).via(how)
	case len(found.all) > 0:
		first := found.all[0].Symbol().Returns
		for _, r := range found.all {
			if r.Symbol().Returns != first || len(csharpTypeParameters(r)) > 0 {
				return Value{}
			}
		}
		return csharpInstance(Type{Text: first, File: found.all[0].File, Scope: found.all[0].Index, Bind: found.bind}, TypedResult).via(how)
	}
	return Value{}
}

// returns is the result type of m for what is handed over: its type parameters
// are what is written, or what the arguments that are just of them tell.
func (c csharpEvaluator) returns(s Scope, m csharpMethod, h csharpHands, receiver Type) Type {
	sym := m.Symbol()
	t := Type{Text: sym.Returns, File: m.File, Scope: m.Index, Bind: m.bind}
	names := csharpTypeParameters(m.Ref)
	if len(names) == 0 {
		return t
	}
	if len(h.types) == len(names) {
		for i, n := range names {
			t.Bind = &Binding{Name: n, Type: Type{Text: h.types[i], File: s.File, Scope: s.At}, Next: t.Bind}
		}
		return t
	}
	for _, n := range names {
		if bound, ok := c.infer(s, m, n, h, receiver); ok {
			t.Bind = &Binding{Name: n, Type: bound, Next: t.Bind}
		}
	}
	return t
}

func (c csharpEvaluator) infer(s Scope, m csharpMethod, name string, h csharpHands, receiver Type) (Type, bool) {
	if m.first == 1 {
		if bound, ok := c.unify(csharpBare(m.Symbol().Parameters[0].Type), name, receiver); ok {
			return bound, true
		}
	}
	for i, a := range h.args {
		p, ok := m.parameter(h, i)
		if !ok || !strings.Contains(p.Type, name) {
			continue
		}
		if v := csharpEval(s, c.w, a); v.Kind == Instance {
			if bound, ok := c.unify(csharpBare(p.Type), name, v.Type); ok {
				return bound, true
			}
		}
	}
	return Type{}, false
}

// unify is what the type parameter name is when t is handed to text: T itself,
// or one of the arguments of the same generic type.
func (c csharpEvaluator) unify(text, name string, t Type) (Type, bool) {
	if text == name {
		return t, t.File != nil
	}
	want, arguments := csharpCut(text)
	have := csharpResolve(c.w, t)
	for i, a := range arguments {
		if a != name {
			continue
		}
		for _, b := range csharpSupertypes(c.w, have) {
			same := !b.known() && csharpIs(b, csharpType{name: want}) || b.known() && b.parts[0].Symbol().Name == want
			if same && len(b.args) == len(arguments) {
				return b.args[i], true
			}
		}
	}
	return Type{}, false
}

func (c csharpEvaluator) index(s Scope, x Value, e *Expr) Value {
	if x.Kind != Instance {
		return Value{}
	}
	t := csharpResolve(c.w, x.Type)
	if t.known() {
		v, found, _ := c.ofType(s, t, "this")
		if found {
			return v.via(x.How)
		}
		return Value{}
	}
	switch {
	case strings.HasSuffix(t.name, "Dictionary") && len(t.args) == 2:
		return csharpInstance(t.args[1], TypedElement)
	case len(t.args) == 1 && (csharpSequences[t.name] || t.name == "[]" || t.name == "Span" || t.name == "ReadOnlySpan"):
		return csharpInstance(t.args[0], TypedElement)
	}
	return Value{}
}

func (c csharpEvaluator) construct(s Scope, e *Expr) Value {
	if e.Type == "" {
		return Value{}
	}
	return csharpInstance(Type{Text: e.Type, File: s.File, Scope: s.At}, TypedValue)
}

func (c csharpEvaluator) cast(s Scope, _ Value, e *Expr) Value {
	return csharpInstance(Type{Text: e.Type, File: s.File, Scope: s.At}, TypedWritten)
}

func (c csharpEvaluator) unary(s Scope, x Value, e *Expr) Value {
	switch e.Name {
	case "await":
		if t := csharpResolve(c.w, x.Type); x.Kind == Instance && (t.name == "Task" || t.name == "ValueTask" || t.name == "ConfiguredTaskAwaitable") && len(t.args) == 1 {
			return csharpInstance(t.args[0], TypedResult).via(x.How)
		}
		return Value{}
	case "?", "ref":
		return x
	case "!":
		return csharpInstance(Type{Text: "bool", File: s.File, Scope: s.At}, TypedWritten)
	case "-", "+", "~":
		return x
	case "typeof":
		return csharpInstance(Type{Text: "Type", File: s.File, Scope: -1}, TypedWritten)
	}
	return Value{}
}

func (c csharpEvaluator) literal(s Scope, e *Expr) Value {
	if e.Name == "string" {
		return csharpInstance(Type{Text: "string", File: s.File, Scope: s.At}, TypedWritten)
	}
	return Value{}
}

func (c csharpEvaluator) binary(s Scope, e *Expr) Value {
	switch e.Name {
	case "??", "?:":
		for _, a := range e.Args[len(e.Args)-2:] {
			if v := csharpEval(s, c.w, a); v.Kind == Instance {
				return v
			}
		}
	case "==", "!=", "<", ">", "<=", ">=", "&&", "||", "is":
		return csharpInstance(Type{Text: "bool", File: s.File, Scope: s.At}, TypedWritten)
	}
	return Value{}
}

func (c csharpEvaluator) marked(s Scope, x Value, e *Expr) Value {
	switch {
	case e.Name == "each":
		return c.each(s, x)
	case strings.HasPrefix(e.Name, "out"):
		i, _ := strconv.Atoi(e.Name[3:])
		return c.expected(s, x, e.X, i, func(t Type) (Type, bool) { return t, true })
	case strings.HasPrefix(e.Name, "in"):
		a, b, _ := strings.Cut(e.Name[2:], "x")
		i, _ := strconv.Atoi(a)
		k, _ := strconv.Atoi(b)
		return c.handed(s, x, e.X, i, k)
	}
	i, err := strconv.Atoi(e.Name)
	if t := csharpResolve(c.w, x.Type); err == nil && x.Kind == Instance && t.name == "()" && i < len(t.args) {
		element := t.args[i]
		element.Text, _, _ = csharpCutLast(element.Text)
		return csharpInstance(element, TypedElement)
	}
	return Value{}
}

// csharpCutLast takes the name off an element of a tuple type: "List<int> xs".
func csharpCutLast(text string) (typ, name string, ok bool) {
	i := strings.LastIndexByte(text, ' ')
	if i < 0 || strings.ContainsAny(text[i:], ">)]") {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}

// each is an element of what is iterated over.
func (c csharpEvaluator) each(s Scope, x Value) Value {
	if x.Kind != Instance {
		return Value{}
	}
	for _, t := range csharpSupertypes(c.w, csharpResolve(c.w, x.Type)) {
		if element, ok := csharpElement(t); ok {
			return csharpInstance(element, TypedElement).via(x.How)
		}
	}
	return Value{}
}

// expected is the type of parameter i of the methods that x may be, where all
// agree, as pick sees it.
func (c csharpEvaluator) expected(s Scope, x Value, fn *Expr, i int, pick func(Type) (Type, bool)) Value {
	h := csharpHands{count: -1}
	if fn.Op == OpGeneric {
		h.typeCount, h.types, fn = len(fn.TypeArgs), fn.TypeArgs, fn.X
	}
	var found csharpFound
	switch {
	case fn.Op == OpNew:
		return c.handedToConstructor(s, fn, i, pick)
	case fn.Op == OpName:
		found = csharpUnqualified(c.w, s, fn.Name, h)
	case x.Kind == Function:
		found, _ = csharpMember(c.w, s, x.Type, x.Module, h)
	}
	methods := found.all
	if found.ok {
		methods = []Ref{found.method.Ref}
		found.bind = found.method.bind
	}
	var out Value
	for _, m := range methods {
		at := i
		if csharpThis(m) != "" && x.Kind == Function && !csharpResolve(c.w, x.Type).isStaticClass(m) {
			at++
		}
		p := m.Symbol().Parameters
		if at >= len(p) {
			continue
		}
		t := Type{Text: p[at].Type, File: m.File, Scope: m.Index, Bind: found.bind}
		if names := csharpTypeParameters(m); len(names) == len(h.types) {
			for i, n := range names {
				t.Bind = &Binding{Name: n, Type: Type{Text: h.types[i], File: s.File, Scope: s.At}, Next: t.Bind}
			}
		}
		picked, ok := pick(t)
		if !ok {
			continue
		}
		if out.Kind == Instance && out.Type.Text != picked.Text {
			return Value{}
		}
		out = csharpInstance(picked, TypedElement)
	}
	return out
}

// handedToConstructor is expected for the constructors of a type.
func (c csharpEvaluator) handedToConstructor(s Scope, fn *Expr, i int, pick func(Type) (Type, bool)) (out Value) {
	t := csharpResolve(c.w, Type{Text: fn.Type, File: s.File, Scope: s.At})
	for _, part := range t.parts {
		for _, m := range append(part.File.Children(part.Index), part.Index) {
			k := &part.File.Symbols[m]
			if k.Kind != code.KindConstructor && m != part.Index || i >= len(k.Parameters) {
				continue
			}
			picked, ok := pick(Type{Text: k.Parameters[i].Type, File: part.File, Scope: m, Bind: t.bind()})
			switch {
			case !ok:
			case out.Kind == Instance && out.Type.Text != picked.Text:
				return Value{}
			default:
				out = csharpInstance(picked, TypedElement)
			}
		}
	}
	return out
}

// isStaticClass reports whether m is called through its own class.
func (t csharpType) isStaticClass(m Ref) bool {
	return t.known() && m.Parent().Valid() && t.parts[0] == m.Parent()
}

// handed is the k-th parameter of a lambda that is argument i of fn.
func (c csharpEvaluator) handed(s Scope, x Value, fn *Expr, i, k int) Value {
	v := c.expected(s, x, fn, i, func(t Type) (Type, bool) { return c.parameterOf(t, k) })
	if v.Kind == Instance || x.Kind != Function {
		return v
	}
	t := csharpResolve(c.w, x.Type)
	if k > 0 || !csharpTakesElement(x.Module) {
		return Value{}
	}
	for _, t := range csharpSupertypes(c.w, t) {
		if element, ok := csharpElement(t); ok {
			return csharpInstance(element, TypedElement).via(x.How)
		}
	}
	return Value{}
}

// parameterOf is the k-th parameter of a delegate type.
func (c csharpEvaluator) parameterOf(t Type, k int) (Type, bool) {
	d := csharpResolve(c.w, t)
	if d.known() {
		p := d.parts[0].Symbol().Parameters
		if d.parts[0].Symbol().Kind != code.KindType || k >= len(p) {
			return Type{}, false
		}
		return Type{Text: p[k].Type, File: d.parts[0].File, Scope: d.parts[0].Index, Bind: d.bind()}, true
	}
	if d.name == "Expression" && len(d.args) == 1 {
		return c.parameterOf(d.args[0], k)
	}
	count := len(d.args)
	if d.name == "Func" {
		count--
	}
	if (d.name == "Func" || d.name == "Action" || d.name == "Predicate" || d.name == "Comparison") && k < count {
		return d.args[k], true
	}
	return Type{}, false
}
