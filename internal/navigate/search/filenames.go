package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/search/rank"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
)

const (
	// fileFirst is the boost of a file that the query names. It puts the file above its mentions
	// and above symbols of the same name.
	fileFirst = 20
	// mostNamedFiles is the largest number of files with the same name that become results of
	// their own. mostMentioned is the same for a name that occurs in a question. Dozens of files
	// may be called package.json.
	mostNamedFiles, mostMentioned = 50, 3
)

// fileWords returns the words of a query that may name a file: all of a short query, and of a
// longer one those that look like the end of a path.
func fileWords(text string) (list []string) {
	const marks = ",;:?!'\"`()"
	words := strings.Fields(text)
	for _, w := range words {
		// removes the marks around a path: "(see a/b.go)."
		w = strings.TrimLeft(strings.TrimRight(w, marks+"."), marks)
		w = strings.TrimPrefix(w, "./")
		if w != "" && (len(words) <= 2 || symbols.NamedFile.MatchString(w)) {
			list = append(list, w)
		}
	}
	return list
}

// addFiles adds the files, of every class, that words of the query name.
func (p *pool) addFiles(ctx context.Context) error {
	for _, word := range fileWords(p.query.Text) {
		refs, err := symbols.FilesCalled(ctx, p.view, word, p.declares(word))
		if err != nil {
			return err
		}
		refs = slices.DeleteFunc(refs, func(f jit.FileRef) bool { return !p.named(f.Path, f.Language, f.Class) })
		slices.SortStableFunc(refs, func(a, b jit.FileRef) int {
			return cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/"))
		})
		share := 1.0
		if word != p.query.Text {
			share = p.terms.share(word)
		}
		most := mostNamedFiles
		if p.prose() {
			most = mostMentioned
		}
		for i, f := range refs[:min(len(refs), most)] {
			row, found, err := p.view.FileByID(ctx, f.ID)
			if err != nil {
				return err
			}
			if found {
				// Files of equal rank stay in order, so files higher up in the tree come first.
				p.addFile(row, fileFirst*share-float64(i)/mostNamedFiles)
			}
		}
	}
	return nil
}

// addFile adds a whole file as a candidate, and raises its boost by the given number.
func (p *pool) addFile(f jit.FileRow, by float64) {
	key := candidateKey{file: f.ID, symbol: -1}
	c := p.all[key]
	if c == nil {
		c = &candidate{fileID: f.ID, path: f.Path, language: f.Language, class: f.Class, chunks: 1}
		p.all[key] = c
	}
	c.symbol, c.row, c.start, c.end = -1, nil, 1, max(f.Lines, 1)
	c.lifted += by
	c.note("path")
	c.note("exact")
}

// declares reports whether a candidate has exactly the given name and is no heading of a document.
func (p *pool) declares(name string) bool {
	for _, c := range p.all {
		if c.exact >= rank.NamedSame && c.row != nil && c.class != code.ClassDocs && c.row.Symbol.Name == name {
			return true
		}
	}
	return false
}
