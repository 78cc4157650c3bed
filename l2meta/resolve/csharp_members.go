package resolve

import (
	"slices"
	"strings"

	"sextant/internal/code"
)

// maxLineage bounds how many types a type is followed up to.
const maxLineage = 64

// csharpBases is the types that the parts of t name as their bases, and whether
// one of them, which must be a class, is foreign.
func csharpBases(w *World, t csharpType) (bases []csharpType, foreignClass bool) {
	for _, part := range t.parts {
		for _, fact := range part.Facts() {
			if fact.Kind != code.FactBase && fact.Kind != code.FactImpl {
				continue
			}
			b := csharpResolve(w, Type{Text: fact.Type, File: part.File, Scope: part.Symbol().Parent, Bind: t.bind()})
			bases = append(bases, b)
			if !b.known() && fact.Kind == code.FactBase && part.Symbol().Kind == code.KindClass {
				foreignClass = true
			}
		}
	}
	return bases, foreignClass
}

func (t csharpType) isInterface() bool {
	return t.known() && t.parts[0].Symbol().Kind == code.KindInterface
}

// csharpSupertypes is t and all that it derives from, nearest first; foreign
// ones too.
func csharpSupertypes(w *World, t csharpType) []csharpType {
	all := []csharpType{t}
	seen := map[Ref]bool{}
	for i := 0; i < len(all) && len(all) < maxLineage; i++ {
		if !all[i].known() || seen[all[i].parts[0]] {
			continue
		}
		seen[all[i].parts[0]] = true
		bases, _ := csharpBases(w, all[i])
		all = append(all, bases...)
	}
	return all
}

// csharpLineage is the types of the workspace whose members a value of type t
// has: t and its base classes, or of an interface all that it extends. foreign
// says that a base class is not among them.
func csharpLineage(w *World, t csharpType) (levels []csharpType, foreign bool) {
	levels = []csharpType{t}
	seen := map[Ref]bool{t.parts[0]: true}
	for i := 0; i < len(levels) && len(levels) < maxLineage; i++ {
		bases, outside := csharpBases(w, levels[i])
		foreign = foreign || outside
		for _, b := range bases {
			if b.known() && !seen[b.parts[0]] && b.isInterface() == t.isInterface() {
				seen[b.parts[0]] = true
				levels = append(levels, b)
			}
		}
	}
	return levels, foreign
}

// csharpOwn is the members of that name that the parts of t declare, as far as
// code at s may use them. Constructors, and what implements a member of one
// interface explicitly, cannot be named.
func csharpOwn(s Scope, t csharpType, name string) (out []Ref) {
	for _, part := range t.parts {
		for _, i := range part.File.Children(part.Index) {
			m := &part.File.Symbols[i]
			if m.Name == name && m.Kind != code.KindConstructor && (IsType(m.Kind) || !csharpExplicit(part.File.Ref(i))) && csharpVisible(s, part, m) {
				out = append(out, part.File.Ref(i))
			}
		}
	}
	return out
}

// csharpExplicit reports whether a member is written as IFoo.Name.
func csharpExplicit(r Ref) bool {
	return slices.ContainsFunc(r.Facts(), func(f *code.Fact) bool { return f.Kind == code.FactImpl })
}

// csharpVisible reports whether code at s may use member m of the type part: a
// private one, which has no word for its reach, only within that type.
func csharpVisible(s Scope, part Ref, m *code.Symbol) bool {
	if k := part.Symbol().Kind; k == code.KindInterface || k == code.KindEnum || m.Exported {
		return true
	}
	for _, word := range m.Modifiers {
		if word == "internal" || word == "protected" || word == "public" {
			return true
		}
	}
	if len(part.Symbol().Parameters) > 0 && m.Kind == code.KindProperty && slices.Contains(part.Symbol().Modifiers, "record") {
		return true // a component of a record
	}
	full := csharpFullName(part)
	for at := s.At; at >= 0; at = s.File.Symbols[at].Parent {
		if IsType(s.File.Symbols[at].Kind) && csharpFullName(s.File.Ref(at)) == full {
			return true
		}
	}
	return false
}

// csharpHands is what a call hands over.
type csharpHands struct {
	count     int     // of arguments; -1 when not known
	args      []*Expr // as far as they are known
	typeCount int     // of type arguments, -1 when not known
	types     []string
}

// csharpMethod is a method as found through a type: bind is what that type's
// parameters stand for. first is 1 where the receiver is the first argument.
type csharpMethod struct {
	Ref
	bind  *Binding
	first int
	level int
}

func (m csharpMethod) parameters() []code.Parameter { return m.Symbol().Parameters[m.first:] }

// takes reports whether m can be called so, by the number of arguments.
func (m csharpMethod) takes(h csharpHands) bool {
	if n := len(csharpTypeParameters(m.Ref)); h.typeCount > 0 && h.typeCount != n {
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

// csharpFound is the outcome of a search for a method.
type csharpFound struct {
	method  csharpMethod
	ok      bool  // method is the one
	value   Ref   // or a member that holds a function
	several bool  // or several methods fit
	misfit  bool  // or there are methods of that name, none of which fits
	foreign bool  // or a base class outside of the workspace may have it
	all     []Ref // those that fit, when several
	bind    *Binding
}

// csharpMethodOf finds the method of t that a call at s of that name means.
func csharpMethodOf(w *World, s Scope, t csharpType, name string, h csharpHands) csharpFound {
	levels, foreign := csharpLineage(w, t)
	var fit []csharpMethod
	named := false
	for i, level := range levels {
		for _, r := range csharpOwn(s, level, name) {
			if !r.Symbol().Kind.Callable() {
				if len(fit) == 0 && !IsType(r.Symbol().Kind) {
					return csharpFound{value: r, bind: level.bind()}
				}
				continue
			}
			named = true
			if m := (csharpMethod{Ref: r, bind: level.bind(), level: i}); m.takes(h) && !csharpOverridden(fit, m) {
				fit = append(fit, m)
			}
		}
		if len(fit) == 0 && level.torn() {
			return csharpFound{misfit: true}
		}
	}
	found := csharpChoose(w, s, fit, h)
	if !found.ok && !found.several {
		return csharpFound{foreign: foreign, misfit: named}
	}
	return found
}

// torn reports whether a part of t stands in a file that was not read well, so
// that members of t may be missing: there are methods outside of types.
func (t csharpType) torn() bool {
	return slices.ContainsFunc(t.parts, func(part Ref) bool {
		return Memo(part.File, csharpTornKey{}, func() bool {
			return slices.ContainsFunc(part.File.Symbols, func(m code.Symbol) bool {
				return (m.Kind == code.KindMethod || m.Kind == code.KindConstructor) && (m.Parent < 0 || part.File.Symbols[m.Parent].Kind == code.KindNamespace)
			})
		})
	})
}

type csharpTornKey struct{}

// csharpOverridden reports whether one of found has the parameters of m: it
// overrides or hides it.
func csharpOverridden(found []csharpMethod, m csharpMethod) bool {
	return slices.ContainsFunc(found, func(f csharpMethod) bool {
		return f.level < m.level && slices.EqualFunc(f.Symbol().Parameters, m.Symbol().Parameters, func(a, b code.Parameter) bool {
			return a.Type == b.Type || f.bind != nil || m.bind != nil
		})
	})
}

// csharpChoose picks the overload that the arguments choose, as far as their
// types can be told.
func csharpChoose(w *World, s Scope, fit []csharpMethod, h csharpHands) csharpFound {
	if fit = csharpFitting(w, s, fit, h); len(fit) == 0 {
		return csharpFound{}
	}
	if len(fit) > 1 {
		for i := range fit {
			if !slices.ContainsFunc(fit, func(o csharpMethod) bool { return o.Ref != fit[i].Ref && !csharpBetter(w, s, fit[i], o, h) }) {
				fit = []csharpMethod{fit[i]}
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

// csharpFitting leaves out the methods that an argument cannot be handed to.
func csharpFitting(w *World, s Scope, fit []csharpMethod, h csharpHands) []csharpMethod {
	var left []csharpMethod
	for _, m := range fit {
		ok := true
		for i := range h.args {
			if p, found := m.parameter(h, i); found && csharpConversion(w, s, h, i, m, p) == csharpNever || !found {
				ok = false
			}
		}
		if ok {
			left = append(left, m)
		}
	}
	return left
}

// parameter is the parameter that takes argument i: by its label, by its place,
// or the last one where that takes any number.
func (m csharpMethod) parameter(h csharpHands, i int) (code.Parameter, bool) {
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
		if !isNameRune(r) {
			return false
		}
	}
	return s != ""
}

// csharpBetter reports whether a is the better overload than b for what is
// handed over: no argument converts worse, and one better; or all convert the
// same, and a needs no defaults or is not generic.
func csharpBetter(w *World, s Scope, a, b csharpMethod, h csharpHands) bool {
	better := false
	for i := range h.args {
		p, _ := a.parameter(h, i)
		q, _ := b.parameter(h, i)
		if csharpBare(p.Type) == csharpBare(q.Type) && p.Variadic == q.Variadic {
			continue
		}
		x, y := csharpConversion(w, s, h, i, a, p), csharpConversion(w, s, h, i, b, q)
		switch {
		case x == csharpExact && y == csharpExact:
		case x == csharpMaybe && y == csharpMaybe && strings.TrimSuffix(csharpBare(p.Type), "[]") == strings.TrimSuffix(csharpBare(q.Type), "[]"):
		case x == csharpMaybe || y == csharpMaybe || x < y:
			return false
		}
		better = better || x > y
	}
	if better || len(h.args) != h.count {
		return better
	}
	plain := func(m csharpMethod) bool {
		n := len(m.parameters())
		return n == h.count && (n == 0 || !m.parameters()[n-1].Variadic)
	}
	if plain(a) != plain(b) {
		return plain(a)
	}
	return h.typeCount == 0 && len(csharpTypeParameters(a.Ref)) == 0 && len(csharpTypeParameters(b.Ref)) > 0
}

// How an argument converts to a parameter's type, from worst to best.
type csharpFit int

const (
	csharpNever csharpFit = iota
	csharpMaybe
	csharpToObject // to object
	csharpBase     // to a base type or an interface
	csharpExact
)

// csharpConversion says how argument i at s converts to a parameter of m.
func csharpConversion(w *World, s Scope, h csharpHands, i int, m csharpMethod, p code.Parameter) csharpFit {
	arg := h.args[i]
	text := p.Type
	if p.Variadic {
		text = strings.TrimSuffix(text, "[]")
	}
	want := csharpResolve(w, Type{Text: text, File: m.File, Scope: m.Index, Bind: m.bind})
	if p.Variadic && text == p.Type && len(want.args) == 1 { // params of a span or a list
		want = csharpResolve(w, want.args[0])
	}
	if label, rest, ok := strings.Cut(arg.Text, ":"); ok && isWord(label) {
		arg = ParseExpr(rest, csharpDialect)
	}
	switch {
	case slices.Contains(csharpTypeParameters(m.Ref), csharpBare(text)) && len(want.any) == 0 && !(arg.Op == OpLiteral && arg.Name == "function") && arg.Op != OpUnknown:
		if m.uses(text) > 1 && !csharpAlike(w, s, m, text, h) {
			return csharpMaybe // what it is inferred to be must suit the others too
		}
		return csharpExact // inferred to be just that
	case want.name == "" && !want.known():
		return csharpMaybe
	case arg.Op == OpLiteral && arg.Name == "function":
		if want.name == "Expression" && len(want.args) == 1 {
			want = csharpResolve(w, want.args[0])
		}
		return csharpTakesFunction(want, lambdaArity(arg.Text))
	case arg.Op == OpName && arg.Name == "null":
		if csharpPrimitive(want.name) && want.name != "string" && want.name != "object" && !strings.HasSuffix(text, "?") {
			return csharpNever
		}
		return csharpMaybe
	case arg.Op == OpName && (arg.Name == "true" || arg.Name == "false"):
		return csharpOf(w, csharpType{name: "bool"}, want)
	case arg.Op == OpLiteral && arg.Name == "string":
		return csharpOf(w, csharpType{name: "string"}, want)
	case arg.Op == OpLiteral && arg.Name == "number":
		if csharpName(want.name) == "int" && isDigits(arg.Text) {
			return csharpExact
		}
		if n := csharpName(want.name); n == "string" || n == "bool" || csharpDelegates[n] || csharpNoDelegate[n] || want.known() && want.parts[0].Symbol().Kind != code.KindStruct {
			return csharpNever
		}
		return csharpMaybe
	}
	v := csharpEval(s, w, arg)
	if v.Kind != Instance {
		return csharpMaybe
	}
	return csharpOf(w, csharpResolve(w, v.Type), want)
}

// csharpAlike reports whether all that is handed to parameters of m of that type
// is of one type, which is then what it is inferred to be.
func csharpAlike(w *World, s Scope, m csharpMethod, text string, h csharpHands) bool {
	var first csharpType
	for i := range h.args {
		p, ok := m.parameter(h, i)
		if !ok || csharpBare(p.Type) != csharpBare(text) {
			continue
		}
		t := csharpArgument(w, s, h.args[i])
		switch {
		case len(t.args) > 0 || !t.known() && t.name == "":
			return false
		case !first.known() && first.name == "":
			first = t
		case first.known() != t.known() || csharpName(first.name) != csharpName(t.name) || t.known() && first.parts[0] != t.parts[0]:
			return false
		}
	}
	return true
}

// csharpArgument is the type of an argument, as far as it shows.
func csharpArgument(w *World, s Scope, arg *Expr) csharpType {
	switch {
	case arg.Op == OpLiteral && arg.Name == "number" && isDigits(arg.Text):
		return csharpType{name: "int"}
	case arg.Op == OpLiteral && arg.Name == "string":
		return csharpType{name: "string"}
	case arg.Op == OpName && (arg.Name == "true" || arg.Name == "false"):
		return csharpType{name: "bool"}
	}
	if v := csharpEval(s, w, arg); v.Kind == Instance {
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

// uses is how many parameters of m are of just that type.
func (m csharpMethod) uses(text string) (n int) {
	for _, p := range m.Symbol().Parameters {
		if csharpBare(p.Type) == csharpBare(text) {
			n++
		}
	}
	return n
}

// lambdaArity is how many parameters a lambda has, -1 when it does not show.
func lambdaArity(text string) int {
	head, _, ok := strings.Cut(text, "=>")
	head = strings.TrimSpace(head)
	switch {
	case !ok:
		return -1
	case strings.HasPrefix(head, "("):
		return len(SplitTypes(strings.Trim(head, "()")))
	}
	return 1
}

// csharpTakesFunction says how a lambda of so many parameters converts to a type.
func csharpTakesFunction(want csharpType, arity int) csharpFit {
	takes := -1
	switch {
	case want.known() && want.parts[0].Symbol().Kind == code.KindType:
		takes = len(want.parts[0].Symbol().Parameters)
	case want.known(), csharpPrimitive(want.name), csharpNoDelegate[want.name]:
		return csharpNever
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
		return csharpNever
	}
	return csharpMaybe
}

// csharpDelegates and csharpNoDelegate are standard types that neither text nor
// a number converts to; functions convert to the former alone.
var (
	csharpDelegates  = map[string]bool{"Func": true, "Action": true, "Predicate": true, "Comparison": true, "Expression": true}
	csharpNoDelegate = map[string]bool{
		"[]": true, "List": true, "IEnumerable": true, "Dictionary": true, "Type": true, "Exception": true, "CancellationToken": true, "TimeSpan": true, "DateTime": true,
		"Guid": true, "Uri": true, "Task": true, "Stream": true, "Assembly": true, "MethodInfo": true, "PropertyInfo": true, "MemberInfo": true, "IEqualityComparer": true,
		"IComparer": true, "IServiceProvider": true, "IFormatProvider": true, "CultureInfo": true, "Encoding": true, "StringComparison": true,
	}
)

// csharpOf says how a value of type have converts to want.
func csharpOf(w *World, have, want csharpType) csharpFit {
	switch {
	case have.parameter != "" && csharpName(want.name) == "object":
		return csharpToObject
	case len(have.any) > 0 || len(want.any) > 0 || have.name == "" && !have.known():
		return csharpMaybe
	case csharpName(want.name) == "object" && csharpName(have.name) == "object":
		return csharpExact
	case csharpName(want.name) == "object":
		return csharpToObject
	case have.known() && want.known():
		if have.parts[0] == want.parts[0] {
			return csharpExact
		}
		for _, t := range csharpSupertypes(w, have)[1:] {
			if t.known() && t.parts[0] == want.parts[0] {
				return csharpBase
			}
		}
		if csharpConverts(have) || csharpConverts(want) {
			return csharpMaybe
		}
		return csharpNever
	case !have.known() && !want.known():
		a, b := csharpName(have.name), csharpName(want.name)
		switch {
		case a == b && len(have.args) == 0:
			return csharpExact
		case a == b:
			return csharpMaybe
		case csharpPrimitive(a) && (csharpDelegates[b] || csharpNoDelegate[b] || csharpPrimitive(b) && (a == "string" || b == "string" || a == "bool" || b == "bool")):
			return csharpNever
		}
		return csharpMaybe
	case have.known():
		if csharpPrimitive(want.name) && !csharpConverts(have) || csharpStranger(w, have, want) ||
			have.parts[0].Symbol().Kind == code.KindEnum && (csharpDelegates[want.name] || csharpSequences[want.name] || want.name == "[]") {
			return csharpNever
		}
		return csharpMaybe
	case csharpPrimitive(have.name) && !csharpConverts(want):
		return csharpNever
	}
	return csharpMaybe
}

// csharpStranger reports whether no value of the class have is one of the
// foreign interface want: all that have derives from is known, and to an
// interface nothing else converts.
func csharpStranger(w *World, have, want csharpType) bool {
	isInterface := len(want.name) > 1 && want.name[0] == 'I' && 'A' <= want.name[1] && want.name[1] <= 'Z'
	if !isInterface || len(csharpDecls(w, want.name)) > 0 || csharpOutside(w, have) || csharpConverts(have) {
		return false
	}
	return !slices.ContainsFunc(have.parts, func(part Ref) bool {
		m := part.Symbol().Modifiers
		return part.Symbol().Kind != code.KindClass || slices.Contains(m, "partial") || slices.Contains(m, "record")
	})
}

// csharpConverts reports whether a type declares conversions of its own.
func csharpConverts(t csharpType) bool {
	for _, part := range t.parts {
		for _, i := range part.File.Children(part.Index) {
			if strings.HasPrefix(part.File.Symbols[i].Name, "operator ") {
				return true
			}
		}
	}
	return false
}

// csharpOutside reports whether t derives from what is not in the workspace.
func csharpOutside(w *World, t csharpType) bool {
	return slices.ContainsFunc(csharpSupertypes(w, t), func(b csharpType) bool { return !b.known() })
}

var csharpKeywords = map[string]string{
	"String": "string", "Int32": "int", "Int64": "long", "Boolean": "bool", "Object": "object", "Double": "double", "Single": "float", "Byte": "byte",
	"Char": "char", "Decimal": "decimal", "Int16": "short", "UInt32": "uint", "UInt64": "ulong", "UInt16": "ushort", "SByte": "sbyte",
}

// csharpName is a foreign type's name with the keyword for it.
func csharpName(name string) string {
	if k, ok := csharpKeywords[name]; ok {
		return k
	}
	return name
}

func csharpPrimitive(name string) bool {
	switch csharpName(name) {
	case "string", "int", "long", "bool", "double", "float", "byte", "char", "decimal", "short", "uint", "ulong", "ushort", "sbyte", "nint", "nuint":
		return true
	}
	return false
}

// csharpExtension finds the extension method that a call at s on a value of
// type t means. guess is the only one of that name in sight when t is not known.
func csharpExtension(w *World, s Scope, t csharpType, name string, h csharpHands) (found csharpFound, guess Ref) {
	rows, ok := w.Named(name)
	if !ok || !t.known() && (csharpTakesElement(name) || csharpCollections[name] || csharpReflection[t.name][name]) {
		return csharpFound{}, Ref{} // the foreign type may well have it itself
	}
	var fit []csharpMethod
	inSight, others := 0, 0
	for _, row := range rows {
		if row.Language != "csharp" || row.Symbol.Kind != code.KindMethod {
			continue
		}
		others++
		r := w.Ref(row)
		if !r.Valid() || !r.Parent().Valid() || len(r.Symbol().Parameters) == 0 {
			continue
		}
		this := csharpThis(r)
		m := csharpMethod{Ref: r, first: 1}
		if this == "" || !m.takes(h) || !csharpInSight(w, s, r) {
			continue
		}
		inSight++
		guess = r
		if csharpExtends(w, t, Type{Text: this, File: r.File, Scope: r.Index}) {
			fit = append(fit, m)
		}
	}
	if inSight != 1 || others > 1 {
		guess = Ref{}
	}
	if len(fit) == 0 {
		return csharpFound{}, guess
	}
	return csharpChoose(w, s, fit, h), guess
}

// csharpThis is the type that an extension method extends, "" for another.
func csharpThis(r Ref) string {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactParam && fact.Name == "this" {
			return fact.Type
		}
	}
	return ""
}

// csharpInSight reports whether the static class around an extension method
// can be seen from s: its namespace is around s, or in use.
func csharpInSight(w *World, s Scope, method Ref) bool {
	class := csharpFullName(method.Parent())
	namespace := class[:max(strings.LastIndexByte(class, '.'), 0)]
	namespaces := csharpNamespaces(s.File, s.At)
	if slices.Contains(namespaces, namespace) {
		return true
	}
	return slices.ContainsFunc(csharpUsings(w, s.File), func(u csharpUsing) bool {
		return u.alias == "" && (u.module == namespace || u.module == class || slices.ContainsFunc(namespaces, func(n string) bool { return csharpJoin(n, u.module) == namespace }))
	})
}

// csharpExtends reports whether a value of type t is one of type this.
func csharpExtends(w *World, t csharpType, this Type) bool {
	want := csharpResolve(w, this)
	if want.known() || want.name != "" {
		for _, b := range csharpSupertypes(w, t) {
			if want.known() && b.known() && b.parts[0] == want.parts[0] || !want.known() && !b.known() && csharpIs(b, want) && csharpSameArgs(w, b, want) {
				return true
			}
		}
		return false
	}
	if !t.known() && t.name == "" {
		return false
	}
	for _, c := range want.any {
		if !csharpExtends(w, t, c) {
			return false
		}
	}
	_, generic := csharpParameterOwner(this.File, this.Scope, csharpBare(this.Text))
	return generic
}

// csharpSameArgs reports whether what an extension method says of the type
// arguments does not rule t out.
func csharpSameArgs(w *World, t, want csharpType) bool {
	if len(t.args) != len(want.args) || t.name != want.name {
		return true
	}
	for i := range t.args {
		a, b := csharpResolve(w, t.args[i]), csharpResolve(w, want.args[i])
		if a.known() && b.known() && a.parts[0] != b.parts[0] && !slices.ContainsFunc(csharpSupertypes(w, a), func(c csharpType) bool { return c.known() && c.parts[0] == b.parts[0] }) {
			return false
		}
		foreign := !a.known() && a.name != "" && len(a.any) == 0
		if foreign && (b.known() || csharpPrimitive(b.name) && csharpName(a.name) != csharpName(b.name)) {
			return false
		}
	}
	return true
}

// csharpIs reports whether a foreign type is another one, as far as the names
// of the standard collections and of databases tell.
func csharpIs(t, want csharpType) bool {
	a, b := csharpName(t.name), csharpName(want.name)
	return csharpDatabase[a] && b == "I"+a || a == b || b == "IEnumerable" && (csharpSequences[a] || a == "[]") || b == "ICollection" && (a == "List" || a == "HashSet") || b == "IList" && (a == "List" || a == "[]") ||
		b == "IDictionary" && a == "Dictionary" || b == "IReadOnlyList" && a == "List" || b == "object" && a != ""
}
