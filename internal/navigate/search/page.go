package search

import (
	"context"
	"errors"
	"iter"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search/rank"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta"
)

// page is one page of the answer to an exhaustive query, such as must:TODO.
type page struct {
	*enumeration
	files []fileMatch
	lines int // the number of matching lines in files
	from  pageAt
	at    pageAt // start of the next page
	more  bool
	cause contract.Cause // reason why the page ends
	check jit.Report
}

// linesPerGroup is the largest number of matching lines in one result. A file with more becomes
// several results, so that the cursor reaches every line.
const linesPerGroup = 40

// fewLines is the largest number of matching lines, as a multiple of the default limit, that a page shows whole.
const fewLines = 2

// most returns the largest number of results on the page.
func (p *page) most() int {
	if p.search.req.Unlimited && p.lines <= fewLines*p.search.req.Limit {
		return fewLines * p.search.req.Limit
	}
	return p.search.req.Limit
}

// fill adds results from the cursor on, up to the limit or the budget. moved reports that a file
// changed meanwhile.
func (p *page) fill(ctx context.Context) (moved bool, err error) {
	r := p.search
	end := min(p.from.file+p.most(), len(p.files))
	var paths []string
	for i := min(p.from.file, len(p.files)); i < end; i++ {
		paths = append(paths, p.files[i].candidate.Path)
	}
	if p.check, moved, err = r.verify(ctx, paths); err != nil || moved {
		return moved, err
	}
	p.at = p.from
	files := &reader{root: r.place.Root, files: map[string]*shownFile{}}
	for p.at.file < len(p.files) {
		full, moved, err := p.file(ctx, files, p.files[p.at.file].candidate)
		if err != nil || moved {
			return moved, err
		}
		if full {
			p.more = true
			return false, nil
		}
		p.at = pageAt{file: p.at.file + 1}
		if len(r.answer.Results) >= p.most() {
			p.more, p.cause = p.at.file < len(p.files), contract.CauseLimit
			return false, nil
		}
	}
	return false, nil
}

// file adds the results in one file. full reports that the page ends inside the file, moved that the file
// changed meanwhile.
func (p *page) file(ctx context.Context, files *reader, c l1fts.Candidate) (full, moved bool, err error) {
	r := p.search
	f, err := files.file(ctx, c.Path)
	switch {
	case errors.Is(err, jit.ErrMoved), errors.Is(err, jit.ErrNotIndexed):
		r.moved = jit.Report{Modified: []string{c.Path}}
		return false, true, nil
	case errors.Is(err, jit.ErrUnverified):
		r.withhold(c.Path)
		return false, false, nil
	case err != nil:
		return false, false, err
	}
	r.classes[c.Path] = f.row.Class
	lines, matches, err := p.linesIn(ctx, f.text, f.row.ID)
	if err != nil || !matches { // a cached list may be older than an edit during this request
		return false, false, err
	}
	rows, moved, err := p.rowsAround(ctx, f, lines)
	if err != nil || moved {
		r.moved = jit.Report{Modified: []string{c.Path}}
		return false, moved, err
	}
	around := &surroundings{file: f, lines: r.req.Context, matched: lines}
	for i, g := range p.groups(rows, lines) {
		if i < p.at.group {
			around.skip(g.lines)
			continue
		}
		if len(r.answer.Results) >= p.most() {
			p.at.group, p.cause = i, contract.CauseLimit
			return true, false, nil
		}
		result := p.result(ctx, f, c, g, around.of(g.lines))
		if !r.budget.Fits(result) && len(r.answer.Results) > 0 {
			p.at.group, p.cause = i, contract.CauseMaxTokens
			return true, false, nil
		}
		r.answer.Results = append(r.answer.Results, result)
	}
	return false, false, nil
}

// rowsAround returns the symbols around those of the matching lines of a file that the page may show. moved
// reports that the file was reindexed since it was read.
func (p *page) rowsAround(ctx context.Context, f *shownFile, lines []int) (rows []l2meta.Row, moved bool, err error) {
	r := p.search
	err = r.place.Root.View(ctx, func(v *jit.View) error {
		now, known, err := v.File(ctx, f.row.Path)
		if moved = !known || now.Hash != f.row.Hash; err != nil || moved || len(lines) == 0 {
			return err
		}
		last := len(lines)
		if groups := p.at.group + p.most() + 1; groups < last/linesPerGroup { // no overflow
			last = groups * linesPerGroup
		}
		rows, err = r.service.Facts.Around(ctx, v, f.row.ID, lines[0], lines[last-1])
		return err
	})
	return rows, moved, err
}

// lineGroup is a result to be: some matching lines of a file. row is the symbol around them, nil for none.
type lineGroup struct {
	row   *l2meta.Row
	lines []int
}

// groups yields the matching lines of a file, grouped by the symbol around them. rows need not hold the symbols
// around lines that are not asked for.
func (p *page) groups(rows []l2meta.Row, lines []int) iter.Seq2[int, lineGroup] {
	byFile := p.search.req.GroupBy == contract.GroupByFile
	return func(yield func(int, lineGroup) bool) {
		if len(lines) == 0 { // the query consists of exclude: alone
			yield(0, lineGroup{})
			return
		}
		owners := symbols.NewOwners(rows)
		owner := owners.Of(lines[0])
		for i := 0; len(lines) > 0; i++ {
			own, n := owner, 1
			for ; n < len(lines); n++ {
				if owner = owners.Of(lines[n]); n == linesPerGroup || !byFile && owner != own {
					break
				}
			}
			g := lineGroup{lines: lines[:n]}
			if own >= 0 && !byFile {
				g.row = &rows[own]
			}
			if lines = lines[n:]; !yield(i, g) {
				return
			}
		}
	}
}

// result returns the result for some matching lines of a file, with the lines near them.
func (p *page) result(ctx context.Context, f *shownFile, c l1fts.Candidate, of lineGroup,
	near []contract.MatchedLine) contract.SearchResult {
	r, d, row, lines := p.search, &drawing{search: p.search}, of.row, of.lines
	k := &candidate{fileID: c.FileID, path: c.Path, language: c.Language, class: c.Class, symbol: -1, row: row,
		start: 1, end: 1, lexical: 1, score: 1, chunks: 1, matchedBy: []string{"exact"}, exact: rank.NamedSame}
	if len(lines) > 0 {
		k.start, k.end = lines[0], lines[len(lines)-1]
	}
	if row != nil {
		k.symbol = row.Index
	}
	var matched []contract.MatchedLine
	for _, l := range lines {
		text := lineText(f.text, f.lines, l)
		at := p.matcher.First(ctx, text)
		matched = append(matched, contract.MatchedLine{Line: l, Text: cutLine(text, at), Column: at + 1})
	}
	if r.req.ResultMode == contract.ResultsRaw {
		chunk := d.chunk(k, f)
		chunk.MatchedLines, chunk.ContextLines = matched, near
		return chunk
	}
	g := d.group(k, f, 0)
	g.MatchedLines, g.ContextLines = matched, near
	if len(lines) > 0 {
		g.Preview, g.PreviewSpan = "", nil // the matching lines are more informative
	}
	if r.req.Detail == contract.DetailFull {
		g.Navigation = d.navigation(g)
	}
	return g
}
