package typescript

import (
	"sextant/internal/code"
	"sextant/l2meta/resolve"
	"strings"
)

// tsTypeEntity is what a name is as a type.
type tsTypeEntity struct {
	ref     resolve.Ref
	Foreign string
	absent  bool // nothing in scope has that name: the language's own, or a global
}

// tsTypeNamed is the type that a name, dotted perhaps, means in scope of f.
func tsTypeNamed(w *resolve.World, f *resolve.File, scope int, name string) tsTypeEntity {
	first, rest, dotted := strings.Cut(name, ".")
	if dotted {
		s := resolve.Scope{W: w, File: f, At: scope, Pos: -1}
		if scope >= 0 {
			s.Pos = f.Symbols[scope].Span.StartByte
		}
		return tsQualifiedType(w, s, first, rest)
	}
	for at := scope; ; at = f.Symbols[at].Parent {
		list := f.Children(at)
		if at >= 0 && f.Symbols[at].Name == name && tsIsTypeKind(f.Symbols[at].Kind) {
			return tsTypeEntity{ref: f.Ref(at)}
		}
		if at >= 0 && (f.Symbols[at].Kind == code.KindNamespace || f.Symbols[at].Kind == code.KindModule) {
			list = tsMembersOf(f, at)
		}
		if hit := tsTypeIn(f, list, name); hit.Valid() {
			return tsTypeEntity{ref: hit}
		}
		if at < 0 {
			break
		}
	}
	if imp := tsImported(f, scope, name); imp != nil {
		return tsImportedType(w, f, imp)
	}
	return tsTypeEntity{absent: true}
}

func tsIsTypeKind(k code.Kind) bool {
	return k == code.KindClass || k == code.KindInterface || k == code.KindType || k == code.KindEnum
}

func tsTypeIn(f *resolve.File, symbols []int, name string) (hit resolve.Ref) {
	for _, i := range symbols {
		if s := &f.Symbols[i]; s.Name == name && tsIsTypeKind(s.Kind) && (!hit.Valid() || s.Kind == code.KindClass) {
			hit = f.Ref(i)
		}
	}
	return hit
}

func tsImportedType(w *resolve.World, f *resolve.File, imp *code.Import) tsTypeEntity {
	m := tsResolve(w, f, imp.Module)
	switch {
	case m.Foreign != "":
		return tsTypeEntity{Foreign: m.Foreign}
	case m.File == nil || imp.Name == "*":
		return tsTypeEntity{}
	}
	name := imp.Name
	if name == "" {
		name = "default"
	}
	return tsEntityType(w, tsExport(w, m.File, name))
}

func tsEntityType(w *resolve.World, e tsEntity) tsTypeEntity {
	switch {
	case e.Foreign != "":
		return tsTypeEntity{Foreign: e.Foreign}
	case !e.found || e.Whole || e.Local == "":
		return tsTypeEntity{}
	}
	t := tsTypeNamed(w, e.File, -1, e.Local)
	if t.absent {
		return tsTypeEntity{}
	}
	return t
}

// tsQualifiedType is ns.Type: of a namespace, a module or a dependency.
func tsQualifiedType(w *resolve.World, s resolve.Scope, first, rest string) tsTypeEntity {
	v := resolve.Value{}
	if n, ok := tsLookup(s, first); ok {
		v = tsNameValue(s, n, first)
	} else {
		return tsTypeEntity{absent: true}
	}
	for {
		name, more, dotted := strings.Cut(rest, ".")
		switch {
		case v.Kind == resolve.Foreign:
			return tsTypeEntity{Foreign: v.Module}
		case v.Kind != resolve.Module && v.Kind != resolve.Class:
			return tsTypeEntity{}
		case dotted:
			v, rest = tsMember(s, v, name), more
			continue
		case v.Ref.Index < 0:
			e := tsExport(w, v.Ref.File, name)
			return tsEntityType(w, e)
		case v.Kind == resolve.Class: // a namespace merged with a class
			for _, i := range v.Ref.File.Qualified(v.Ref.Symbol().QualifiedName) {
				if hit := tsTypeIn(v.Ref.File, v.Ref.File.Children(i), name); hit.Valid() {
					return tsTypeEntity{ref: hit}
				}
			}
			return tsTypeEntity{}
		}
		return tsTypeEntity{ref: tsTypeIn(v.Ref.File, tsMembersOf(v.Ref.File, v.Ref.Index), name)}
	}
}
