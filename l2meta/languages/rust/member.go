package rust

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// rustMembers is the items of one name that a type has: those of its own
// implementations, and those of traits.
type rustMembers struct {
	own, ofTraits []resolve.Ref
}

// rustMembersOf is the associated functions and methods of that name that are
// written for a type of the workspace.
func rustMembersOf(w *resolve.World, typ resolve.Ref, name string) rustMembers {
	type key struct {
		file int64
		at   int
		name string
	}
	return resolve.Derive(w, key{typ.File.ID, typ.Index, name}, func() (out rustMembers) {
		for _, r := range rustCandidates(w, typ, name) {
			if !rustImplements(w, r, typ) {
				continue
			}
			if rustTraitOf(r) != "" {
				out.ofTraits = append(out.ofTraits, r)
			} else {
				out.own = append(out.own, r)
			}
		}
		return out
	})
}

// rustCandidates is the functions of that name whose owner is named as typ.
func rustCandidates(w *resolve.World, typ resolve.Ref, name string) (out []resolve.Ref) {
	owner := typ.Symbol().Name
	fits := func(s *code.Symbol) bool {
		rest, ok := strings.CutSuffix(s.QualifiedName, owner+"."+s.Name)
		return ok && s.Name == name && s.Kind.Callable() && s.Kind != code.KindMacro && (rest == "" || strings.HasSuffix(rest, "."))
	}
	rows, ok := w.Named(name)
	if !ok { // too common to list: the type's own folder and file
		for _, ref := range w.Dir(typ.File.Dir) {
			if f := w.Load(ref); f != nil && f.Language == "rust" {
				for _, i := range f.Named(name) {
					if fits(&f.Symbols[i]) {
						out = append(out, f.Ref(i))
					}
				}
			}
		}
		return out
	}
	for _, row := range rows {
		if row.Language == "rust" && fits(&row.Symbol) {
			if r := w.Ref(row); r.Valid() {
				out = append(out, r)
			}
		}
	}
	return out
}

// rustImplements reports whether function r is written for typ: the name that
// it hangs from means typ there.
func rustImplements(w *resolve.World, r resolve.Ref, typ resolve.Ref) bool {
	if !rustIsMember(r.File, r.Index) || r.Symbol().Parent >= 0 && r.File.Symbols[r.Symbol().Parent].Kind == code.KindTrait {
		return false
	}
	defs := rustPath(w, rustPlaceOf(r.File, r.Symbol().Parent), []string{typ.Symbol().Name}, rustTypes)
	if len(defs) == 1 && defs[0].Ref.Valid() && defs[0].Ref.Symbol().Kind == code.KindType {
		return rustSee(w, resolve.Type{Text: typ.Symbol().Name, File: r.File, Scope: r.Symbol().Parent}).decl == typ
	}
	if len(defs) > 0 {
		return len(defs) == 1 && defs[0].Ref == typ
	}
	self, ok := rustSelf(w, r.File, r.Index)
	return ok && rustSee(w, self).decl == typ
}

// rustTraitOf is the trait that an item implements a part of, "" for none.
func rustTraitOf(r resolve.Ref) string {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactImpl {
			return fact.Type
		}
	}
	return ""
}

// rustTraits is the traits of the workspace that declare a function of that name.
func rustTraits(w *resolve.World, name string) (out []resolve.Ref, ok bool) {
	rows, ok := w.Named(name)
	if !ok {
		return nil, false
	}
	for _, row := range rows {
		if row.Language != "rust" || !row.Symbol.Kind.Callable() {
			continue
		}
		if r := w.Ref(row); r.Valid() && r.Symbol().Parent >= 0 && r.Parent().Symbol().Kind == code.KindTrait {
			out = append(out, r)
		}
	}
	return out, true
}

// rustHas reports whether a type is written to implement a trait.
func rustHas(w *resolve.World, typ, trait resolve.Ref) bool {
	type key struct{ typ, trait code.SymbolID }
	return resolve.Derive(w, key{typ.ID(), trait.ID()}, func() bool {
		for _, id := range w.Extending(trait.Symbol().Name) {
			f := w.ByID(id)
			if f == nil || f.Language != "rust" {
				continue
			}
			for i := range f.AllFacts() {
				if fact := &f.AllFacts()[i]; fact.Kind == code.FactImpl && rustImplFor(w, f, fact, typ, trait) {
					return true
				}
			}
		}
		return false
	})
}

// rustImplFor reports whether a fact says that typ implements trait.
func rustImplFor(w *resolve.World, f *resolve.File, fact *code.Fact, typ, trait resolve.Ref) bool {
	base, _, _ := strings.Cut(fact.Type, "<")
	segments := resolve.SplitPath(base)
	if len(segments) == 0 || segments[len(segments)-1] != trait.Symbol().Name {
		return false
	}
	scope := fact.Owner
	switch {
	case fact.Name != "":
		if rustSee(w, resolve.Type{Text: fact.Name, File: f, Scope: fact.Owner}).decl != typ {
			return false
		}
	case f.Ref(fact.Owner) == typ:
		scope = f.Symbols[fact.Owner].Parent
	default:
		return false
	}
	defs := rustPath(w, rustPlaceOf(f, scope), segments, rustTypes)
	return len(defs) == 1 && defs[0].Ref == trait
}

// rustOfTrait is the function of that name that a trait or one that it extends
// declares.
func rustOfTrait(w *resolve.World, trait resolve.Ref, name string, depth int) (out []resolve.Ref) {
	for _, i := range trait.File.Children(trait.Index) {
		if s := &trait.File.Symbols[i]; s.Name == name && s.Kind.Callable() {
			out = append(out, trait.File.Ref(i))
		}
	}
	if len(out) > 0 || depth == 0 {
		return out
	}
	for _, fact := range trait.Facts() {
		if fact.Kind != code.FactBase {
			continue
		}
		for _, base := range rustBounded(w, resolve.Type{File: trait.File, Scope: trait.Index}, []string{fact.Type}).traits {
			out = append(out, rustOfTrait(w, base, name, depth-1)...)
		}
	}
	return out
}

// rustAssociated is what "Type::name" means.
func rustAssociated(w *resolve.World, typ resolve.Ref, name string) (out []rustDef) {
	var found []resolve.Ref
	if typ.Symbol().Kind == code.KindTrait {
		found = rustOfTrait(w, typ, name, 4)
	} else {
		found, _ = rustOfType(w, typ, name)
	}
	for _, r := range found {
		out = append(out, rustDef{Ref: r})
	}
	return out
}

// rustAliased is rustAssociated for a type alias.
func rustAliased(w *resolve.World, alias resolve.Ref, name string) []rustDef {
	seen := rustSeeAlias(w, alias, nil, maxRustAlias)
	switch {
	case seen.decl.Valid():
		return rustStep(w, rustModuleAt(alias.File, alias.Index), rustDef{Ref: seen.decl}, name, rustValues)
	case seen.foreign != "":
		return []rustDef{{Module: seen.module}}
	}
	return nil
}

// rustOfType is the function of that name that calls on a type mean: its own,
// else the one implementation of a trait's, else what such a trait provides.
func rustOfType(w *resolve.World, typ resolve.Ref, name string) (found []resolve.Ref, provided bool) {
	m := rustMembersOf(w, typ, name)
	switch {
	case len(m.own) > 0:
		return m.own, false
	case len(m.ofTraits) > 0:
		return m.ofTraits, false
	}
	declared, _ := rustTraits(w, name)
	for _, r := range declared {
		if rustHas(w, typ, r.Parent()) {
			found = append(found, r)
		}
	}
	return found, true
}

// rustFound is a method that a value has, with the type that declares it.
type rustFound struct {
	refs      []resolve.Ref
	on        resolve.Type // what Self is
	inherited bool         // from a trait
	foreign   bool
	module    string
	seen      rustSeenType
}

// rustMethod is the method of that name of a value of type t.
func rustMethod(w *resolve.World, t resolve.Type, name string) rustFound {
	for range 6 {
		seen := rustSee(w, t)
		switch {
		case seen.decl.Valid():
			refs, provided := rustOfType(w, seen.decl, name)
			if len(refs) > 0 {
				return rustFound{refs: refs, on: t, inherited: provided, seen: seen}
			}
			target, ok := rustDeref(w, seen)
			if !ok {
				return rustFound{seen: seen, on: t}
			}
			t = target
		case len(seen.traits) > 0:
			var refs []resolve.Ref
			for _, trait := range seen.traits {
				refs = append(refs, rustOfTrait(w, trait, name, 4)...)
			}
			return rustFound{refs: refs, on: t, inherited: true, seen: seen, foreign: len(refs) == 0 && seen.partly && !rustExtends(w, name)}
		case rustDerefs[seen.foreign] && len(seen.args) > 0 && !rustWrapperOwn[name]:
			t = seen.args[len(seen.args)-1]
		case seen.foreign != "":
			return rustOfForeign(w, t, seen, name)
		default:
			return rustFound{}
		}
	}
	return rustFound{}
}

// rustDeref is what a type of the workspace dereferences to.
func rustDeref(w *resolve.World, seen rustSeenType) (resolve.Type, bool) {
	s := seen.decl.Symbol()
	for _, i := range seen.decl.File.Qualified(s.QualifiedName + ".Target") {
		for _, fact := range seen.decl.File.FactsOf(i) {
			if fact.Kind == code.FactAlias {
				return resolve.Type{Text: fact.Type, File: seen.decl.File, Scope: i, Bind: resolve.Bind(rustParameters(seen.decl), seen.args, nil)}, true
			}
		}
	}
	return resolve.Type{}, false
}

// rustExtends reports whether some trait of the workspace declares a method of
// that name: it may be implemented for types from outside.
func rustExtends(w *resolve.World, name string) bool {
	traits, ok := rustTraits(w, name)
	return !ok || len(traits) > 0
}

// rustOfForeign is a method of a type from outside: the type's own, unless a
// trait of the workspace declares one of that name.
func rustOfForeign(w *resolve.World, t resolve.Type, seen rustSeenType, name string) rustFound {
	out := rustFound{foreign: !rustExtends(w, name), module: seen.module, seen: seen, on: t}
	if out.foreign {
		return out
	}
	rows, ok := w.Named(name)
	if !ok {
		return out
	}
	for _, row := range rows {
		owner := strings.TrimSuffix(row.Symbol.QualifiedName, "."+name)
		if row.Language != "rust" || owner[strings.LastIndexByte(owner, '.')+1:] != seen.foreign {
			continue
		}
		if r := w.Ref(row); r.Valid() && rustIsMember(r.File, r.Index) && rustTraitOf(r) != "" {
			out.refs = append(out.refs, r)
		}
	}
	if rustStandardHas[name] {
		out.refs = nil
	}
	return out
}
