package resolve

import (
	"cmp"
	"slices"
)

// MaxSubtypes bounds the subtypes of a type that are looked at.
const MaxSubtypes = 500

// MaxLineage bounds how many types a type is followed up to.
const MaxLineage = 64

// Extenders returns the files that may declare a subtype of base, in languages that
// can, by path.
func (w *World) Extenders(base Ref) (out []*File) {
	for _, name := range append([]string{base.Symbol().Name}, w.aliases(base.Symbol().Name)...) {
		for _, id := range w.Extending(name) {
			if f := w.ByID(id); f != nil && w.languages.Together(f.Language, base.File.Language) && !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	slices.SortFunc(out, func(a, b *File) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

// Aliases is the other names that files give to what is called name: import {B
// as A}; class C extends A.
func (w *World) aliases(name string) (out []string) {
	for _, id := range w.Renaming(name) {
		f := w.ByID(id)
		if f == nil {
			continue
		}
		for _, other := range renamed(f, name) {
			if len(out) < maxNames && other != name && !slices.Contains(out, other) {
				out = append(out, other)
			}
		}
	}
	return out
}

// SubtypesWhere returns the types that declare base as a base of theirs, as derives
// tells.
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

// Descendants returns the subtypes of base, and theirs, near ones first; direct
// gives those of one type.
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
