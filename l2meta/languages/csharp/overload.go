package csharp

import (
	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
	"slices"
	"strings"
)

// hands holds the arguments of a call, which the caller hands over.
type hands struct {
	count     int          // number of arguments; -1 if unknown
	args      []*expr.Expr // their expressions; nil if unknown
	typeCount int          // number of type arguments; -1 if unknown
	types     []string
}

// method is a method found in a type or one of its bases. bind binds the type parameters of the
// declaring type. first is 1 for an extension method, whose first parameter takes the receiver. level is 0
// if the type itself declares the method, and grows with the distance of the declaring base.
type method struct {
	resolve.Ref
	bind  *resolve.Binding
	first int
	level int
}

func (m method) parameters() []code.Parameter { return m.Symbol().Parameters[m.first:] }

// takes reports whether m accepts the number of arguments and type arguments.
func (m method) takes(h hands) bool {
	if n := len(typeParameters(m.Ref)); h.typeCount > 0 && h.typeCount != n {
		return false
	}
	parameters := m.parameters()
	required, variadic := 0, false
	for _, p := range parameters {
		switch {
		case p.Variadic:
			variadic = true
		case p.Default == "":
			required++
		}
	}
	return h.count < 0 || h.count >= required && (variadic || h.count <= len(parameters))
}

// overridden reports whether one of the methods found so far, in a nearer type, overrides or hides m,
// because it has the same parameters.
func overridden(found []method, m method) bool {
	return slices.ContainsFunc(found, func(f method) bool {
		return f.level < m.level && slices.EqualFunc(f.Symbol().Parameters, m.Symbol().Parameters,
			func(a, b code.Parameter) bool {
				return a.Type == b.Type || f.bind != nil || m.bind != nil
			})
	})
}

// choose returns the overload that fits the arguments best, as far as their types are known.
func choose(w *resolve.World, s resolve.Scope, fit []method, h hands) csharpFound {
	if fit = fitting(w, s, fit, h); len(fit) == 0 {
		return csharpFound{}
	}
	if len(fit) > 1 {
		for i := range fit {
			if !slices.ContainsFunc(fit, func(o method) bool {
				return o.Ref != fit[i].Ref && !better(w, s, fit[i], o, h)
			}) {
				fit = []method{fit[i]}
				break
			}
		}
	}
	if len(fit) == 1 {
		return csharpFound{method: fit[0], ok: true}
	}
	found := csharpFound{several: true}
	for _, m := range fit {
		found.all = append(found.all, m.Ref)
		found.bind = m.bind
	}
	return found
}

// fitting returns those of the given methods whose parameters all arguments of the call may convert to.
func fitting(w *resolve.World, s resolve.Scope, fit []method, h hands) []method {
	var left []method
	for _, m := range fit {
		ok := true
		for i := range h.args {
			if p, found := m.parameter(h, i); found && conversion(w, s, h, i, m, p) == never || !found {
				ok = false
			}
		}
		if ok {
			left = append(left, m)
		}
	}
	return left
}

// parameter returns the parameter for argument i: by its label, by its position, or the last one if
// that takes any number. It returns false if there is none.
func (m method) parameter(h hands, i int) (code.Parameter, bool) {
	parameters := m.parameters()
	if label, _, ok := strings.Cut(h.args[i].Text, ":"); ok && isWord(label) {
		for _, p := range parameters {
			if p.Name == label {
				return p, true
			}
		}
		return code.Parameter{}, false
	}
	if i < len(parameters) {
		return parameters[i], true
	}
	if n := len(parameters); n > 0 && parameters[n-1].Variadic {
		return parameters[n-1], true
	}
	return code.Parameter{}, false
}

func isWord(s string) bool {
	for _, r := range s {
		if !expr.IsNameRune(r) {
			return false
		}
	}
	return s != ""
}

// better reports whether overload a is better than b: no argument converts worse to a's parameters,
// and one converts better; or all convert alike, and a needs no defaults or is not generic.
func better(w *resolve.World, s resolve.Scope, a, b method, h hands) bool {
	better := false
	for i := range h.args {
		p, _ := a.parameter(h, i)
		q, _ := b.parameter(h, i)
		if bare(p.Type) == bare(q.Type) && p.Variadic == q.Variadic {
			continue
		}
		x, y := conversion(w, s, h, i, a, p), conversion(w, s, h, i, b, q)
		switch {
		case isNull(h.args[i]) && csharpName(bare(q.Type)) == "object" && whole(w, s, h, i, a, p):
			better = true // null is rather an array than an object
			continue
		case x == exact && y == exact:
		case x == maybe && y == maybe &&
			element(bare(p.Type)) == element(bare(q.Type)):
		case x == maybe || y == maybe || x < y:
			return false
		}
		better = better || x > y
	}
	if better || len(h.args) != h.count {
		return better
	}
	plain := func(m method) bool {
		n := len(m.parameters())
		return n == h.count && (n == 0 || !m.parameters()[n-1].Variadic ||
			len(h.args) == n && whole(w, s, h, n-1, m, m.parameters()[n-1]))
	}
	if plain(a) != plain(b) {
		return plain(a)
	}
	return h.typeCount == 0 && len(typeParameters(a.Ref)) == 0 && len(typeParameters(b.Ref)) > 0
}

// fit says how well an argument converts to a parameter's type. The values are ordered from never, the
// worst, to exact.
type fit int

// conversion returns how well argument i, in scope s, converts to parameter p of m, from never to exact.
func conversion(w *resolve.World, s resolve.Scope, h hands, i int, m method, p code.Parameter) fit {
	arg := h.args[i]
	text := p.Type
	if p.Variadic && !whole(w, s, h, i, m, p) {
		text = element(text)
	}
	want := csharpResolve(w, resolve.Type{Text: text, File: m.File, Scope: m.Index, Bind: m.bind})
	// params of a span or a list: params List<int> xs
	if p.Variadic && text == p.Type && want.name != "[]" && len(want.args) == 1 {
		want = csharpResolve(w, want.args[0])
	}
	if label, rest, ok := strings.Cut(arg.Text, ":"); ok && isWord(label) {
		arg = expr.Parse(rest, dialect)
	}
	switch {
	case slices.Contains(typeParameters(m.Ref), bare(text)) && len(want.any) == 0 &&
		!(arg.Op == expr.OpLiteral && arg.Name == "function") && arg.Op != expr.OpUnknown:
		if m.uses(text) > 1 && !alike(w, s, m, text, h) {
			return maybe // the inferred type must suit the other arguments too
		}
		return exact // the type parameter is inferred to be the argument's type
	case want.name == "" && !want.known():
		return maybe
	case arg.Op == expr.OpLiteral && arg.Name == "function":
		if want.name == "Expression" && len(want.args) == 1 {
			want = csharpResolve(w, want.args[0])
		}
		return takesFunction(want, lambdaArity(arg.Text))
	case isNull(arg):
		if primitive(want.name) && want.name != "string" && want.name != "object" && !strings.HasSuffix(text, "?") {
			return never
		}
		return maybe
	case arg.Op == expr.OpName && (arg.Name == "true" || arg.Name == "false"):
		return of(w, csharpType{name: "bool"}, want)
	case arg.Op == expr.OpLiteral && arg.Name == "string" && !strings.HasPrefix(arg.Text, "'"):
		return of(w, csharpType{name: "string"}, want)
	case arg.Op == expr.OpLiteral && arg.Name == "number":
		return ofNumber(arg.Text, want)
	}
	v := eval(s, w, arg)
	if v.Kind != resolve.Instance {
		return maybe
	}
	return of(w, csharpResolve(w, v.Type), want)
}

// element returns the type of the elements of an array that is written as text: object for object[] and object?[]?.
func element(text string) string {
	return strings.TrimSuffix(strings.TrimRight(text, "?"), "[]")
}

// whole reports whether argument i is certainly the array of variadic parameter p of m, rather than an element of it:
// Log(text, values) with object[] values calls void Log(string text, params object[] values) so, and so does null.
func whole(w *resolve.World, s resolve.Scope, h hands, i int, m method, p code.Parameter) bool {
	if !p.Variadic || h.count != len(m.parameters()) || i != h.count-1 {
		return false
	}
	want := csharpResolve(w, resolve.Type{Text: p.Type, File: m.File, Scope: m.Index, Bind: m.bind})
	if want.name != "[]" {
		return false
	}
	if isNull(h.args[i]) {
		return true
	}
	v := eval(s, w, h.args[i])
	return v.Kind == resolve.Instance && of(w, csharpResolve(w, v.Type), want) == exact
}

func isNull(arg *expr.Expr) bool { return arg.Op == expr.OpName && arg.Name == "null" }

// integers are the types of integers.
var integers = resolve.Set("int", "long", "byte", "short", "uint", "ulong", "ushort", "sbyte", "nint", "nuint",
	"char")

// ofNumber returns how well a number, 1 or 1.5, converts to type want.
func ofNumber(text string, want csharpType) fit {
	n := csharpName(want.name)
	switch t := number(text); {
	case n == "int" && isDigits(text):
		return exact
	case n == "object":
		return toObject
	case integers[n] && (t == "double" || t == "float" || t == "decimal"), n == "string", n == "bool", delegates[n],
		noDelegate[n], want.known() && want.parts[0].Symbol().Kind != code.KindStruct:
		return never
	}
	return maybe
}

// alike reports whether all arguments for parameters of type T, a type parameter of m called text, have
// the same known type, which is then inferred for T: true for Swap(1, 2), false for Swap(1, "a").
func alike(w *resolve.World, s resolve.Scope, m method, text string, h hands) bool {
	var first csharpType
	for i := range h.args {
		p, ok := m.parameter(h, i)
		if !ok || bare(p.Type) != bare(text) {
			continue
		}
		t := argument(w, s, h.args[i])
		switch {
		case len(t.args) > 0 || !t.known() && t.name == "":
			return false
		case !first.known() && first.name == "":
			first = t
		case first.known() != t.known() || csharpName(first.name) != csharpName(t.name) ||
			t.known() && first.parts[0] != t.parts[0]:
			return false
		}
	}
	return true
}

// argument returns the type of an argument; the zero type if it is unknown.
func argument(w *resolve.World, s resolve.Scope, arg *expr.Expr) csharpType {
	switch {
	case arg.Op == expr.OpLiteral && arg.Name == "number" && isDigits(arg.Text):
		return csharpType{name: "int"}
	case arg.Op == expr.OpLiteral && arg.Name == "string" && !strings.HasPrefix(arg.Text, "'"):
		return csharpType{name: "string"}
	case arg.Op == expr.OpName && (arg.Name == "true" || arg.Name == "false"):
		return csharpType{name: "bool"}
	}
	if v := eval(s, w, arg); v.Kind == resolve.Instance {
		return csharpResolve(w, v.Type)
	}
	return csharpType{}
}

func isDigits(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}

// uses returns the number of parameters of m whose type is exactly text.
func (m method) uses(text string) (n int) {
	for _, p := range m.Symbol().Parameters {
		if bare(p.Type) == bare(text) {
			n++
		}
	}
	return n
}

// lambdaArity returns the number of parameters of a lambda; -1 if it is unknown.
func lambdaArity(text string) int {
	head, _, ok := strings.Cut(text, "=>")
	head = strings.TrimSpace(head)
	switch {
	case !ok:
		return -1
	case strings.HasPrefix(head, "("):
		return len(expr.SplitTypes(strings.Trim(head, "()")))
	}
	return 1
}

// takesFunction returns how well a lambda with arity parameters (-1 if unknown) converts to the type
// want, as never or maybe.
func takesFunction(want csharpType, arity int) fit {
	takes := -1
	switch {
	case want.known() && want.parts[0].Symbol().Kind == code.KindType:
		takes = len(want.parts[0].Symbol().Parameters)
	case want.known(), primitive(want.name), noDelegate[want.name]:
		return never
	}
	switch want.name {
	case "Func":
		takes = len(want.args) - 1
	case "Action":
		takes = len(want.args)
	case "Predicate":
		takes = 1
	case "Comparison":
		takes = 2
	}
	if arity >= 0 && takes >= 0 && arity != takes {
		return never
	}
	return maybe
}
