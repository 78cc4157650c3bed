package search

import (
	"cmp"
	"context"
	"slices"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l2meta"
)

const (
	// fewestBeside is the number of results in one file from which the answer lists what else is there.
	fewestBeside = 3
	// mostBeside is the largest number of symbols that it lists.
	mostBeside = 10
	// crowdedFile is the number of symbols from which the list is left out: such a file is generated, and
	// reading its symbols takes seconds.
	crowdedFile = 5000
)

// The last of several pages lists what the likeliest files declare. Of 96 sentences about eight repositories 29 had
// no answer on the first page; pages with these lists show 18 of them.
const (
	// filesBeside is the number of files.
	filesBeside = 8
	// mostOfLikely is the largest number of symbols of one file that are listed.
	mostOfLikely = 20
)

// listBeside adds what files declare besides the results: on the first page the file of most results, if no
// result is a good match, and on the last of several pages the likeliest files. The answer is often in
// such a file: "which packs are rewritten, kept or removed?" finds the plan, its execution and its statistics
// in prune.go by their words, and decidePackAction has none of them. picked are the candidates of all pages.
func (r *search) listBeside(ctx context.Context, files *reader, picked []candidate) error {
	a := r.answer
	if !r.manyWords() || a.Truncated != nil {
		return nil
	}
	switch {
	case a.From == 0 && a.Confidence == contract.Low:
		path := mostShown(a.Results)
		if path == "" {
			return nil
		}
		return r.addBeside(ctx, files, path, spansOf(a.Results, path), mostBeside)
	case a.From > 0 && a.Cursor == "":
		shown := declaredIn(picked)
		for _, path := range likelyFiles(picked) {
			if err := r.addBeside(ctx, files, path, shown[path], mostOfLikely); err != nil {
				return err
			}
		}
	}
	return nil
}

// addBeside adds at most the given number of the symbols of a file that are not shown.
func (r *search) addBeside(ctx context.Context, files *reader, path string, shown shownSpans, most int) error {
	f, err := files.file(ctx, path)
	if err != nil {
		if isGone(err) {
			return nil // the file changed; the next answer will be about its new text
		}
		return err
	}
	var rows []l2meta.Row
	err = r.place.Root.View(ctx, func(v *jit.View) error {
		now, known, err := v.File(ctx, path)
		if err != nil || !known || now.Hash != f.row.Hash {
			return err
		}
		rows, err = r.service.Facts.First(ctx, v, f.row.ID, crowdedFile)
		return err
	})
	if err != nil || len(rows) == crowdedFile {
		return err
	}
	rows = unshown(rows, shown)
	b := contract.Beside{File: path, Omitted: max(len(rows)-most, 0)}
	for _, row := range r.likeliest(rows, f, most) {
		b.Symbols = append(b.Symbols, contract.BesideSymbol{SymbolLabel: row.Symbol.QualifiedName,
			Kind: row.Symbol.Kind, Span: contract.Lines(row.Symbol.Span)})
	}
	if len(b.Symbols) > 0 && r.budget.Fits(b) {
		r.answer.Beside = append(r.answer.Beside, b)
	}
	return nil
}

// mostShown returns the file with the most results that are symbols; if several have equally
// many, the first. It returns "" if there are too few such results.
func mostShown(results []contract.SearchResult) (path string) {
	count := map[string]int{}
	for _, res := range results {
		if g, ok := res.(*contract.Group); ok && g.SymbolID != "" {
			count[g.File]++
		}
	}
	most := fewestBeside - 1
	for _, res := range results {
		if file, _ := res.Place(); count[file] > most {
			path, most = file, count[file]
		}
	}
	return path
}

// likelyFiles returns the source files of most candidates, the likeliest first. A candidate counts by its rank: the
// first as much as two from the sixth place on.
func likelyFiles(picked []candidate) (files []string) {
	weight := map[string]float64{}
	for i := range picked {
		c := &picked[i]
		if c.class != code.ClassSource {
			continue
		}
		if weight[c.path] == 0 {
			files = append(files, c.path)
		}
		weight[c.path] += 1 / float64(halfRank+i)
	}
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(weight[b], weight[a]) })
	return files[:min(len(files), filesBeside)]
}

// shownSpans are the lines of the symbols in one file that results show.
type shownSpans map[contract.LineSpan]bool

// spansOf returns the lines of the symbols that the results in a file show.
func spansOf(results []contract.SearchResult, path string) (shown shownSpans) {
	shown = shownSpans{}
	for _, res := range results {
		if g, ok := res.(*contract.Group); ok && g.File == path {
			shown[g.Span] = true
			if g.SymbolSpan != nil {
				shown[*g.SymbolSpan] = true
			}
			for _, o := range g.Overloads {
				shown[o] = true
			}
		}
	}
	return shown
}

// declaredIn returns the lines of the candidates that are symbols, by file.
func declaredIn(picked []candidate) map[string]shownSpans {
	out := map[string]shownSpans{}
	for i := range picked {
		c := &picked[i]
		if out[c.path] == nil {
			out[c.path] = shownSpans{}
		}
		if c.row != nil {
			out[c.path][contract.Lines(c.row.Symbol.Span)] = true
		}
		for _, o := range c.overloads {
			out[c.path][o] = true
		}
	}
	return out
}

// unshown returns the functions and types among rows, the symbols of a file, that are not shown. It leaves out
// functions within functions.
func unshown(rows []l2meta.Row, shown shownSpans) (out []l2meta.Row) {
	local := map[int]bool{} // indexes of functions, and of what is declared in them
	for _, row := range rows {
		s := &row.Symbol
		within := local[s.Parent]
		if s.Kind.Callable() || within {
			local[row.Index] = true
		}
		if !within && (s.Kind.Callable() || symbols.IsType(s.Kind)) && !shown[contract.Lines(s.Span)] {
			out = append(out, row)
		}
	}
	return out
}

// likeliest returns at most the given number of rows, in document order. It keeps the rows that have the most of the
// question.
func (r *search) likeliest(rows []l2meta.Row, f *shownFile, most int) []l2meta.Row {
	if len(rows) <= most {
		return rows
	}
	held := make(map[int]float64, len(rows))
	for i := range rows {
		c := &candidate{path: f.row.Path, symbol: rows[i].Index, row: &rows[i]}
		held[rows[i].Index] = r.terms.covered(c, f)
		if r.wordByWord() {
			r.hold(c, f)
			held[rows[i].Index] = c.held
		}
	}
	best := slices.Clone(rows)
	slices.SortStableFunc(best, func(a, b l2meta.Row) int { return cmp.Compare(held[b.Index], held[a.Index]) })
	best = best[:most]
	slices.SortFunc(best, func(a, b l2meta.Row) int { return cmp.Compare(a.Index, b.Index) })
	return best
}
