package resolve

import (
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
)

// selected is x.name without a call: a field, a nested type, a package.
func (j *jvm) selected(p jvmPlace, e *Expr) jvmValue {
	if e.Name == "this" || e.Name == "super" { // Outer.this, Iface.super
		v := jvmOf(j.read(p.typ(e.X.String())))
		v.own, v.super = e.Name == "this", e.Name == "super"
		return v
	}
	if e.Name == "class" && e.Sep == "::" {
		return jvmOf(library("kotlin.reflect", "KClass", p.typ(e.X.String())))
	}
	if e.Name == "class" {
		return jvmOf(library("java.lang", "Class", p.typ(e.X.String())))
	}
	return j.memberOf(p, j.eval(p, e.X), e.Name)
}

func (j *jvm) memberOf(p jvmPlace, x jvmValue, name string) jvmValue {
	switch x.kind {
	case Module:
		full := x.pkg + "." + name
		if r, ok := j.qualified(p.file, strings.Split(full, ".")); ok {
			return jvmNamed(jvmType{kind: jvmDeclared, ref: r, name: name})
		}
		if jvmTypeLike(name) {
			return jvmNamed(library(x.pkg, name))
		}
		return jvmValue{kind: Module, pkg: full}
	case Foreign:
		return x
	case Class:
		return j.staticMember(x, name)
	case Instance:
		switch x.typ.kind {
		case jvmDeclared:
			if m := j.members(x.typ.ref, name); len(m.fields) > 0 {
				return j.fieldOf(x, m.fields[0]).via(x.how)
			}
			return j.extensionProperty(p, x, name)
		case jvmForeign:
			return j.libraryMember(x, name)
		}
	}
	return jvmValue{}
}

// fieldOf is a field of x, whose type arguments hold where the field's owner
// does not say.
func (j *jvm) fieldOf(x jvmValue, c jvmCandidate) jvmValue {
	if c.bind == nil && x.typ.kind == jvmDeclared {
		c.bind = j.bindOf(x.typ)
	}
	return j.field(c)
}

// staticMember is T.name.
func (j *jvm) staticMember(x jvmValue, name string) jvmValue {
	if x.typ.kind == jvmForeign {
		if jvmTypeLike(name) && strings.ToUpper(name) != name {
			return jvmNamed(library(x.typ.module, name))
		}
		if number := jvmBoxes[x.typ.name]; number != "" && jvmTypeLike(name) {
			switch name {
			case "TYPE":
				return jvmOf(library("java.lang", "Class"))
			case "SIZE", "BYTES":
				number = "int"
			case "TRUE", "FALSE":
				number = "Boolean"
			}
			return jvmOf(library("java.lang", number)) // Long.MAX_VALUE
		}
		return jvmValue{kind: Foreign, pkg: x.typ.module}
	}
	if m := j.members(x.typ.ref, name); len(m.fields) > 0 {
		return j.fieldOf(x, m.fields[0])
	}
	for _, companion := range j.companionsOf(x.typ.ref) {
		if m := j.members(companion, name); len(m.fields) > 0 {
			return j.field(m.fields[0])
		}
	}
	if r, ok := j.nested(x.typ.ref, name); ok {
		return jvmNamed(j.unaliased(jvmType{kind: jvmDeclared, ref: r, name: name}))
	}
	return jvmValue{}
}

// result is what a call gives.
func (j *jvm) result(p jvmPlace, e *Expr) jvmValue {
	switch e.X.Op {
	case OpName:
		return j.bareResult(p, e)
	case OpMember:
		if v, ok := j.construction(p, e.X, e); ok {
			return v
		}
		return j.memberResult(p, j.eval(p, e.X.X), e)
	}
	return jvmValue{}
}

// bareResult is what f(…) gives.
func (j *jvm) bareResult(p jvmPlace, e *Expr) jvmValue {
	if v, ok := j.construction(p, e.X, e); ok {
		return v
	}
	if found := j.bareCandidates(p, e.X.Name, len(e.Args)); len(found) > 0 {
		return j.common(p, found, jvmValue{}, e)
	}
	return j.libraryFunction(p, e)
}

// memberResult is what x.f(…) gives.
func (j *jvm) memberResult(p jvmPlace, x jvmValue, e *Expr) jvmValue {
	switch {
	case x.kind == Foreign:
		return x
	case x.typ.kind == jvmForeign, x.typ.kind == jvmArray:
		if v := j.extensionResult(p, x, e); v.kind != Unknown {
			return v
		}
		return j.libraryResult(p, x, e).via(x.how)
	case x.typ.kind == jvmDeclared:
		if found := j.methodsOf(p, x, e.X.Name, len(e.Args)); len(found) > 0 {
			return j.common(p, found, x, e).via(x.how)
		}
		if v := j.extensionResult(p, x, e); v.kind != Unknown {
			return v
		}
		if v := j.scoped(p, x, e); v.kind != Unknown {
			return v
		}
		if base, ok := j.containerOf(x); ok {
			return j.libraryResult(p, base, e).via(x.how)
		}
	}
	return jvmValue{}
}

// receiver is what the receiver of a call stands for. Where that is a call
// itself, it is read from its own record, however long the chain is.
func (j *jvm) receiver(p jvmPlace, c *code.Call) jvmValue {
	if i := jvmInner(p.file, c); i >= 0 {
		if p.file.Calls[i].Kind == code.CallPlain {
			return j.called(p.file, i)
		}
		if strings.HasSuffix(c.Receiver, "}") && p.file.Language == "java" {
			return jvmValue{reason: "an anonymous class"}
		}
	}
	return j.eval(p, p.parse(c.Receiver))
}

type jvmCalledKey struct {
	file *File
	call int
}

// called is what a recorded call gives.
func (j *jvm) called(f *File, i int) jvmValue {
	return Derive(j.w, jvmCalledKey{f, i}, func() jvmValue {
		c := &f.Calls[i]
		p := jvmPlace{file: f, at: c.Caller, pos: c.NameSpan.StartByte}
		e := &Expr{Op: OpCall, X: &Expr{Op: OpName, Name: c.Callee}}
		if args := jvmPassed(p, c); args != nil {
			e.Args, e.TypeArgs = args.Args, args.TypeArgs
		} else {
			for range max(c.Args, 0) {
				e.Args = append(e.Args, &Expr{})
			}
		}
		if c.Receiver == "" {
			return j.bareResult(p, e)
		}
		e.X.Op, e.X.Sep = OpMember, "."
		if jvmTypeLike(c.Callee) {
			e.X.X = p.parse(c.Receiver)
			if v, ok := j.construction(p, e.X, e); ok {
				return v
			}
		}
		return j.memberResult(p, j.receiver(p, c), e)
	})
}

// jvmInner is the call whose result c is called on, -1 when the receiver is no
// call.
func jvmInner(f *File, c *code.Call) int {
	last := c.Receiver
	if last == "" || !strings.HasSuffix(last, ")") && !strings.HasSuffix(last, "}") && !strings.HasSuffix(last, "…") {
		return -1
	}
	best := -1
	at, _ := slices.BinarySearchFunc(f.Calls, c.Span.StartByte, func(o code.Call, start int) int { return o.Span.StartByte - start })
	for i := at; i < len(f.Calls) && f.Calls[i].Span.StartByte == c.Span.StartByte; i++ {
		o := &f.Calls[i]
		if o.Kind != code.CallReference && o.Kind != code.CallDecorator && o.Span.EndByte < c.NameSpan.StartByte && (best < 0 || o.Span.EndByte > f.Calls[best].Span.EndByte) {
			best = i
		}
	}
	if best < 0 {
		return -1
	}
	gap := c.NameSpan.StartByte - f.Calls[best].Span.EndByte
	if gap > 3 && f.Calls[best].Span.EndLine == c.NameSpan.StartLine { // more than a separator stands between
		return -1
	}
	return best
}

// containerOf is the library's container that a type of the workspace extends.
func (j *jvm) containerOf(x jvmValue) (jvmValue, bool) {
	for _, a := range j.ancestry(x.typ.ref).types {
		for _, t := range jvmSupers(a.ref) {
			if t.Bind = a.bind; a.depth == 0 {
				t.Bind = j.bindOf(x.typ)
			}
			if base := j.readIn(t, a.ref); base.kind == jvmForeign && (jvmContainers[base.name] || jvmMaps[base.name]) {
				return jvmOf(base).via(x.how), true
			}
		}
	}
	return jvmValue{}, false
}

// common is what a call of one of some candidates gives: of several that the
// arguments do not tell apart, what all of them give.
func (j *jvm) common(p jvmPlace, found []jvmCandidate, x jvmValue, e *Expr) jvmValue {
	found = j.byArguments(p, found, e.Args)
	if len(found) == 0 || len(found) > maxCommon {
		return jvmValue{}
	}
	v := j.resultOf(p, found[0], x, e)
	for _, c := range found[1:] {
		if !jvmSame(v.typ, j.resultOf(p, c, x, e).typ) {
			return jvmValue{}
		}
		v.typ.args = nil
	}
	return v
}

// maxCommon bounds how many overloads are asked what they give.
const maxCommon = 12

// methodsOf is the methods of x that a call of so many arguments may mean.
func (j *jvm) methodsOf(p jvmPlace, x jvmValue, name string, args int) []jvmCandidate {
	if x.typ.kind != jvmDeclared {
		return nil
	}
	m := j.members(x.typ.ref, name)
	if x.kind == Class && !jvmIsObject(x.typ.ref) {
		for _, companion := range j.companionsOf(x.typ.ref) {
			m.methods = append(slices.Clone(m.methods), j.members(companion, name).methods...)
		}
	}
	out := j.choose(p.file, m.methods, args)
	for i := range out {
		if out[i].bind == nil {
			out[i].bind = j.bindOf(x.typ)
		}
	}
	return out
}

// resultOf is what a candidate gives: its result type as written, with the type
// parameters that the receiver and the arguments tell, or what its body
// constructs.
func (j *jvm) resultOf(p jvmPlace, c jvmCandidate, x jvmValue, e *Expr) jvmValue {
	s := c.ref.Symbol()
	bind := c.bind
	for _, name := range jvmParameters(c.ref) {
		if t, ok := j.inferred(p, c, name, e); ok {
			bind = &Binding{Name: name, Type: t, Next: bind}
		}
	}
	at := jvmPlace{file: c.ref.File, at: c.ref.Index, pos: s.Span.StartByte, bind: bind}
	if s.Returns != "" {
		return jvmOf(j.read(at.typ(s.Returns))).via(TypedResult)
	}
	for _, fact := range c.ref.Facts() {
		if fact.Kind == code.FactReturn {
			at.bind = nil
			return Derive(j.w, jvmGivesKey(c.ref), func() jvmValue { return j.valueOf(at, fact.Type).asValue() }).via(TypedResult)
		}
	}
	return jvmValue{}
}

type jvmGivesKey Ref

// inferred is the argument for type parameter name that the types of a call's
// arguments tell: T by the argument of a parameter "T", or of "Class<T>".
func (j *jvm) inferred(p jvmPlace, c jvmCandidate, name string, e *Expr) (Type, bool) {
	if names := jvmParameters(c.ref); len(e.TypeArgs) == len(names) {
		return p.typ(e.TypeArgs[slices.Index(names, name)]), true
	}
	for i, param := range c.ref.Symbol().Parameters {
		if i >= len(e.Args) {
			break
		}
		text := jvmClean(param.Type)
		if text == name {
			if v := j.eval(p, e.Args[i]); v.kind == Instance {
				return jvmTypeOf(v.typ), true
			}
		}
		path, args := jvmSplit(text)
		if at := slices.Index(args, name); at >= 0 && len(path) > 0 {
			if v := j.eval(p, e.Args[i]); v.kind == Instance && len(v.typ.args) == len(args) {
				return v.typ.args[at], true
			}
		}
	}
	return Type{}, false
}

// jvmTypeOf is an interpreted type as one that can be read again.
func jvmTypeOf(t jvmType) Type {
	switch t.kind {
	case jvmDeclared:
		return Type{Text: "\x00", File: t.ref.File, Scope: t.ref.Index, Bind: Bind(jvmParameters(t.ref), t.args, nil)}
	case jvmForeign:
		names := make([]string, len(t.args))
		return Type{Text: "\x00" + t.module + "." + t.name, Bind: Bind(names, t.args, nil)}
	case jvmArray:
		return t.args[0].With(t.args[0].Text + "[]")
	}
	return Type{}
}

// construction is T(…) where T names a type: in Kotlin and Scala. That of an
// interface is what its only method is given for, unless a function or its
// companion goes by its name.
func (j *jvm) construction(p jvmPlace, name *Expr, e *Expr) (jvmValue, bool) {
	if p.file.Language == "java" || !jvmTypeLike(name.Name) {
		return jvmValue{}, false
	}
	path := name.String()
	if path == "" {
		return jvmValue{}, false
	}
	t := j.read(p.typ(path))
	switch {
	case t.kind == jvmForeign && p.file.Language == "kotlin" && !jvmArraysMade[t.name]:
		if name.Op == OpName && len(j.bareCandidates(p, name.Name, len(e.Args))) > 0 {
			return jvmValue{}, false
		}
	case t.kind != jvmDeclared || jvmIsObject(t.ref):
		return jvmValue{}, false
	case t.ref.Symbol().Kind == code.KindInterface:
		if p.file.Language != "kotlin" || len(e.Args) != 1 || !jvmIsLambda(e.Args[0]) {
			return jvmValue{}, false
		}
		for _, companion := range jvmCompanions(t.ref) {
			if found := j.choose(p.file, j.members(companion, "invoke").methods, 1); len(found) > 0 {
				return j.common(p, found, jvmValue{}, e), true
			}
		}
	}
	for _, a := range e.TypeArgs {
		t.args = append(t.args, p.typ(a))
	}
	return jvmOf(t).via(TypedValue), true
}

// jvmArraysMade are types that are constructed by a function of their size and
// of what they hold.
var jvmArraysMade = jvmSet("Array List MutableList")

// marked is what the extractor marks of an expression: "each" an element of
// it, "by" what a delegate gives, a number a component.
func (j *jvm) marked(p jvmPlace, e *Expr) jvmValue {
	switch {
	case e.Name == "each":
		return j.element(j.eval(p, e.X), "iterator").via(TypedElement)
	case e.Name == "by":
		return j.delegated(p, e.X)
	}
	if i, err := strconv.Atoi(e.Name); err == nil {
		return j.component(j.eval(p, e.X), i).via(TypedElement)
	}
	return jvmValue{}
}

// component is the i-th component that a value is taken apart into.
func (j *jvm) component(x jvmValue, i int) jvmValue {
	switch {
	case x.typ.kind == jvmDeclared && i < len(x.typ.ref.Symbol().Parameters):
		t := x.typ.ref.Symbol().Parameters[i].Type
		return jvmOf(j.read(Type{Text: t, File: x.typ.ref.File, Scope: x.typ.ref.Index, Bind: j.bindOf(x.typ)}))
	case x.typ.kind == jvmForeign && i < len(x.typ.args) && jvmProducts[x.typ.name]:
		return jvmOf(j.read(x.typ.args[i]))
	}
	return jvmValue{}
}

var jvmProducts = map[string]bool{"Pair": true, "Triple": true, "Entry": true, "MutableEntry": true}

// given is what a parameter of a function literal gets, which the extractor
// notes as "?#p0q1": the second parameter of the one that is the first argument
// of the call around. A declared callee says it, or the library's well-known ones.
func (j *jvm) given(p jvmPlace, mark string) jvmValue {
	mark, part, apart := strings.Cut(strings.TrimPrefix(mark, "?#p"), "#")
	if apart {
		i, err := strconv.Atoi(part)
		if err != nil {
			return jvmValue{}
		}
		return j.component(j.given(p, "?#p"+mark), i)
	}
	a, parameter, ok := strings.Cut(mark, "q")
	argument, err := strconv.Atoi(a)
	call := jvmTaker(p.file, p.pos)
	if !ok || err != nil || call == nil {
		return jvmValue{}
	}
	at := jvmPlace{file: p.file, at: call.Caller, pos: call.NameSpan.StartByte}
	found, x := j.callees(at, call)
	for _, c := range found {
		params := c.ref.Symbol().Parameters
		i := argument
		if i >= len(params) && len(params) > 0 && (params[len(params)-1].Variadic || i == jvmTrailing) {
			i = len(params) - 1
		}
		if i >= len(params) {
			continue
		}
		t := j.read(Type{Text: params[i].Type, File: c.ref.File, Scope: c.ref.Index, Bind: j.receiverBind(c, x)})
		if v := j.parameterOf(t, parameter); v.kind != Unknown {
			return v
		}
	}
	switch {
	case len(found) > 0:
	case call.Receiver != "":
		return j.libraryGives(x, call.Callee, parameter)
	case call.Callee == "buildString" && parameter == "this" && p.file.Language == "kotlin":
		return jvmOf(library("kotlin.text", "StringBuilder"))
	case call.Callee == "with" && parameter == "this" && p.file.Language == "kotlin":
		if args := jvmArgumentsOf(at, call); len(args) > 0 {
			return j.eval(at, args[0])
		}
	}
	return jvmValue{}
}

// jvmTrailing is the number that the extractor gives a function literal behind
// the arguments.
const jvmTrailing = 99

// jvmTaker is the call that takes the function literal at a byte: the
// innermost one around whose name stands before it.
func jvmTaker(f *File, pos int) (best *code.Call) {
	for i := range f.Calls {
		c := &f.Calls[i]
		if c.Span.StartByte > pos {
			break
		}
		if c.NameSpan.EndByte <= pos && pos < c.Span.EndByte && c.Kind != code.CallReference && (best == nil || c.NameSpan.StartByte >= best.NameSpan.StartByte) {
			best = c
		}
	}
	return best
}

// callees is what the callee of a call may mean, whatever its arguments are.
func (j *jvm) callees(p jvmPlace, c *code.Call) (found []jvmCandidate, x jvmValue) {
	switch {
	case c.Kind == code.CallNew:
		if t := j.read(p.typ(jvmPath(c.Receiver, c.Callee))); t.kind == jvmDeclared {
			found, _ = j.constructors(t.ref, c.Args)
		}
		return found, x
	case c.Receiver == "":
		if found = j.bareCandidates(p, c.Callee, c.Args); len(found) == 0 && p.file.Language == "kotlin" {
			if x = j.name(p, c.Callee); x.kind == Instance { // a value that is invoked
				found = j.methodsOf(p, x, "invoke", c.Args)
			}
		}
		return found, x
	}
	x = j.receiver(p, c)
	if found = j.methodsOf(p, x, c.Callee, c.Args); len(found) == 0 {
		found, _ = j.extensions(p, x, c.Callee, c.Args, jvmArgumentsOf(p, c))
	}
	if base, ok := j.containerOfAny(x); len(found) == 0 && ok {
		x = base
	}
	return found, x
}

func (j *jvm) containerOfAny(x jvmValue) (jvmValue, bool) {
	if x.kind != Instance || x.typ.kind != jvmDeclared {
		return x, false
	}
	return j.containerOf(x)
}

func (j *jvm) receiverBind(c jvmCandidate, x jvmValue) *Binding {
	if c.bind != nil || x.typ.kind != jvmDeclared {
		return c.bind
	}
	return j.bindOf(x.typ)
}

// parameterOf is parameter number q of a function type or of the only method
// of an interface; "this" is the receiver.
func (j *jvm) parameterOf(t jvmType, q string) jvmValue {
	i, err := strconv.Atoi(q)
	switch {
	case t.kind == jvmFunc && q == "this":
		if t.recv {
			return jvmOf(j.read(t.args[0]))
		}
	case t.kind == jvmFunc && err == nil:
		if t.recv {
			i++
		}
		if i < len(t.args)-1 {
			return jvmOf(j.read(t.args[i]))
		}
	case t.kind == jvmDeclared && err == nil:
		if m, ok := jvmOnlyAbstract(t.ref); ok && i < len(m.Symbol().Parameters) {
			return jvmOf(j.read(Type{Text: m.Symbol().Parameters[i].Type, File: m.File, Scope: m.Index, Bind: j.bindOf(t)}))
		}
	case t.kind == jvmForeign && err == nil && i < len(t.args):
		switch t.name {
		case "Consumer", "Predicate", "Function", "BiConsumer", "BiFunction", "BiPredicate", "UnaryOperator", "ToIntFunction", "ToLongFunction", "ToDoubleFunction", "Action":
			return jvmOf(j.read(t.args[i]))
		case "Comparator", "BinaryOperator":
			return jvmOf(j.read(t.args[0]))
		}
	}
	return jvmValue{}
}

// jvmOnlyAbstract is the one method of an interface that has no body.
func jvmOnlyAbstract(t Ref) (only Ref, ok bool) {
	if t.Symbol().Kind != code.KindInterface {
		return Ref{}, false
	}
	for _, c := range t.File.Children(t.Index) {
		if s := &t.File.Symbols[c]; s.Kind == code.KindMethod && s.Body[1] == 0 {
			if only.Valid() {
				return Ref{}, false
			}
			only = t.File.Ref(c)
		}
	}
	return only, only.Valid()
}
