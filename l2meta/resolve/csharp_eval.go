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
	return Eval(csharpEvaluator{w}, s, csharpNames(e))
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
		v := csharpEval(Scope{W: w, File: f, At: fact.Owner, Pos: fact.Span.StartByte}, w, ParseExpr(fact.Type, csharpDialect))
		if v.Kind != Instance {
			return Value{}
		}
		return v
	})
}

func (c csharpEvaluator) Name(s Scope, e *Expr) Value {
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

func (c csharpEvaluator) Member(s Scope, x Value, e *Expr) Value {
	switch x.Kind {
	case Module:
		return c.typeNamed(s, x.Module+"."+e.Name, 0)
	case Foreign:
		x.Origin = Handed // base.Part: a property of a library's class may hold anything
		return x
	case Class, Instance:
		t := csharpResolve(c.w, x.Type)
		v, found, _ := c.ofType(s, t, e.Name)
		switch {
		case found && v.Kind == Instance:
			return v.Via(x.How)
		case found && v.Kind == Function && x.Kind == Instance:
			v.How = x.How
			return v
		case found:
			return v
		case len(t.any) > 0:
			for _, b := range t.any {
				if v, found, _ := c.ofType(s, csharpResolve(c.w, b), e.Name); found {
					return v.Via(TypedElement)
				}
			}
		}
		if std, ok := csharpStandardProperty(t, e.Name); ok {
			return csharpInstance(std, TypedElement).Via(x.How)
		}
		return Value{Kind: Function, Module: e.Name, Type: x.Type, How: x.How}
	}
	return Value{}
}

// hands is what a call expression hands over.
func csharpHandsOf(e *Expr) csharpHands {
	return csharpHands{count: len(e.Args), args: e.Args, typeCount: len(e.TypeArgs), types: e.TypeArgs}
}

func (c csharpEvaluator) Index(s Scope, x Value, e *Expr) Value {
	if x.Kind != Instance {
		return Value{}
	}
	t := csharpResolve(c.w, x.Type)
	if t.known() {
		v, found, _ := c.ofType(s, t, "this")
		if found {
			return v.Via(x.How)
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

func (c csharpEvaluator) Construct(s Scope, e *Expr) Value {
	if e.Type == "" {
		return Value{}
	}
	return csharpInstance(Type{Text: e.Type, File: s.File, Scope: s.At}, TypedValue)
}

func (c csharpEvaluator) Cast(s Scope, _ Value, e *Expr) Value {
	return csharpInstance(Type{Text: e.Type, File: s.File, Scope: s.At}, TypedWritten)
}

func (c csharpEvaluator) Unary(s Scope, x Value, e *Expr) Value {
	switch e.Name {
	case "await":
		if t := csharpResolve(c.w, x.Type); x.Kind == Instance && (t.name == "Task" || t.name == "ValueTask" || t.name == "ConfiguredTaskAwaitable") && len(t.args) == 1 {
			return csharpInstance(t.args[0], TypedResult).Via(x.How)
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

func (c csharpEvaluator) Literal(s Scope, e *Expr) Value {
	if e.Name == "string" {
		return csharpInstance(Type{Text: "string", File: s.File, Scope: s.At}, TypedWritten)
	}
	return Value{}
}

func (c csharpEvaluator) Binary(s Scope, e *Expr) Value {
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

func (c csharpEvaluator) Marked(s Scope, x Value, e *Expr) Value {
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
