package golang

import (
	"go/ast"
	"strings"

	"sextant/l2meta/resolve"
)

// generics lists the signatures of those generic functions and methods of the standard library
// whose results have the types of their arguments. The result of any other function outside the
// workspace counts as a value from outside. The type parameters are before the bar, in order.
// iter.Seq[V] is written out as func(func(V) bool).
var generics = map[string]string{
	"cmp.Or":                   "T | func(...T) T",
	"errors.AsType":            "E | func(error) (E, bool)",
	"iter.Pull":                "V | func(func(func(V) bool)) (func() (V, bool), func())",
	"iter.Pull2":               "K V | func(func(func(K, V) bool)) (func() (K, V, bool), func())",
	"maps.All":                 "K V | func(map[K]V) func(func(K, V) bool)",
	"maps.Clone":               "M | func(M) M",
	"maps.Collect":             "K V | func(func(func(K, V) bool)) map[K]V",
	"maps.Keys":                "K V | func(map[K]V) func(func(K) bool)",
	"maps.Values":              "K V | func(map[K]V) func(func(V) bool)",
	"slices.All":               "E | func([]E) func(func(int, E) bool)",
	"slices.AppendSeq":         "S E | func(S, func(func(E) bool)) S",
	"slices.Backward":          "E | func([]E) func(func(int, E) bool)",
	"slices.Chunk":             "S | func(S, int) func(func(S) bool)",
	"slices.Clip":              "S | func(S) S",
	"slices.Clone":             "S | func(S) S",
	"slices.Collect":           "E | func(func(func(E) bool)) []E",
	"slices.Compact":           "S | func(S) S",
	"slices.CompactFunc":       "S E | func(S, func(E, E) bool) S",
	"slices.Concat":            "S | func(...S) S",
	"slices.Delete":            "S | func(S, int, int) S",
	"slices.DeleteFunc":        "S E | func(S, func(E) bool) S",
	"slices.Grow":              "S | func(S, int) S",
	"slices.Insert":            "S E | func(S, int, ...E) S",
	"slices.Max":               "E | func([]E) E",
	"slices.MaxFunc":           "E | func([]E, func(E, E) int) E",
	"slices.Min":               "E | func([]E) E",
	"slices.MinFunc":           "E | func([]E, func(E, E) int) E",
	"slices.Repeat":            "S | func(S, int) S",
	"slices.Replace":           "S E | func(S, int, int, ...E) S",
	"slices.Sorted":            "E | func(func(func(E) bool)) []E",
	"slices.SortedFunc":        "E | func(func(func(E) bool), func(E, E) int) []E",
	"slices.SortedStableFunc":  "E | func(func(func(E) bool), func(E, E) int) []E",
	"slices.Values":            "E | func([]E) func(func(E) bool)",
	"sync.OnceValue":           "T | func(func() T) func() T",
	"sync.OnceValues":          "T U | func(func() (T, U)) func() (T, U)",
	"sync/atomic.Pointer.Load": "T | func() *T",
	"sync/atomic.Pointer.Swap": "T | func(*T) *T",
	"unique.Handle.Value":      "T | func() T",
	"weak.Pointer.Value":       "T | func() *T",
}

// genericTypes holds the definitions of the standard library's generic types that range accepts.
var genericTypes = map[string]string{
	"iter.Seq":  "V | func(func(V) bool)",
	"iter.Seq2": "K V | func(func(K, V) bool)",
}

// genericOf returns the type parameters and the parsed type of an entry in generics or
// genericTypes; nil if there is no such entry.
func genericOf(f *resolve.File, table map[string]string, name string) (params []string, form ast.Expr) {
	before, after, ok := strings.Cut(table[name], " | ")
	if !ok {
		return nil, nil
	}
	return strings.Fields(before), parse(f, after)
}

// foreign returns the value of name in package module, which is outside the workspace. The value
// has a signature if generics lists the name.
func (g *reader) foreign(p place, module, name string) value {
	v := value{kind: goOutside, module: module}
	if params, form := genericOf(p.file, generics, module+"."+name); form != nil {
		v.open = params
		v.typ = goType{kind: literal, form: form, place: place{file: p.file, symbol: -1}}
	}
	return v
}

// foreignMember returns a member of a type outside the workspace. The value has a signature if
// generics lists the member.
func (g *reader) foreignMember(from *resolve.File, t goType, name string) value {
	v := value{kind: goOutside, module: t.module}
	if params, form := genericOf(from, generics, t.module+"."+t.name+"."+name); form != nil &&
		len(t.args) == len(params) {
		v.typ = goType{kind: literal, form: form, place: place{file: from, symbol: -1, bind: bind(params, t.args, nil)}}
	}
	return v
}

// foreignUnderlying returns the definition of a type listed in genericTypes, with the type
// arguments of t; any other type as it is.
func (g *reader) foreignUnderlying(t goType) goType {
	if t.kind != foreign || t.place.file == nil {
		return t
	}
	params, form := genericOf(t.place.file, genericTypes, t.module+"."+t.name)
	if form == nil || len(params) != len(t.args) {
		return t
	}
	return goType{kind: literal, form: form,
		place: place{file: t.place.file, symbol: -1, bind: bind(params, t.args, nil)}}
}
