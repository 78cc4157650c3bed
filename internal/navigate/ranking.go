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

// weights are what each sign counts beside a lexical score of at most 1.
type weights struct {
	meaning float64 // a cosine of 1
	ranks   float64 // the first rank in meaning, where cosines tell nothing
	name    float64 // a qualified name that holds all of the query's terms
	path    float64 // a path that does
	line    float64 // one line that does, as a comment that says just this; less says far less
	parts   float64 // each further part of a file that the words found as well as the best one
	named   float64 // a symbol that a question in prose mentions, by its exactness
}

// Both are fitted on questions to the ten validation repositories of
// docs/embedder.md, symbols on sentences of documentation, files on subjects of
// commits. What a file is about shows in its path and in several of its parts;
// what a function does, in its meaning.
var (
	symbolWeights = weights{meaning: 4.5, ranks: 2, name: 0.5, path: 0.2, line: 1, named: 0.15}
	fileWeights   = weights{meaning: 2.2, ranks: 1.5, path: 1, line: 0.3, parts: 0.3, named: 0.3}
)

func (r *search) weights() *weights {
	if r.req.GroupBy == "file" {
		return &fileWeights
	}
	return &symbolWeights
}

// score fuses what the tiers say of c. In a query of a few words, what they
// name stands above what they mean; among equals, kind, export and class decide.
func (r *search) score(c *candidate) {
	w := r.weights()
	s := (c.lexical + w.parts*c.parts) * (uncovered + (1-uncovered)*c.covered)
	meaning := w.meaning * c.cosine
	if r.service.fusion == FuseRanks {
		meaning = w.ranks * c.cosine
	}
	s += meaning * (unsaid + (1-unsaid)*c.covered)
	if c.row != nil {
		s += w.name * r.nameCoverage(&c.row.Symbol)
	}
	inPath := r.pathCoverage(c.path)
	s += w.path*inPath + w.line*c.line*c.line*c.line
	if inPath >= 0.5 {
		c.note("path")
	}
	if r.prose() {
		s += w.named * float64(c.exact)
	} else {
		s += namedFirst * float64(c.exact)
	}
	if r.changed[c.path] {
		s *= changedBoost
	}
	c.score = round(s * r.prior(c))
}

const (
	// namedFirst lifts what a word of a short query names over all that words
	// and meaning find, by its exactness.
	namedFirst = 2.5
	// mostParts is how many parts of a file add to its score.
	mostParts = 4
)

// prior is what speaks for c before anything is asked.
func (r *search) prior(c *candidate) float64 {
	p := classPrior[c.class]
	if p == 0 || r.req.Scope == "docs" {
		p = 1
	}
	if c.row != nil {
		p *= kindPrior(&c.row.Symbol)
	}
	if r.prose() && c.exact == notNamed && r.req.GroupBy != "file" && (c.row == nil || isType(c.row.Symbol.Kind)) {
		p *= proseType
	}
	return p
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
	// uncovered is what remains of the lexical score of a result that holds none
	// of the query's terms, where it was matched by parts of words alone.
	uncovered = 0.6
	// unsaid is what remains of nearness in meaning without any term.
	unsaid = 0.8
	// proseWords is the number of words from which a query is a question about
	// what code does: then what does something comes before what names it.
	proseWords = 4
	// proseType lowers types and unowned lines for such a query.
	proseType = 0.7
)

// reread orders the first candidates by how many of the query's terms they
// hold together, which BM25, a sum over terms, does not tell.
func (r *search) reread(ctx context.Context, files *reader, found []candidate) error {
	if len(r.terms) < 2 {
		return nil
	}
	for i := range found {
		c := &found[i]
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
