package csharp

import (
	"sextant/internal/code"
	"sextant/l2meta/resolve"
	"slices"
	"strings"
)

// of returns how well a value of type have converts to type want, from never to exact.
func of(w *resolve.World, have, want csharpType) fit {
	switch {
	case have.parameter != "" && csharpName(want.name) == "object":
		return toObject
	case len(have.any) > 0 || len(want.any) > 0 || have.name == "" && !have.known():
		return maybe
	case csharpName(want.name) == "object" && csharpName(have.name) == "object":
		return exact
	case csharpName(want.name) == "object":
		return toObject
	case csharpName(have.name) == "object": // it needs a cast to any other type
		return never
	case have.known() && want.known():
		if have.parts[0] == want.parts[0] {
			return exact
		}
		for _, t := range supertypes(w, have)[1:] {
			if t.known() && t.parts[0] == want.parts[0] {
				return base
			}
		}
		if converts(have) || converts(want) {
			return maybe
		}
		return never
	case !have.known() && !want.known():
		a, b := csharpName(have.name), csharpName(want.name)
		switch {
		case a == b && len(have.args) == 0:
			return exact
		case a == b && a == "[]" && of(w, csharpResolve(w, have.args[0]), csharpResolve(w, want.args[0])) == exact:
			return exact
		case a == b:
			return maybe
		// a library type converts to an interface only through its bases
		case have.lib != nil && want.lib != nil && isInterfaceName(b):
			if slices.ContainsFunc(supertypes(w, have), func(t csharpType) bool { return t.lib == want.lib }) {
				return maybe
			}
			return never
		case have.lib != nil && want.lib != nil && slices.Equal(want.lib.Bases, enumBases):
			return never
		case primitive(a) && (delegates[b] || noDelegate[b] ||
			primitive(b) && (a == "string" || b == "string" || a == "bool" || b == "bool")):
			return never
		}
		return maybe
	case have.known():
		if primitive(want.name) && !converts(have) || stranger(w, have, want) ||
			have.parts[0].Symbol().Kind == code.KindEnum &&
				(delegates[want.name] || want.lib != nil && holdsElements(w, want)) {
			return never
		}
		return maybe
	case primitive(have.name) && !converts(want):
		return never
	}
	return maybe
}

// holdsElements reports whether values of a type can be iterated.
func holdsElements(w *resolve.World, t csharpType) bool {
	_, ok := evaluator{w: w}.element(t)
	return ok
}

// stranger reports whether class have certainly does not convert to the interface want, which is outside the
// workspace: all base types of have are known, and a class converts to no interface but those of its bases.
func stranger(w *resolve.World, have, want csharpType) bool {
	isInterface := len(want.name) > 1 && want.name[0] == 'I' && 'A' <= want.name[1] && want.name[1] <= 'Z'
	if !isInterface || len(decls(w, want.name)) > 0 || foreignBase(w, have) || converts(have) {
		return false
	}
	return !slices.ContainsFunc(have.parts, func(part resolve.Ref) bool {
		m := part.Symbol().Modifiers
		return part.Symbol().Kind != code.KindClass || slices.Contains(m, "partial") || slices.Contains(m, "record")
	})
}

// converts reports whether a type declares conversion operators: public static implicit operator
// int(Id id).
func converts(t csharpType) bool {
	for _, part := range t.parts {
		for _, i := range part.File.Children(part.Index) {
			if strings.HasPrefix(part.File.Symbols[i].Name, "operator ") {
				return true
			}
		}
	}
	return false
}

// foreignBase reports whether a supertype of t is outside the workspace.
func foreignBase(w *resolve.World, t csharpType) bool {
	return slices.ContainsFunc(supertypes(w, t), func(b csharpType) bool { return !b.known() })
}

var keywords = map[string]string{
	"String": "string", "Int32": "int", "Int64": "long", "Boolean": "bool", "Object": "object", "Double": "double",
	"Single": "float", "Byte": "byte",
	"Char": "char", "Decimal": "decimal", "Int16": "short", "UInt32": "uint", "UInt64": "ulong",
	"UInt16": "ushort", "SByte": "sbyte",
}

// csharpName returns the keyword of a foreign type that has one, string for "String", and the
// name itself for any other type.
func csharpName(name string) string {
	if k, ok := keywords[name]; ok {
		return k
	}
	return name
}

func primitive(name string) bool {
	switch csharpName(name) {
	case "string", "int", "long", "bool", "double", "float", "byte", "char", "decimal", "short", "uint", "ulong",
		"ushort", "sbyte", "nint", "nuint":
		return true
	}
	return false
}

// sameArgs reports whether an extension method of the type want may be called on a value of type t,
// judging by the type arguments of both: IEnumerable<int> is not IEnumerable<Order>. It reports true if
// the two types have different names, because their arguments cannot be compared then. The library's IEnumerable,
// without arguments, is no IEnumerable<int>.
func sameArgs(w *resolve.World, t, want csharpType) bool {
	if t.name == want.name && t.lib != nil && want.lib != nil && t.lib != want.lib {
		return false
	}
	if len(t.args) != len(want.args) || t.name != want.name {
		return true
	}
	for i := range t.args {
		a, b := csharpResolve(w, t.args[i]), csharpResolve(w, want.args[i])
		if a.known() && b.known() && a.parts[0] != b.parts[0] &&
			!slices.ContainsFunc(supertypes(w, a), func(c csharpType) bool {
				return c.known() && c.parts[0] == b.parts[0]
			}) {
			return false
		}
		if a.known() && primitive(b.name) {
			return false
		}
		foreign := !a.known() && a.name != "" && len(a.any) == 0
		if foreign && (b.known() || primitive(b.name) && csharpName(a.name) != csharpName(b.name)) {
			return false
		}
	}
	return true
}

// is reports whether t has the name of the foreign type want, or want is object.
func is(t, want csharpType) bool {
	a, b := csharpName(t.name), csharpName(want.name)
	return a == b || b == "object" && a != ""
}

// cutLast splits an element of a tuple type into its type and its name: "List<int>" and "xs" for
// "List<int> xs". It returns false if the element has no name.
func cutLast(text string) (typ, name string, ok bool) {
	i := strings.LastIndexByte(text, ' ')
	if i < 0 || strings.ContainsAny(text[i:], ">)]") {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}
