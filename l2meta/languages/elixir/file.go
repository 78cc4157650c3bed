package elixir

import (
	"slices"
	"sort"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// contents indexes the facts of a file that resolution looks up.
type contents struct {
	aliases    map[string][]*code.Fact // by local name, as in alias A.B, as: local
	attributes map[string][]*code.Fact // values of module attributes, by name with "@"
	uses       map[int][]*code.Fact    // use statements, by the index of the symbol that contains them
	imports    []*code.Import          // import statements
	nested     map[nested]bool
	// quotes lists the places where a quote (quote do … end) or an unquote within a quote begins
	// or ends, in the order of the text.
	quotes []boundary
}

// nested identifies a module that is declared within symbol owner, by the first part of its name: A
// for defmodule A.B.
type nested struct {
	owner int
	name  string
}

// boundary is an offset at which a quote or an unquote begins or ends. quoted says whether the
// text after the offset is in a quote, which is code that a macro inserts elsewhere.
type boundary struct {
	pos    int
	quoted bool
}

type contentsKey struct{}

func contentsOf(f *resolve.File) *contents {
	return resolve.Memo(f, contentsKey{}, func() *contents {
		c := &contents{aliases: map[string][]*code.Fact{}, attributes: map[string][]*code.Fact{},
			uses: map[int][]*code.Fact{}, nested: map[nested]bool{}}
		var regions []*code.Fact
		for i := range f.AllFacts() {
			switch fact := &f.AllFacts()[i]; fact.Kind {
			case code.FactAlias:
				c.aliases[fact.Name] = append(c.aliases[fact.Name], fact)
			case code.FactAssign:
				c.attributes[fact.Name] = append(c.attributes[fact.Name], fact)
			case code.FactBase:
				c.uses[fact.Owner] = append(c.uses[fact.Owner], fact)
			case code.FactBlock:
				regions = append(regions, fact)
			}
		}
		for i := range f.Imports {
			if f.Imports[i].Name != "" {
				c.imports = append(c.imports, &f.Imports[i])
			}
		}
		for i := range f.Symbols {
			if s := &f.Symbols[i]; isModule(s.Kind) && !resolve.HasModifier(s, absolute) {
				head, _, _ := strings.Cut(s.Name, ".")
				c.nested[nested{s.Parent, head}] = true
			}
		}
		c.quotes = boundaries(regions)
		return c
	})
}

// boundaries returns the boundaries of quotes and of the unquotes within them.
func boundaries(regions []*code.Fact) (out []boundary) {
	slices.SortStableFunc(regions, func(a, b *code.Fact) int { return a.Span.StartByte - b.Span.StartByte })
	var open []*code.Fact
	end := func(until int) {
		for n := len(open) - 1; n >= 0 && open[n].Span.EndByte <= until; n-- {
			last := open[n]
			open = open[:n]
			out = append(out, boundary{last.Span.EndByte, n > 0 && open[n-1].Type == "quote"})
		}
	}
	for _, region := range regions {
		end(region.Span.StartByte)
		open = append(open, region)
		out = append(out, boundary{region.Span.StartByte, region.Type == "quote"})
	}
	end(1 << 62)
	return out
}

// quoted reports whether a byte of f is in the code of a quote, which a macro inserts elsewhere,
// and not in an unquote within it.
func quoted(f *resolve.File, pos int) bool {
	quotes := contentsOf(f).quotes
	i := sort.Search(len(quotes), func(i int) bool { return quotes[i].pos > pos })
	return i > 0 && quotes[i-1].quoted
}
