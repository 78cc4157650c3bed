package csharp

import (
	"sextant/internal/code"
	"sextant/l2meta/resolve"
	"slices"
	"strings"
)

// csharpExtension finds the extension method that a call at s on a value of
// type t means. guess is the only one of that name in sight when t is not known.
func csharpExtension(w *resolve.World, s resolve.Scope, t csharpType, name string, h csharpHands) (found csharpFound, guess resolve.Ref) {
	rows, ok := w.Named(name)
	if !ok || !t.known() && csharpHas(t, name, h) {
		return csharpFound{unsure: !ok}, resolve.Ref{}
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
		extended := resolve.Type{Text: this, File: r.File, Scope: r.Index}
		if csharpExtends(w, t, extended) {
			fit = append(fit, m)
		}
		found.unsure = found.unsure || csharpMayExtend(w, t, extended)
	}
	if inSight != 1 || others > 1 {
		guess = resolve.Ref{}
	}
	if !t.known() && csharpTakesElement(name) {
		found.unsure = found.unsure || len(fit) > 0
		return found, resolve.Ref{} // LINQ extends the foreign type, too
	}
	if len(fit) == 0 {
		return found, guess
	}
	return csharpChoose(w, s, fit, h), guess
}

// csharpThis is the type that an extension method extends, "" for another.
func csharpThis(r resolve.Ref) string {
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
func csharpExtends(w *resolve.World, t csharpType, this resolve.Type) bool {
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

// csharpMayExtend reports whether a value of type t may be one of type this
// where the workspace does not say: a LambdaExpression is an Expression, which
// only their library knows.
func csharpMayExtend(w *resolve.World, t csharpType, this resolve.Type) bool {
	want := csharpResolve(w, this)
	if want.known() {
		return false // nothing foreign derives from a type of the workspace
	}
	for _, b := range csharpSupertypes(w, t) {
		switch {
		case b.known() || b.name == "":
		case want.name != "":
			if csharpMayBe(b.name, want.name) {
				return true
			}
		case len(want.any) == 0:
			return true // this T
		default:
			for _, c := range want.any {
				if csharpMayExtend(w, b, c) {
					return true
				}
			}
		}
	}
	return false
}

// csharpMayBe reports whether a value of one foreign type may be of another.
// Text, numbers and collections derive from standard interfaces alone.
func csharpMayBe(have, want string) bool {
	switch {
	case have == want || want == "object":
		return true
	case csharpPrimitive(want) || want == "[]":
		return false
	case csharpPrimitive(have):
		return csharpSequences[want] || csharpOfValues[want]
	case have == "()":
		return csharpOfValues[want]
	case have == "[]" || csharpSequences[have] || csharpMaps[have]:
		return csharpSequences[want] || csharpMaps[want] || want == "IDisposable"
	}
	return true
}
