package symbols

import (
	"cmp"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/spelling"
	"sextant/jit"
)

// scannedFiles is the largest number of base names that are compared with a misspelt base name.
const scannedFiles = 100_000

// FilesLike returns at most five indexed files that a missing path may refer to, nearest first,
// from the root that owns dir: files of the same base name in other folders, else files with a base
// name at a small edit distance. It returns nil for a folder that is not indexed.
func (s *Service) FilesLike(ctx context.Context, dir, file string) (paths []string, err error) {
	p, _, _, err := s.Locate(ctx, dir)
	if err != nil || p == nil {
		return nil, err
	}
	err = p.Root.View(ctx, func(v *jit.View) error {
		paths, err = FilesAbout(ctx, v, file)
		return err
	})
	return paths, err
}

// FilesAbout returns at most five indexed files that a missing path may refer to, nearest first: files of
// the same base name in other folders or, if there are none, files with a similar base name.
func FilesAbout(ctx context.Context, v *jit.View, file string) (paths []string, err error) {
	refs, err := FilesCalled(ctx, v, path.Base(file), false)
	if err == nil && len(refs) == 0 {
		refs, err = FilesNear(ctx, v, path.Base(file))
	}
	// Files in folders of the same name come first, then files higher up in the tree.
	slices.SortStableFunc(refs, func(a, b jit.FileRef) int {
		return cmp.Or(sharedSteps(b.Path, file)-sharedSteps(a.Path, file),
			strings.Count(a.Path, "/")-strings.Count(b.Path, "/"))
	})
	for _, f := range refs[:min(len(refs), MaxNear)] {
		paths = append(paths, f.Path)
	}
	return paths, err
}

// FoldersNear returns at most five folders with indexed files whose base names equal base or have a
// small edit distance to it. The nearest come first, and among equals those higher up in the tree.
func FoldersNear(ctx context.Context, v *jit.View, base string) (paths []string, err error) {
	dirs, err := v.Dirs(ctx)
	if err != nil {
		return nil, err
	}
	word, edits := spelling.NewWord(base), map[string]int{}
	for _, dir := range dirs {
		for ; dir != ""; dir = code.Dir(dir) {
			if _, seen := edits[dir]; seen {
				break
			}
			edits[dir] = -1
			if n, near := word.Edits(path.Base(dir)); near {
				edits[dir] = n
				paths = append(paths, dir)
			}
		}
	}
	slices.SortFunc(paths, func(a, b string) int {
		return cmp.Or(edits[a]-edits[b], strings.Count(a, "/")-strings.Count(b, "/"), cmp.Compare(a, b))
	})
	return paths[:min(len(paths), MaxNear)], nil
}

// SuggestFiles returns calls for the files that a missing path may refer to, or nil if there are
// none. The function call returns the request for one file.
func (s *Service) SuggestFiles(ctx context.Context, root, file string,
	call func(file string) contract.Request) (*contract.Hints, error) {
	files, err := s.FilesLike(ctx, root, file)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	h := &contract.Hints{}
	for _, f := range files {
		h.NextSteps = append(h.NextSteps, *contract.Suggest(call(f)).Because("if " + f + " is meant"))
	}
	return h, nil
}

// FilesNear returns the files whose base names have the smallest edit distance to base, if it is
// small enough. Either the name differs by a typing error, or only the extension differs. It
// returns nil for a name like Server.Handle, whose extension no file has.
func FilesNear(ctx context.Context, v *jit.View, base string) (out []jit.FileRef, err error) {
	names, err := v.FileNames(ctx, scannedFiles)
	if err != nil {
		return nil, err
	}
	stem, ext := cutExtension(base)
	known := func(name string) bool { return strings.EqualFold(path.Ext(name), ext) }
	if stem == "" || ext != "" && !slices.ContainsFunc(names, known) {
		return nil, nil
	}
	word := spelling.NewWord(stem)
	best := map[int][]string{}
	for _, name := range names {
		s, e := cutExtension(name)
		edits, ok := word.Edits(s)
		switch {
		case !ok || ext != "" && !strings.EqualFold(e, ext) && edits > 0:
			continue
		case ext != "" && !strings.EqualFold(e, ext):
			edits = 1
		}
		best[edits] = append(best[edits], name)
	}
	for edits := range 4 {
		for _, name := range best[edits] {
			refs, err := v.FilesNamed(ctx, name)
			if err != nil {
				return nil, err
			}
			out = append(out, refs...)
		}
		if len(out) > 0 {
			return out, nil
		}
	}
	return nil, nil
}

// cutExtension splits a base name before its extension; .gitignore has none.
func cutExtension(base string) (stem, ext string) {
	ext = path.Ext(base)
	if ext == base {
		return base, ""
	}
	return strings.TrimSuffix(base, ext), ext
}

// sharedSteps returns the number of equal folder names at the end of the directories of two files:
// 2 for a/b/c/x.go and d/b/c/y.go.
func sharedSteps(a, b string) (n int) {
	x, y := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	for n < min(len(x), len(y)) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return n
}

// NamedFile matches a word of a query that may be the end of a path: cart/server.js, settings.py,
// .gitignore.
var NamedFile = regexp.MustCompile(`^[\w@+-]*(?:[./][\w@+-]+)+$`)

// FilesCalled returns the files whose path ends with word, ordered by the spelling of the base name and
// then by path. A word with a folder needs no extension (cart/server matches cart/server.js). Unless exactly is set,
// it also tries the usual other cases (readme for README, README.md for readme.md), and a word without an extension
// matches documents (README matches README.md).
func FilesCalled(ctx context.Context, v *jit.View, word string, exactly bool) (out []jit.FileRef, err error) {
	base := path.Base(word)
	names := []string{base}
	if !exactly {
		stem := strings.TrimSuffix(base, path.Ext(base))
		names = append(names, strings.ToLower(base), strings.ToUpper(base), strings.ToUpper(stem)+path.Ext(base),
			code.Capitalized(base))
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		refs, err := v.FilesNamed(ctx, name)
		if err != nil {
			return nil, err
		}
		if !strings.Contains(base, ".") && (!exactly || base != word) {
			more, err := v.FilesBetween(ctx, name+".", name+"/") // '/' is the character after '.'
			if err != nil {
				return nil, err
			}
			refs = append(refs, slices.DeleteFunc(more, func(f jit.FileRef) bool {
				return base == word && f.Class != code.ClassDocs
			})...)
		}
		for _, f := range refs {
			if endsPath(f.Path, word) {
				out = append(out, f)
			}
		}
	}
	return out, nil
}

// endsPath reports whether the directory of file ends with the directory of word, ignoring case. It
// does not compare the base names.
func endsPath(file, word string) bool {
	dir := path.Dir(word)
	if dir == "." {
		return true
	}
	have, want := "/"+strings.ToLower(path.Dir(file)), "/"+strings.ToLower(dir)
	return have == want || strings.HasSuffix(have, want)
}
