package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l1fts"
)

// unnamed is a path: operator of the query that matches no indexed file.
type unnamed struct {
	pattern string
	near    []string // paths that it may mean, nearest first
}

// anchor rewrites path: operators that are absolute paths or begin with ./ as globs from the
// codebase root: if the request's path is the root, path:./web becomes path:/web.
func (r *search) anchor() {
	for _, list := range []*[]string{&r.query.Paths, &r.query.NotPaths} {
		anchored := slices.Clone(*list)
		for i, p := range anchored {
			if rest, ok := strings.CutPrefix(p, "./"); ok {
				anchored[i] = "/" + path.Join(r.place.Rel, rest)
			}
			if rest, ok := strings.CutPrefix(p, r.place.Root.Path()+"/"); ok {
				anchored[i] = "/" + rest
			}
			if strings.HasSuffix(p, "/") && !strings.HasSuffix(anchored[i], "/") {
				anchored[i] += "/"
			}
		}
		*list = anchored
	}
}

// widen extends the scope to every class of file if it excludes all files that the request's path
// and its path: operators select: a query for docs/setup.md means that file. Exhaustive answers
// count the matches outside of their scope instead.
func (r *search) widen(ctx context.Context) error {
	if r.filter.Prefix == "" && len(r.query.Paths) == 0 {
		return nil
	}
	return r.place.Root.View(ctx, func(v *jit.View) error {
		shown, err := l1fts.AnyPasses(ctx, v, r.query, r.filter)
		if err != nil {
			return err
		}
		anywhere, named := r.filter, shown
		if anywhere.Classes = nil; !shown && len(r.filter.Classes) > 0 {
			if named, err = l1fts.AnyPasses(ctx, v, r.query, anywhere); err != nil {
				return err
			}
		}
		r.noFile = !named
		if !shown && !r.query.Exhaustive() {
			// If no file in any scope matches, the scope did not hide the file, and the answer
			// need not mention it.
			r.filter, r.answer.Scope, r.widened = anywhere, contract.ScopeMixed, named
		}
		return r.findUnnamed(ctx, v)
	})
}

// findUnnamed finds the path: operators that match no file. One of several operators may be wrong
// although the others match files.
func (r *search) findUnnamed(ctx context.Context, v *jit.View) error {
	if !r.noFile && len(r.query.Paths) == 1 {
		return nil
	}
	for _, p := range r.query.Paths {
		named, err := l1fts.AnyPasses(ctx, v, l1fts.Query{Paths: []string{p}}, l1fts.Filter{Prefix: r.filter.Prefix})
		if err != nil {
			return err
		}
		if named {
			continue
		}
		u := unnamed{pattern: p}
		if u.near, err = pathsNear(ctx, v, p); err != nil {
			return err
		}
		r.unnamed = append(r.unnamed, u)
	}
	return nil
}

// pathsNear returns the files and folders that a path: pattern may mean: those with the name at its
// end or, if there are none, with a similar name. It returns nil for a pattern that ends with a
// glob.
func pathsNear(ctx context.Context, v *jit.View, pattern string) ([]string, error) {
	name := strings.TrimSuffix(strings.TrimSuffix(pattern, "**"), "/")
	if last := path.Base(name); name == "" || strings.ContainsAny(last, "*?[") {
		return nil, nil
	}
	files, err := symbols.FilesAbout(ctx, v, name)
	if err != nil {
		return nil, err
	}
	folders, err := symbols.FoldersNear(ctx, v, path.Base(name))
	if err != nil {
		return nil, err
	}
	near := append(folders, files...)
	return near[:min(len(near), symbols.MaxNear)], nil
}

// warnWidened adds a warning if the scope was widened, or if no file matches the request's path and path:
// operators.
func (r *search) warnWidened() {
	warn := func(name, format string, args ...any) {
		r.answer.Warnings.Add(contract.Warning{Code: name, Severity: contract.SeverityInfo,
			Message: fmt.Sprintf(format, args...)})
	}
	switch {
	case len(r.unnamed) > 0:
		warn("NO_FILE_NAMED", "%s", r.unnamedText())
	case r.noFile && r.pathMissing():
		warn("NO_FILE_NAMED", "%s does not exist.", r.place.Path)
	case r.noFile && len(r.query.Paths) > 0:
		warn("NO_FILE_NAMED",
			"There are files that match path:%s, but none that the other conditions on files let pass (%s).",
			strings.Join(r.query.Paths, " or path:"), strings.Join(r.conditions(), ", "))
	case r.noFile && len(r.conditions()) > 0:
		warn("NO_FILE_NAMED", "No file below %s passes the conditions on files (%s).", r.filter.Prefix,
			strings.Join(r.conditions(), ", "))
	case r.noFile:
		warn("NO_FILE_NAMED", "No file below %s is indexed.", r.filter.Prefix)
	case r.widened:
		warn("SCOPE_WIDENED", "Scope %s leaves out every file that was named; this answer looks at all of them.",
			r.req.Scope)
	}
}

// pathMissing reports whether neither a file nor a folder is at the request's path.
func (r *search) pathMissing() bool {
	_, err := os.Lstat(r.place.Path)
	return errors.Is(err, fs.ErrNotExist)
}

// unnamedText says which path: operators match nothing, and what they may mean.
func (r *search) unnamedText() string {
	var patterns, near []string
	for _, u := range r.unnamed {
		patterns = append(patterns, u.pattern)
		for _, n := range u.near {
			near = append(near, "path:/"+n)
		}
	}
	text := "No indexed file matches path:" + strings.Join(patterns, " or path:") + "."
	if len(near) > 0 {
		text += " Near names: " + strings.Join(near, ", ") + "."
	}
	return text
}

// conditions returns the query's operators on files, except path:.
func (r *search) conditions() (out []string) {
	for _, l := range r.query.Langs {
		out = append(out, "lang:"+l)
	}
	for _, p := range r.query.NotPaths {
		out = append(out, "-path:"+p)
	}
	for _, k := range r.query.Kinds {
		out = append(out, "kind:"+string(k))
	}
	for _, d := range r.filter.Dirs {
		out = append(out, "service in "+cmp.Or(d, "."))
	}
	return out
}
