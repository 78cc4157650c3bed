package typescript

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// typeEntity is the result of resolving a type name: a declaration, the name of an external
// package, or neither.
type typeEntity struct {
	ref     resolve.Ref
	Foreign string
	absent  bool // no scope declares the name: the language or a global declares it
}

// typeNamed resolves a type name, possibly dotted, in a scope of f.
func typeNamed(w *resolve.World, f *resolve.File, scope int, name string) typeEntity {
	first, rest, dotted := strings.Cut(name, ".")
	if dotted {
		s := resolve.Scope{W: w, File: f, At: scope, Pos: -1}
		if scope >= 0 {
			s.Pos = f.Symbols[scope].Span.StartByte
		}
		return qualifiedType(w, s, first, rest)
	}
	for at := scope; ; at = f.Symbols[at].Parent {
		list := f.Children(at)
		if at >= 0 && f.Symbols[at].Name == name && isTypeKind(f.Symbols[at].Kind) {
			return typeEntity{ref: f.Ref(at)}
		}
		if at >= 0 && (f.Symbols[at].Kind == code.KindNamespace || f.Symbols[at].Kind == code.KindModule) {
			list = membersOf(f, at)
		}
		if hit := typeIn(f, list, name); hit.Valid() {
			if len(merged(hit)) == 1 && twice(f, list, hit) {
				return typeEntity{} // the block in which the type is written is not known
			}
			return typeEntity{ref: hit}
		}
		if at < 0 {
			break
		}
	}
	if imp := imported(f, scope, name); imp != nil {
		return importedType(w, f, imp)
	}
	return typeEntity{absent: true}
}

func isTypeKind(k code.Kind) bool {
	return k == code.KindClass || k == code.KindInterface || k == code.KindType || k == code.KindEnum
}

func typeIn(f *resolve.File, symbols []int, name string) (hit resolve.Ref) {
	for _, i := range symbols {
		if s := &f.Symbols[i]; s.Name == name && isTypeKind(s.Kind) && (!hit.Valid() || s.Kind == code.KindClass) {
			hit = f.Ref(i)
		}
	}
	return hit
}

// twice reports whether symbols contain another class with the name of the class hit: functions may
// declare one in each of their blocks.
func twice(f *resolve.File, symbols []int, hit resolve.Ref) bool {
	return slices.ContainsFunc(symbols, func(i int) bool {
		s := &f.Symbols[i]
		return i != hit.Index && s.Name == hit.Symbol().Name && s.Kind == code.KindClass
	})
}

func importedType(w *resolve.World, f *resolve.File, imp *code.Import) typeEntity {
	m := tsResolve(w, f, imp.Module)
	switch {
	case m.Foreign != "":
		return typeEntity{Foreign: m.Foreign}
	case m.File == nil || imp.Name == "*":
		return typeEntity{}
	}
	name := imp.Name
	if name == "" {
		name = "default"
	}
	return entityType(w, export(w, m.File, name))
}

func entityType(w *resolve.World, e entity) typeEntity {
	switch {
	case e.Foreign != "":
		return typeEntity{Foreign: e.Foreign}
	case !e.found || e.Whole || e.Local == "":
		return typeEntity{}
	}
	t := typeNamed(w, e.File, -1, e.Local)
	if t.absent {
		return typeEntity{}
	}
	return t
}

// qualifiedType resolves ns.Type in a namespace, a module or a dependency.
func qualifiedType(w *resolve.World, s resolve.Scope, first, rest string) typeEntity {
	v := resolve.Value{}
	if n, ok := lookup(s, first); ok {
		v = nameValue(s, n, first)
	} else {
		return typeEntity{absent: true}
	}
	for {
		name, more, dotted := strings.Cut(rest, ".")
		switch {
		case v.Kind == resolve.Foreign:
			return typeEntity{Foreign: v.Module}
		case v.Kind != resolve.Module && v.Kind != resolve.Class:
			return typeEntity{}
		case dotted:
			v, rest = member(s, v, name), more
			continue
		case v.Ref.Index < 0:
			e := export(w, v.Ref.File, name)
			return entityType(w, e)
		case v.Kind == resolve.Class: // a namespace that is merged with a class
			for _, i := range v.Ref.File.Qualified(v.Ref.Symbol().QualifiedName) {
				if hit := typeIn(v.Ref.File, v.Ref.File.Children(i), name); hit.Valid() {
					return typeEntity{ref: hit}
				}
			}
			return typeEntity{}
		}
		return typeEntity{ref: typeIn(v.Ref.File, membersOf(v.Ref.File, v.Ref.Index), name)}
	}
}

// merged returns the declarations that TypeScript merges with r: types with its qualified name in its
// file. Two classes of one name are in different blocks of a function, and merge with nothing.
func merged(r resolve.Ref) (out []int) {
	classes := 0
	for _, i := range r.File.Qualified(r.Symbol().QualifiedName) {
		if k := r.File.Symbols[i].Kind; isTypeKind(k) {
			out = append(out, i)
			if k == code.KindClass {
				classes++
			}
		}
	}
	if classes > 1 {
		return []int{r.Index}
	}
	return out
}
