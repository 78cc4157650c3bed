package jvm

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/resolve"
)

// evaluator evaluates names, expressions and calls.
type evaluator struct{ *jvm }

// jvmValue is the result of evaluating an expression.
type jvmValue struct {
	kind   resolve.ValueKind
	typ    jvmType          // set for Instance and Class
	pkg    string           // package; set for Module, and for Foreign if known
	origin resolve.Origin   // set for Foreign
	super  bool             // the expression is "super", so that overrides do not run
	own    bool             // the expression is "this"
	how    resolve.Strategy // the weakest step on which the type depends
	reason string           // why it is Unknown
	// member is the property from which an Instance was read; a function may be assigned to it:
	// job.onDone.
	member resolve.Ref
}

func (v jvmValue) via(s resolve.Strategy) jvmValue {
	v.how = resolve.Weaker(v.how, s)
	return v
}

func of(t jvmType) jvmValue {
	if t.kind == unknown {
		return jvmValue{}
	}
	return jvmValue{kind: resolve.Instance, typ: t}
}

func named(t jvmType) jvmValue {
	switch t.kind {
	case declared:
		return jvmValue{kind: resolve.Class, typ: t}
	case jvmForeign:
		return jvmValue{kind: resolve.Class, typ: t, pkg: t.module}
	}
	return jvmValue{}
}

// library returns the type called name in a package of the standard library.
func library(module, name string, args ...resolve.Type) jvmType {
	return jvmType{kind: jvmForeign, module: module, name: name, args: args}
}

type exprKey string

func (p place) parse(text string) *expr.Expr {
	if p.file.Language == "kotlin" && !strings.ContainsAny(text, "\"'") {
		text = strings.ReplaceAll(text, "`", "") // removes the backquotes around names that are keywords
	}
	return resolve.Memo(p.file, exprKey(text), func() *expr.Expr {
		return expr.Parse(text, dialects[p.file.Language])
	})
}

var dialects = map[string]expr.Dialect{
	"java":   {Casts: true, Generics: true, Arrows: true, Plain: true},
	"kotlin": {Generics: true, Blocks: true, Plain: true, Labels: true, Infix: true},
}

// eval returns the value of expression e in the scope of p. The zero jvmValue means that it is unknown.
func (j evaluator) eval(p place, e *expr.Expr) jvmValue {
	if !j.enter() {
		return jvmValue{}
	}
	defer j.leave()
	switch e.Op {
	case expr.OpName:
		return j.name(p, e.Name)
	case expr.OpMember:
		return j.selected(p, e)
	case expr.OpCall:
		return j.result(p, e)
	case expr.OpNew:
		return of(j.types.read(p.typ(e.Type))).via(resolve.TypedValue)
	case expr.OpCast:
		return of(j.types.read(p.typ(e.Type))).via(resolve.TypedWritten)
	case expr.OpIndex:
		x := j.eval(p, e.X)
		if p.file.Language == "kotlin" && x.typ.kind == declared {
			if v := j.memberResult(p, x, memberCall(e.X, "get", e.Args...)); v.kind != resolve.Unknown {
				return v
			}
		}
		return j.library.element(x, "get")
	case expr.OpUnary:
		x := j.eval(p, e.X)
		if e.Name != "!" {
			return x
		}
		if p.file.Language == "kotlin" && x.typ.kind == declared {
			return j.memberResult(p, x, memberCall(e.X, "not"))
		}
		return of(library("java.lang", "boolean"))
	case expr.OpBinary:
		return j.binary(p, e)
	case expr.OpLiteral:
		return literal(e)
	case expr.OpGeneric:
		return j.eval(p, e.X)
	case expr.OpSuffixed:
		return j.marked(p, e)
	}
	return jvmValue{}
}

// literal returns the type of a literal. The notation of a number determines its type.
func literal(e *expr.Expr) jvmValue {
	text := strings.ToLower(strings.ReplaceAll(e.Text, "_", ""))
	hex := strings.HasPrefix(strings.TrimLeft(text, "+-"), "0x")
	switch {
	case e.Name == "string" && strings.HasPrefix(text, "'"):
		return of(library("java.lang", "char"))
	case e.Name == "string":
		return of(library("java.lang", "String"))
	case e.Name != "number":
		return jvmValue{}
	case strings.HasSuffix(text, "l"):
		return of(library("java.lang", "long"))
	case !hex && strings.HasSuffix(text, "f"):
		return of(library("java.lang", "float"))
	case !hex && (strings.HasSuffix(text, "d") || strings.ContainsAny(text, ".e")):
		return of(library("java.lang", "double"))
	}
	return of(library("java.lang", "int"))
}

var comparisons = map[string]bool{"==": true, "!=": true, "<": true, ">": true, "<=": true, ">=": true, "&&": true,
	"||": true, "===": true, "!==": true, "instanceof": true, "is": true, "in": true, "not in": true}

// binary evaluates an expression with an operator: c ? a : b, Kotlin's a ?: b, comparisons,
// operators that call a declared function (plus), concatenated strings, and arithmetic. The result
// of arithmetic has the wider type of the two numbers.
func (j evaluator) binary(p place, e *expr.Expr) jvmValue {
	switch {
	case e.Name == "?:" && len(e.Args) == 3:
		a, b := j.eval(p, e.Args[1]), j.eval(p, e.Args[2])
		switch {
		case e.Args[2].Op == expr.OpName && e.Args[2].Name == "null",
			a.kind == resolve.Instance && same(a.typ, b.typ):
			return a
		case e.Args[1].Op == expr.OpName && e.Args[1].Name == "null":
			return b
		}
		return jvmValue{}
	case e.Name == "?:":
		return j.either(j.eval(p, e.Args[0]), j.eval(p, e.Args[1]))
	case comparisons[e.Name]:
		return of(library("java.lang", "boolean"))
	}
	a, b := j.eval(p, e.Args[0]), j.eval(p, e.Args[1])
	if v, ok := j.operator(p, a, e); ok {
		return v
	}
	if e.Name == "+" && (a.typ.name == "String" || b.typ.name == "String") {
		return of(library("java.lang", "String"))
	}
	wide, other := canonical(a.typ.name), canonical(b.typ.name)
	if numbers[wide] < numbers[other] {
		wide, other = other, wide
	}
	if numbers[other] == 0 {
		return jvmValue{}
	}
	if numbers[wide] < numbers["int"] {
		wide = "int"
	}
	return of(library("java.lang", wide))
}

// either returns a value that is a, or b if a is null, as in Kotlin's a ?: b. If one type is a base of the
// other, the result has the base type. If b is unknown, it returns a, because b may be a jump such as
// return. Unrelated types give no value.
func (j evaluator) either(a, b jvmValue) jvmValue {
	switch {
	case a.typ.kind == jvmForeign && a.typ.name == "Nothing":
		return b
	case b.typ.kind == jvmForeign && b.typ.name == "Nothing": // x ?: error("…")
		return a
	case a.kind != resolve.Instance || b.kind != resolve.Instance || same(a.typ, b.typ):
		return a
	case a.typ.kind == declared && b.typ.kind == declared && j.overloads.distance(b.typ.ref, a.typ.ref) >= 0:
		return a
	case a.typ.kind == declared && b.typ.kind == declared && j.overloads.distance(a.typ.ref, b.typ.ref) >= 0:
		return b
	}
	return jvmValue{}
}

// operators maps Kotlin's operators to the functions that they call.
var operators = map[string]string{"+": "plus", "-": "minus", "*": "times", "/": "div", "%": "rem"}

// operator evaluates e, a Kotlin operator with the left operand a. It calls the function that the
// workspace declares for the operator, or joins library collections: list + x. It returns false for
// other operations.
func (j evaluator) operator(p place, a jvmValue, e *expr.Expr) (jvmValue, bool) {
	name := operators[e.Name]
	if p.file.Language != "kotlin" || name == "" || a.kind != resolve.Instance {
		return jvmValue{}, false
	}
	if a.typ.kind == declared {
		return j.memberResult(p, a, memberCall(e.Args[0], name, e.Args[1:]...)), true
	}
	return a, a.typ.kind == jvmForeign && (facts.Containers[a.typ.name] || facts.Maps[a.typ.name])
}

// memberCall returns the expression x.name(args…), for the function that an operator calls.
func memberCall(x *expr.Expr, name string, args ...*expr.Expr) *expr.Expr {
	return &expr.Expr{Op: expr.OpCall, X: &expr.Expr{Op: expr.OpMember, X: x, Name: name, Sep: "."},
		Args: args}
}

// same reports whether two types have the same declaration.
func same(a, b jvmType) bool {
	switch a.kind {
	case declared:
		return b.kind == declared && a.ref == b.ref
	case jvmForeign:
		return b.kind == jvmForeign && a.name == b.name
	}
	return false
}

// name evaluates a name without a receiver in the scope of p.
func (j evaluator) name(p place, name string) jvmValue {
	if label, ok := strings.CutPrefix(name, "this@"); ok {
		return j.this(p, label)
	}
	switch name {
	case "this":
		return j.this(p, "")
	case "super":
		return j.superAround(p)
	case "true", "false":
		return of(library("java.lang", "boolean"))
	case "null":
		return jvmValue{}
	}
	if fact := local(p, name); fact != nil {
		return j.bound(p, fact)
	}
	if v, ok := j.fieldAround(p, name); ok {
		return v
	}
	if v, ok := j.topValue(p, name); ok {
		return v
	}
	if t := j.types.read(p.typ(name)); t.kind != unknown {
		return named(t)
	}
	if packageLike(name) {
		return jvmValue{kind: resolve.Module, pkg: name}
	}
	return jvmValue{}
}

// local returns the fact that declares or assigns the parameter or local variable called name, as
// visible at p: the last one before p in the innermost enclosing symbol that has any. It returns
// nil if there is none.
func local(p place, name string) (best *code.Fact) {
	for at := p.at; at >= 0; at = p.file.Symbols[at].Parent {
		if resolve.IsType(p.file.Symbols[at].Kind) && !hasParameters(p.file, at, p.pos) {
			continue
		}
		for _, fact := range binders(p.file, at, name) {
			if fact.Scope[1] > 0 && (p.pos < fact.Scope[0] || p.pos >= fact.Scope[1]) ||
				fact.Scope[1] == 0 && fact.Kind != code.FactParam && fact.Span.StartByte > p.pos {
				continue
			}
			if best == nil || best.Owner == fact.Owner && fact.Span.StartByte >= best.Span.StartByte {
				best = fact
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// hasParameters reports whether the parameters of a type's primary constructor are in scope at a
// byte offset: they are in initializers, but not in methods.
func hasParameters(f *resolve.File, at, pos int) bool {
	if f.Language == "java" {
		return false
	}
	if f.Language == "scala" {
		return true // a method accesses the parameters as fields
	}
	for _, c := range f.Children(at) {
		if s := &f.Symbols[c]; s.Span.StartByte <= pos && pos < s.Span.EndByte {
			return s.Kind == code.KindProperty || s.Kind == code.KindConstant
		}
	}
	return true
}

type bindersKey int

// binders returns the facts by which symbol at declares or assigns a name: as a parameter, as a
// variable, or by an assignment.
func binders(f *resolve.File, at int, name string) []*code.Fact {
	return resolve.Memo(f, bindersKey(at), func() map[string][]*code.Fact {
		by := map[string][]*code.Fact{}
		for _, fact := range f.FactsOf(at) {
			if (fact.Kind == code.FactParam || fact.Kind == code.FactVar || fact.Kind == code.FactAssign) &&
				fact.Name != "this" {
				if resolve.IsType(f.Symbols[at].Kind) && fact.Kind != code.FactParam && fact.Scope[1] == 0 {
					continue // the fact declares a member of the type, not a local variable
				}
				by[fact.Name] = append(by[fact.Name], fact)
			}
		}
		return by
	})[name]
}

type boundKey struct {
	file *resolve.File
	fact *code.Fact
}

// bound returns the value of the variable or parameter that a fact in p's file declares or assigns: an
// Order for val o: Order and for val o = Order().
func (j evaluator) bound(p place, fact *code.Fact) jvmValue {
	v := resolve.Derive(j.w, boundKey{p.file, fact}, func() jvmValue {
		at := place{file: p.file, at: fact.Owner, pos: fact.Span.StartByte}
		if fact.Kind != code.FactAssign {
			t := fact.Type
			if fact.Kind == code.FactParam && p.file.Language != "scala" && vararg(p.file, fact) &&
				!strings.HasSuffix(t, "...") {
				t += "[]"
			}
			return of(j.types.read(at.typ(t))).via(resolve.TypedWritten)
		}
		if code.IsLiteralParameter(fact.Type) {
			return j.given(at, fact.Type).asValue().via(resolve.TypedElement)
		}
		return j.valueOf(at, fact.Type).held(p.file).via(resolve.TypedValue)
	})
	if v.kind == resolve.Unknown {
		v.reason = "the type of " + fact.Name + " is not known"
	}
	return v
}

// asValue returns v as the value of a variable to which it is assigned: the name of an object means the
// object itself. The names of packages and other types give no value.
func (v jvmValue) asValue() jvmValue {
	if v.kind == resolve.Class && v.typ.kind == declared && isObject(v.typ.ref) {
		v.kind = resolve.Instance
	}
	v.own, v.super, v.member = false, false, resolve.Ref{}
	if v.kind != resolve.Instance && v.kind != resolve.Foreign {
		return jvmValue{}
	}
	return v
}

// held returns the value of a variable in f to which v is assigned. It differs from asValue only
// in Scala, where the name of an object may also mean its companion class.
func (v jvmValue) held(f *resolve.File) jvmValue {
	if f.Language == "scala" && v.kind == resolve.Class && v.typ.kind == declared {
		return v
	}
	return v.asValue()
}

func vararg(f *resolve.File, fact *code.Fact) bool {
	for _, p := range f.Symbols[fact.Owner].Parameters {
		if p.Name == fact.Name {
			return p.Variadic
		}
	}
	return false
}

// field evaluates a field, property or object. The member of the value is its declaration.
func (j evaluator) field(c candidate) jvmValue {
	v := j.fieldValue(c)
	v.member = c.ref
	return v
}

// fieldValue returns the value of a field or property: from its declared type, or from its
// initializer, as in val order = Order().
func (j evaluator) fieldValue(c candidate) jvmValue {
	s := c.ref.Symbol()
	if resolve.IsType(s.Kind) {
		return named(jvmType{kind: declared, ref: c.ref, name: s.Name})
	}
	at := place{file: c.ref.File, at: s.Parent, pos: s.Span.StartByte, bind: c.bind}
	for _, fact := range c.ref.File.FactsOf(s.Parent) {
		if fact.Name != s.Name || fact.Scope[1] > 0 || fact.Span.StartByte < s.Span.StartByte ||
			fact.Span.EndByte > s.Span.EndByte {
			continue
		}
		switch fact.Kind {
		case code.FactField, code.FactVar:
			if fact.Type != "" {
				return of(j.types.read(at.typ(fact.Type))).via(resolve.TypedWritten)
			}
		case code.FactAssign:
			at.at = c.ref.Index
			return j.valueOf(at, fact.Type).held(c.ref.File).via(resolve.TypedValue)
		}
	}
	return jvmValue{}
}

// valueOf evaluates an expression that was recorded as text: as source, or for Scala as a term such as
// (. (n cart) size).
func (j evaluator) valueOf(p place, text string) jvmValue {
	if p.file.Language == "scala" {
		return j.terms.eval(p, scalaParse(p.file, text))
	}
	return j.eval(p, p.parse(text))
}
