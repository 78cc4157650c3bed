package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"sextant/internal/navigate/search/rank"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
)

const (
	// fileFirst is the boost of a file that the query names. It puts the file above its mentions
	// and above symbols of the same name.
	fileFirst = 20
	// mostNamedFiles bounds the files with one name that are results of their own.
	mostNamedFiles = 50
)

// fileWords returns the words of a query that may name a file: all of a short query, and of a
// longer one those that look like the end of a path.
func fileWords(text string) (list []string) {
	words := strings.Fields(text)
	for _, w := range words {
		w = strings.TrimPrefix(strings.TrimRight(strings.Trim(w, ",;:?!'\"`()"), "."), "./")
		if w != "" && (len(words) <= 2 || symbols.NamedFile.MatchString(w)) {
			list = append(list, w)
		}
	}
	return list
}

// addFiles adds the files, of every class, that words of the query name.
func (r *search) addFiles(ctx context.Context, v *jit.View, all map[candidateKey]*candidate) error {
	for _, word := range fileWords(r.query.Text) {
		refs, err := symbols.FilesCalled(ctx, v, word, r.declares(all, word))
		if err != nil {
			return err
		}
		refs = slices.DeleteFunc(refs, func(f jit.FileRef) bool { return !r.named(f.Path, f.Language, f.Class) })
		slices.SortStableFunc(refs, func(a, b jit.FileRef) int {
			return cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/"))
		})
		share := 1.0
		if word != r.query.Text {
			share = r.share(word)
		}
		for i, f := range refs[:min(len(refs), mostNamedFiles)] {
			row, found, err := v.FileByID(ctx, f.ID)
			if err != nil {
				return err
			}
			if found {
				// Files of equal rank stay in order, so files higher up in the tree come first.
				r.addFile(all, row, fileFirst*share-float64(i)/mostNamedFiles)
			}
		}
	}
	return nil
}

// addFile adds a whole file as a candidate.
func (r *search) addFile(all map[candidateKey]*candidate, f jit.FileRow, by float64) {
	key := candidateKey{file: f.ID, symbol: -1}
	c := all[key]
	if c == nil {
		c = &candidate{fileID: f.ID, path: f.Path, language: f.Language, class: f.Class, chunks: 1}
		all[key] = c
	}
	c.symbol, c.row, c.start, c.end = -1, nil, 1, max(f.Lines, 1)
	c.lifted += by
	c.note("path")
	c.noteExact()
}

// declares reports whether a candidate has exactly the given name.
func (r *search) declares(all map[candidateKey]*candidate, name string) bool {
	for _, c := range all {
		if c.exact >= rank.NamedSame && c.row != nil && c.row.Symbol.Name == name {
			return true
		}
	}
	return false
}
