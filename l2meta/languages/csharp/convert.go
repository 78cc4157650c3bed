package csharp

import (
	"sextant/internal/code"
	"sextant/l2meta/resolve"
	"slices"
	"strings"
)

// csharpOf says how a value of type have converts to want.
func csharpOf(w *resolve.World, have, want csharpType) csharpFit {
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
func csharpStranger(w *resolve.World, have, want csharpType) bool {
	isInterface := len(want.name) > 1 && want.name[0] == 'I' && 'A' <= want.name[1] && want.name[1] <= 'Z'
	if !isInterface || len(csharpDecls(w, want.name)) > 0 || csharpOutside(w, have) || csharpConverts(have) {
		return false
	}
	return !slices.ContainsFunc(have.parts, func(part resolve.Ref) bool {
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
func csharpOutside(w *resolve.World, t csharpType) bool {
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

// csharpSameArgs reports whether what an extension method says of the type
// arguments does not rule t out.
func csharpSameArgs(w *resolve.World, t, want csharpType) bool {
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
