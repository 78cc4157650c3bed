package resolve

import (
	"slices"

	"sextant/l2meta"
)

// This file finds the names under which files call a declaration, besides its own:
//
//	import { save as store } from "./a"   store
//	export { save as store }              store, in files that import it
//	const store = save                    store
//	import store from "./a"               store, if the default export of ./a is save
//
// Each name found is searched for further names, even if it may mean another declaration in some
// file: the calls are resolved afterwards. Default exports are searched file by file, because all
// of them have the same name, to which imports give thousands of others.

// maxNames bounds the names that are collected for a symbol besides those of Settler.CallNames.
const maxNames = 200

// naming collects the names of one symbol.
type naming struct {
	r        *Resolver
	names    []string
	known    map[string]bool
	defaults []*File  // files whose default export is the symbol
	spelling spelling // nil if a name has one spelling
}

// spelling is implemented by the Settler of a language in which names are the same in any letter case.
type spelling interface {
	// Spellings returns the spellings of a name that calls use, the name itself included.
	Spellings(name string) []string
}

// CallNames returns every name by which files may call ref, in no order that matters.
func (r *Resolver) CallNames(ref Ref) []string { return r.names(ref) }

// names returns every name by which ref may be called: the names of Settler.CallNames, and those
// under which files import or re-export them.
func (r *Resolver) names(ref Ref) []string {
	n := naming{r: r, known: map[string]bool{}}
	language := r.w.languages.of(ref.File)
	n.spelling, _ = language.(spelling)
	for _, name := range language.CallNames(r.w, ref) {
		n.add(name, ref.File.ID)
	}
	most := len(n.names) + maxNames
	for i, j := 0, 0; len(n.names) < most; {
		switch {
		case i < len(n.names):
			if n.names[i] != l2meta.DefaultExport {
				n.follow(r.w.renames(n.names[i], ref.File))
			}
			i++
		case j < len(n.defaults):
			n.follow(r.defaultTaken(n.defaults[j]))
			j++
		default:
			return n.names
		}
	}
	return n.names
}

func (n *naming) follow(list []rename) {
	for _, x := range list {
		for _, name := range x.to {
			n.add(name, x.id)
			if n.spelling != nil {
				for _, other := range n.spelling.Spellings(name) {
					n.add(other, x.id)
				}
			}
		}
	}
}

// add adds a name that the file with the given id uses for the symbol.
func (n *naming) add(name string, file int64) {
	if !n.known[name] {
		n.known[name] = true
		n.names = append(n.names, name)
	}
	if name == l2meta.DefaultExport {
		if f := n.r.w.ByID(file); f != nil && !slices.Contains(n.defaults, f) {
			n.defaults = append(n.defaults, f)
		}
	}
}

// renames returns the files that give another name to a declaration called name, with these other
// names: other, for import { name as other }. It leaves out files whose language does not call that of
// the declaration, which is in file of.
func (w *World) renames(name string, of *File) (out []rename) {
	if name != l2meta.DefaultExport {
		if out, ok := w.renaming.renamed(w.snap.generation, name, w.languages.Family(of.Language)); ok {
			w.note(readRenaming, foldASCII(name))
			for i := range out {
				w.noteFile(out[i].id)
			}
			return out
		}
	}
	for _, id := range w.Renaming(name) {
		if f := w.Peer(id, of.Language); f != nil {
			out = append(out, rename{id, renamed(f, name)})
		}
	}
	return out
}

// renamed returns the other names that f gives to a declaration called name.
func renamed(f *File, name string) (out []string) {
	for _, i := range f.Imports {
		if i.Name == name && i.Alias != "" {
			out = append(out, i.Alias)
		}
	}
	for _, e := range f.Exports {
		if e.Local == name && e.Name != name && e.Name != "*" {
			out = append(out, e.Name)
		}
	}
	return append(out, assigned(f, name)...)
}

// assigned returns the variables of f to which name is assigned: store for const store = save.
func assigned(f *File, name string) (out []string) {
	for _, a := range f.Aliases() {
		if a.Of == name {
			out = append(out, a.Name)
		}
	}
	return out
}

// defaultTaken returns the files that import the default export of f, with the names that they give
// it. It also returns every file that assigns a default export to a name, even that of another
// file.
func (r *Resolver) defaultTaken(f *File) (out []rename) {
	if at, ok := r.w.known.importers(r.w.snap.generation, f); ok {
		for _, p := range at {
			if g := r.w.ByID(p.file); g != nil {
				out = append(out, rename{p.file, defaultBy(g, p.number)})
			}
		}
		byValue, _ := r.w.known.renamed(r.w.snap.generation, l2meta.DefaultExport, r.w.languages.Family(f.Language))
		return append(out, byValue...)
	}
	for _, id := range r.w.takingDefault(f) {
		g := r.w.Peer(id, f.Language)
		if g == nil {
			continue
		}
		to := assigned(g, l2meta.DefaultExport)
		for _, x := range r.w.imports(g) {
			if x.Target == f {
				to = append(to, defaultBy(g, x.Number)...)
			}
		}
		out = append(out, rename{id, to})
	}
	return out
}

type takingDefaultKey struct{ id int64 }

// takingDefault returns the ids of the files that may import the default export of f, and of all that assign a
// default export to a name.
func (w *World) takingDefault(f *File) []int64 {
	l, ok := w.languages.of(f).(moduleNamer)
	if !ok {
		return w.Renaming(l2meta.DefaultExport)
	}
	return Derive(w, takingDefaultKey{f.ID}, func() []int64 {
		w.note(readRenaming, l2meta.DefaultExport)
		ids, err := w.index.TakingDefault(w.ctx, w.view, l.ModuleSteps(w, f))
		w.ok(err)
		return ids
	})
}

// defaultBy returns the names that f gives to a default export in one import statement, which
// ImportEdge.Number identifies.
func defaultBy(f *File, number int) (out []string) {
	for _, d := range f.Defaults() {
		if d.Number == number {
			out = append(out, d.Name)
		}
	}
	return out
}

type aliasesKey struct{}

// Aliases returns the names that f gives to other names by assignment: store for
// const store = save.
func (f *File) Aliases() []l2meta.Alias {
	return Memo(f, aliasesKey{}, func() []l2meta.Alias { return l2meta.Aliases(f.unpacked()) })
}

type defaultsKey struct{}

// Defaults returns the names that f gives to default exports: save for import save from "./a".
func (f *File) Defaults() []l2meta.Default {
	return Memo(f, defaultsKey{}, func() []l2meta.Default { return l2meta.Defaults(f.unpacked()) })
}
