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

// scannedFiles bounds the base names that are compared with one.
const scannedFiles = 100_000

// FilesLike returns the indexed files that a path which is not there may mean, from
// the root that owns dir: those of its base name in other folders, else those
// whose base name is few letters from it; nearest first, at most five. None in
// a folder that is not indexed.
func (s *Service) FilesLike(ctx context.Context, dir, file string) (paths []string, err error) {
	p, _, _, err := s.Locate(ctx, dir)
	if err != nil || p == nil {
		return nil, err
	}
	err = p.Root.View(ctx, func(v *jit.View) error {
		refs, err := FilesCalled(ctx, v, path.Base(file), false)
		if err == nil && len(refs) == 0 {
			refs, err = FilesNear(ctx, v, path.Base(file))
		}
		// Files of the folder that was named come first, then what lies higher up.
		slices.SortStableFunc(refs, func(a, b jit.FileRef) int {
			return cmp.Or(sharedSteps(b.Path, file)-sharedSteps(a.Path, file), strings.Count(a.Path, "/")-strings.Count(b.Path, "/"))
		})
		for _, f := range refs[:min(len(refs), MaxNear)] {
			paths = append(paths, f.Path)
		}
		return err
	})
	return paths, err
}

// SuggestFiles returns the calls for the files that a path which is not there may
// mean; nil without any.
func (s *Service) SuggestFiles(ctx context.Context, root, file string, call func(file string) contract.Request) (*contract.Hints, error) {
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

// FilesNear returns the files whose base name is few letters from one, the nearest
// alone: a slip in the name, or the extension of another file. Server.Handle
// has no extension that any file has, and names none.
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

// cutExtension cuts the extension from a base name; .gitignore has none.
func cutExtension(base string) (stem, ext string) {
	ext = path.Ext(base)
	if ext == base {
		return base, ""
	}
	return strings.TrimSuffix(base, ext), ext
}

// sharedSteps is how many folders at the end of two paths are the same.
func sharedSteps(a, b string) (n int) {
	x, y := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	for n < min(len(x), len(y)) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return n
}

// NamedFile is the end of a path as a word of a query has it: cart/server.js,
// settings.py, .gitignore.
var NamedFile = regexp.MustCompile(`^[\w@+-]*(?:[./][\w@+-]+)+$`)

// FilesCalled returns the files whose path ends with what a word says, by path: as
// written, or in the usual other cases (readme for README) unless exactly is
// set. Without an extension it names documents (README for README.md), and with
// a folder any file: cart/server for cart/server.js.
func FilesCalled(ctx context.Context, v *jit.View, word string, exactly bool) (out []jit.FileRef, err error) {
	base := path.Base(word)
	names := []string{base}
	if !exactly {
		names = append(names, strings.ToLower(base), strings.ToUpper(base), strings.ToUpper(base[:1])+base[1:])
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		refs, err := v.FilesNamed(ctx, name)
		if err != nil {
			return nil, err
		}
		if !strings.Contains(base, ".") {
			more, err := v.FilesBetween(ctx, name+".", name+"/") // '/' follows '.'
			if err != nil {
				return nil, err
			}
			refs = append(refs, slices.DeleteFunc(more, func(f jit.FileRef) bool { return base == word && f.Class != code.ClassDocs })...)
		}
		for _, f := range refs {
			if endsPath(f.Path, word) {
				out = append(out, f)
			}
		}
	}
	return out, nil
}

// endsPath reports whether the steps of word, in any case, are the last ones of a
// path; the last may lack its extension.
func endsPath(file, word string) bool {
	dir := path.Dir(word)
	if dir == "." {
		return true
	}
	have, want := "/"+strings.ToLower(path.Dir(file)), "/"+strings.ToLower(dir)
	return have == want || strings.HasSuffix(have, want)
}
