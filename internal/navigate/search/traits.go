package search

import (
	"context"
	"regexp"
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
	d := e.declared(&facts)
	if len(e.query.Must)+len(e.query.Regex) > 0 {
		lines = d.linesWithin(lines)
	} else {
		lines = d.declarations(text)
	}
	return lines, len(lines) > 0, nil
}

// declared holds the declarations of a file, for a query that requires traits or kinds.
type declared struct {
	query   *l1fts.Query
	symbols []code.Symbol
	bases   map[int][]string // index of a type → the types that it extends, implements, mixes in or embeds
}

func (e *enumeration) declared(facts *l2meta.Facts) *declared {
	d := &declared{query: &e.query, symbols: facts.Symbols}
	if !slices.ContainsFunc(e.query.Traits, func(t l1fts.Trait) bool { return t.Of == l1fts.TraitExtends }) {
		return d
	}
	d.bases = map[int][]string{}
	for _, f := range facts.Facts() {
		if f.Kind == code.FactBase || f.Kind == code.FactImpl {
			d.bases[f.Owner] = append(d.bases[f.Owner], f.Type)
		}
	}
	return d
}

// linesWithin returns those of lines, which ascend, that are in a declaration with the traits and the kind
// that the query requires.
func (d *declared) linesWithin(lines []int) (out []int) {
	next, last := 0, 0 // the next symbol to look at, and the last line of those before it
	for _, l := range lines {
		for ; next < len(d.symbols) && d.symbols[next].Span.StartLine <= l; next++ {
			if d.hasTraits(next) {
				last = max(last, d.symbols[next].Span.EndLine)
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
func (d *declared) declarations(text []byte) (out []int) {
	index := code.NewLineIndex(text)
	for i := range d.symbols {
		if d.hasTraits(i) {
			line, _ := index.Position(d.symbols[i].NameSpan.StartByte)
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// hasTraits reports whether symbol i has every trait that the query requires, and one of the kinds if it requires any.
func (d *declared) hasTraits(i int) bool {
	if len(d.query.Kinds) > 0 && !slices.Contains(d.query.Kinds, d.symbols[i].Kind) {
		return false
	}
	return !slices.ContainsFunc(d.query.Traits, func(t l1fts.Trait) bool { return !d.hasTrait(i, t) })
}

// hasTrait reports whether symbol i has one trait, such as returns:error.
func (d *declared) hasTrait(i int, t l1fts.Trait) bool {
	s := &d.symbols[i]
	switch t.Of {
	case l1fts.TraitAnnotation:
		return slices.ContainsFunc(s.Annotations, func(a string) bool { return holdsWord(a, t.Value) })
	case l1fts.TraitParam:
		return slices.ContainsFunc(s.Parameters, func(p code.Parameter) bool {
			return holdsWord(p.Type, t.Value) || p.Name == t.Value
		})
	case l1fts.TraitReturns:
		return holdsWord(s.Returns, t.Value)
	case l1fts.TraitExtends:
		return slices.ContainsFunc(d.bases[i], func(base string) bool { return isNamed(base, t.Value) })
	}
	return false
}

// isNamed reports whether a type as written, such as shop.Handler<Order>, has a name, Handler or shop.Handler. The
// types in its brackets do not count, unless the name has brackets itself.
func isNamed(written, name string) bool {
	if strings.ContainsAny(name, "<[(") {
		return holdsWord(written, name)
	}
	if i := strings.IndexAny(written, "<[("); i >= 0 {
		written = written[:i]
	}
	return holdsWord(written, name) && strings.HasSuffix(strings.TrimSpace(written), name)
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

// subtypesAsked matches a question for the subtypes of a type: implementations of Handler, which classes extend Handler.
var subtypesAsked = regexp.MustCompile(`^(?i:(?:all |the |list |find )*(?:implementations|implementers|implementors|` +
	`subclasses|subtypes|derived classes)(?: of)?|(?:who|what|which \w+|classes|types|structs|everything)?(?: that| which)? ?` +
	`(?:implements?|implementing|extends?|extending|inherits? from|inheriting from|derives? from|subclass(?:es|ing)?)) ` +
	"`?((?:[\\w$]+(?:\\.|::))*[A-Z][\\w$]*)`?\\??$")

// withSubtypes returns the query extends:Handler for a question such as "implementations of Handler"; "" for any other
// query.
func withSubtypes(query string) string {
	m := subtypesAsked.FindStringSubmatch(strings.TrimSpace(query))
	if m == nil {
		return ""
	}
	return l1fts.TraitExtends + ":" + m[1]
}
