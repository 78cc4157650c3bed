package rust

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// def is the result of resolving a name. One field is set. None is set if an import binds the
// name, but the import does not resolve.
type def struct {
	Mod    module
	Ref    resolve.Ref
	Module string // an external crate
}

func (d def) unknown() bool { return d == def{} }

// These are Rust's namespaces. One name may denote a type, a value and a macro.
const (
	types  = 't'
	values = 'v'
	macros = 'm'
)

// fits reports whether the name of item s is in namespace ns: a function is in values, a trait in
// types, a struct in both.
func fits(s *code.Symbol, ns rune) bool {
	switch s.Kind {
	case code.KindStruct:
		return ns != macros // also as a constructor
	case code.KindEnum, code.KindTrait, code.KindType, code.KindModule:
		return ns == types
	case code.KindFunction, code.KindTest, code.KindVariable:
		return ns == values
	case code.KindConstant: // the name of a variant is also in the namespace of types
		return ns != macros
	case code.KindMacro:
		return ns == macros
	}
	return false
}

// items returns the items called name that are declared directly in b: in module m itself, or in a block of
// a function in it. qualified is the qualified name of such an item.
func items(w *resolve.World, m module, b block, qualified, name string, ns rune) (out []def) {
	for _, i := range m.File.Qualified(qualified) {
		s := &m.File.Symbols[i]
		if s.Parent != b.owner || s.Name != name || !fits(s, ns) || s.Kind == code.KindModule ||
			!b.has(m.File, s.Span.StartByte) {
			continue
		}
		out = append(out, def{Ref: m.File.Ref(i)})
	}
	if ns == types && b.owner == m.At {
		for _, c := range children(w, m, name) {
			out = append(out, def{Mod: c})
		}
	}
	return out
}

// lookup resolves name in module m: to its items, else to its imports by name, else to its glob
// imports. It returns several results if it cannot choose among them.
func lookup(w *resolve.World, m module, name string, ns rune) []def {
	type key struct {
		file int64
		at   int
		name string
		ns   rune
	}
	return resolve.Derive(w, key{m.File.ID, m.At, name, ns}, func() []def {
		whole := block{owner: m.At}
		if out := items(w, m, whole, m.qualified(name), name, ns); len(out) > 0 {
			return out
		}
		if out := imported(w, m, whole, name, ns); len(out) > 0 {
			return out
		}
		return globbed(w, m, whole, name, ns)
	})
}

// visible returns the name that an import binds: c for use a::b as c, b for use a::b.
func visible(i *code.Import) string {
	switch {
	case i.Alias != "":
		return i.Alias
	case i.Name != "":
		return i.Name
	}
	return i.Module[strings.LastIndexByte(i.Module, ':')+1:]
}

// imported resolves the imports called name that are written directly in b: in module m itself, or in a
// block of a function in it.
func imported(w *resolve.World, m module, b block, name string, ns rune) (out []def) {
	for k := range m.File.Imports {
		i := &m.File.Imports[k]
		if i.Scope != b.owner || i.Name == "*" || visible(i) != name || !b.has(m.File, i.Span.StartByte) {
			continue
		}
		segments := resolve.SplitPath(i.Module)
		if i.Name != "" {
			segments = append(segments, i.Name)
		}
		if i.Name == "" && len(segments) == 2 && segments[0] == "self" {
			continue // skips the declaration "mod x;" itself
		}
		defs := importPath(w, m, segments, ns)
		if len(defs) == 0 && !means(w, m, segments, ns) {
			defs = []def{{}}
		}
		out = union(out, defs)
	}
	return out
}

// importPath resolves the path of an import. A path of one name, use log, means a crate if there
// is one of that name. Otherwise the import, which declares log in m, would resolve to itself.
func importPath(w *resolve.World, m module, segments []string, ns rune) []def {
	if len(segments) == 1 {
		if d, ok := extern(w, m.File, segments[0]); ok {
			if ns == types {
				return []def{d}
			}
			return nil
		}
	}
	return rustPath(w, place{Mod: m, At: m.At}, segments, ns)
}

// means reports whether a path resolves in a namespace other than ns.
func means(w *resolve.World, m module, segments []string, ns rune) bool {
	for _, other := range []rune{types, values, macros} {
		if other != ns && len(importPath(w, m, segments, other)) > 0 {
			return true
		}
	}
	return false
}

// globbed returns the items called name that glob imports (use a::*) bring into scope in b.
func globbed(w *resolve.World, m module, b block, name string, ns rune) (out []def) {
	for k := range m.File.Imports {
		i := &m.File.Imports[k]
		if i.Scope != b.owner || i.Name != "*" || !b.has(m.File, i.Span.StartByte) {
			continue
		}
		for _, d := range rustPath(w, place{Mod: m, At: m.At}, resolve.SplitPath(i.Module), types) {
			switch {
			case d.Mod.valid() && d.Mod != m:
				out = union(out, seen(w, m, d.Mod, lookup(w, d.Mod, name, ns), name))
			case d.Ref.Valid() && d.Ref.Symbol().Kind == code.KindEnum:
				out = union(out, variant(d.Ref, name))
			}
		}
	}
	return out
}

// seen returns the definitions of name in module src that module m may access: all if m is src or inside
// it, otherwise the public and the re-exported ones.
func seen(w *resolve.World, m, src module, defs []def, name string) (out []def) {
	for range maxDepth {
		if m == src {
			return defs
		}
		p, ok := parent(w, m)
		if !ok {
			break
		}
		m = p
	}
	for _, d := range defs {
		if d.Ref.Valid() && d.Ref.File == src.File && d.Ref.Symbol().Parent == src.At && d.Ref.Symbol().Name == name {
			if s := d.Ref.Symbol(); !s.Exported && !slices.ContainsFunc(s.Modifiers, func(x string) bool {
				return strings.HasPrefix(x, "pub")
			}) {
				continue
			}
			out = append(out, d)
			continue
		}
		if exports(src.File, name) || d.Mod.valid() {
			out = append(out, d)
		}
	}
	return out
}

// exports reports whether a file re-exports a name, pub use a::b, or all names of a module, pub use a::*.
func exports(f *resolve.File, name string) bool {
	return slices.ContainsFunc(f.Exports, func(e code.Export) bool { return e.Name == name || e.Name == "*" })
}

func union(a, b []def) []def {
	for _, d := range b {
		if !slices.Contains(a, d) {
			a = append(a, d)
		}
	}
	return a
}

// variant returns the enum variant called name.
func variant(enum resolve.Ref, name string) (out []def) {
	for _, i := range enum.File.Children(enum.Index) {
		if s := &enum.File.Symbols[i]; s.Name == name && s.Kind == code.KindConstant {
			out = append(out, def{Ref: enum.File.Ref(i)})
		}
	}
	return out
}

// place is the position from which a path is resolved: within the symbol At of module Mod; At is
// -1 at the top level of a file. Pos is a byte offset, which tells the blocks of At apart; 0 if it is not known.
type place struct {
	Mod module
	At  int
	Pos int
}

func placeOf(f *resolve.File, at int) place { return place{Mod: moduleAt(f, at), At: at} }

// placeAt returns the place of s.
func placeAt(s resolve.Scope) place { return place{Mod: moduleAt(s.File, s.At), At: s.At, Pos: s.Pos} }

// block is a scope of items and of use declarations: the symbol owner, or if inner is set only what lies
// directly in its block at span. The empty span is that of the body outside of such blocks.
type block struct {
	owner int
	inner bool
	span  [2]int
}

// has reports whether the item or the declaration that begins at byte start of f belongs to b.
func (b block) has(f *resolve.File, start int) bool {
	return !b.inner || blocksAt(f, b.owner, start)[0].span == b.span
}

// blocksAt returns the blocks of a function around byte pos that declare items, the innermost one first; the
// last one is the body of the function.
func blocksAt(f *resolve.File, owner, pos int) (out []block) {
	for _, fact := range f.FactsOf(owner) {
		if s := fact.Span; fact.Kind == code.FactBlock && s.StartByte <= pos && pos < s.EndByte {
			out = append(out, block{owner, true, [2]int{s.StartByte, s.EndByte}})
		}
	}
	slices.SortStableFunc(out, func(a, b block) int { return b.span[0] - a.span[0] })
	return append(out, block{owner: owner, inner: true})
}

// rustPath resolves a path as written in the given place. It returns nil if its first name is
// unknown.
func rustPath(w *resolve.World, at place, segments []string, ns rune) []def {
	if len(segments) == 0 || len(segments) > maxDepth {
		return nil
	}
	m, rest := at.Mod, segments
	for len(rest) > 0 {
		switch rest[0] {
		case "crate", "$crate":
			m = rustRoot(w, m)
		case "self":
		case "super":
			p, ok := parent(w, m)
			if !ok {
				return nil
			}
			m = p
		default:
			if len(rest) < len(segments) {
				return follow(w, at.Mod, []def{{Mod: m}}, rest, ns)
			}
			first := rune(types)
			if len(rest) == 1 {
				first = ns
			}
			return follow(w, at.Mod, rustFirst(w, at, rest[0], first), rest[1:], ns)
		}
		rest = rest[1:]
	}
	return []def{{Mod: m}}
}

// rustFirst resolves the first name of a path: in the enclosing functions, in the module, or as a
// crate.
func rustFirst(w *resolve.World, at place, name string, ns rune) []def {
	f := at.Mod.File
	for s := at.At; s >= 0 && s != at.Mod.At; s = f.Symbols[s].Parent {
		blocks := []block{{owner: s}}
		if at.Pos > 0 {
			blocks = blocksAt(f, s, at.Pos)
		}
		for _, b := range blocks {
			if out := items(w, at.Mod, b, f.Symbols[s].QualifiedName+"."+name, name, ns); len(out) > 0 &&
				f.Symbols[s].Kind.Callable() {
				return out
			}
			if out := imported(w, at.Mod, b, name, ns); len(out) > 0 {
				return out
			}
			if out := globbed(w, at.Mod, b, name, ns); len(out) > 0 {
				return out
			}
		}
	}
	if out := lookup(w, at.Mod, name, ns); len(out) > 0 {
		return out
	}
	if ns == types {
		if d, ok := extern(w, f, name); ok {
			return []def{d}
		}
	}
	return nil
}

// follow resolves the rest of a path, b::c of a::b::c, whose first names lead to defs. from is the module in
// which the path is written, and ns the namespace of its last name.
func follow(w *resolve.World, from module, defs []def, rest []string, ns rune) []def {
	for i, name := range rest {
		next := rune(types)
		if i == len(rest)-1 {
			next = ns
		}
		var out []def
		for _, d := range defs {
			out = union(out, step(w, from, d, name, next))
		}
		defs = out
	}
	return defs
}

// step resolves one more name of a path after d: an item of a module, a variant of an enum, or a function
// of a type. from is the module in which the path is written.
func step(w *resolve.World, from module, d def, name string, ns rune) []def {
	switch {
	case d.Module != "" || d.unknown():
		return []def{d}
	case d.Mod.valid():
		if ns == macros && d.Mod == rustRoot(w, d.Mod) {
			if out := lookup(w, d.Mod, name, ns); len(out) > 0 {
				return out
			}
			return macroOf(w, d.Mod, name)
		}
		return seen(w, from, d.Mod, lookup(w, d.Mod, name, ns), name)
	}
	s := d.Ref.Symbol()
	if s.Kind == code.KindEnum {
		if out := variant(d.Ref, name); len(out) > 0 {
			return out
		}
	}
	if resolve.IsType(s.Kind) && ns == values {
		if s.Kind == code.KindType {
			return aliased(w, d.Ref, name)
		}
		return associated(w, d.Ref, name)
	}
	return nil
}

// macroOf returns the macros called name in the crate with the given root.
func macroOf(w *resolve.World, root module, name string) (out []def) {
	rows, ok := w.Named(name)
	if !ok {
		return nil
	}
	for _, row := range rows {
		if row.Language != "rust" || row.Kind != code.KindMacro {
			continue
		}
		r := w.Ref(row)
		if r.Valid() && rustRoot(w, moduleAt(r.File, r.Index)) == root {
			out = union(out, []def{{Ref: r}})
		}
	}
	return out
}

// Imports returns the files that an import refers to: for "mod x;" the file of x, for "use a::b"
// the file that declares b.
func (Language) Imports(w *resolve.World, f *resolve.File, i *code.Import) (out []*resolve.File) {
	m := moduleAt(f, i.Scope)
	segments := resolve.SplitPath(i.Module)
	if i.Name == "" && len(segments) == 2 && segments[0] == "self" {
		for _, child := range children(w, m, segments[1]) {
			out = append(out, child.File)
		}
		return out
	}
	if i.Name != "" && i.Name != "*" {
		segments = append(segments, i.Name)
	}
	for _, ns := range []rune{types, values, macros} {
		for _, d := range importPath(w, m, segments, ns) {
			f := d.Mod.File
			if d.Ref.Valid() {
				f = d.Ref.File
			}
			if f != nil && !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}
