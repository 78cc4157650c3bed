package jvm

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/resolve"
)

// places returns the parameter index for each argument of a call of r; ok is false if r does not
// accept these arguments. In Kotlin, arguments are passed by position, by name, and as a function
// literal after the parentheses, for the last parameter.
func places(language string, r resolve.Ref, args []*expr.Expr) ([]int, bool) {
	s := r.Symbol()
	out := make([]int, len(args))
	if language != "kotlin" {
		for i := range args {
			out[i] = max(min(i, len(s.Parameters)-1), 0)
		}
		return out, true
	}
	filled := make([]bool, len(s.Parameters))
	next := 0
	for i, a := range args {
		at := next
		switch {
		case a.Label == "{":
			at = len(s.Parameters) - 1
		case a.Label != "":
			at = slices.IndexFunc(s.Parameters, func(p code.Parameter) bool { return p.Name == a.Label })
			next = max(next, at+1)
		case at < len(s.Parameters) && !s.Parameters[at].Variadic:
			next++
		}
		if at < 0 || at >= len(s.Parameters) || filled[at] && !s.Parameters[at].Variadic ||
			kotlinSpreads(a) && !s.Parameters[at].Variadic {
			return nil, false
		}
		out[i], filled[at] = at, true
	}
	for i, p := range s.Parameters { // an override does not repeat default values
		if !filled[i] && !p.Variadic && p.Default == "" && !slices.Contains(s.Modifiers, "override") {
			return nil, false
		}
	}
	return out, true
}

// kotlinSpreads reports whether an argument is an array that is spread: f(*xs).
func kotlinSpreads(a *expr.Expr) bool { return a.Op == expr.OpUnary && a.Name == "*" }

// rank returns how well argument a fits a parameter of candidate c with type t, as one of the ranks from
// fitsNot to fitsBoxed.
func (j kotlinEvaluator) rank(p place, a *expr.Expr, t resolve.Type, c candidate) int {
	if head, alone := head(t.Text); alone && j.isOpen(c, t, head) {
		// a type parameter without a bound accepts anything, but not as well as the root type does
		return fitsObject + 1
	}
	want := kotlinPlain(j.types.read(t))
	switch {
	case isLambda(a):
		return j.lambdaFit(a, want)
	case a.Op == expr.OpName && a.Name == "null":
		switch {
		case strings.HasSuffix(strings.TrimSpace(t.Text), "?"):
			return fitsExactly
		case c.ref.File.Language == "kotlin" && want.kind != unknown:
			return fitsNot
		}
		return fitsUnknown
	}
	v := j.argument(p, a)
	switch {
	case v.kind != resolve.Instance || want.kind == unknown:
		return fitsUnknown
	case a.Op == expr.OpLiteral && a.Name == "number" && numbers[v.typ.name] > 0:
		return kotlinNumberFit(v.typ.name, want)
	}
	return j.fit(kotlinPlain(v.typ), want)
}

// isOpen reports whether name is a type parameter of candidate c that can be any type: it has no upper
// bound, T : Order, and no type argument is known for it.
func (j kotlinEvaluator) isOpen(c candidate, t resolve.Type, name string) bool {
	if _, bound := t.Bind.Lookup(name); bound {
		return false
	}
	for _, fact := range c.ref.Facts() {
		if fact.Kind == code.FactAlias && fact.Name == name {
			return fact.Type == "?" || fact.Type == "Any" || fact.Type == "Any?"
		}
	}
	return false
}

// argument evaluates argument a. For a spread array, f(*xs), it returns an element of the array.
func (j kotlinEvaluator) argument(p place, a *expr.Expr) jvmValue {
	var v jvmValue
	if kotlinSpreads(a) {
		v = j.values.eval(p, a.X)
		v.typ = kotlinPlain(v.typ)
		return j.library.element(v, "get")
	}
	if v = j.values.eval(p, a); v.kind == resolve.Class && v.typ.kind == declared {
		if companions := companions(v.typ.ref); len(companions) == 1 && !isObject(v.typ.ref) {
			v.typ = jvmType{kind: declared, ref: companions[0], name: companions[0].Symbol().Name}
		}
		v.kind = resolve.Instance
	}
	return v
}

// kotlinPlain returns a type under the one name by which Kotlin and Java code are compared: Int as int,
// MutableList as List, IntArray as an array of int.
func kotlinPlain(t jvmType) jvmType {
	if t.kind != jvmForeign {
		return t
	}
	if plain, ok := facts.Boxes[t.name]; ok {
		t.name = plain
	}
	t.name = strings.TrimPrefix(canonical(t.name), "Mutable")
	element, isArray := strings.CutSuffix(t.name, "Array")
	switch {
	case !isArray:
	case element == "" && len(t.args) == 1:
		return jvmType{kind: array, args: t.args}
	case facts.Boxes[element] != "" || element == "Int" || element == "Char":
		return jvmType{kind: array, args: []resolve.Type{{Text: "\x00java.lang." + strings.ToLower(element)}}}
	}
	return t
}

// kotlinNumberFit returns how well a number literal fits a parameter of type want, as a rank such as
// fitsExactly. have is the type of the literal on its own; an Int literal also fits Long, Short and Byte.
func kotlinNumberFit(have string, want jvmType) int {
	switch {
	case want.kind == jvmForeign && want.name == have:
		return fitsExactly
	case want.kind == jvmForeign && have == "int" &&
		(want.name == "long" || want.name == "short" || want.name == "byte"):
		return fitsWider
	case want.kind == jvmForeign &&
		(want.name == "Object" || want.name == "Number" || want.name == "Comparable" || want.name == "Serializable"):
		return fitsObject
	}
	return fitsNot
}

// fit returns how well a value of type have fits a parameter of type want, as a rank such as
// fitsExactly. Both types are results of kotlinPlain.
func (j kotlinEvaluator) fit(have, want jvmType) int {
	root := want.kind == jvmForeign && want.name == "Object"
	switch {
	case root:
		return fitsObject
	case have.kind == jvmFunc:
		return j.functionFit(len(have.args)-1, want)
	case want.kind == jvmFunc:
		if have.kind == array || have.kind == jvmForeign && facts.Plain[have.name] {
			return fitsNot
		}
		if have.kind == declared && !slices.ContainsFunc(j.types.ancestry(have.ref).types, func(a ancestor) bool {
			return kotlinIsFunction(a.ref)
		}) && !j.types.ancestry(have.ref).unknown {
			return fitsNot
		}
		return fitsUnknown
	case have.kind == jvmForeign && want.kind == jvmForeign && (numbers[have.name] > 0 || have.name == "boolean"):
		switch {
		case have.name == want.name:
			return fitsExactly
		case numbers[want.name] > 0 || want.name == "boolean":
			return fitsNot
		}
	}
	return j.overloads.fit(have, want)
}

// kotlinIsFunction reports whether a type declares that it implements a function type.
func kotlinIsFunction(r resolve.Ref) bool {
	return slices.ContainsFunc(supers(r), func(t resolve.Type) bool { return facts.Arrow(t.Text) >= 0 })
}

// lambdaFit returns how well a function literal or a reference ::f fits a parameter of type want, as a
// rank such as fitsExactly.
func (j kotlinEvaluator) lambdaFit(a *expr.Expr, want jvmType) int {
	if a.Op != expr.OpLiteral {
		return j.functionFit(-1, want)
	}
	head, _, written := strings.Cut(strings.TrimPrefix(strings.TrimSpace(a.Text), "{"), "->")
	if head = strings.TrimSpace(head); written && names(head) {
		return j.functionFit(len(expr.SplitTypes(head)), want)
	}
	if want.kind == jvmFunc && kotlinTakes(want) > 1 {
		return fitsNot // it has at most the parameter "it"
	}
	return j.functionFit(-1, want)
}

// names reports whether text, which precedes "->" in a function literal, is its parameter list.
func names(text string) bool { return text != "" && !strings.ContainsAny(text, "{}=\"") }

// kotlinTakes returns the number of parameters of a function type, without the receiver.
func kotlinTakes(t jvmType) int {
	if t.recv {
		return len(t.args) - 2
	}
	return len(t.args) - 1
}

// functionFit returns how well a function with count parameters (-1 if unknown) fits a parameter of type
// want, as a rank such as fitsExactly. It fits function types and interfaces with one method.
func (j kotlinEvaluator) functionFit(count int, want jvmType) int {
	switch {
	case want.kind == jvmFunc && count >= 0 && count != kotlinTakes(want) && count != len(want.args)-1:
		return fitsNot
	case want.kind == jvmFunc:
		return fitsExactly
	case want.kind == array:
		return fitsNot
	case want.kind == declared:
		m, only := onlyAbstract(want.ref)
		if !only || want.ref.File.Language == "kotlin" && !slices.Contains(want.ref.Symbol().Modifiers, "fun") ||
			count >= 0 && count != len(m.Symbol().Parameters) {
			return fitsNot
		}
		return fitsWider
	case want.kind == jvmForeign &&
		(facts.Plain[want.name] || facts.Containers[want.name] && !givers[want.name] || facts.Maps[want.name] ||
			numbers[want.name] > 0):
		return fitsNot
	}
	return fitsUnknown
}

// givers lists the types of facts.Containers that are interfaces with one method, so that a function
// literal may be passed for them.
var givers = resolve.Words("Supplier Callable Provider Iterable Sequence")
