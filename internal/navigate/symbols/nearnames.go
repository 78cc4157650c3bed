package symbols

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
	"sextant/internal/navigate/engine"
	"sextant/internal/spelling"
	"sextant/jit"
	"sextant/l2meta"
)

const (
	// MaxNear is the largest number of suggestions for a misspelt name.
	MaxNear = 5
	// scannedNames is the largest number of names that are compared with a misspelt name. In a
	// larger index, names late in the alphabet are only found by their first letter.
	scannedNames = 300_000
	// nearNamed is the largest number of symbols that are read for one similar name.
	nearNamed = 200
)

// near is an existing name, and its edit distance to the misspelt name that may refer to it.
type near struct {
	name  string
	Edits int
}

// nearest returns the names that word may be a misspelling of, nearest first.
func nearest(word spelling.Word, names []string) (list []near) {
	for _, name := range names {
		if n, ok := word.Edits(name); ok {
			list = append(list, near{name, n})
		}
	}
	slices.SortStableFunc(list, func(a, b near) int { return cmp.Compare(a.Edits, b.Edits) })
	return list
}

// NearNames returns the symbol names that name may be a misspelling of, nearest first. Errors in
// the first letter are rare and comparing all names is slow. So it compares all names only if no
// name with the same first letter is at edit distance one.
func (s *Service) NearNames(ctx context.Context, v *jit.View, name string) (list []near, err error) {
	name = strings.TrimLeft(name, "_")
	if name == "" {
		return nil, nil
	}
	word := spelling.NewWord(name)
	least, most := word.Letters()
	for _, first := range []rune{unicode.ToLower([]rune(name)[0]), 0} {
		names, err := s.Facts.Names(ctx, v, first, least, most, scannedNames)
		if err != nil {
			return nil, err
		}
		if list = nearest(word, names); len(list) > 0 && list[0].Edits < 2 {
			return list, nil
		}
	}
	return list, nil
}

// NamedNear returns the symbols named n.name, sorted by path.
func (s *Service) NamedNear(ctx context.Context, v *jit.View, n near) ([]l2meta.Row, error) {
	rows, err := s.Facts.Named(ctx, v, n.name, nearNamed)
	slices.SortFunc(rows, func(a, b l2meta.Row) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Index, b.Index))
	})
	return rows, err
}

// nearRows returns the symbols below p that a label may refer to if its last name is misspelt,
// nearest first.
func (s *Service) nearRows(ctx context.Context, p *engine.Place, label string,
	prefer func(code.Kind) bool) (out []l2meta.Row, err error) {
	err = p.Root.View(ctx, func(v *jit.View) error {
		names, err := s.NearNames(ctx, v, LastName(label))
		for _, n := range names {
			if err != nil || len(out) >= MaxCandidates {
				return err
			}
			var rows []l2meta.Row
			rows, err = s.NamedNear(ctx, v, n)
			rows = slices.DeleteFunc(rows, func(r l2meta.Row) bool { return !code.Within(r.Path, p.Rel) })
			out = append(out, preferred(rows, prefer)...)
		}
		return err
	})
	qualifier := strings.TrimSuffix(NormalLabel(label), LastName(label))
	fits := func(r l2meta.Row) int {
		name := qualifier + r.Symbol.Name
		after := rests(filepath.Base(p.Root.Path())+"/"+r.Path, name)
		if qualifier == "" || placedRank(r.Symbol.QualifiedName, name, after) > 0 {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b l2meta.Row) int { return cmp.Compare(fits(a), fits(b)) })
	NearFirst(out, LastName(label))
	return out[:min(len(out), MaxNear)], err
}

// NearFirst sorts rows by edit distance of their names to a label. Among equals, names whose first
// letter has the label's case come first, then source files. The sort is stable.
func NearFirst(rows []l2meta.Row, label string) {
	word, qualified := spelling.NewWord(NormalLabel(label)), strings.Contains(NormalLabel(label), ".")
	far := func(r l2meta.Row) int {
		name := r.Symbol.Name
		if qualified {
			name = r.Symbol.QualifiedName
		}
		if n, ok := word.Edits(name); ok {
			return n
		}
		return len(label)
	}
	other := func(r l2meta.Row) int {
		if capital(r.Symbol.Name) != capital(LastName(label)) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(rows, func(a, b l2meta.Row) int {
		return cmp.Or(cmp.Compare(far(a), far(b)), cmp.Compare(other(a), other(b)),
			cmp.Compare(ClassOrder(a.Class), ClassOrder(b.Class)))
	})
}

// capital reports whether a name begins with an upper-case letter.
func capital(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first)
}

// nearIn returns the symbols of a file that a label may refer to if its last name is misspelt,
// nearest first.
func nearIn(f *code.File, label string) (out []Named) {
	name := LastName(label)
	if name == "" {
		return nil
	}
	word, edits := spelling.NewWord(name), map[int]int{}
	for _, n := range nameSymbols(f) {
		if e, ok := word.Edits(n.Symbol.Name); ok {
			out, edits[n.Index] = append(out, n), e
		}
	}
	slices.SortStableFunc(out, func(a, b Named) int { return cmp.Compare(edits[a.Index], edits[b.Index]) })
	return out[:min(len(out), MaxNear)]
}
