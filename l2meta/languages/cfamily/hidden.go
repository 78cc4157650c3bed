package cfamily

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// cHidden is the names that files may declare although no symbol shows it.
type cHidden struct {
	names  map[string]bool
	pasted []string // with "*" for what a macro pastes
}

type cHiddenKey struct{ file int64 }

// cHiddenIn is the hidden names of all files that f sees.
func cHiddenIn(w *resolve.World, f *resolve.File) cHidden {
	return resolve.Derive(w, cHiddenKey{f.ID}, func() cHidden {
		all := cHidden{names: map[string]bool{}}
		for id := range cVisible(w, f) {
			g := w.ByID(id)
			if g == nil {
				continue
			}
			for _, fact := range g.FactsOf(-1) {
				switch {
				case fact.Kind != code.FactHidden:
				case strings.Contains(fact.Name, "*"):
					all.pasted = append(all.pasted, fact.Name)
				default:
					all.names[fact.Name] = true
				}
			}
		}
		slices.Sort(all.pasted)
		all.pasted = slices.Compact(all.pasted)
		return all
	})
}

// cIsHidden reports whether a macro, or text that the grammar lost, of a file
// that f sees may declare a function of that name.
func cIsHidden(w *resolve.World, f *resolve.File, name string) bool {
	hidden := cHiddenIn(w, f)
	return hidden.names[name] || slices.ContainsFunc(hidden.pasted, func(pattern string) bool { return CMatches(pattern, name) })
}

// CMatches reports whether a name is one that a macro pastes by a pattern.
func CMatches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(name, parts[0])
	for _, part := range parts[1:] {
		at := strings.Index(rest, part)
		if !ok || at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return ok && (rest == "" || strings.HasSuffix(name, parts[len(parts)-1]))
}
