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
	if !ok || !t.known() && has(t, name, h) {
		return csharpFound{unsure: !ok}, resolve.Ref{}
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
		if extends(w, t, extended) {
			fit = append(fit, m)
		}
		found.unsure = found.unsure || mayExtend(w, t, extended)
	}
	if inSight != 1 || others > 1 {
		guess = resolve.Ref{}
	}
	if !t.known() && takesElement(name) {
		found.unsure = found.unsure || len(fit) > 0
		return found, resolve.Ref{} // LINQ extends the foreign type, too
	}
	if len(fit) == 0 {
		return found, guess
	}
	return choose(w, s, fit, h), guess
}

// this is the type that an extension method extends, "" for another.
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
			if mayBe(b.name, want.name) {
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

// mayBe reports whether a value of one foreign type may be of another.
// Text, numbers and collections derive from standard interfaces alone.
func mayBe(have, want string) bool {
	switch {
	case have == want || want == "object":
		return true
	case primitive(want) || want == "[]":
		return false
	case primitive(have):
		return sequences[want] || ofValues[want]
	case have == "()":
		return ofValues[want]
	case have == "[]" || sequences[have] || maps[have]:
		return sequences[want] || maps[want] || want == "IDisposable"
	}
	return true
}
