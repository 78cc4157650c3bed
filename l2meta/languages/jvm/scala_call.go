package jvm

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// scalaChooser selects among Scala's overloads by the argument lists of a call, and evaluates their
// results.
type scalaChooser struct{ *jvm }

// narrowed returns the candidates to which call c may refer. It considers the number of arguments
// in each list, the names of arguments, and their types.
func (j scalaChooser) narrowed(p place, found []candidate, c *scalaCall) []candidate {
	fit := j.members.choose(p.file, found, -1)
	if len(fit) < 2 {
		return fit
	}
	if len(c.lists) > 0 {
		if takes := slices.DeleteFunc(slices.Clone(fit), func(o candidate) bool {
			return !scalaAccepts(o.ref, c.lists)
		}); len(takes) > 0 {
			fit = scalaTakingAll(takes, len(c.lists))
		}
	} else if none := slices.DeleteFunc(slices.Clone(fit), func(o candidate) bool {
		return len(scalaExplicit(o.ref)) > 0
	}); len(none) == 1 {
		return none
	}
	if len(c.types) > 0 {
		if takes := slices.DeleteFunc(slices.Clone(fit), func(o candidate) bool {
			return len(parameters(o.ref)) != len(c.types)
		}); len(takes) > 0 {
			fit = takes
		}
	}
	if len(fit) < 2 || len(c.lists) == 0 {
		return fit
	}
	return j.byTypes(p, fit, c)
}

// scalaTakingAll returns the candidates with at least as many parameter lists as the call has
// argument lists; lists is the number of argument lists. If no candidate has so many, it returns
// all candidates.
func scalaTakingAll(found []candidate, lists int) []candidate {
	if all := slices.DeleteFunc(slices.Clone(found), func(o candidate) bool {
		return len(scalaLists(o.ref)) < lists
	}); len(all) > 0 {
		return all
	}
	return found
}

// byTypes narrows candidates by the types of the arguments in the first list of c.
func (j scalaChooser) byTypes(p place, found []candidate, c *scalaCall) []candidate {
	var out []candidate
	var fits [][]int
	for _, o := range found {
		if ranks := j.ranks(p, o, c.lists[0]); !slices.Contains(ranks, fitsNot) {
			out, fits = append(out, o), append(fits, ranks)
		}
	}
	if len(out) == 0 {
		return found
	}
	for a := range out {
		best := true
		for b := range out {
			best = best && (a == b || scalaBeats(fits[a], fits[b]))
		}
		if best {
			return out[a : a+1]
		}
	}
	return out
}

// scalaBeats reports whether ranks a are at least as good as ranks b for each argument, and better
// for one. Unknown ranks never beat others.
func scalaBeats(a, b []int) bool {
	better := false
	for i := range a {
		if a[i] < 0 || b[i] < 0 || a[i] > b[i] {
			return false
		}
		better = better || a[i] < b[i]
	}
	return better
}

// ranks returns how well each argument fits its parameter in the first list of candidate o, as a rank
// such as fitsExactly.
func (j scalaChooser) ranks(p place, o candidate, args []*scalaTerm) []int {
	lists := scalaExplicit(o.ref)
	out := make([]int, len(args))
	for i, a := range args {
		name, value := scalaArgument(a)
		out[i] = fitsUnknown
		if len(lists) == 0 {
			continue
		}
		if k := lists[0].index(name, i); k >= 0 {
			out[i] = j.rank(p, value, resolve.Type{Text: strings.TrimSuffix(lists[0].params[k].Type, "*"),
				File: o.ref.File, Scope: o.ref.Index, Bind: o.bind})
		}
	}
	return out
}

// rank returns how well argument a fits a parameter of type t, as one of the ranks from fitsNot to
// fitsBoxed. A function literal x => … fits a function type, but no class.
func (j scalaChooser) rank(p place, a *scalaTerm, t resolve.Type) int {
	want := j.types.read(t)
	if a.head() == "at" {
		a = a.at(2)
	}
	if a.head() == "fn" {
		switch {
		case want.kind == jvmFunc && len(want.args) != a.number(1)+1 && a.number(1) > 1:
			return fitsNot
		case want.kind == jvmFunc:
			return fitsExactly
		case want.kind == declared && want.ref.Symbol().Kind == code.KindClass,
			want.kind == jvmForeign && (final[want.name] || scalaKind(want.name) != ""):
			return fitsNot
		}
		return fitsUnknown
	}
	v := j.terms.eval(p, a)
	if v.kind == resolve.Class && isObjectType(v.typ) {
		v.kind = resolve.Instance
	}
	if v.kind != resolve.Instance || want.kind == unknown || want.kind == jvmFunc || v.typ.kind == jvmFunc {
		return fitsUnknown
	}
	return j.fit(v.typ, want)
}

// fit returns how well a value of type have fits a parameter of type want, as one of the ranks from
// fitsNot to fitsBoxed.
func (j scalaChooser) fit(have, want jvmType) int {
	if want.kind == jvmForeign && (want.name == "Any" || want.name == "AnyRef" || want.name == "Object") {
		return fitsObject
	}
	if want.name == "Tuple" && want.kind == jvmForeign && have.kind == declared {
		return fitsNot // no class extends a tuple
	}
	if have.kind != jvmForeign || want.kind != jvmForeign {
		return j.overloads.fit(have, want)
	}
	a, b := scalaKind(have.name), scalaKind(want.name)
	switch {
	case have.name == want.name:
		return j.fitParts(have, want)
	case scalaNumbers[have.name] > 0 && scalaNumbers[want.name] > 0:
		if scalaNumbers[have.name] < scalaNumbers[want.name] {
			return fitsWider
		}
		return fitsNot
	case have.name == "Null" || have.name == "Nothing":
		return fitsUnknown
	case have.name == "Tuple" && (b != "" || scalaIsPlain(want.name)), // a list is no element of Field*
		want.name == "Tuple" && (a != "" || scalaIsPlain(have.name)):
		return fitsNot
	case a != "" && b != "" && a != b, scalaIsPlain(have.name) && scalaIsPlain(want.name),
		a != "" && scalaIsPlain(want.name), b != "" && scalaIsPlain(have.name) && have.name != "String":
		return fitsNot
	}
	if rank, ok := tabledFit(scalaJava(have), scalaJava(want)); ok {
		return rank
	}
	return fitsUnknown
}

// fitParts compares the type arguments of have with those of want at the same positions, and returns the
// worst rank: for a List[Cat] and a List[Animal] that of Cat for Animal.
func (j scalaChooser) fitParts(have, want jvmType) int {
	worst := fitsExactly
	for i := range min(len(have.args), len(want.args)) {
		a, b := j.types.read(have.args[i]), j.types.read(want.args[i])
		if a.kind == unknown || b.kind == unknown || a.kind == jvmFunc || b.kind == jvmFunc {
			if a.kind != b.kind {
				continue // a name without a type is probably a type parameter
			}
			return fitsUnknown
		}
		switch fit := j.fit(a, b); {
		case fit == fitsNot, fit > 0 && scalaNumbers[a.name] > 0 && scalaNumbers[b.name] > 0:
			return fitsNot
		case fit == fitsUnknown:
			return fitsUnknown
		case fit > worst:
			worst = fit
		}
	}
	return worst
}

func scalaIsPlain(name string) bool {
	return scalaNumbers[name] > 0 || name == "String" || name == "Boolean" || name == "Unit" || name == "Symbol"
}

// resultOf evaluates call c, which may refer to several candidates. If the arguments do not select
// one, the result is the type that all of them return, or unknown if they differ.
func (j scalaChooser) resultOf(p place, found []candidate, x jvmValue, c *scalaCall) (out jvmValue) {
	found = j.narrowed(p, found, c)
	if len(found) > maxCommon {
		return jvmValue{}
	}
	for i, o := range found {
		v := j.gives(p, o, x, c)
		if i > 0 && !same(v.typ, out.typ) {
			return jvmValue{}
		}
		out = v
	}
	return out
}

// gives returns the value of call c if it calls candidate o with the receiver x: a new object if o is a
// class, a function if c passes no arguments that o needs, otherwise the result of o.
func (j scalaChooser) gives(p place, o candidate, x jvmValue, c *scalaCall) jvmValue {
	if resolve.IsType(o.ref.Symbol().Kind) {
		return j.terms.constructed(p, o.ref, c)
	}
	if o.ref.File.Language != "scala" {
		if o.bind == nil && x.typ.kind == declared {
			o.bind = j.types.bindOf(x.typ)
		}
		return of(j.types.read(resolve.Type{Text: o.ref.Symbol().Returns, File: o.ref.File, Scope: o.ref.Index,
			Bind: o.bind})).via(resolve.TypedResult)
	}
	o.bind = j.names.bind(o, x)
	bind := j.inferred(p, o, c, true)
	out := j.written(o, x, bind)
	own := len(scalaExplicit(o.ref))
	// the method itself is the value, as a function
	if len(c.lists) == 0 && own > 0 && len(scalaExplicit(o.ref)[0].params) > 0 {
		fn := jvmType{kind: jvmFunc}
		for _, param := range scalaExplicit(o.ref)[0].params {
			fn.args = append(fn.args, resolve.Type{Text: param.Type, File: o.ref.File, Scope: o.ref.Index, Bind: bind})
		}
		fn.args = append(fn.args, scalaTypeOf(out.typ))
		return of(fn).via(resolve.TypedResult)
	}
	if own < len(c.lists) && own < len(scalaLists(o.ref)) { // the last lists pass implicit arguments explicitly
		own++
	}
	if own < len(c.lists) {
		return j.terms.apply(p, out, &scalaCall{lists: c.lists[own:]})
	}
	return out
}

type scalaGivesKey resolve.Ref

// written returns the result of a callable: a value of its declared result type, or else the
// value of its body.
func (j scalaChooser) written(o candidate, x jvmValue, bind *resolve.Binding) jvmValue {
	s := o.ref.Symbol()
	switch {
	case s.Returns == "this.type" && x.kind == resolve.Instance:
		x.own, x.super = false, false
		return x.via(resolve.TypedResult)
	case s.Returns != "":
		return of(j.types.read(resolve.Type{Text: s.Returns, File: o.ref.File, Scope: o.ref.Index,
			Bind: bind})).via(resolve.TypedResult)
	}
	v := resolve.Derive(j.w, scalaGivesKey(o.ref), func() jvmValue {
		for _, fact := range o.ref.Facts() {
			if fact.Kind == code.FactReturn {
				p := place{file: o.ref.File, at: o.ref.Index, pos: fact.Span.StartByte}
				return j.terms.eval(p, scalaParse(p.file, fact.Type)).asValue()
			}
		}
		return jvmValue{}
	})
	v.typ = v.typ.rebound(bind)
	return v.via(resolve.TypedResult)
}

// inferred binds the type parameters of o, a callable or a case class, as far as call c determines
// them. If functions is set, it also evaluates the function literals among the arguments.
func (j scalaChooser) inferred(p place, o candidate, c *scalaCall, functions bool) *resolve.Binding {
	names, bind := parameters(o.ref), o.bind
	if len(names) == 0 {
		return bind
	}
	if len(c.types) == len(names) {
		for i, name := range names {
			bind = &resolve.Binding{Name: name, Type: p.typ(c.types[i]), Next: bind}
		}
		return bind
	}
	lists := scalaExplicit(o.ref)
	for i, args := range c.lists[:min(len(c.lists), len(lists))] {
		for k, a := range args {
			name, value := scalaArgument(a)
			at := lists[i].index(name, k)
			if at < 0 || !functions && scalaIsFunction(value) {
				continue
			}
			text := clean(lists[i].params[at].Type)
			if !slices.ContainsFunc(names, func(n string) bool { return strings.Contains(text, n) }) {
				continue
			}
			if v := j.terms.eval(p, value).asValue(); v.kind == resolve.Instance {
				bind = j.unify(names, text, v.typ, bind, 0)
			}
		}
	}
	return bind
}

func scalaIsFunction(t *scalaTerm) bool {
	return t.head() == "fn" || t.head() == "at" && scalaIsFunction(t.at(2))
}

// unify binds those type parameters in names that occur in text, the type of a parameter, to the
// corresponding parts of have, the type of the argument: for List[A] and a List[Order] it binds A
// to Order.
func (j scalaChooser) unify(names []string, text string, have jvmType, bind *resolve.Binding,
	depth int) *resolve.Binding {
	text = strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "=>")), "*")
	if depth > 4 || have.kind == unknown {
		return bind
	}
	if slices.Contains(names, text) {
		if t := scalaTypeOf(have); t.Text != "" {
			if _, bound := bind.Lookup(text); !bound {
				return &resolve.Binding{Name: text, Type: t, Next: bind}
			}
		}
		return bind
	}
	var parts []string
	if f, ok := scalaFunction(resolve.Type{}, text); ok {
		if have.kind != jvmFunc {
			return bind
		}
		for _, a := range f.args {
			parts = append(parts, a.Text)
		}
	} else if strings.HasPrefix(text, "(") && closing(text) == len(text)-1 {
		if parts = expr.SplitTypes(text[1 : len(text)-1]); have.name != "Tuple" {
			return bind
		}
	} else if path, args, _ := scalaSplit(text); path != nil {
		parts = args
		if have.kind == jvmFunc || have.kind == jvmForeign && have.name == "Tuple" {
			return bind
		}
	}
	if len(parts) != len(have.args) {
		return bind
	}
	for i, part := range parts {
		if have.args[i].Text != "" {
			bind = j.unify(names, part, j.types.read(have.args[i]), bind, depth+1)
		}
	}
	return bind
}

// given evaluates a parameter of a function literal: the value that a call passes to it. t is a
// term such as (given 17 0 1 0). The numbers identify the call at byte 17, its argument list 0,
// the literal as argument 1 of that list, and parameter 0 of the literal.
func (j scalaChooser) given(p place, t *scalaTerm) jvmValue {
	c := scalaCallAt(p.file, t.number(1))
	if c == nil {
		return jvmValue{}
	}
	list, name, argument := t.number(2), "", t.number(3)
	if word, ok := strings.CutPrefix(t.at(3).word, "="); ok && t.at(3).word != "=" {
		name = word
	}
	site := &p.file.Calls()[c.index]
	at := place{file: p.file, at: site.Caller, pos: site.NameSpan.StartByte}
	found, x := j.callees(at, site, c)
	var out jvmValue
	for i, o := range found {
		lists := scalaExplicit(o.ref)
		if list >= len(lists) {
			return jvmValue{}
		}
		k := lists[list].index(name, argument)
		if k < 0 {
			return jvmValue{}
		}
		o.bind = j.names.bind(o, x)
		typ := j.types.read(resolve.Type{Text: lists[list].params[k].Type, File: o.ref.File, Scope: o.ref.Index,
			Bind: j.inferred(at, o, c, false)})
		v := j.parameter(typ, t.at(4).word)
		if i > 0 && !same(v.typ, out.typ) {
			return jvmValue{}
		}
		out = v
	}
	if len(found) == 0 && x.kind == resolve.Instance {
		return j.scalaLibrary.gives(at, x, site.Callee, c, [2]int{list, argument}, t.at(4).word)
	}
	return out.via(resolve.TypedElement)
}

// callees returns the callables that a call may refer to, and its receiver. For a call of a library
// member, it returns only the receiver.
func (j scalaChooser) callees(p place, site *code.Call, c *scalaCall) ([]candidate, jvmValue) {
	if site.Kind == code.CallNew || site.Kind == code.CallSuper && c.receiver == nil {
		if t := j.types.read(p.typ(path(site.Receiver, site.Callee))); t.kind == declared {
			return []candidate{{ref: t.ref}}, of(t)
		}
		return nil, jvmValue{}
	}
	var found scalaFound
	var x jvmValue
	if c.receiver == nil {
		found = j.names.lookup(p, site.Callee)
	} else {
		x = j.terms.eval(p, c.receiver)
		found = j.names.member(p, x, site.Callee)
	}
	if len(found.methods) > 0 {
		return j.shaped(p, found.methods, c), found.context
	}
	switch v := found.value; {
	case v.kind == resolve.Class && v.typ.kind == declared:
		makers, context := j.terms.makers(p, v)
		return j.shaped(p, makers, c), context
	case c.receiver != nil && x.kind == resolve.Instance && x.typ.kind == declared:
		if base, ok := j.values.containerOfAny(x); ok {
			return nil, base
		}
		if o, y, ok := j.views.view(p, x, site.Callee, c); ok {
			return []candidate{o}, y
		}
	case c.receiver != nil && x.kind == resolve.Instance:
		if o, y, ok := j.views.view(p, x, site.Callee, c); ok {
			return []candidate{o}, y
		}
	}
	return nil, x
}

// shaped returns the candidates that accept the number of arguments in each list of c, or all if
// none does.
func (j scalaChooser) shaped(p place, found []candidate, c *scalaCall) []candidate {
	fit := j.members.choose(p.file, found, -1)
	if takes := slices.DeleteFunc(slices.Clone(fit), func(o candidate) bool {
		return !scalaAccepts(o.ref, c.lists)
	}); len(takes) > 0 {
		return takes
	}
	return fit
}

// parameter returns a value of the type of parameter q of function type t; for "*", a tuple of all
// parameters.
func (j scalaChooser) parameter(t jvmType, q string) jvmValue {
	switch {
	case t.kind == jvmFunc && q == "*" && len(t.args) > 2:
		return of(library("scala", "Tuple", t.args[:len(t.args)-1]...))
	case t.kind == jvmFunc && q == "*" && len(t.args) == 2:
		return of(j.types.read(t.args[0]))
	case q == "*":
		return jvmValue{}
	}
	return j.values.parameterOf(t, q)
}
