package csharp

import (
	"sextant/internal/code"
	"sextant/l2meta/resolve"
	"slices"
	"strings"
)

// csharpExtension finds the extension method of the workspace that a call on a value of type t calls. s is
// the scope of the call. If only one extension method of that name is visible there, guess is that method,
// for a caller that does not know t.
func csharpExtension(w *resolve.World, s resolve.Scope, t csharpType, name string,
	h hands) (found csharpFound, guess resolve.Ref) {
	rows, ok := w.Named(name)
	if !ok {
		return csharpFound{unsure: true}, resolve.Ref{}
	}
	var fit []method
	inSight, others := 0, 0
	for _, row := range rows {
		if row.Language != "csharp" || row.Kind != code.KindMethod {
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
		guess = resolve.Ref{} // if the type is unknown, the receiver may as well be a collection
	}
	if len(fit) == 0 {
		return found, guess
	}
	return choose(w, s, fit, h), guess
}

// against compares an extension method of the workspace with the library's methods that a call on
// a value of type t may mean. A method that the type itself declares wins over extension methods.
// Of two extension methods, the one for the nearer supertype of t wins. If the workspace's method
// does not win, unsure reports that it may still be called.
func against(w *resolve.World, s resolve.Scope, t csharpType, method resolve.Ref, h hands) (wins, unsure bool) {
	name, extended := method.Symbol().Name, resolve.Type{Text: this(method), File: method.File, Scope: method.Index}
	want := csharpResolve(w, extended)
	if g, ok := tabledOwn(w, t, name, h.count); ok && h.typeCount <= 0 && !t.known() {
		// A program extends a type of the library itself, TextWriter.Write(this TextWriter w,
		// int[] list), because the type lacks this overload. So the call means the extension.
		own := g.owner.lib != nil && want.lib == g.owner.lib && !polyfilled[g.owner.lib.Package] &&
			!polyfilled[csharpName(g.owner.name)]
		return own || g.loose && want.lib == g.owner.lib, own
	}
	if class := fullName(method.Parent()); class[:max(strings.LastIndexByte(class, '.'), 0)] ==
		namespaces(s.File, s.At)[0] {
		return true, true // the extension is in the caller's own namespace, which is nearer than imported ones
	}
	g, ok := tabledExtension(w, t, name, h.count)
	concrete := len(want.args) > 0 && csharpResolve(w, want.args[0]).parameter == ""
	switch {
	case t.name == "[]" && !concrete && want.name != "[]" && extendsSpan(name, h.count):
		return false, true // since C# 14 an array converts to a span, too
	case !ok || want.known():
		return true, true
	case want.lib == g.owner.lib:
		return concrete, true
	case want.lib == nil && want.name == "":
		return false, true // the method extends any type: this T x
	}
	return !slices.ContainsFunc(supertypes(w, g.owner), func(b csharpType) bool { return b.lib == want.lib }), true
}

// extendsSpan reports whether the library extends ReadOnlySpan<T> by a method of that name.
func extendsSpan(name string, count int) bool {
	_, ok, _ := declares(table.Type("this ReadOnlySpan`1"), name, count)
	return ok
}

// polyfilled lists library types, and namespaces of types, that got new overloads in later
// frameworks. Programs for old frameworks declare these overloads as extension methods. On a new
// framework the library's overload is called instead.
var polyfilled = resolve.Set("string", "Type", "System.Reflection", "System.Collections.Generic", "System.Collections")

// this returns the type that an extension method extends; "" for any other method.
func this(r resolve.Ref) string {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactParam && fact.Name == "this" {
			return fact.Type
		}
	}
	return ""
}

// csharpInSight reports whether the static class of an extension method is visible from s,
// because its namespace is around s or a using directive names it.
func csharpInSight(w *resolve.World, s resolve.Scope, method resolve.Ref) bool {
	class := fullName(method.Parent())
	namespace := class[:max(strings.LastIndexByte(class, '.'), 0)]
	namespaces := namespaces(s.File, s.At)
	if slices.Contains(namespaces, namespace) {
		return true
	}
	return slices.ContainsFunc(usings(w, s.File), func(u using) bool {
		return u.alias == "" && (u.module == namespace || u.module == class ||
			slices.ContainsFunc(namespaces, func(n string) bool {
				return resolve.Qualified(".", n, u.module) == namespace
			}))
	})
}

// extends reports whether a value of type t converts to the type that an extension method extends, which
// is the type of its parameter this: Job for Save(this Job job).
func extends(w *resolve.World, t csharpType, this resolve.Type) bool {
	want := csharpResolve(w, this)
	if csharpName(want.name) == "object" {
		return t.known() || t.name != ""
	}
	if want.known() || want.name != "" {
		for _, b := range supertypes(w, t) {
			if want.known() && b.known() && b.parts[0] == want.parts[0] ||
				!want.known() && !b.known() && is(b, want) && sameArgs(w, b, want) {
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

// mayExtend reports whether a value of type t may convert to the type of an extension method's parameter
// this, although the workspace does not show it: LambdaExpression derives from Expression in the library.
func mayExtend(w *resolve.World, t csharpType, this resolve.Type) bool {
	want := csharpResolve(w, this)
	if want.known() {
		return false // no type outside of the workspace derives from a type of the workspace
	}
	for _, b := range supertypes(w, t) {
		switch {
		case b.known() || b.name == "":
		case want.name != "":
			if mayBe(b, want) && sameArgs(w, b, want) {
				return true
			}
		case len(want.any) == 0:
			return true // the method extends any type: this T x
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

// mayBe reports whether a value of the foreign type have may also be of the foreign type want. It
// assumes so if have is not in library.txt, which lists all supertypes of its types.
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

// ofValues lists the interfaces and the base class of a tuple.
var ofValues = resolve.Set("IComparable", "IEquatable", "ITuple", "IStructuralEquatable",
	"IStructuralComparable", "ValueType")
