package search

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
)

// didYouMean returns names similar to the queried name, if no symbol has it and no file or line
// was found for it. Only the first page of an answer lists them.
func (r *search) didYouMean(ctx context.Context, v *jit.View, found []candidate) (list []contract.NearName, err error) {
	words := nameWords(r.query.Text)
	if r.answer.From > 0 || len(words) != 1 || slices.ContainsFunc(found, func(c candidate) bool {
		return slices.Contains(c.matchedBy, "exact")
	}) {
		return nil, nil
	}
	word := words[0]
	if word != r.query.Text && acronym(word) {
		return nil, nil
	}
	if !r.terms.unknown {
		// Every part of the word occurs in the text. It may be the name of an external function
		// that is called here and declared elsewhere.
		called, err := r.service.Facts.Calling(ctx, v, symbols.LastName(word))
		if err != nil || len(called) > 0 || !looksLikeCode(word) {
			return nil, err
		}
	}
	m := &misspelt{search: r, view: v, word: word}
	if symbols.NamedFile.MatchString(word) {
		if list, err = m.nearFiles(ctx); err != nil || len(list) > 0 {
			return list, err
		}
	}
	return m.nearSymbols(ctx)
}

// acronym reports whether a word has capitals alone, as HTTP in "the timeout of an HTTP client". Such a word is
// seldom a misspelt name.
func acronym(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsUpper(r) })
}

// misspelt finds existing names for word, a word of the query that names nothing and may be
// misspelt.
type misspelt struct {
	*search
	view *jit.View
	word string
}

// nearSymbols returns the symbol names similar to the word, one entry per name. If the word is
// qualified, it returns qualified names.
func (m *misspelt) nearSymbols(ctx context.Context) (list []contract.NearName, err error) {
	names, err := m.service.symbols.NearNames(ctx, m.view, symbols.LastName(m.word))
	if err != nil {
		return nil, err
	}
	qualified := strings.Contains(symbols.NormalLabel(m.word), ".")
	for _, n := range names {
		if len(list) >= symbols.MaxNear {
			break
		}
		rows, err := m.service.symbols.NamedNear(ctx, m.view, n)
		if err != nil {
			return nil, err
		}
		symbols.NearFirst(rows, m.word)
		shared := map[string]int{} // name → its index in list
		for _, row := range rows {
			s := row.Symbol
			if !m.named(row.Path, row.Language, row.Class) ||
				len(m.query.Kinds) > 0 && !slices.Contains(m.query.Kinds, s.Kind) {
				continue
			}
			name := s.Name
			if qualified {
				name = s.QualifiedName
			}
			if at, ok := shared[name]; ok {
				list[at].Symbols++
				if list[at].SymbolLabel != s.QualifiedName {
					list[at].SymbolLabel = name
				}
				continue
			}
			shared[name] = len(list)
			list = append(list, contract.NearName{SymbolLabel: s.QualifiedName, Symbols: 1, Kind: string(s.Kind),
				File: row.Path, Line: s.Span.StartLine, Edits: n.Edits})
		}
	}
	list = list[:min(len(list), symbols.MaxNear)]
	for i := range list {
		list[i].Next = m.instead(list[i].SymbolLabel)
	}
	return list, nil
}

// nearFiles returns the files whose base names are similar to the base name of the word.
func (m *misspelt) nearFiles(ctx context.Context) (list []contract.NearName, err error) {
	refs, err := symbols.FilesNear(ctx, m.view, path.Base(m.word))
	if err != nil {
		return nil, err
	}
	for _, f := range refs {
		if len(list) < symbols.MaxNear && m.named(f.Path, f.Language, f.Class) {
			list = append(list, contract.NearName{SymbolLabel: f.Path, Kind: "file", File: f.Path, Line: 1,
				Next: m.instead(f.Path)})
		}
	}
	return list, nil
}

// instead returns the same search with the word replaced by name.
func (m *misspelt) instead(name string) *contract.Action {
	return contract.Suggest(m.req.Next(func(next *contract.SearchRequest) {
		next.Query, next.Cursor = strings.Replace(next.Query, m.word, name, 1), ""
	}))
}
