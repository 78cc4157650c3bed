package rust

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// rustDef is what a name means: one of its fields is set, none when it is
// known that the name means something that could not be found.
type rustDef struct {
	Mod    rustModule
	Ref    resolve.Ref
	Module string // of a crate outside the workspace
}

func (d rustDef) unknown() bool { return d == rustDef{} }

// Namespaces of Rust.
const (
	rustTypes  = 't'
	rustValues = 'v'
	rustMacros = 'm'
)

// rustFits reports whether an item of that kind has a name in a namespace.
func rustFits(s *code.Symbol, ns rune) bool {
	switch s.Kind {
	case code.KindStruct:
		return true // as a constructor, too
	case code.KindEnum, code.KindTrait, code.KindType, code.KindModule:
		return ns == rustTypes
	case code.KindFunction, code.KindTest, code.KindVariable:
		return ns == rustValues
	case code.KindConstant: // a variant is a type for its fields
		return ns != rustMacros
	case code.KindMacro:
		return ns == rustMacros
	}
	return false
}

// rustItems is the items of that name which module m, or function at of it,
// declares itself.
func rustItems(w *resolve.World, m rustModule, at int, qualified, name string, ns rune) (out []rustDef) {
	for _, i := range m.File.Qualified(qualified) {
		s := &m.File.Symbols[i]
		if s.Parent != at || s.Name != name || !rustFits(s, ns) || s.Kind == code.KindModule {
			continue
		}
		out = append(out, rustDef{Ref: m.File.Ref(i)})
	}
	if ns == rustTypes && at == m.At {
		for _, c := range rustChildren(w, m, name) {
			out = append(out, rustDef{Mod: c})
		}
	}
	return out
}

// rustLookup is what name means in module m: its items, then what it imports by
// name, then by "*". It lists several meanings where it cannot choose.
func rustLookup(w *resolve.World, m rustModule, name string, ns rune) []rustDef {
	type key struct {
		file int64
		at   int
		name string
		ns   rune
	}
	return resolve.Derive(w, key{m.File.ID, m.At, name, ns}, func() []rustDef {
		if out := rustItems(w, m, m.At, m.qualified(name), name, ns); len(out) > 0 {
			return out
		}
		if out := rustImported(w, m, m.At, name, ns); len(out) > 0 {
			return out
		}
		return rustGlobbed(w, m, m.At, name, ns)
	})
}

// rustVisible is the name under which an import is known.
func rustVisible(i *code.Import) string {
	switch {
	case i.Alias != "":
		return i.Alias
	case i.Name != "":
		return i.Name
	}
	return i.Module[strings.LastIndexByte(i.Module, ':')+1:]
}

// rustImported is what the imports of a scope, module m or function at in it,
// bring under that name.
func rustImported(w *resolve.World, m rustModule, at int, name string, ns rune) (out []rustDef) {
	for k := range m.File.Imports {
		i := &m.File.Imports[k]
		if i.Scope != at || i.Name == "*" || rustVisible(i) != name {
			continue
		}
		segments := resolve.SplitPath(i.Module)
		if i.Name != "" {
			segments = append(segments, i.Name)
		}
		if i.Name == "" && len(segments) == 2 && segments[0] == "self" {
			continue // "mod x;" itself
		}
		defs := rustImportPath(w, m, segments, ns)
		if len(defs) == 0 && !rustMeans(w, m, segments, ns) {
			defs = []rustDef{{}}
		}
		out = rustUnion(out, defs)
	}
	return out
}

// rustImportPath resolves the path of an import, whose first name is not the
// import's own.
func rustImportPath(w *resolve.World, m rustModule, segments []string, ns rune) []rustDef {
	if len(segments) == 1 {
		if d, ok := rustExtern(w, m.File, segments[0]); ok {
			if ns == rustTypes {
				return []rustDef{d}
			}
			return nil
		}
	}
	return rustPath(w, rustPlace{m, m.At}, segments, ns)
}

// rustMeans reports whether a path means something in another namespace.
func rustMeans(w *resolve.World, m rustModule, segments []string, ns rune) bool {
	for _, other := range []rune{rustTypes, rustValues, rustMacros} {
		if other != ns && len(rustImportPath(w, m, segments, other)) > 0 {
			return true
		}
	}
	return false
}

// rustGlobbed is what the "*" imports of a scope bring under that name.
func rustGlobbed(w *resolve.World, m rustModule, at int, name string, ns rune) (out []rustDef) {
	for k := range m.File.Imports {
		i := &m.File.Imports[k]
		if i.Scope != at || i.Name != "*" {
			continue
		}
		for _, d := range rustPath(w, rustPlace{m, m.At}, resolve.SplitPath(i.Module), rustTypes) {
			switch {
			case d.Mod.valid() && d.Mod != m:
				out = rustUnion(out, rustSeen(w, m, d.Mod, rustLookup(w, d.Mod, name, ns), name))
			case d.Ref.Valid() && d.Ref.Symbol().Kind == code.KindEnum:
				out = rustUnion(out, rustVariant(d.Ref, name))
			}
		}
	}
	return out
}

// rustSeen is those of what name means in module of that module m may see:
// all of it within of, the visible elsewhere.
func rustSeen(w *resolve.World, m, of rustModule, defs []rustDef, name string) (out []rustDef) {
	for range maxRustDepth {
		if m == of {
			return defs
		}
		p, ok := rustParent(w, m)
		if !ok {
			break
		}
		m = p
	}
	for _, d := range defs {
		if d.Ref.Valid() && d.Ref.File == of.File && d.Ref.Symbol().Parent == of.At && d.Ref.Symbol().Name == name {
			if s := d.Ref.Symbol(); !s.Exported && !slices.ContainsFunc(s.Modifiers, func(x string) bool { return strings.HasPrefix(x, "pub") }) {
				continue
			}
			out = append(out, d)
			continue
		}
		if rustExports(of.File, name) || d.Mod.valid() {
			out = append(out, d)
		}
	}
	return out
}

// rustExports reports whether a file re-exports a name, or all of something.
func rustExports(f *resolve.File, name string) bool {
	return slices.ContainsFunc(f.Exports, func(e code.Export) bool { return e.Name == name || e.Name == "*" })
}

func rustUnion(a, b []rustDef) []rustDef {
	for _, d := range b {
		if !slices.Contains(a, d) {
			a = append(a, d)
		}
	}
	return a
}

// rustVariant is the variant of that name of an enum.
func rustVariant(enum resolve.Ref, name string) (out []rustDef) {
	for _, i := range enum.File.Children(enum.Index) {
		if s := &enum.File.Symbols[i]; s.Name == name && s.Kind == code.KindConstant {
			out = append(out, rustDef{Ref: enum.File.Ref(i)})
		}
	}
	return out
}

// rustPlace is where a path stands: symbol At, in module Mod.
type rustPlace struct {
	Mod rustModule
	At  int
}

func rustPlaceOf(f *resolve.File, at int) rustPlace { return rustPlace{rustModuleAt(f, at), at} }

// rustPath is what a path means at a place; none when its first name is unknown.
func rustPath(w *resolve.World, at rustPlace, segments []string, ns rune) []rustDef {
	if len(segments) == 0 || len(segments) > maxRustDepth {
		return nil
	}
	m, rest := at.Mod, segments
	for len(rest) > 0 {
		switch rest[0] {
		case "crate", "$crate":
			m = rustRoot(w, m)
		case "self":
		case "super":
			p, ok := rustParent(w, m)
			if !ok {
				return nil
			}
			m = p
		default:
			if len(rest) < len(segments) {
				return rustFollow(w, at.Mod, []rustDef{{Mod: m}}, rest, ns)
			}
			first := rune(rustTypes)
			if len(rest) == 1 {
				first = ns
			}
			return rustFollow(w, at.Mod, rustFirst(w, at, rest[0], first), rest[1:], ns)
		}
		rest = rest[1:]
	}
	return []rustDef{{Mod: m}}
}

// rustFirst is what the first name of a path means: in the functions around it,
// in its module, as a crate.
func rustFirst(w *resolve.World, at rustPlace, name string, ns rune) []rustDef {
	f := at.Mod.File
	for s := at.At; s >= 0 && s != at.Mod.At; s = f.Symbols[s].Parent {
		if out := rustItems(w, at.Mod, s, f.Symbols[s].QualifiedName+"."+name, name, ns); len(out) > 0 && f.Symbols[s].Kind.Callable() {
			return out
		}
		if out := rustImported(w, at.Mod, s, name, ns); len(out) > 0 {
			return out
		}
		if out := rustGlobbed(w, at.Mod, s, name, ns); len(out) > 0 {
			return out
		}
	}
	if out := rustLookup(w, at.Mod, name, ns); len(out) > 0 {
		return out
	}
	if ns == rustTypes {
		if d, ok := rustExtern(w, f, name); ok {
			return []rustDef{d}
		}
	}
	return nil
}

// rustFollow goes on from defs by the names of a path.
func rustFollow(w *resolve.World, from rustModule, defs []rustDef, rest []string, ns rune) []rustDef {
	for i, name := range rest {
		next := rune(rustTypes)
		if i == len(rest)-1 {
			next = ns
		}
		var out []rustDef
		for _, d := range defs {
			out = rustUnion(out, rustStep(w, from, d, name, next))
		}
		defs = out
	}
	return defs
}

// rustStep is what name means in d.
func rustStep(w *resolve.World, from rustModule, d rustDef, name string, ns rune) []rustDef {
	switch {
	case d.Module != "" || d.unknown():
		return []rustDef{d}
	case d.Mod.valid():
		if ns == rustMacros && d.Mod == rustRoot(w, d.Mod) {
			if out := rustLookup(w, d.Mod, name, ns); len(out) > 0 {
				return out
			}
			return rustMacroOf(w, d.Mod, name)
		}
		return rustSeen(w, from, d.Mod, rustLookup(w, d.Mod, name, ns), name)
	}
	s := d.Ref.Symbol()
	if s.Kind == code.KindEnum {
		if out := rustVariant(d.Ref, name); len(out) > 0 {
			return out
		}
	}
	if resolve.IsType(s.Kind) && ns == rustValues {
		if s.Kind == code.KindType {
			return rustAliased(w, d.Ref, name)
		}
		return rustAssociated(w, d.Ref, name)
	}
	return nil
}

// rustMacroOf is the macros of that name in the crate whose root is given.
func rustMacroOf(w *resolve.World, root rustModule, name string) (out []rustDef) {
	rows, ok := w.Named(name)
	if !ok {
		return nil
	}
	for _, row := range rows {
		if row.Language != "rust" || row.Symbol.Kind != code.KindMacro {
			continue
		}
		r := w.Ref(row)
		if r.Valid() && rustRoot(w, rustModuleAt(r.File, r.Index)) == root {
			out = rustUnion(out, []rustDef{{Ref: r}})
		}
	}
	return out
}

// Imports: "mod x;" brings the file of x, "use a::b" the file that
// declares b.
func (Language) Imports(w *resolve.World, f *resolve.File, i *code.Import) (out []*resolve.File) {
	m := rustModuleAt(f, i.Scope)
	segments := resolve.SplitPath(i.Module)
	if i.Name == "" && len(segments) == 2 && segments[0] == "self" {
		for _, child := range rustChildren(w, m, segments[1]) {
			out = append(out, child.File)
		}
		return out
	}
	if i.Name != "" && i.Name != "*" {
		segments = append(segments, i.Name)
	}
	for _, ns := range []rune{rustTypes, rustValues, rustMacros} {
		for _, d := range rustImportPath(w, m, segments, ns) {
			switch {
			case d.Ref.Valid():
				out = append(out, d.Ref.File)
			case d.Mod.valid():
				out = append(out, d.Mod.File)
			}
		}
	}
	return out
}
