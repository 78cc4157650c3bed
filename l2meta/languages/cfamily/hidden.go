package cfamily

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// hidden is the set of names that files may declare although no symbol shows them: names that
// macros generate, and names in text that the grammar could not parse.
type hidden struct {
	names  map[string]bool // complete names
	pasted []string        // patterns such as "*_insert", with "*" for the parts that arguments of a macro fill
}

type hiddenKey struct{ file int64 }

// hiddenIn returns the hidden names of all files visible in f.
func hiddenIn(w *resolve.World, f *resolve.File) hidden {
	return resolve.Derive(w, hiddenKey{f.ID}, func() hidden {
		all := hidden{names: map[string]bool{}}
		for id := range visible(w, f) {
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

// isHidden reports whether a macro, or unparsed text, in a file visible in f may declare a function
// called name.
func isHidden(w *resolve.World, f *resolve.File, name string) bool {
	hidden := hiddenIn(w, f)
	return hidden.names[name] || slices.ContainsFunc(hidden.pasted, func(pattern string) bool {
		return CMatches(pattern, name)
	})
}

// CMatches reports whether a name matches a pattern such as "*_insert", in which "*" means any
// text.
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
