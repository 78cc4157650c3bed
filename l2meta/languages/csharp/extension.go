package csharp

import (
	"sextant/internal/code"
	"sextant/l2meta/resolve"
	"slices"
	"strings"
)

// csharpExtension finds the extension method that a call at s on a value of
// type t means. guess is the only one of that name in sight when t is not known.
func csharpExtension(w *resolve.World, s resolve.Scope, t csharpType, name string, h hands) (found csharpFound, guess resolve.Ref) {
	rows, ok := w.Named(name)
	if !ok {
		return csharpFound{unsure: true}, resolve.Ref{}
	}
	var fit []method
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
		this := this(r)
		m := method{Ref: r, first: 1}
		if this == "" || !m.takes(h) || !csharpInSight(w, s, r) {
			continue
		}
		inSight++
		guess = r
		extended := resolve.Type{Text: this, File: r.File, Scope: r.Index}
		is := extends(w, t, extended)
		may := mayExtend(w, t, extended)
		if !is && !may {
			continue
		}
		wins, unsure := against(w, s, t, r, h)
		if is && wins {
			fit = append(fit, m)
		}
		found.unsure = found.unsure || may && unsure
	}
	if inSight != 1 || others > 1 {
		guess = resolve.Ref{}
	}
	if _, ok := table.Type("this IEnumerable`1").Own(name); ok {
		guess = resolve.Ref{} // of an unknown type, a collection is as likely
	}
	if len(fit) == 0 {
		return found, guess
	}
	return choose(w, s, fit, h), guess
}

// against says how a method of the workspace that extends a type fares against
// those of the library on a value of type t: a method that the type has itself
// goes before it, and of two that extend types the one of the nearer type.
// Where it does not win, unsure reports whether it may be meant all the same.
func against(w *resolve.World, s resolve.Scope, t csharpType, method resolve.Ref, h hands) (wins, unsure bool) {
	name, extended := method.Symbol().Name, resolve.Type{Text: this(method), File: method.File, Scope: method.Index}
	want := csharpResolve(w, extended)
	if g, ok := tabledOwn(w, t, name, h.count); ok && h.typeCount <= 0 && !t.known() {
		// TextWriter.Write(this TextWriter w, int[] list) is written for what TextWriter has no overload for.
		own := g.owner.lib != nil && want.lib == g.owner.lib && !polyfilled[g.owner.lib.Package] && !polyfilled[csharpName(g.owner.name)]
		return own || g.loose && want.lib == g.owner.lib, own
	}
	if class := fullName(method.Parent()); class[:max(strings.LastIndexByte(class, '.'), 0)] == namespaces(s.File, s.At)[0] {
		return true, true // what its own namespace has is nearer than what is imported
	}
	g, ok := tabledExtension(w, t, name, h.count)
	concrete := len(want.args) > 0 && csharpResolve(w, want.args[0]).parameter == ""
	switch {
	case t.name == "[]" && !concrete && want.name != "[]" && extendsSpan(name, h.count):
		return false, true // since C# 14 an array is a span, too
	case !ok || want.known():
		return true, true
	case want.lib == g.owner.lib:
		return concrete, true
	case want.lib == nil && want.name == "":
		return false, true // this T
	}
	return !slices.ContainsFunc(supertypes(w, g.owner), func(b csharpType) bool { return b.lib == want.lib }), true
}

// extendsSpan reports whether the library extends ReadOnlySpan<T> by a method.
func extendsSpan(name string, count int) bool {
	_, ok, _ := declares(table.Type("this ReadOnlySpan`1"), name, count)
	return ok
}

// polyfilled are the types, and the namespaces of types, that got overloads over
// the years: methods of the workspace stand in for them on old frameworks.
var polyfilled = resolve.Set("string", "Type", "System.Reflection", "System.Collections.Generic", "System.Collections")

// this returns the type that an extension method extends, "" for another.
func this(r resolve.Ref) string {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactParam && fact.Name == "this" {
			return fact.Type
		}
	}
	return ""
}

// csharpInSight reports whether the static class around an extension method
// can be seen from s: its namespace is around s, or in use.
func csharpInSight(w *resolve.World, s resolve.Scope, method resolve.Ref) bool {
	class := fullName(method.Parent())
	namespace := class[:max(strings.LastIndexByte(class, '.'), 0)]
	namespaces := namespaces(s.File, s.At)
	if slices.Contains(namespaces, namespace) {
		return true
	}
	return slices.ContainsFunc(usings(w, s.File), func(u using) bool {
		return u.alias == "" && (u.module == namespace || u.module == class || slices.ContainsFunc(namespaces, func(n string) bool { return join(n, u.module) == namespace }))
	})
}

// extends reports whether a value of type t is one of type this.
func extends(w *resolve.World, t csharpType, this resolve.Type) bool {
	want := csharpResolve(w, this)
	if csharpName(want.name) == "object" {
		return t.known() || t.name != ""
	}
	if want.known() || want.name != "" {
		for _, b := range supertypes(w, t) {
			if want.known() && b.known() && b.parts[0] == want.parts[0] || !want.known() && !b.known() && is(b, want) && sameArgs(w, b, want) {
				return true
			}
		}
		return false
	}
	if !t.known() && t.name == "" {
		return false
	}
	for _, c := range want.any {
		if !extends(w, t, c) {
			return false
		}
	}
	_, generic := parameterOwner(this.File, this.Scope, bare(this.Text))
	return generic
}

// mayExtend reports whether a value of type t may be one of type this
// where the workspace does not say: a LambdaExpression is an Expression, which
// only their library knows.
func mayExtend(w *resolve.World, t csharpType, this resolve.Type) bool {
	want := csharpResolve(w, this)
	if want.known() {
		return false // nothing foreign derives from a type of the workspace
	}
	for _, b := range supertypes(w, t) {
		switch {
		case b.known() || b.name == "":
		case want.name != "":
			if mayBe(b, want) && sameArgs(w, b, want) {
				return true
			}
		case len(want.any) == 0:
			return true // this T
		default:
			for _, c := range want.any {
				if mayExtend(w, b, c) {
					return true
				}
			}
		}
	}
	return false
}

// mayBe reports whether a value of one foreign type may be of another. The
// table has all that its types derive from.
func mayBe(have, want csharpType) bool {
	switch {
	case csharpName(have.name) == csharpName(want.name) || csharpName(want.name) == "object":
		return true
	case have.lib != nil || primitive(want.name) || want.name == "[]":
		return false
	case have.name == "()":
		return ofValues[want.name]
	}
	return true
}

// ofValues are the interfaces of tuples.
var ofValues = resolve.Set("IComparable", "IEquatable", "ITuple", "IStructuralEquatable", "IStructuralComparable", "ValueType")
