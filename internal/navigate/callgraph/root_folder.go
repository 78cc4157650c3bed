package callgraph

import (
	"context"
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// folderRoot returns the row of the folder that a reference names. It returns false if it
// names no folder. If surely is set, only a reference that cannot name a symbol counts: a
// path with a slash, or ".". If several folders have the name, it sets an ambiguous outcome.
func (g *graphing) folderRoot(ctx context.Context, ref contract.SymbolRef,
	surely bool) (row l2meta.Row, found bool, err error) {
	name, below := strings.CutSuffix(ref.SymbolLabel, everythingBelow)
	plain := strings.TrimSuffix(name, "/")
	switch {
	case ref.File != "":
		if plain != "" && plain != ref.File && ref.SymbolID == "" {
			return row, false, nil // the reference names a symbol of the folder
		}
		plain = ref.File
	case plain == "" || surely && !below && plain == name && plain != "." && !strings.Contains(plain, "/"):
		return row, false, nil
	}
	err = g.place.Root.View(ctx, func(v *jit.View) error {
		dirs, err := g.foldersAt(ctx, v, plain)
		if err == nil && len(dirs) == 0 && ref.File == "" {
			dirs, err = g.foldersCalled(ctx, v, plain, surely)
		}
		if err != nil || len(dirs) == 0 {
			return err
		}
		if found = true; len(dirs) > 1 {
			g.severalFolders(plain, dirs)
			return nil
		}
		row, err = g.folderIn(ctx, v, dirs[0], ref, below)
		return err
	})
	return row, found, err
}

// folderIn returns the row of the folder to which ref refers. The id in ref determines whether
// the subdirectories of dir are included. Without an id they are, unless a directory is a package
// in the language of its files, as in Go.
func (g *graphing) folderIn(ctx context.Context, v *jit.View, dir string, ref contract.SymbolRef,
	below bool) (row l2meta.Row, err error) {
	files, err := v.FilesBelow(ctx, dir)
	if err != nil {
		return row, err
	}
	f := unit(dir, files)
	f.below = f.below || below
	for _, other := range []folder{{dir, false}, {dir, true}} {
		if ref.SymbolID == string(symbols.RowID(other.row())) {
			f = other
		}
	}
	row = f.row()
	g.answer.SymbolRef = contract.SymbolRef{File: row.Path, SymbolID: string(symbols.RowID(row)),
		SymbolLabel: row.Symbol.QualifiedName}
	if !isService(g.place.Root.Services(), dir) && !slices.ContainsFunc(files, func(r jit.FileRef) bool {
		return f.has(r.Path) && languages.All.FollowsImports(r.Language)
	}) {
		g.answer.Outcome = contract.CondUnsupported.Outcome(
			"Nothing in %s is of a language whose imports are known. file_outline shows what is in it.", row.Path)
		g.answer.Hints = &contract.Hints{NextSteps: g.insideFolder(f)[:1]}
	}
	return row, nil
}

// foldersAt returns the directory at path name, relative to the root or to the folder of the
// request. It returns nil if no indexed file is in that directory or below it.
func (g *graphing) foldersAt(ctx context.Context, v *jit.View, name string) ([]string, error) {
	here := g.place.Rel
	if name == "." {
		return []string{here}, nil
	}
	for _, dir := range []string{path.Clean(name), path.Join(here, name)} {
		if ok, err := v.AnyBelow(ctx, dir); err != nil || ok && code.Within(dir, here) {
			return []string{dir}, err
		}
	}
	return nil, nil
}

// foldersCalled returns the directory of a Go package by its import path. If there is none, it returns
// the directories whose path ends with name; with surely set, it returns nil instead.
func (g *graphing) foldersCalled(ctx context.Context, v *jit.View, name string, surely bool) ([]string, error) {
	generation, err := jit.Generation(ctx, v)
	if err != nil {
		return nil, err
	}
	dir, ok, err := resolve.New(ctx, v, g.service.Derived(g.place.Root), generation).PackageDir(name)
	if err != nil || ok && code.Within(dir, g.place.Rel) {
		return []string{dir}, err
	}
	if surely {
		return nil, nil
	}
	return g.foldersEnding(ctx, v, name)
}

// foldersEnding returns the directories whose path ends with name, in which dots may replace slashes:
// "app.rows" finds src/app/rows. If there are none, it returns the directory of the service called name.
func (g *graphing) foldersEnding(ctx context.Context, v *jit.View, name string) (out []string, err error) {
	dirs, err := v.Dirs(ctx)
	if err != nil {
		return nil, err
	}
	for _, tail := range slices.Compact([]string{name, strings.ReplaceAll(name, ".", "/")}) {
		for _, dir := range dirs {
			for ; dir != ""; dir = code.Dir(dir) {
				if (dir == tail || strings.HasSuffix(dir, "/"+tail)) && code.Within(dir, g.place.Rel) &&
					!slices.Contains(out, dir) {
					out = append(out, dir)
				}
			}
		}
		if len(out) > 0 {
			return out, nil
		}
	}
	for _, s := range g.place.Root.Services().List {
		if s.Name == name && code.Within(s.Root, g.place.Rel) {
			out = append(out, s.Root)
		}
	}
	return slices.Compact(out), nil
}

// severalFolders sets the outcome for a name that several directories share. The directories
// become candidates.
func (g *graphing) severalFolders(name string, dirs []string) {
	a := g.answer
	a.Outcome = contract.CondAmbiguous.Outcome(
		"%d folders are called %q. Repeat with the path of the one that is meant.", len(dirs), name)
	for _, dir := range dirs[:min(len(dirs), symbols.MaxCandidates)] {
		row := folder{dir: dir}.row()
		a.Candidates = append(a.Candidates,
			contract.Candidate{SymbolLabel: row.Symbol.QualifiedName, File: row.Path, Kind: string(row.Symbol.Kind)})
	}
	g.suggest()
}
