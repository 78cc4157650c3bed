package compact

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"sextant/internal/navigate/contract"
	"sextant/internal/typeset"
)

// listed reports whether results after the first page are written as places, which takes results that are
// symbols.
func listed(by contract.Grouping, mode contract.ResultMode) bool {
	return by != contract.GroupByFile && mode != contract.ResultsRaw
}

// spot is a place in a file: the lines of a symbol and its name, or a line of source.
type spot struct {
	lines  []contract.LineSpan
	name   string // of the symbol, "" for none
	source string // of a place outside of symbols
}

// places writes a page of results after the first, and what their files declare besides, by file and line:
//
//	store/plan.go
//	  12-40 decide
//	  42 Plan
//	  44-50 .Run
//	store/prune.go:7-9 prune
//
// Results have all their lines, the others the first. A caller that gets there looks through names.
func (w *writer) places(a *contract.SearchAnswer) {
	var files []string
	of := map[string][]spot{}
	add := func(file string, p spot) {
		if of[file] == nil {
			files = append(files, file)
		}
		of[file] = append(of[file], p)
	}
	classes := map[string]typeset.Part{}
	for _, r := range a.Results {
		if g, ok := r.(*contract.Group); ok {
			add(g.File, spotOf(g))
			classes[g.File] = class(g.Class)
		}
	}
	omitted := map[string]int{}
	for _, b := range a.Beside {
		for _, s := range b.Symbols {
			add(b.File, spot{lines: []contract.LineSpan{{StartLine: s.Span.StartLine}}, name: s.SymbolLabel})
		}
		omitted[b.File] = b.Omitted
	}
	for _, file := range files {
		list := of[file]
		slices.SortStableFunc(list, func(x, y spot) int { return cmp.Compare(x.lines[0].StartLine, y.lines[0].StartLine) })
		w.placesIn(file, classes[file], list)
		if n := omitted[file]; n > 0 && w.terminal == nil {
			w.line("  +%d", n)
		}
	}
	w.rest(a)
}

// spotOf returns the place of a result.
func spotOf(g *contract.Group) spot {
	if g.SymbolKind != "" {
		return spot{lines: append([]contract.LineSpan{symbolLines(g)}, g.Overloads...), name: g.SymbolLabel}
	}
	at := g.Span
	if g.PreviewSpan != nil {
		at = *g.PreviewSpan
	}
	source, _, _ := strings.Cut(strings.TrimSpace(g.Preview), "\n")
	return spot{lines: []contract.LineSpan{at}, source: source}
}

// placesIn writes the places in one file, a single one with its path. It omits the type that the place above
// names, and the one after which the file is named.
func (w *writer) placesIn(file string, of typeset.Part, list []spot) {
	if len(list) > 1 {
		w.put(w.file(file), of)
	}
	base, _, _ := strings.Cut(path.Base(file), ".")
	owner := ""
	for _, p := range list {
		var at []string
		for _, span := range p.lines {
			at = append(at, lines(span))
		}
		name, ofFile := strings.CutPrefix(p.name, base+".")
		if !ofFile && owner != "" && strings.HasPrefix(name, owner+".") {
			name = strings.TrimPrefix(name, owner)
		}
		if owner = p.name; strings.Contains(owner, ".") {
			owner = owner[:strings.LastIndexByte(owner, '.')]
		}
		parts := []typeset.Part{w.file(file), placed(":" + strings.Join(at, ","))}
		if len(list) > 1 {
			parts = []typeset.Part{dim("  " + strings.Join(at, ","))}
		}
		if p.name != "" {
			parts = append(parts, named(" "+name))
		} else {
			parts = append(parts, plain(": "), quoted(excerpt(p.source)))
		}
		if len(list) == 1 {
			parts = append(parts, of)
		}
		w.put(parts...)
	}
}
