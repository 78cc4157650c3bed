package resolve

import (
	"cmp"
	"slices"
	"strings"
)

// MaxSubtypes bounds the number of subtypes of one type that are considered.
const MaxSubtypes = 500

// MaxLineage bounds the number of supertypes of one type that are considered.
const MaxLineage = 64

// Extenders returns the files that may declare a subtype of base, sorted by path. It leaves out
// files in languages that base's language does not call directly.
func (w *World) Extenders(base Ref) (out []*File) {
	for _, name := range append([]string{base.Symbol().Name}, w.aliases(base.Symbol().Name, base.File)...) {
		for _, id := range w.Extending(name) {
			if f := w.Peer(id, base.File.Language); f != nil && !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	slices.SortFunc(out, func(a, b *File) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

type otherNamesKey struct{ name, family string }

// aliases returns the other names that files may give to a declaration called name in file of: A for
// import {B as A}. A subtype may be declared by such a name: class C extends A.
func (w *World) aliases(name string, of *File) []string {
	return DeriveDetached(w, otherNamesKey{name, w.languages.Family(of.Language)}, func() (out []string) {
		for _, x := range w.renames(name, of) {
			for _, other := range x.to {
				if len(out) < maxNames && other != name && !slices.Contains(out, other) {
					// clones it, because it would keep the file's packed facts in memory
					out = append(out, strings.Clone(other))
				}
			}
		}
		return out
	})
}

// SubtypesWhere returns the types that derive directly from base, as reported by derives. It tries
// the types of the files that Extenders returns.
func (w *World) SubtypesWhere(base Ref, derives func(sub Ref) bool) (out []Ref) {
	for _, f := range w.Extenders(base) {
		for i := range f.Symbols {
			if sub := f.Ref(i); IsType(f.Symbols[i].Kind) && derives(sub) {
				out = append(out, sub)
			}
		}
	}
	return out
}

// Descendants returns at most about MaxSubtypes direct and indirect subtypes of base, near ones
// first. direct returns the direct subtypes of a type.
func Descendants(base Ref, direct func(Ref) []Ref) []Ref {
	all := []Ref{base}
	seen := map[Ref]bool{base: true}
	for i := 0; i < len(all) && len(all) < MaxSubtypes; i++ {
		for _, sub := range direct(all[i]) {
			if !seen[sub] {
				seen[sub] = true
				all = append(all, sub)
			}
		}
	}
	return all[1:]
}
