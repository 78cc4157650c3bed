package jvm

import (
	"sextant/internal/code"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/resolve"
	"strconv"
	"strings"
)

// given evaluates a parameter of a function literal, such as x in list.forEach { x -> … }. text,
// which facts.LiteralOf wrote, names the parameter by its position in the literal, and the literal
// by its position among the arguments of a call. The type comes from the declaration of the callee,
// or from the tables of library functions.
func (j evaluator) given(p place, text string) jvmValue {
	value, m, _ := code.CutMarker(text)
	if i, ok := m.Part(); ok {
		return j.component(j.handedTo(p, value, true), i)
	}
	return j.handedTo(p, text, false)
}

// handedTo evaluates a parameter of a function literal. apart reports that the literal takes it apart: the
// parameter of map.forEach { (key, value) -> … } is an entry, while { key, value -> … } has two parameters.
func (j evaluator) handedTo(p place, text string, apart bool) jvmValue {
	argument, parameter, ok := code.CutLiteralParameter(text)
	call := p.file.Taker(p.pos)
	if !ok || call == nil {
		return jvmValue{}
	}
	at := place{file: p.file, at: call.Caller, pos: call.NameSpan.StartByte}
	found, x := j.callees(at, call)
	for _, c := range found {
		params := c.ref.Symbol().Parameters
		i := argument
		if i >= len(params) && len(params) > 0 && (params[len(params)-1].Variadic || i == facts.TrailingLambda) {
			i = len(params) - 1
		}
		if i >= len(params) {
			continue
		}
		t := j.types.read(resolve.Type{Text: params[i].Type, File: c.ref.File, Scope: c.ref.Index,
			Bind: j.receiverBind(c, x)})
		if v := j.parameterOf(t, parameter); v.kind != resolve.Unknown {
			return v
		}
	}
	switch {
	case len(found) > 0:
	case call.Receiver != "":
		if apart && x.typ.kind == jvmForeign && facts.Maps[x.typ.name] && call.Callee == "forEach" {
			return j.library.element(x, "iterator") // { (key, value) -> … } takes an entry
		}
		if v := j.library.gives(x, call.Callee, parameter); v.kind != resolve.Unknown {
			return v
		}
		return j.library.tabledGives(at, x, expression(at, call), argument, parameter)
	default:
		return j.library.tabledGives(at, jvmValue{}, expression(at, call), argument, parameter)
	}
	return jvmValue{}
}

// callees returns the functions that call c may refer to by its name and number of arguments, and
// the value of its receiver.
func (j evaluator) callees(p place, c *code.Call) (found []candidate, x jvmValue) {
	switch {
	case c.Kind == code.CallNew:
		if t := j.types.read(p.typ(path(c.Receiver, c.Callee))); t.kind == declared {
			found, _ = j.members.constructors(t.ref, c.Args)
		}
		return found, x
	case c.Receiver == "":
		if found = j.bareCandidates(p, c.Callee, c.Args); len(found) == 0 && p.file.Language == "kotlin" {
			if x = j.name(p, c.Callee); x.kind == resolve.Instance { // a value that is invoked
				found = j.methodsOf(p, x, "invoke", c.Args)
			}
		}
		return found, x
	}
	x = j.receiver(p, c)
	if found = j.methodsOf(p, x, c.Callee, c.Args); len(found) == 0 {
		found, _ = j.extensions.applicable(p, x, c.Callee, c.Args, argumentsOf(p, c))
	}
	if base, ok := j.containerOfAny(x); len(found) == 0 && ok {
		x = base
	}
	return found, x
}

func (j evaluator) containerOfAny(x jvmValue) (jvmValue, bool) {
	if x.kind != resolve.Instance || x.typ.kind != declared {
		return x, false
	}
	return j.containerOf(x)
}

func (j evaluator) receiverBind(c candidate, x jvmValue) *resolve.Binding {
	if c.bind != nil || x.typ.kind != declared {
		return c.bind
	}
	return j.types.bindOf(x.typ)
}

// parameterOf returns a value of the type of one parameter of t, a function type or an interface
// with one method. q is the index of the parameter, or "this" for the receiver R of a Kotlin
// function type R.(A) -> B.
func (j evaluator) parameterOf(t jvmType, q string) jvmValue {
	i, err := strconv.Atoi(q)
	switch {
	case t.kind == jvmFunc && q == "this":
		if t.recv {
			return of(j.types.read(t.args[0]))
		}
	case t.kind == jvmFunc && err == nil:
		if t.recv {
			i++
		}
		if i < len(t.args)-1 {
			return of(j.types.read(t.args[i]))
		}
	case t.kind == declared && err == nil:
		if m, ok := onlyAbstract(t.ref); ok && i < len(m.Symbol().Parameters) {
			return of(j.types.read(resolve.Type{Text: m.Symbol().Parameters[i].Type, File: m.File, Scope: m.Index,
				Bind: j.types.bindOf(t)}))
		}
	case t.kind == jvmForeign && err == nil && i < len(t.args):
		switch t.name {
		case "Consumer", "Predicate", "Function", "BiConsumer", "BiFunction", "BiPredicate", "UnaryOperator",
			"ToIntFunction", "ToLongFunction", "ToDoubleFunction", "Action":
			return of(j.types.read(taken(t.args[i])))
		case "Comparator", "BinaryOperator":
			return of(j.types.read(taken(t.args[0])))
		}
	case t.kind == jvmForeign && err == nil:
		if sig, ok := libraryMemberOf("java", t, "=>", -1); ok && i < len(sig.params) {
			return of(j.types.read(sig.typed(sig.params[i])))
		}
	}
	return jvmValue{}
}

// taken returns the type of the values that a function takes, given the type argument t that
// states it: Order for Consumer<? super Order>.
func taken(t resolve.Type) resolve.Type {
	if bound, ok := strings.CutPrefix(clean(t.Text), "? super "); ok {
		return t.With(bound)
	}
	return t
}

// onlyAbstract returns the method without a body of an interface that has exactly one such method;
// false for other types.
func onlyAbstract(t resolve.Ref) (only resolve.Ref, ok bool) {
	if t.Symbol().Kind != code.KindInterface {
		return resolve.Ref{}, false
	}
	for _, c := range t.File.Children(t.Index) {
		if s := &t.File.Symbols[c]; s.Kind == code.KindMethod && s.Body[1] == 0 {
			if only.Valid() {
				return resolve.Ref{}, false
			}
			only = t.File.Ref(c)
		}
	}
	return only, only.Valid()
}
