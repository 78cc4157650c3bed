package jvm

import (
	"cmp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// kotlinEvaluator resolves names by the rules of Kotlin. Besides members, these know functions
// and properties of packages, local functions, and values that are called like functions.
type kotlinEvaluator struct{ *jvm }

// Kotlin resolves calls in Kotlin: members of the instances in scope, extensions by the type of the
// receiver, functions of packages.
type Kotlin struct{ family }

func (Kotlin) Settle(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	j := newJVM(w)
	p := place{file: f, at: c.Caller, pos: c.NameSpan.StartByte}
	switch {
	case c.Kind == code.CallDecorator:
		return j.calls.typeVerdict(p, c, j.types.read(annotated(p).typ(path(c.Receiver, c.Callee))), false)
	case c.Kind == code.CallNew:
		return j.calls.newVerdict(p, c)
	case c.Kind == code.CallSuper && (c.Callee == "this" || c.Callee == "super"):
		return j.calls.delegation(p, c)
	// the construction of a base in the head of a class: class A : Base(1)
	case c.Kind == code.CallSuper && !strings.HasPrefix(c.Receiver, "super"):
		v := j.calls.typeVerdict(p, c, j.types.read(annotated(p).typ(path(c.Receiver, c.Callee))), true)
		return v
	case c.Receiver == "":
		v := j.kotlin.bare(p, c)
		if v.Outcome == resolve.External && j.extensions.bareInSight(p, c) {
			return resolve.Unresolved("a " + c.Callee + " of the workspace is in sight")
		}
		return j.calls.onSelf(p, v)
	}
	x := jvmValue{}
	if named, ok := strings.CutPrefix(c.Receiver, "super<"); ok && strings.HasSuffix(named, ">") {
		x = of(j.types.read(p.typ(named[:len(named)-1])))
		x.super = true
	} else {
		x = j.values.receiver(p, c)
	}
	if own, ok := j.kotlin.own(p, c, x); ok && own.Outcome == resolve.External {
		return own
	}
	v := j.kotlin.member(p, c, x)
	if v.Outcome == resolve.External && j.extensions.inSight(p, referred(c, x), c.Callee, arguments(c)) {
		return resolve.Unresolved("an extension " + c.Callee + " of the workspace is in sight")
	}
	return j.calls.dispatched(p, c, x, v)
}

// bare resolves a call without a receiver, f(…).
func (j kotlinEvaluator) bare(p place, c *code.Call) resolve.Verdict {
	if fact := local(p, c.Callee); fact != nil && c.Kind != code.CallReference {
		if x := j.values.bound(p, fact); j.mayInvoke(x) {
			return j.invoked(p, c, x, x.how)
		}
	}
	if found := j.localFunctions(p, c.Callee); len(found) > 0 {
		return j.calls.among(p, found, c, resolve.SameScope)
	}
	if v, ok := j.onInstances(p, c); ok {
		return v
	}
	if v, ok := j.topLevel(p, c); ok {
		return v
	}
	for _, context := range j.values.contexts(p) {
		if m := j.values.membersIn(context, c.Callee); len(m.outside) > 0 && !lacks(m.outside[0], c.Callee) {
			module, _, _ := cutLast(m.outside[0])
			return resolve.ExternalTo(module)
		}
	}
	for _, i := range p.file.Imports {
		if cmp.Or(i.Alias, i.Name) == c.Callee {
			if !j.types.inWorkspace(p.file, i.Module) {
				return resolve.ExternalTo(i.Module)
			}
		}
	}
	if j.librarys(p, c) {
		return resolve.ExternalTo("kotlin")
	}
	if t := j.types.wildcardType(p.file, c.Callee); tabled(t) != nil {
		return resolve.ExternalTo(t.module) // from a package that is imported as a whole
	}
	if module, ok := implicit("kotlin", c.Callee); ok {
		return resolve.ExternalTo(module) // a constructor of a type that needs no import
	}
	return resolve.Unresolved("nothing in scope is called " + c.Callee)
}

// localFunctions returns the functions called name that the functions around p declare.
func (j kotlinEvaluator) localFunctions(p place, name string) (out []candidate) {
	for at := p.at; at >= 0 && len(out) == 0; at = p.file.Symbols[at].Parent {
		if resolve.IsType(p.file.Symbols[at].Kind) {
			continue
		}
		for _, i := range p.file.Children(at) {
			if s := &p.file.Symbols[i]; s.Name == name && callable(s) &&
				anonymousAt(p.file, at, s.NameSpan.StartByte) == nil {
				out = append(out, candidate{ref: p.file.Ref(i)})
			}
		}
	}
	return out
}

// onInstances resolves f(…) to a member or an extension of an instance in scope, such as "this" or
// the receiver of a function literal. It takes the innermost instance with a member that accepts
// the arguments, or with an applicable extension. It returns false if there is none.
func (j kotlinEvaluator) onInstances(p place, c *code.Call) (resolve.Verdict, bool) {
	for i, context := range j.values.contexts(p) {
		s := resolve.SameType
		if context.fact != nil && !context.anonymous() {
			s = resolve.TypedWritten
			if context.fact.Kind == code.FactAssign {
				s = resolve.TypedElement
			}
		}
		m := j.values.membersIn(context, c.Callee)
		for _, companion := range j.types.companionsOf(context.ref) {
			if context.fact == nil {
				more := j.members.named(companion, c.Callee)
				m.methods = append(slices.Clone(m.methods), more.methods...)
				m.fields = append(slices.Clone(m.fields), more.fields...)
			}
		}
		if fit := j.passable(p, j.members.choose(p.file, m.methods, arguments(c)), c); len(fit) > 0 {
			v := j.calls.among(p, fit, c, s)
			if v.Outcome == resolve.Settled && s == resolve.SameType && i == 0 && v.Target.Parent() != context.ref {
				v.Strategy = resolve.Inherited
			}
			return v, true
		}
		if len(m.fields) > 0 && !resolve.IsType(m.fields[0].ref.Symbol().Kind) && c.Kind != code.CallReference {
			if x := j.values.field(m.fields[0]); j.mayInvoke(x) {
				return j.invoked(p, c, x, s), true
			}
		}
		if context.static {
			continue
		}
		if appendsAnything(j.values.contextType(context), c) {
			return resolve.ExternalTo("kotlin"), true
		}
		if found, s := j.extensions.applicable(p, of(j.values.contextType(context)), c.Callee, arguments(c),
			argumentsOf(p, c)); len(found) > 0 {
			return j.amongEditions(p, found, c, s), true
		}
		if context.fact == nil && objectMethods[c.Callee] {
			return resolve.ExternalTo("kotlin"), true
		}
	}
	return resolve.Verdict{}, false
}

// passable drops candidates that do not accept the arguments, so that the search goes on in outer
// scopes.
func (j kotlinEvaluator) passable(p place, found []candidate, c *code.Call) (out []candidate) {
	args := argumentsOf(p, c)
	for _, f := range found {
		if !slices.Contains(j.overloads.ranks(p, f, args), fitsNot) {
			out = append(out, f)
		}
	}
	return out
}

// topLevel resolves f(…) to a top-level function, to an extension of an instance in scope, or to
// the constructor of a type called f. It returns false if there is none.
func (j kotlinEvaluator) topLevel(p place, c *code.Call) (resolve.Verdict, bool) {
	var made *jvmType
	if typeLike(c.Callee) {
		if t := j.types.read(p.typ(c.Callee)); t.kind == declared && !isObject(t.ref) {
			made = &t
		} else if t.kind == declared {
			if m := j.members.named(t.ref, "invoke"); len(m.methods) > 0 {
				return j.calls.among(p, m.methods, c, resolve.TypedStatic), true
			}
		}
	}
	for _, level := range j.levels(p, c.Callee) {
		fit := j.members.choose(p.file, level.found, arguments(c))
		fit = slices.DeleteFunc(fit, func(f candidate) bool { return !j.appliesHere(p, f, level.named) })
		if len(fit) == 0 {
			continue
		}
		if made != nil && made.ref.Symbol().Kind != code.KindInterface && j.constructible(made.ref, c.Args) {
			return resolve.Unresolved("a function and a type are called " + c.Callee), true
		}
		if !level.named && kotlinReceiver(fit[0].ref) == nil && j.importsOutside(p, c.Callee) {
			return resolve.Unresolved("an import of that name leads out of the workspace"), true
		}
		s := level.strategy
		if s == resolve.SamePackage && fit[0].ref.File == p.file {
			s = resolve.SameFile
		}
		return j.amongEditions(p, fit, c, s), true
	}
	if made == nil {
		return resolve.Verdict{}, false
	}
	if companions := j.types.companionsOf(made.ref); len(companions) > 0 {
		m := j.members.named(companions[0], "invoke")
		switch constructible := j.constructible(made.ref, c.Args); {
		case len(m.methods) > 0 && !constructible:
			return j.calls.among(p, m.methods, c, resolve.TypedStatic), true
		case len(j.members.choose(p.file, m.methods, c.Args)) > 0:
			return resolve.Unresolved(c.Callee + " has a constructor and a companion that is invoked"), true
		}
	}
	return j.calls.typeVerdict(p, c, *made, true), true
}

// constructible reports whether a type has a constructor with args arguments.
func (j kotlinEvaluator) constructible(t resolve.Ref, args int) bool {
	s := t.Symbol()
	if s.Kind == code.KindInterface {
		// An interface is constructed from a function literal: Runnable { … }.
		return args == 1 && (t.File.Language == "java" || slices.Contains(s.Modifiers, "fun"))
	}
	fit, all := j.members.constructors(t, args)
	if len(fit) > 0 || args < 0 {
		return true
	}
	return (len(s.Parameters) > 0 || len(all) == 0) && takes(s, args)
}

// appliesHere reports whether the top-level function c may be called without a receiver, f(…). A
// plain function may. An extension may if an import names it, and it is unknown whether an
// instance in scope has the extension's receiver type. Instances that certainly have that type
// were tried before. named is set if an import of the file names c.
func (j kotlinEvaluator) appliesHere(p place, c candidate, named bool) bool {
	receiver := kotlinReceiver(c.ref)
	if receiver == nil {
		return true
	}
	if !named {
		return false
	}
	for _, context := range j.values.contexts(p) {
		if t := j.values.contextType(context); !context.static && t.kind != unknown &&
			j.extensions.extends(t, c.ref, receiver) == fitsUnknown {
			return true
		}
	}
	return false
}

// kotlinLevel holds the functions that are visible in a file for the same reason: an import by name, a
// declaration in the file's own package, or an import with "*".
type kotlinLevel struct {
	found    []candidate
	strategy resolve.Strategy
	named    bool // whether the import names the function
}

type kotlinLevelsKey struct {
	file *resolve.File
	name string
}

// levels returns the top-level functions that a name may refer to in a file, by rising distance:
// imported by name, declared in the same package, imported with "*".
func (j kotlinEvaluator) levels(p place, name string) []kotlinLevel {
	return resolve.Derive(j.w, kotlinLevelsKey{p.file, name}, func() (out []kotlinLevel) {
		var named, all []candidate
		for _, i := range p.file.Imports {
			local := i.Alias
			if local == "" {
				local = i.Name
			}
			switch {
			case i.Name == "*":
				all = append(all, j.functions(p.file, i.Module, name)...)
			case local == name:
				named = append(named, j.functions(p.file, i.Module, i.Name)...)
			}
		}
		return []kotlinLevel{{named, resolve.Imported, true},
			{j.functions(p.file, clause(p.file), name), resolve.SamePackage, false}, {all, resolve.Imported, false}}
	})
}

// importsOutside reports whether an import binds a name to something outside the workspace. In Kotlin such an
// import comes before the declarations of the package, unless it is of an extension that does not apply.
func (j kotlinEvaluator) importsOutside(p place, name string) bool {
	return slices.ContainsFunc(p.file.Imports, func(i code.Import) bool {
		return i.Name != "*" && cmp.Or(i.Alias, i.Name) == name && !j.types.inWorkspace(p.file, i.Module)
	})
}

// functions returns the functions called name that package pkg declares at top level, and those of
// the object or Java class with the full name pkg.
func (j kotlinEvaluator) functions(from *resolve.File, pkg, name string) (out []candidate) {
	for _, r := range visible(from, j.types.top(pkg, name)) {
		if callable(r.Symbol()) && r.File.Language == "kotlin" {
			out = append(out, candidate{ref: r})
		}
	}
	if r, ok := j.types.qualified(from, strings.Split(pkg, ".")); ok {
		out = append(out, j.members.named(r, name).all()...)
		for _, companion := range companions(r) {
			out = append(out, j.members.named(companion, name).all()...)
		}
	}
	return out
}

// amongEditions resolves a call to the only candidate of fit that accepts its arguments. If several
// files declare the same function, one for each platform, only the one in the nearest file counts.
func (j kotlinEvaluator) amongEditions(p place, fit []candidate, c *code.Call, s resolve.Strategy) resolve.Verdict {
	var out []candidate
	for _, f := range fit {
		if i := slices.IndexFunc(out, func(o candidate) bool { return kotlinSame(o.ref, f.ref) }); i < 0 {
			out = append(out, f)
		} else if kotlinNearer(p.file, f.ref, out[i].ref) {
			out[i] = f
		}
	}
	return j.calls.among(p, out, c, s)
}

// kotlinSame reports whether functions in two files declare the same function for different
// platforms: equal names, receivers and parameters.
func kotlinSame(a, b resolve.Ref) bool {
	x, y := a.Symbol(), b.Symbol()
	if a.File == b.File || x.Parent >= 0 || y.Parent >= 0 || len(x.Parameters) != len(y.Parameters) {
		return false
	}
	for i := range x.Parameters {
		if erased(x.Parameters[i].Type) != erased(y.Parameters[i].Type) {
			return false
		}
	}
	p, q := kotlinReceiver(a), kotlinReceiver(b)
	return (p == nil) == (q == nil) && (p == nil || erased(p.Type) == erased(q.Type))
}

func kotlinNearer(from *resolve.File, a, b resolve.Ref) bool {
	if x, y := nearness(from, a.File), nearness(from, b.File); x != y {
		return x > y
	}
	return expected(a) && !expected(b)
}

// member resolves x.f(…).
func (j kotlinEvaluator) member(p place, c *code.Call, x jvmValue) resolve.Verdict {
	if x.kind == resolve.Module {
		found := j.functions(p.file, x.pkg, c.Callee)
		if len(found) > 0 {
			return j.amongEditions(p, found, c, resolve.Imported)
		}
		if t := j.types.read(p.typ(x.pkg + "." + c.Callee)); t.kind == declared ||
			t.kind != unknown && (typeLike(c.Callee) || ofPlatform(x.pkg)) {
			return j.calls.typeVerdict(p, c, t, true)
		}
		return resolve.Unresolved(x.pkg + " is not known") // a package, or a value whose declaration the parser lost
	}
	if c.Callee == "invoke" && x.member.Valid() && (Kotlin{}).HoldsFunction(j.w, x.member) {
		return settleProperty(x.member, x.strategy())
	}
	if x.typ.kind == declared {
		if v, ok := j.declared(p, c, x); ok {
			return v
		}
	}
	if x.kind == resolve.Instance || x.kind == resolve.Class {
		found, _ := j.extensions.applicable(p, referred(c, x), c.Callee, arguments(c), argumentsOf(p, c))
		if v, ok := j.own(p, c, x); ok && len(found) > 0 {
			return v
		}
		if len(found) > 0 {
			s := resolve.Imported
			if x.how != "" {
				s = resolve.Weaker(x.how, resolve.TypedWritten)
			}
			return j.amongEditions(p, found, c, s)
		}
	}
	if x.typ.kind == declared && x.kind == resolve.Instance && (j.extends(x.typ, c) || j.extensions.has(p, c.Callee)) {
		return resolve.ExternalTo("kotlin")
	}
	if _, ok := lookUp(kotlinLibrary, "_", "."+c.Callee, c.Args); ok && x.kind == resolve.Unknown &&
		!j.members.mayDeclare(c.Callee) {
		return resolve.ExternalTo("kotlin") // every value has a let
	}
	return j.calls.memberVerdict(p, c, x)
}

// referred returns the receiver x of call c as extension functions see it: in a reference String::f it
// is an instance of String, although the name alone means String's companion object.
func referred(c *code.Call, x jvmValue) jvmValue {
	if c.Kind == code.CallReference && x.kind == resolve.Class && !isObjectType(x.typ) {
		return of(x.typ)
	}
	return x
}

// ofPlatform reports whether a package belongs to Kotlin's or Java's standard library.
func ofPlatform(pkg string) bool {
	root, _, _ := strings.Cut(pkg, ".")
	return root == "kotlin" || root == "java" || root == "javax"
}

// declared resolves x.f(…) to a member of x's type, which is declared in the workspace; ok is false
// if the type has none that accepts the arguments.
func (j kotlinEvaluator) declared(p place, c *code.Call, x jvmValue) (resolve.Verdict, bool) {
	m := j.members.named(x.typ.ref, c.Callee)
	methods, fields := m.methods, m.fields
	if x.kind == resolve.Class && !isObject(x.typ.ref) && c.Kind != code.CallReference {
		if x.typ.ref.File.Language == "kotlin" {
			methods, fields = nil, nil
		}
		for _, companion := range j.types.companionsOf(x.typ.ref) {
			more := j.members.named(companion, c.Callee)
			methods, fields = append(slices.Clone(methods), more.methods...),
				append(slices.Clone(fields), more.fields...)
		}
	}
	if x.kind == resolve.Class && c.Kind != code.CallReference {
		if n, ok := j.types.nested(x.typ.ref, c.Callee); ok && !isObject(n) {
			return j.calls.typeVerdict(p, c, jvmType{kind: declared, ref: n}, true), true
		}
	}
	if fit := j.passable(p, j.members.choose(p.file, methods, arguments(c)), c); len(fit) > 0 {
		v := j.calls.among(p, fit, c, x.strategy())
		if v.Outcome == resolve.Settled && v.Strategy == resolve.SameType && v.Target.Parent() != x.typ.ref {
			v.Strategy = resolve.Inherited
		}
		return v, true
	}
	if len(fields) > 0 && !resolve.IsType(fields[0].ref.Symbol().Kind) && c.Kind != code.CallReference {
		return j.invoked(p, c, j.values.fieldOf(x, fields[0]), x.strategy()), true
	}
	return resolve.Verdict{}, false
}

// bareCandidates returns the functions called name that a call without a receiver, f(…), may refer to at
// p, if it has args arguments.
func (j kotlinEvaluator) bareCandidates(p place, name string, args int) []candidate {
	if found := j.members.choose(p.file, j.localFunctions(p, name), args); len(found) > 0 {
		return found
	}
	for _, context := range j.values.contexts(p) {
		m := j.values.membersIn(context, name)
		if context.fact == nil {
			for _, companion := range j.types.companionsOf(context.ref) {
				m.methods = append(slices.Clone(m.methods), j.members.named(companion, name).methods...)
			}
		}
		if found := j.members.choose(p.file, m.methods, args); len(found) > 0 {
			return found
		}
		if found, _ := j.extensions.applicable(p, of(j.values.contextType(context)), name, args, nil); len(found) > 0 &&
			!context.static {
			return found
		}
	}
	for _, level := range j.levels(p, name) {
		found := j.members.choose(p.file, level.found, args)
		found = slices.DeleteFunc(found, func(f candidate) bool { return !j.appliesHere(p, f, level.named) })
		if len(found) > 0 {
			return found
		}
	}
	return nil
}
