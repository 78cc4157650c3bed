package search

import (
	"context"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta"
)

// withTraits returns the query with the values of its traits, such as annotation:Test, as additional
// must: literals. Every file that declares a symbol with these traits contains them.
func withTraits(q l1fts.Query) l1fts.Query {
	q.Must = slices.Clone(q.Must)
	for _, t := range q.Traits {
		q.Must = append(q.Must, t.Value)
	}
	return q
}

// linesIn returns the lines of a file that match the query, and whether the file matches. If the query
// requires traits or kinds, such as returns:error or kind:method, the lines are those of the declarations
// that have them or, with must: or regex:, the matching lines in such declarations.
func (e *enumeration) linesIn(ctx context.Context, text []byte, fileID int64) (lines []int, ok bool, err error) {
	lines, ok, err = e.matcher.MatchLines(ctx, text)
	if err != nil || !ok || len(e.query.Traits)+len(e.query.Kinds) == 0 {
		return lines, ok, err
	}
	var facts l2meta.Facts
	err = e.place.Root.View(ctx, func(v *jit.View) (err error) {
		facts, err = e.service.Facts.Facts(ctx, v, fileID)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	if len(e.query.Must)+len(e.query.Regex) > 0 {
		lines = e.linesWithin(facts.Symbols, lines)
	} else {
		lines = e.declarations(facts.Symbols, text)
	}
	return lines, len(lines) > 0, nil
}

// linesWithin returns those of lines, which ascend, that are in a declaration with the traits and the kind
// that the query requires.
func (e *enumeration) linesWithin(list []code.Symbol, lines []int) (out []int) {
	next, last := 0, 0 // the next symbol to look at, and the last line of those before it
	for _, l := range lines {
		for ; next < len(list) && list[next].Span.StartLine <= l; next++ {
			if e.hasTraits(&list[next]) {
				last = max(last, list[next].Span.EndLine)
			}
		}
		if l <= last {
			out = append(out, l)
		}
	}
	return out
}

// declarations returns the lines with the names of the declarations that have the traits and the kind that
// the query requires.
func (e *enumeration) declarations(list []code.Symbol, text []byte) (out []int) {
	index := code.NewLineIndex(text)
	for i := range list {
		if e.hasTraits(&list[i]) {
			line, _ := index.Position(list[i].NameSpan.StartByte)
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// hasTraits reports whether a symbol has every trait that the query requires, and one of the kinds if
// it requires any.
func (e *enumeration) hasTraits(s *code.Symbol) bool {
	if len(e.query.Kinds) > 0 && !slices.Contains(e.query.Kinds, s.Kind) {
		return false
	}
	return !slices.ContainsFunc(e.query.Traits, func(t l1fts.Trait) bool { return !hasTrait(s, t) })
}

// hasTrait reports whether a symbol has one trait, such as returns:error.
func hasTrait(s *code.Symbol, t l1fts.Trait) bool {
	switch t.Of {
	case l1fts.TraitAnnotation:
		return slices.ContainsFunc(s.Annotations, func(a string) bool { return holdsWord(a, t.Value) })
	case l1fts.TraitParam:
		return slices.ContainsFunc(s.Parameters, func(p code.Parameter) bool {
			return holdsWord(p.Type, t.Value) || p.Name == t.Value
		})
	case l1fts.TraitReturns:
		return holdsWord(s.Returns, t.Value)
	}
	return false
}

// holdsWord reports whether text contains word as a whole word.
func holdsWord(text, word string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		at += from
		from = at + 1
		end := at + len(word)
		if (at == 0 || !symbols.WordByte(text[at-1])) && (end == len(text) || !symbols.WordByte(text[end])) {
			return true
		}
	}
}
