package jvm

import (
	"cmp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/resolve"
)

// extensionFinder finds Kotlin's extensions of a receiver, such as fun String.words().
type extensionFinder struct{ *jvm }

// kotlinReceiver returns the fact that records the receiver type of an extension: String for fun
// String.words(). It returns nil if r is no extension.
func kotlinReceiver(r resolve.Ref) *code.Fact {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactParam && fact.Name == "this" {
			return fact
		}
	}
	return nil
}

// extends returns how well a value of type t fits the receiver type of an extension, as a rank such as
// fitsExactly. receiver is the fact that holds the receiver type as text.
func (j extensionFinder) extends(t jvmType, extension resolve.Ref, receiver *code.Fact) int {
	if head, alone := head(receiver.Type); alone && slices.Contains(parameters(extension), head) {
		bound := j.types.read(resolve.Type{Text: receiver.Type, File: extension.File, Scope: extension.Index})
		switch {
		case bound.kind == unknown:
			return fitsObject
		case t.kind == jvmFunc:
			return j.fitFunctions(t, bound)
		}
		return j.overloads.fit(t, bound)
	}
	want := j.types.read(resolve.Type{Text: receiver.Type, File: extension.File, Scope: extension.Index})
	switch {
	case want.kind == unknown:
		return fitsUnknown
	case t.kind == jvmFunc || want.kind == jvmFunc:
		return j.fitFunctions(t, want)
	}
	fit := j.overloads.fit(t, want)
	if fit < 0 || len(t.args) != len(want.args) || !same(t, want) {
		return fit
	}
	for i, a := range want.args { // a Column<T> does not match Column<EntityID<T>>
		if a := j.types.read(a); a.kind == declared {
			fit = j.fitArgument(fit, j.types.read(t.args[i]), a)
		}
	}
	return fit
}

// fitFunctions returns how well a value of type have fits a receiver type want, if one of them is a function
// type: functions need equal numbers of parameters, where a receiver counts as the first, and parameters of
// related types.
func (j extensionFinder) fitFunctions(have, want jvmType) int {
	switch {
	case want.kind == jvmForeign && canonical(want.name) == "Object":
		return fitsObject
	case have.kind != want.kind || len(have.args) != len(want.args):
		return fitsNot
	}
	fit := fitsExactly
	for i, a := range want.args {
		if a, b := j.types.read(a), j.types.read(have.args[i]); a.kind != unknown && b.kind != unknown {
			if rank := j.overloads.fit(b, a); rank == fitsNot && j.overloads.fit(a, b) == fitsNot {
				return fitsNot
			} else if rank > 0 {
				fit += rank
			}
		}
	}
	return fit
}

// fitArgument updates the rank fit, which says how well a value fits an extension's receiver
// type, by comparing one type argument: want is that of the receiver type, have that of the
// value's type. If have is unknown, the rank gets worse, so that other extensions come first.
// Nested type arguments are ignored.
func (j extensionFinder) fitArgument(fit int, have, want jvmType) int {
	switch {
	case have.kind == unknown:
		return max(fit, fitsObject)
	case j.overloads.fit(have, want) < 0:
		return j.overloads.fit(have, want)
	}
	return fit
}

// extendsCompanion returns the rank of a call on a class name of type t for an extension: 0 if it extends
// the companion object, as fun Int.Companion.max() does for Int.max(), otherwise fitsNot.
func (j extensionFinder) extendsCompanion(t jvmType, extension resolve.Ref, receiver *code.Fact) int {
	if name, ok := strings.CutSuffix(receiver.Type, ".Companion"); ok {
		want := j.types.read(resolve.Type{Text: name, File: extension.File, Scope: extension.Index})
		if want.kind == t.kind && (t.kind == declared && want.ref == t.ref ||
			t.kind == jvmForeign && canonical(want.name) == canonical(t.name)) {
			return 0
		}
	}
	return fitsNot
}

// has reports whether the file imports name from outside the workspace. The import must state the
// name; wildcards do not count.
func (j extensionFinder) has(p place, name string) bool {
	return slices.ContainsFunc(p.file.Imports, func(i code.Import) bool {
		return i.Name == name && !j.types.inWorkspace(p.file, i.Module)
	})
}

// applicable returns the extensions called name that can be called on x with args arguments, and
// with the expressions passed as arguments, unless passed is nil. It returns those of the nearest
// scope that has any, such as the imports by name. Among these it returns the ones whose receiver
// type fits best.
func (j extensionFinder) applicable(p place, x jvmValue, name string, args int,
	passed []*expr.Expr) (out []candidate, s resolve.Strategy) {
	if p.file.Language != "kotlin" || x.kind != resolve.Instance && x.kind != resolve.Class {
		return nil, ""
	}
	extends := j.extends
	if x.kind == resolve.Class && !isObjectType(x.typ) {
		extends = j.extendsCompanion
	}
	levels := j.kotlin.levels(p, name)
	levels = append([]kotlinLevel{{found: j.extensionMembers(p, name), strategy: resolve.SameType}}, levels...)
	for _, level := range levels {
		best := fitsBoxed + 9
		for _, c := range j.members.choose(p.file, level.found, args) {
			receiver := kotlinReceiver(c.ref)
			if receiver == nil || passed != nil && slices.Contains(j.overloads.ranks(p, c, passed), fitsNot) {
				continue
			}
			switch fit := extends(x.typ, c.ref, receiver); {
			case fit < 0:
			case fit < best:
				best, out = fit, []candidate{c}
			case fit == best:
				out = append(out, c)
			}
		}
		if len(out) > 0 {
			if s = level.strategy; s == resolve.SamePackage && out[0].ref.File == p.file {
				s = resolve.SameFile
			}
			return out, s
		}
	}
	return nil, ""
}

// extensionMembers returns the extensions called name that enclosing types, their companions and
// the enclosing functions declare.
func (j extensionFinder) extensionMembers(p place, name string) []candidate {
	out := j.kotlin.localFunctions(p, name)
	for _, context := range j.values.contexts(p) {
		out = append(out, extensionsOf(j.values.membersIn(context, name), true)...)
		if context.fact == nil {
			for _, companion := range j.types.companionsOf(context.ref) {
				out = append(out, extensionsOf(j.members.named(companion, name), true)...)
			}
		}
	}
	return out
}

// inSight reports whether an extension of the workspace, with that name and number of arguments, may
// apply to x, whose type is external. It is true unless x certainly lacks the extension's receiver type,
// because a library type may have bases that the tables of libraries do not list.
func (j extensionFinder) inSight(p place, x jvmValue, name string, args int) bool {
	if p.file.Language != "kotlin" || x.kind == resolve.Class && !isObjectType(x.typ) {
		return false
	}
	candidates := j.extensionMembers(p, name)
	for _, level := range j.kotlin.levels(p, name) {
		candidates = append(candidates, level.found...)
	}
	return slices.ContainsFunc(j.members.choose(p.file, candidates, args), func(e candidate) bool {
		receiver := kotlinReceiver(e.ref)
		return receiver != nil && j.mayExtend(x,
			j.types.read(resolve.Type{Text: receiver.Type, File: e.ref.File, Scope: e.ref.Index}))
	})
}

// mayExtend reports whether an external value x may have type want, the receiver type of an
// extension.
func (j extensionFinder) mayExtend(x jvmValue, want jvmType) bool {
	switch {
	case x.kind == resolve.Instance && tabled(x.typ) != nil && j.overloads.fit(x.typ, want) == fitsNot:
		return false
	case want.kind == declared:
		return x.kind != resolve.Instance && x.origin != resolve.Outside || x.typ.kind == declared
	case want.kind == jvmForeign && x.kind == resolve.Instance && x.typ.kind == jvmForeign && final[x.typ.name]:
		return canonical(x.typ.name) == canonical(want.name) ||
			!final[want.name] && !facts.Containers[want.name] && !facts.Maps[want.name]
	}
	return true
}

// bareInSight reports whether the workspace declares a function that f(…) may call, although it was not
// resolved to one: a member, a top-level function, or an extension of an unknown receiver.
func (j extensionFinder) bareInSight(p place, c *code.Call) bool {
	for _, context := range j.values.contexts(p) {
		if len(j.members.choose(p.file, j.values.membersIn(context, c.Callee).all(), arguments(c))) > 0 {
			return true
		}
		if !context.static && appendsAnything(j.values.contextType(context), c) {
			return false
		}
	}
	for _, level := range j.kotlin.levels(p, c.Callee) {
		if len(j.members.choose(p.file, level.found, arguments(c))) > 0 {
			return true
		}
	}
	return false
}

// appendsAnything reports whether a call is StringBuilder.append with one argument. It accepts a
// value of any type, so no outer function and no extension can be called instead.
func appendsAnything(t jvmType, c *code.Call) bool {
	return t.kind == jvmForeign && (t.name == "StringBuilder" || t.name == "StringBuffer") &&
		c.Callee == "append" && c.Args == 1
}

// property returns the value of the extension property called name that applies to x; no value if
// there is none. Properties that the types around p declare are preferred to those of imports by
// name, these to those of the package, and these to those of wildcard imports.
func (j extensionFinder) property(p place, x jvmValue, name string) jvmValue {
	if p.file.Language != "kotlin" {
		return jvmValue{}
	}
	levels := make([][]candidate, 4)
	for _, context := range j.values.contexts(p) {
		levels[0] = append(levels[0], extensionsOf(j.values.membersIn(context, name), false)...)
		for _, companion := range j.types.companionsOf(context.ref) {
			levels[0] = append(levels[0], extensionsOf(j.members.named(companion, name), false)...)
		}
	}
	levels[2] = j.properties(p, clause(p.file), name)
	for _, i := range p.file.Imports {
		switch {
		case i.Name == "*":
			levels[3] = append(levels[3], j.properties(p, i.Module, name)...)
		case cmp.Or(i.Alias, i.Name) == name:
			levels[1] = append(levels[1], j.properties(p, i.Module, i.Name)...)
		}
	}
	for _, level := range levels {
		best, found := fitsBoxed+9, candidate{}
		for _, c := range level {
			if fit := j.extends(x.typ, c.ref, kotlinReceiver(c.ref)); fit >= 0 && fit < best {
				best, found = fit, c
			}
		}
		if found.ref.Valid() {
			found.bind = j.receiverBinding(x.typ, found)
			return j.values.field(found)
		}
	}
	return jvmValue{}
}

// properties returns the extension properties called name that package pkg declares, or the object or class
// with the full name pkg.
func (j extensionFinder) properties(p place, pkg, name string) (out []candidate) {
	for _, r := range visible(p.file, j.types.top(pkg, name)) {
		if kotlinReceiver(r) != nil && !callable(r.Symbol()) {
			out = append(out, candidate{ref: r})
		}
	}
	if r, ok := j.types.qualified(p.file, strings.Split(pkg, ".")); ok {
		for _, t := range append([]resolve.Ref{r}, companions(r)...) {
			out = append(out, extensionsOf(j.members.named(t, name), false)...)
		}
	}
	return out
}

// receiverBinding returns the bindings of an extension's type parameters if it is used on a value
// of type t: of T for fun <T> T.f(), and of those that occur in its receiver type.
func (j extensionFinder) receiverBinding(t jvmType, c candidate) *resolve.Binding {
	receiver := kotlinReceiver(c.ref)
	if head, alone := head(receiver.Type); alone && slices.Contains(parameters(c.ref), head) {
		c.bind = &resolve.Binding{Name: head, Type: typeOf(t), Next: c.bind}
	}
	return j.receiverArguments(t, c, receiver)
}

// result evaluates a call x.f(…) of an extension; it returns no value if there is none.
func (j extensionFinder) result(p place, x jvmValue, e *expr.Expr) jvmValue {
	found, _ := j.applicable(p, x, e.X.Name, len(e.Args), e.Args)
	for i := range found {
		found[i].bind = j.receiverBinding(x.typ, found[i])
	}
	return j.values.common(p, found, x, e).via(x.how)
}

// receiverArguments binds the type parameters of an extension that occur in its receiver type: for
// <T> Collection<T>.f() on a List<A>, T is A.
func (j extensionFinder) receiverArguments(t jvmType, c candidate, receiver *code.Fact) *resolve.Binding {
	_, names := split(clean(receiver.Type))
	want := j.types.read(resolve.Type{Text: receiver.Type, File: c.ref.File, Scope: c.ref.Index})
	have := t.args
	if view, ok := kotlinView(t); ok && tabled(want) != nil {
		have = as(view, want.name)
	} else if !same(t, want) {
		return c.bind
	}
	for i, name := range names {
		if name = strings.TrimPrefix(name, "out "); i < len(have) && slices.Contains(parameters(c.ref), name) {
			c.bind = &resolve.Binding{Name: name, Type: have[i], Next: c.bind}
		}
	}
	return c.bind
}
