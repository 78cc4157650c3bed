package navigate

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"sextant/internal/code"
)

// classPrior lowers what is seldom looked for.
var classPrior = map[code.Class]float64{
	code.ClassSource: 1, code.ClassConfig: 0.9, code.ClassTest: 0.72, code.ClassDocs: 0.85,
	code.ClassBuild: 0.6, code.ClassGenerated: 0.5, code.ClassFixture: 0.5, code.ClassVendor: 0.4,
}

// score fuses what the tiers say of c. Exact names stand above every ranked
// chunk, whatever it means; among equals, kind, export and class decide.
func (r *search) score(c *candidate) {
	s := c.lexical
	if c.exact > notNamed {
		s = max(s, 0.3) + r.namedBonus(c.exact)
	}
	prior := classPrior[c.class]
	if prior == 0 || r.req.Scope == "docs" {
		prior = 1
	}
	if c.row != nil {
		prior *= kindPrior(&c.row.Symbol)
	}
	s *= prior
	if c.row != nil {
		s += nameShare * r.nameCoverage(&c.row.Symbol)
	}
	if n := r.pathCoverage(c.path); n > 0 {
		s += pathShare * n
		if n >= 0.5 {
			c.note("path")
		}
	}
	if c.exact == notNamed {
		s *= uncovered + (1-uncovered)*c.covered*c.covered
		s += r.meaningWeight() * c.cosine * prior * (unsaid + (1-unsaid)*c.covered)
		s += lineShare * c.line
		if r.prose() && (c.row == nil || isType(c.row.Symbol.Kind)) {
			s *= proseType
		}
	}
	if r.changed[c.path] {
		s *= changedBoost
	}
	c.score = round(s)
}

const (
	// nameShare and pathShare are what it is worth when a symbol's name, or the
	// path, holds all of the query's terms.
	nameShare = 0.25
	pathShare = 0.12
	// lineShare is what it is worth when one line holds all of the terms: what a
	// comment says in one sentence is what was asked, while a table of names may
	// hold the same words far apart.
	lineShare = 0.5
	// unsaid is what remains of nearness in meaning without any term.
	unsaid = 0.7
	// meaningOf is the weight of a cosine beside a lexical score of at most 1,
	// proseMeaning that for a question in prose that names no identifier. On
	// sentences of documentation (see architecture.md) quality rises with the
	// weight far beyond 2.2; other questions are less like those the embedder
	// has learned from.
	meaningOf    = 1.0
	proseMeaning = 2.2
)

// meaningWeight is what nearness in meaning counts for this query.
func (r *search) meaningWeight() float64 {
	if r.prose() && len(nameWords(r.query.Text)) == 0 {
		return proseMeaning
	}
	return meaningOf
}

// namedBonus lifts what a word of the query names. Within a question in prose
// the name is what it is about more often than what it asks for.
func (r *search) namedBonus(e exactness) float64 {
	bonus := []float64{0, 0.6, 1.2, 1.6}[e]
	if e < namedFull && r.prose() && r.meaning.vector != nil {
		bonus /= 2
	}
	return bonus
}

// identifier reports whether the query is a name that a symbol bears: then
// meaning has no say in the answer.
func (r *search) identifier(all map[candidateKey]*candidate) bool {
	if len(strings.Fields(r.query.Text)) != 1 {
		return false
	}
	for _, c := range all {
		if c.exact >= namedSame {
			return true
		}
	}
	return false
}

// changedBoost lifts files under work over equals, not over better ones.
const changedBoost = 1.15

func kindPrior(s *code.Symbol) float64 {
	p := 0.9
	switch {
	case s.Kind.Callable() && s.Kind != code.KindTest, isType(s.Kind):
		p = 1
	case s.Kind == code.KindField || s.Kind == code.KindVariable || s.Kind == code.KindConstant || s.Kind == code.KindProperty:
		p = 0.82
	}
	if s.Kind.Callable() && s.Span.Lines() == 1 {
		p -= 0.12 // a declaration without a body, or one that only forwards
	}
	if s.Exported {
		p += 0.03
	}
	return p
}

// nameCoverage is the share of the query's terms that the qualified name holds.
func (r *search) nameCoverage(s *code.Symbol) float64 {
	return coverage(r.terms, strings.ToLower(s.QualifiedName))
}

func (r *search) pathCoverage(path string) float64 {
	return coverage(r.terms, strings.ToLower(path))
}

func coverage(terms []string, text string) float64 {
	if len(terms) == 0 {
		return 0
	}
	n := 0
	for _, t := range terms {
		if strings.Contains(text, t) {
			n++
		}
	}
	return float64(n) / float64(len(terms))
}

const (
	// rereadDepth is how many candidates are read before they are ordered for
	// good: some 2 ms, and below them nothing rises into the first ten.
	rereadDepth = 30
	// uncovered is what remains of the score of a result that holds none of
	// the query's terms, where it was matched by parts of words alone.
	uncovered = 0.4
	// proseWords is the number of words from which a query is a question about
	// what code does: then what does something comes before what names it.
	proseWords = 4
	// proseType lowers types and unowned lines for such a query.
	proseType = 0.7
)

// reread orders the first candidates by how many of the query's terms they
// hold together. BM25 adds up terms one by one, and ranks a short text with
// one rare term above the function that has them all.
func (r *search) reread(ctx context.Context, files *reader, found []candidate) error {
	if len(r.terms) < 2 {
		return nil
	}
	for i := range found {
		c := &found[i]
		if c.exact > notNamed {
			continue
		}
		f, err := files.file(ctx, c.path)
		if isGone(err) {
			continue // told when it is rendered
		}
		if err != nil {
			return err
		}
		c.covered, c.line = r.covered(c, f), r.lineCovered(c, f)
		r.score(c)
	}
	slices.SortFunc(found, compareCandidates)
	return nil
}

// lineCovered is the share of the query's terms that one line of c holds.
func (r *search) lineCovered(c *candidate, f *shownFile) float64 {
	terms := r.terms[:min(len(r.terms), 64)]
	best := 0
	for l := c.start; l <= min(c.end, f.lines.Count()); l++ {
		best = max(best, popcount(termBits(lineText(f.text, f.lines, l), terms)))
	}
	return float64(best) / float64(len(terms))
}

// prose reports whether the query is a question rather than a few names.
func (r *search) prose() bool { return len(strings.Fields(r.query.Text)) >= proseWords }

func compareCandidates(a, b candidate) int {
	label := func(c *candidate) string {
		if c.row == nil {
			return ""
		}
		return c.row.Symbol.QualifiedName
	}
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.path, b.path), cmp.Compare(a.start, b.start), cmp.Compare(label(&a), label(&b)), cmp.Compare(a.symbol, b.symbol))
}
