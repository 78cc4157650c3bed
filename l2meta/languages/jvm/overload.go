package jvm

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/resolve"
)

// overloadChooser selects among overloads by the types of the arguments.
type overloadChooser struct{ *jvm }

// Ranks say how well an argument fits a parameter. From fitsExactly up, a smaller rank is a better
// fit. A rank between two constants counts steps, such as inheritance steps, from the lower one.
const (
	fitsNot     = -2 // the argument cannot be passed
	fitsUnknown = -1 // the argument may or may not be passed
	fitsExactly = 0
	fitsWider   = 1   // the parameter has a base type, or a wider number type
	fitsObject  = 500 // the parameter has the root type of all values
	fitsBoxed   = 600 // the argument must be boxed or unboxed
)

// byArguments narrows candidates by the types of the arguments, as far as these are known. It drops
// candidates that do not accept an argument. If one candidate accepts every argument at least as
// well as the others do, and one argument better, it returns only that candidate.
func (j overloadChooser) byArguments(p place, found []candidate, args []*expr.Expr) []candidate {
	if len(found) < 2 || len(args) == 0 {
		return found
	}
	var out []candidate
	var fits [][]int
	for _, c := range found {
		if ranks := j.ranks(p, c, args); !slices.Contains(ranks, fitsNot) {
			out, fits = append(out, c), append(fits, ranks)
		}
	}
	if len(out) == 0 {
		return found
	}
	if p.file.Language == "java" {
		out, fits = withoutSpreading(out, fits)
	}
	for a := range out {
		best := true
		for b := range out {
			best = best && (a == b || j.beats(p, out[a], fits[a], out[b], fits[b], args))
		}
		if best {
			return out[a : a+1]
		}
	}
	return out
}

// withoutSpreading drops variadic candidates if one of a fixed number of parameters certainly accepts the arguments:
// Java prefers check(boolean b, Object text) to check(boolean b, String text, Object... more) for check(b, "text").
func withoutSpreading(found []candidate, fits [][]int) (fixed []candidate, fixedFits [][]int) {
	certain := false
	for i, c := range found {
		if !spreads(c) {
			fixed, fixedFits = append(fixed, c), append(fixedFits, fits[i])
			certain = certain || !slices.Contains(fits[i], fitsUnknown)
		}
	}
	if !certain || slices.ContainsFunc(found, func(c candidate) bool {
		return spreads(c) && len(c.ref.Symbol().Parameters) == len(fits[0]) // it may take an array
	}) {
		return found, fits
	}
	return fixed, fixedFits
}

// beats reports whether candidate a is certainly a better choice than b. fitA and fitB are the
// ranks of the arguments for their parameters.
func (j overloadChooser) beats(p place, a candidate, fitA []int, b candidate, fitB []int, args []*expr.Expr) bool {
	better := spreads(b) && !spreads(a)
	atA, _ := places(p.file.Language, a.ref, args)
	atB, _ := places(p.file.Language, b.ref, args)
	for i := range fitA {
		if erased(parameterText(a, atA[i])) == erased(parameterText(b, atB[i])) {
			continue
		}
		// If the argument fits candidate a exactly, b cannot be better.
		if fitA[i] != fitsExactly && (fitA[i] < 0 || fitB[i] < fitA[i]) {
			return false
		}
		better = better || fitA[i] != fitB[i]
	}
	if p.file.Language == "kotlin" && !better { // in Kotlin, a candidate without default values is better
		return !spreads(a) && len(a.ref.Symbol().Parameters) == len(args) && len(b.ref.Symbol().Parameters) > len(args)
	}
	return better
}

// spreads reports whether the last parameter of c is variadic.
func spreads(c candidate) bool {
	params := c.ref.Symbol().Parameters
	return len(params) > 0 && params[len(params)-1].Variadic
}

// parameterText returns the text of the type that c's parameter i accepts. For a variadic
// parameter it is the type of one element. It returns "" if there is no such parameter.
func parameterText(c candidate, i int) string {
	params := c.ref.Symbol().Parameters
	if i >= len(params) {
		return ""
	}
	if params[i].Variadic {
		return strings.TrimSuffix(params[i].Type, "...")
	}
	return params[i].Type
}

// ranks returns for each argument how well it fits its parameter of c, as a rank such as fitsExactly. If
// c cannot take so many arguments, or lacks a name, it returns a single fitsNot.
func (j overloadChooser) ranks(p place, c candidate, args []*expr.Expr) []int {
	out := make([]int, len(args))
	places, ok := places(p.file.Language, c.ref, args)
	if !ok {
		return []int{fitsNot}
	}
	for i, a := range args {
		t := resolve.Type{Text: parameterText(c, places[i]), File: c.ref.File, Scope: c.ref.Index, Bind: c.bind}
		if p.file.Language == "kotlin" {
			out[i] = j.kotlin.rank(p, a, t, c)
			continue
		}
		out[i] = j.rank(p, a, t)
		if out[i] < 0 && spreads(c) && len(args) == len(c.ref.Symbol().Parameters) && i == len(args)-1 {
			// an array is passed for a variadic parameter
			if whole := j.rank(p, a, t.With(t.Text+"[]")); whole != fitsNot {
				out[i] = whole
			}
		}
	}
	return out
}

// rank returns how well argument a fits a parameter of type t, as one of the ranks from fitsNot to
// fitsBoxed.
func (j overloadChooser) rank(p place, a *expr.Expr, t resolve.Type) int {
	want := j.types.read(t)
	switch {
	case isLambda(a):
		return takesFunction(want)
	case a.Op == expr.OpName && a.Name == "null":
		if want.kind == jvmForeign && isPrimitive(canonical(want.name)) {
			return fitsNot
		}
		return fitsUnknown
	}
	v := j.values.eval(p, a)
	if v.kind == resolve.Class && isObjectType(v.typ) {
		v.kind = resolve.Instance
	}
	if v.kind != resolve.Instance || want.kind == unknown {
		return fitsUnknown
	}
	return j.fit(v.typ, want)
}

func isObjectType(t jvmType) bool { return t.kind == declared && isObject(t.ref) }

func isLambda(a *expr.Expr) bool {
	return a.Op == expr.OpLiteral && a.Name == "function" ||
		a.Op == expr.OpMember && a.Sep == "::" && a.Name != "class"
}

// takesFunction returns how well a function literal fits a parameter of type want, as a rank such as
// fitsExactly. It fits function types, and may fit interfaces, but no class.
func takesFunction(want jvmType) int {
	switch {
	case want.kind == jvmFunc:
		return fitsExactly
	case want.kind == declared && want.ref.Symbol().Kind != code.KindInterface, want.kind == array,
		want.kind == jvmForeign && facts.Plain[want.name]:
		return fitsNot
	}
	return fitsUnknown
}

// final lists library types that have no subtypes.
var final = resolve.Words("String Class KClass int long boolean double float char byte short Int Long Boolean " +
	"Double Float Char Byte Short Integer Character")

// numbers maps the numeric types to their widths. A narrower number may be passed for a wider one.
var numbers = map[string]int{"byte": 1, "short": 2, "char": 2, "int": 3, "long": 4, "float": 5, "double": 6}

// isPrimitive reports whether name is the Java name of a primitive type.
func isPrimitive(name string) bool { return numbers[name] > 0 || name == "boolean" }

// canonical returns the Java name of a type that has another name in Kotlin or Scala.
func canonical(name string) string {
	switch name {
	case "Int":
		return "int"
	case "Char":
		return "char"
	case "Any", "AnyRef":
		return "Object"
	}
	return name
}

// fit returns how well a value of type have fits a parameter of type want, as one of the ranks from
// fitsNot to fitsBoxed.
func (j overloadChooser) fit(have, want jvmType) int {
	root := want.kind == jvmForeign && canonical(want.name) == "Object"
	switch {
	case have.kind == jvmFunc || want.kind == jvmFunc:
		return fitsUnknown
	case have.kind == declared && want.kind == declared:
		return j.distance(have.ref, want.ref)
	case have.kind == declared && root:
		return fitsObject
	case have.kind == declared && want.kind == jvmForeign:
		if final[want.name] {
			return fitsNot
		}
		tree := j.types.ancestry(have.ref)
		if facts.Plain[want.name] && len(tree.outside) == 0 && !tree.unknown {
			return fitsNot
		}
		for _, o := range tree.outside {
			if _, name, _ := cutLast(o); name == want.name {
				return fitsWider
			}
		}
		return fitsUnknown
	case want.kind == declared:
		return fitsNot // an external type does not extend a type of the workspace
	case have.kind == array && want.kind == array:
		return j.fitArrays(have, want)
	case have.kind == array && root:
		return fitsObject
	case have.kind == array || want.kind == array:
		if root || have.kind == jvmForeign && !facts.Plain[have.name] && (tabled(have) == nil || have.name == "Array") {
			return fitsUnknown
		}
		return fitsNot
	}
	if rank, ok := tabledFit(have, want); ok {
		return rank
	}
	return libraryFit(canonical(have.name), canonical(want.name))
}

// tabledFit returns how well a value of library type have fits a parameter of library type want, as a
// rank, by the base types in the tables of the standard libraries. It returns false if these do not
// decide.
func tabledFit(have, want jvmType) (rank int, ok bool) {
	a, b := tabled(have), tabled(want)
	switch {
	case a == nil || canonical(want.name) == "Object":
		return 0, false
	case b == nil: // b is in another library; a type in the tables has no base there
		root, _, _ := strings.Cut(want.module, ".")
		return fitsNot, want.kind == jvmForeign && root != "" && root != "java" && root != "kotlin" && root != "scala"
	}
	asked := []jvmType{want}
	if view, ok := kotlinView(want); ok {
		asked = append(asked, view, library(view.module, strings.TrimPrefix(view.name, "Mutable")))
	}
	for steps, view := range append([]jvmType{have}, kotlinViews(have)...) {
		for _, want := range asked {
			if tableOf(view) != tableOf(want) {
				continue
			}
			if i := slices.Index(lineageOf(tabled(view)), want.name); i >= 0 {
				return fitsExactly + steps + i, true
			}
		}
	}
	return fitsNot, true
}

// distance returns the number of inheritance steps from the type have up to its base want. It returns
// fitsNot if have does not extend want, and fitsUnknown if have has an unknown base.
func (j overloadChooser) distance(have, want resolve.Ref) int {
	tree := j.types.ancestry(have)
	for _, a := range tree.types {
		if a.ref == want {
			return a.depth
		}
	}
	if tree.unknown {
		return fitsUnknown
	}
	return fitsNot
}

func (j overloadChooser) fitArrays(have, want jvmType) int {
	a, b := j.types.read(have.args[0]), j.types.read(want.args[0])
	switch {
	case a.kind == unknown || b.kind == unknown:
		return fitsUnknown
	case isPrimitive(canonical(a.name)) || isPrimitive(canonical(b.name)): // a boolean[] is no Object[]
		if canonical(a.name) == canonical(b.name) {
			return fitsExactly
		}
		return fitsNot
	}
	if inner := j.fit(a, b); inner < fitsObject {
		return inner
	}
	return fitsWider + 9 // better than the root of all types
}

// libraryFit returns how well a value of library type have fits a parameter of library type want, as a
// rank such as fitsExactly, by rules for numbers, their boxes (Integer for int) and Object.
func libraryFit(have, want string) int {
	a, b := numbers[have], numbers[want]
	switch {
	case have == want:
		return fitsExactly
	case a > 0 && b > 0:
		if a > b || want == "char" || have == "char" && want == "short" {
			return fitsNot
		}
		return fitsWider + b - a
	case want == "Object":
		if isPrimitive(have) {
			return fitsBoxed + 2
		}
		return fitsObject
	case isPrimitive(have):
		if facts.Boxes[want] == have {
			return fitsBoxed
		}
		if want == "Number" && have != "boolean" && have != "char" || want == "Comparable" || want == "Serializable" {
			return fitsBoxed + 1
		}
		return fitsNot
	case isPrimitive(want):
		if facts.Boxes[have] == want {
			return fitsBoxed
		}
		if facts.Boxes[have] != "" && numbers[facts.Boxes[have]] > 0 &&
			numbers[want] > numbers[facts.Boxes[have]] && want != "char" {
			return fitsBoxed + 1
		}
		return fitsNot
	}
	if final[want] { // final types have no subtypes
		return fitsNot
	}
	return fitsUnknown
}
