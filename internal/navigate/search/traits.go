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
// has traits, such as returns:error, the lines are those of the declarations that have all traits or,
// with must: or regex:, the matching lines in such declarations.
func (e *enumeration) linesIn(ctx context.Context, text []byte, fileID int64) (lines []int, ok bool, err error) {
	lines, ok = e.matcher.MatchLines(text)
	if !ok || len(e.query.Traits) == 0 {
		return lines, ok, nil
	}
	var facts l2meta.Facts
	err = e.place.Root.View(ctx, func(v *jit.View) (err error) {
		facts, err = e.service.Facts.Facts(ctx, v, fileID)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	literal := len(e.query.Must)+len(e.query.Regex) > 0
	matched, index := lines, code.NewLineIndex(text)
	lines = nil
	for i := range facts.Symbols {
		s := &facts.Symbols[i]
		if !e.hasTraits(s) {
			continue
		}
		if !literal {
			line, _ := index.Position(s.NameSpan.StartByte)
			lines = append(lines, line)
			continue
		}
		for _, l := range matched {
			if s.Span.StartLine <= l && l <= s.Span.EndLine {
				lines = append(lines, l)
			}
		}
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	return lines, len(lines) > 0, nil
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
