package search

import (
	"cmp"
	"context"
	"slices"

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
)

// listBeside adds what the file of most results declares besides them, if no result is a good match. The
// answer is often in that file: "which packs are rewritten, kept or removed?" finds the plan, its execution
// and its statistics in prune.go by their words, and decidePackAction has none of them.
func (r *search) listBeside(ctx context.Context, files *reader) error {
	a := r.answer
	if a.Confidence != contract.Low || a.From > 0 || len(r.terms.list) < 2 || a.Truncated != nil ||
		r.req.GroupBy != contract.GroupBySymbol || r.req.ResultMode == contract.ResultsRaw {
		return nil
	}
	path := mostShown(a.Results)
	if path == "" {
		return nil
	}
	f, err := files.file(ctx, path)
	if err != nil {
		if isGone(err) {
			return nil // the next answer is about the file as it is then
		}
		return err
	}
	var rows []l2meta.Row
	err = r.place.Root.View(ctx, func(v *jit.View) error {
		now, known, err := v.File(ctx, path)
		if err != nil || !known || now.Hash != f.row.Hash {
			return err
		}
		rows, err = r.service.Facts.OfFile(ctx, v, f.row.ID)
		return err
	})
	if err != nil {
		return err
	}
	rows = unshown(rows, path, a.Results)
	b := &contract.Beside{File: path, Omitted: max(len(rows)-mostBeside, 0)}
	for _, row := range r.likeliest(rows, f) {
		b.Symbols = append(b.Symbols, contract.BesideSymbol{SymbolLabel: row.Symbol.QualifiedName,
			Kind: row.Symbol.Kind, Span: contract.Lines(row.Symbol.Span)})
	}
	if len(b.Symbols) > 0 && r.budget.Fits(b) {
		a.Beside = b
	}
	return nil
}

// mostShown returns the file with the most results that are symbols, of equal ones the first. It returns ""
// if they are too few.
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

// unshown returns the functions and types among rows, the symbols of a file, that no result shows. It leaves
// out functions within functions.
func unshown(rows []l2meta.Row, path string, results []contract.SearchResult) (out []l2meta.Row) {
	shown := map[contract.LineSpan]bool{}
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

// likeliest returns at most mostBeside rows, in document order. It keeps the rows that have the most of the question.
func (r *search) likeliest(rows []l2meta.Row, f *shownFile) []l2meta.Row {
	if len(rows) <= mostBeside {
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
	best = best[:mostBeside]
	slices.SortFunc(best, func(a, b l2meta.Row) int { return cmp.Compare(a.Index, b.Index) })
	return best
}
