package rust

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// members holds the functions of a type that have one name: own has those in impl T { … }, and
// ofTraits those in impl Trait for T { … }.
type members struct {
	own, ofTraits []resolve.Ref
}

// membersOf returns the associated functions and methods called name that are implemented for a
// declared type.
func membersOf(w *resolve.World, typ resolve.Ref, name string) members {
	type key struct {
		file int64
		at   int
		name string
	}
	return resolve.Derive(w, key{typ.File.ID, typ.Index, name}, func() (out members) {
		for _, r := range candidates(w, typ, name, callable) {
			if !implements(w, r, typ) {
				continue
			}
			if traitOf(r) != "" {
				out.ofTraits = append(out.ofTraits, r)
			} else {
				out.own = append(out.own, r)
			}
		}
		return out
	})
}

// callable reports whether an item of this kind is a function or a method.
func callable(kind code.Kind) bool { return kind.Callable() && kind != code.KindMacro }

// candidates returns the items of the wanted kind that any module declares under the names typ
// and name: for a type Job and the name run, the functions run in any impl Job { … }. This Job
// may be another type of the same name.
func candidates(w *resolve.World, typ resolve.Ref, name string, wanted func(code.Kind) bool) (out []resolve.Ref) {
	owner := typ.Symbol().Name
	fits := func(kind code.Kind, qualified string) bool {
		rest, ok := strings.CutSuffix(qualified, owner+"."+name)
		return ok && wanted(kind) && (rest == "" || strings.HasSuffix(rest, "."))
	}
	rows, ok := w.Named(name)
	if !ok { // the name is too common: search the type's folder and file only
		for _, ref := range w.Dir(typ.File.Dir) {
			if f := w.Load(ref); f != nil && f.Language == "rust" {
				for _, i := range f.Named(name) {
					if s := &f.Symbols[i]; fits(s.Kind, s.QualifiedName) {
						out = append(out, f.Ref(i))
					}
				}
			}
		}
		return out
	}
	for _, row := range rows {
		if row.Language == "rust" && fits(row.Kind, row.QualifiedName) {
			if r := w.Ref(row); r.Valid() {
				out = append(out, r)
			}
		}
	}
	return out
}

// implements reports whether function r is in an implementation for typ: whether the type in impl T { … } resolves to
// typ.
func implements(w *resolve.World, r resolve.Ref, typ resolve.Ref) bool {
	if !isMember(r.File, r.Index) ||
		r.Symbol().Parent >= 0 && r.File.Symbols[r.Symbol().Parent].Kind == code.KindTrait {
		return false
	}
	self, ok := rustSelf(w, r.File, r.Index)
	if name, _, _ := strings.Cut(self.Text, "<"); strings.Contains(name, "::") { // impl far::Job { … } beside a Job
		return see(w, self).decl == typ
	}
	defs := rustPath(w, placeOf(r.File, r.Symbol().Parent), []string{typ.Symbol().Name}, types)
	if len(defs) == 1 && defs[0].Ref.Valid() && defs[0].Ref.Symbol().Kind == code.KindType {
		return see(w, resolve.Type{Text: typ.Symbol().Name, File: r.File, Scope: r.Symbol().Parent}).decl == typ
	}
	if len(defs) > 0 {
		return len(defs) == 1 && defs[0].Ref == typ
	}
	return ok && see(w, self).decl == typ
}

// traitOf returns the trait of the implementation that contains item r, as written: "Display" for
// impl Display for T. It returns "" if there is none.
func traitOf(r resolve.Ref) string {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactImpl {
			return fact.Type
		}
	}
	return ""
}

// traits returns the items called name, of the wanted kind, that traits of the workspace declare; ok is
// false if there are too many declarations to list.
func traits(w *resolve.World, name string, wanted func(code.Kind) bool) (out []resolve.Ref, ok bool) {
	rows, ok := w.Named(name)
	if !ok {
		return nil, false
	}
	for _, row := range rows {
		if row.Language != "rust" || !wanted(row.Kind) {
			continue
		}
		if r := w.Ref(row); r.Valid() && r.Symbol().Parent >= 0 && r.Parent().Symbol().Kind == code.KindTrait {
			out = append(out, r)
		}
	}
	return out, true
}

// has reports whether a type explicitly implements a trait, by impl Trait for T or
// #[derive(Trait)].
func has(w *resolve.World, typ, trait resolve.Ref) bool {
	type key struct{ typ, trait code.SymbolID }
	return resolve.Derive(w, key{typ.ID(), trait.ID()}, func() bool {
		for _, id := range w.Extending(trait.Symbol().Name) {
			f := w.Peer(id, trait.File.Language)
			if f == nil {
				continue
			}
			for i := range f.AllFacts() {
				if fact := &f.AllFacts()[i]; fact.Kind == code.FactImpl && implFor(w, f, fact, typ, trait) {
					return true
				}
			}
		}
		return false
	})
}

// implFor reports whether fact, which records an impl Trait for T in file f, says that typ
// implements trait.
func implFor(w *resolve.World, f *resolve.File, fact *code.Fact, typ, trait resolve.Ref) bool {
	base, _, _ := strings.Cut(fact.Type, "<")
	segments := resolve.SplitPath(base)
	if len(segments) == 0 || segments[len(segments)-1] != trait.Symbol().Name {
		return false
	}
	scope := fact.Owner
	switch {
	case fact.Name != "":
		if see(w, resolve.Type{Text: fact.Name, File: f, Scope: fact.Owner}).decl != typ {
			return false
		}
	case f.Ref(fact.Owner) == typ:
		scope = f.Symbols[fact.Owner].Parent
	default:
		return false
	}
	defs := rustPath(w, placeOf(f, scope), segments, types)
	return len(defs) == 1 && defs[0].Ref == trait
}

// ofTrait returns the functions called name that a trait or one of its supertraits declares.
func ofTrait(w *resolve.World, trait resolve.Ref, name string, depth int) []resolve.Ref {
	return inTrait(w, trait, name, callable, depth)
}

// inTrait returns the items called name, of the wanted kind, that a trait or one of its supertraits declares.
func inTrait(w *resolve.World, trait resolve.Ref, name string, wanted func(code.Kind) bool,
	depth int) (out []resolve.Ref) {
	for _, i := range trait.File.Children(trait.Index) {
		if s := &trait.File.Symbols[i]; s.Name == name && wanted(s.Kind) {
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
		for _, base := range bounded(w, resolve.Type{File: trait.File, Scope: trait.Index},
			[]string{fact.Type}).traits {
			out = append(out, inTrait(w, base, name, wanted, depth-1)...)
		}
	}
	return out
}

// associated resolves T::name, where typ is the declaration of T. It returns functions that are
// implemented for the type, or that T or its supertraits declare if T is a trait; otherwise it
// returns constants.
func associated(w *resolve.World, typ resolve.Ref, name string) (out []def) {
	var found []resolve.Ref
	if typ.Symbol().Kind == code.KindTrait {
		found = ofTrait(w, typ, name, maxSuper)
	} else {
		found, _ = ofType(w, typ, name)
	}
	if len(found) == 0 {
		found = constants(w, typ, name)
	}
	for _, r := range found {
		out = append(out, def{Ref: r})
	}
	return out
}

// aliased resolves "Type::name", where alias is the declaration of the type alias Type. It
// returns nil if the aliased type is unknown.
func aliased(w *resolve.World, alias resolve.Ref, name string) []def {
	seen := seeAlias(w, alias, nil, maxAlias)
	switch {
	case seen.decl.Valid():
		return step(w, moduleAt(alias.File, alias.Index), def{Ref: seen.decl}, name, values)
	case seen.foreign != "":
		return []def{{Module: seen.module}}
	}
	return nil
}

// ofType returns the functions called name to which a call on a type may refer: those in the
// type's own implementations, else those in its implementations of traits, else the default
// functions of traits that it implements. provided reports that they are default functions.
func ofType(w *resolve.World, typ resolve.Ref, name string) (found []resolve.Ref, provided bool) {
	m := membersOf(w, typ, name)
	switch {
	case len(m.own) > 0:
		return m.own, false
	case len(m.ofTraits) > 0:
		return m.ofTraits, false
	}
	declared, _ := traits(w, name, callable)
	for _, r := range declared {
		if has(w, typ, r.Parent()) {
			found = append(found, r)
		}
	}
	return found, true
}

// found is the result of looking up a method, with the type that declares it.
type found struct {
	refs      []resolve.Ref // the methods that the name may mean
	on        resolve.Type  // the type that Self means
	inherited bool          // whether a trait declares them
	foreign   bool          // whether they are declared outside the workspace
	module    string        // the crate of an external type
	seen      seenType      // the type on which the method was found or is missing
}

// method looks up the method called name on a value of type t. The result has no refs if there is
// no such method in the workspace, or if t is unknown.
func method(w *resolve.World, t resolve.Type, name string) found {
	var box found // the last Box around the value
	for range 6 {
		seen := see(w, t)
		switch {
		case seen.decl.Valid():
			refs, provided := ofType(w, seen.decl, name)
			if len(refs) > 0 && box.foreign && !provided && ofBox(refs) {
				return box
			}
			if len(refs) > 0 {
				return found{refs: refs, on: t, inherited: provided, seen: seen}
			}
			target, ok := deref(w, seen)
			if !ok {
				return found{seen: seen, on: t}
			}
			t = target
		case len(seen.traits) > 0:
			var refs []resolve.Ref
			for _, trait := range seen.traits {
				refs = append(refs, ofTrait(w, trait, name, maxSuper)...)
			}
			return found{refs: refs, on: t, inherited: true, seen: seen,
				foreign: len(refs) == 0 && seen.partly && !extends(w, name)}
		case derefs[seen.foreign] && len(seen.args) > 0 && !wrapperOwn[name]:
			if seen.foreign == "Box" {
				box = found{foreign: true, module: seen.module, seen: seen, on: t}
			}
			t = seen.args[len(seen.args)-1]
		case seen.foreign != "":
			return ofForeign(w, t, seen, name)
		default:
			return found{}
		}
	}
	return found{}
}

// ofBox reports whether methods are those of a trait that the library implements for Box<T>, if T implements it. Then
// err.description() on a Box<Failure> calls the method of Box, although Failure implements Error.
func ofBox(methods []resolve.Ref) bool {
	for _, m := range methods {
		trait := traitOf(m)
		if !boxed[trait[strings.LastIndexByte(trait, ':')+1:]] {
			return false
		}
	}
	return true
}

// deref returns the type Target of a declared type that implements Deref; false if it does not.
func deref(w *resolve.World, seen seenType) (resolve.Type, bool) {
	s := seen.decl.Symbol()
	for _, i := range seen.decl.File.Qualified(s.QualifiedName + ".Target") {
		for _, fact := range seen.decl.File.FactsOf(i) {
			if fact.Kind == code.FactAlias {
				return resolve.Type{Text: fact.Type, File: seen.decl.File, Scope: i,
					Bind: resolve.Bind(parameters(seen.decl), seen.args, nil)}, true
			}
		}
	}
	return resolve.Type{}, false
}

// extends reports whether a trait of the workspace declares a method called name. Such a trait may
// be implemented for external types.
func extends(w *resolve.World, name string) bool {
	traits, ok := traits(w, name, callable)
	return !ok || len(traits) > 0
}

// ofForeign looks up a method of an external type. If a trait of the workspace declares the name,
// the method may be an implementation of that trait for the type.
func ofForeign(w *resolve.World, t resolve.Type, seen seenType, name string) found {
	out := found{foreign: !extends(w, name), module: seen.module, seen: seen, on: t}
	if out.foreign {
		return out
	}
	rows, ok := w.Named(name)
	if !ok {
		return out
	}
	for _, row := range rows {
		owner := strings.TrimSuffix(row.QualifiedName, "."+name)
		if row.Language != "rust" || owner[strings.LastIndexByte(owner, '.')+1:] != seen.foreign {
			continue
		}
		if r := w.Ref(row); r.Valid() && isMember(r.File, r.Index) && traitOf(r) != "" {
			out.refs = append(out.refs, r)
		}
	}
	if libraryHas(seen, name) {
		out.refs = nil
	}
	return out
}
