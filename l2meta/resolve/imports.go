package resolve

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/store"
)

// ImportEdge is an import of Target by File, or a re-export of declarations of Target.
type ImportEdge struct {
	File   *File
	Number int // n for File.Imports[n], len(File.Imports)+n for File.Exports[n]
	Target *File
}

// Import returns the statement as an import. The re-export export { a as b } from "./c" counts as
// import { a as b } from "./c".
func (x ImportEdge) Import() code.Import {
	if x.Number < len(x.File.Imports) {
		return x.File.Imports[x.Number]
	}
	return reexport(&x.File.Exports[x.Number-len(x.File.Imports)])
}

// Reexport reports whether the statement is a re-export.
func (x ImportEdge) Reexport() bool { return x.Number >= len(x.File.Imports) }

func reexport(e *code.Export) code.Import {
	i := code.Import{Module: e.Module, Name: e.Local, Scope: -1, Span: e.Span}
	if e.Local == "" {
		i.Name = e.Name
	} else if e.Name != e.Local {
		i.Alias = e.Name
	}
	return i
}

type importsKey struct{ file *File }

// imports returns the edges to the files that f imports, in the order of its statements. Each
// statement has at most one edge to a file. It returns none if the language's imports lead to no
// files.
func (w *World) imports(f *File) []ImportEdge {
	l, ok := w.languages.of(f).(importer)
	if !ok {
		return nil
	}
	return Derive(w, importsKey{f}, func() (out []ImportEdge) {
		add := func(number int, i *code.Import) {
			var met []*File
			for _, to := range l.Imports(w, f, i) {
				if to != nil && to != f && !slices.Contains(met, to) {
					met = append(met, to)
					out = append(out, ImportEdge{f, number, to})
				}
			}
		}
		for n := range f.Imports {
			add(n, &f.Imports[n])
		}
		for n := range f.Exports {
			if e := &f.Exports[n]; e.Module != "" {
				i := reexport(e)
				add(len(f.Imports)+n, &i)
			}
		}
		return out
	})
}

// Imports returns the files that f imports, in the order of its statements.
func (r *Resolver) Imports(f *File) ([]ImportEdge, error) { return r.w.imports(f), r.w.Err() }

// Dangling returns the relative imports of f that lead to no file: from "./gone".
func (r *Resolver) Dangling(f *File) (out []code.Import, err error) {
	reached := map[int]bool{}
	for _, x := range r.w.imports(f) {
		reached[x.Number] = true
	}
	if r.w.languages.FollowsImports(f.Language) {
		for n, i := range f.Imports {
			if strings.HasPrefix(i.Module, ".") && !reached[n] {
				out = append(out, i)
			}
		}
	}
	return out, r.w.Err()
}

// Importers returns the imports of f by other files, ordered by path and statement.
func (r *Resolver) Importers(f *File) (out []ImportEdge, err error) {
	at, ok := r.w.known.importers(r.w.snap.generation, f)
	if l, named := r.w.languages.of(f).(moduleNamer); !ok && named {
		return r.importersNaming(f, l.ModuleSteps(r.w, f))
	}
	if !ok {
		at = r.importsInto(r.w.languages.Family(f.Language))[f.ID]
	}
	for _, p := range at {
		if g := r.w.ByID(p.file); g != nil {
			out = append(out, ImportEdge{g, p.number, f})
		}
	}
	slices.SortStableFunc(out, func(a, b ImportEdge) int { return strings.Compare(a.File.Path, b.File.Path) })
	return out, r.w.Err()
}

// importersNaming returns the imports of f by modules whose name has one of the given last steps.
func (r *Resolver) importersNaming(f *File, steps []string) (out []ImportEdge, err error) {
	ids, err := r.w.index.Importing(r.w.ctx, r.w.view, steps)
	r.w.ok(err)
	for _, id := range ids {
		g := r.w.Peer(id, f.Language)
		if g == nil || g == f {
			continue
		}
		for _, x := range r.w.imports(g) {
			if x.Target == f {
				out = append(out, x)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b ImportEdge) int { return strings.Compare(a.File.Path, b.File.Path) })
	return out, r.w.Err()
}

// importPlace identifies an import statement by its file's id and by ImportEdge.Number.
type importPlace struct {
	file   int64
	number int
}

type importsIntoKey struct{ family string }

// importsInto returns the import statements that lead to each file of a language family, by the file's
// id. It reads every file of the family, through a cache of its own that is dropped afterwards. A
// complete ledger has the same data.
func (r *Resolver) importsInto(family string) map[int64][]importPlace {
	return Derive(r.w, importsIntoKey{family}, func() map[int64][]importPlace {
		var all []store.FileRef
		r.w.ok(r.w.view.Files(r.w.ctx, func(row store.FileRow) error {
			if row.Skip == "" && r.w.languages.FollowsImports(row.Language) &&
				r.w.languages.Family(row.Language) == family {
				all = append(all, store.FileRef{ID: row.ID, Path: row.Path, Hash: row.Hash, Language: row.Language,
					Class: row.Class})
			}
			return nil
		}))
		into, own := map[int64][]importPlace{}, NewCache(r.w.languages, nil)
		for len(all) > 0 && r.w.Err() == nil {
			w := newWorld(r.w.ctx, r.w.view, own, r.w.snap.generation)
			for _, ref := range all[:min(len(all), groupFiles)] {
				if f := w.Load(ref); f != nil {
					for _, x := range w.imports(f) {
						into[x.Target.ID] = append(into[x.Target.ID], importPlace{f.ID, x.Number})
					}
				}
			}
			r.w.ok(w.Err())
			all = all[min(len(all), groupFiles):]
		}
		return into
	})
}
