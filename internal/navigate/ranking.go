package navigate

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"sextant/internal/code"
)

// classPrior lowers what is seldom looked for. Tests repeat the words of what
// they test, in names that read like questions.
var classPrior = map[code.Class]float64{
	code.ClassSource: 1, code.ClassConfig: 0.9, code.ClassTest: 0.45, code.ClassDocs: 0.85,
	code.ClassBuild: 0.6, code.ClassGenerated: 0.5, code.ClassFixture: 0.5, code.ClassVendor: 0.4,
}

// weights are what each sign counts, all of them from 0 to 1.
type weights struct {
	words   float64 // the best chunk's BM25, as a share of the best of all
	parts   float64 // that of each further chunk of a file that is one result
	meaning float64 // a cosine of 1
	ranks   float64 // the first rank in meaning, where cosines tell nothing
	covered float64 // what the result holds of the query's terms, by how rare they are
	name    float64 // what its name does
	path    float64 // what its path does
	line    float64 // one line that holds all of them, as a comment that says just this; less says far less
	named   float64 // a symbol that a question in prose mentions, by its exactness
	size    float64 // a function of some length, for a question about what is done

	// What speaks for the file speaks for the functions in it.
	fileWords, fileMeaning float64
}

// All are fitted on the ten validation repositories of docs/embedder.md: symbols
// on sentences of documentation and questions written by hand, files on subjects
// of commits. What a file is about shows in its path and in several of its parts;
// what a function does, in its meaning and in what stands around it. Where
// meaning has no say, words have to tell.
var (
	wordWeights   = weights{words: 1.3, fileWords: 0.3, covered: 0.9, name: 0.7, path: 0.9, line: 0.5, named: 0.15}
	symbolWeights = weights{words: 0.2, fileWords: 0.4, meaning: 2.1, fileMeaning: 1.05, ranks: 1, covered: 0.9, name: 0.2, path: 0.35, line: 0.5, named: 0.15, size: 0.7}
	fileWeights   = weights{words: 0.6, parts: 0.3, meaning: 1.4, ranks: 0.9, covered: 0.8, path: 1.3, named: 0.2}
)

func (r *search) weights() *weights {
	switch {
	case r.req.GroupBy == "file":
		return &fileWeights
	case r.meant:
		return &symbolWeights
	}
	return &wordWeights
}

// score fuses what the tiers say of c. In a query of a few words, what they
// name stands above what they mean; among equals, kind, export and class decide.
func (r *search) score(c *candidate) {
	w := r.weights()
	s := w.words*c.lexical + w.parts*c.parts + w.fileWords*c.fileLexical + w.covered*c.covered + w.line*c.line*c.line*c.line
	if r.service.fusion == FuseRanks {
		s += w.ranks * c.cosine
	} else {
		s += w.meaning*c.cosine + w.fileMeaning*c.fileCosine
	}
	if c.row != nil {
		s += w.name * r.share(c.row.Symbol.Name)
	}
	if r.work {
		s += w.size * c.size()
	}
	inPath := r.share(c.path)
	s += w.path * inPath
	if inPath >= 0.5 {
		c.note("path")
	}
	if r.prose() {
		s += w.named * float64(c.exact)
	} else {
		s += namedFirst * float64(c.exact) * c.naming
	}
	if r.changed[c.path] {
		s *= changedBoost
	}
	c.score = round(s * r.prior(c))
}

const (
	// namedFirst lifts what a word of a short query names over all that words
	// and meaning find, by its exactness and by how much of the query the word is.
	namedFirst = 2.5
	// mostParts is how many parts of a file add to its score.
	mostParts = 4
)

// shareFiles tells each candidate what the best of its file is worth.
func shareFiles(all map[candidateKey]*candidate) {
	type best struct{ lexical, cosine float64 }
	files := map[int64]best{}
	for _, c := range all {
		b := files[c.fileID]
		files[c.fileID] = best{max(b.lexical, c.lexical), max(b.cosine, c.cosine)}
	}
	for _, c := range all {
		c.fileLexical, c.fileCosine = files[c.fileID].lexical, files[c.fileID].cosine
	}
}

// prior is what speaks for c before anything is asked.
func (r *search) prior(c *candidate) float64 {
	p := classPrior[c.class]
	if p == 0 || r.req.Scope == "docs" {
		p = 1
	}
	if c.row != nil {
		p *= kindPrior(&c.row.Symbol)
	}
	if r.req.GroupBy != "file" && showing(c.path) {
		p *= showingPrior
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

const (
	// rereadDepth is how many candidates are read before they are ordered for
	// good: some 2 ms, and below them nothing rises into the first ten.
	rereadDepth = 30
	// proseWords is the number of words from which a query is a question about
	// what code does: then what does something comes before what names it.
	proseWords = 4
	// proseType lowers types and unowned lines for such a query.
	proseType = 0.85
)

// reread orders the first candidates by how much of what the query says they
// hold together, which BM25, a sum over terms, does not tell. Those that are not
// read stay behind them.
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
		if r.work && asks(r.query.Text) {
			c.busy = c.calling(f)
		}
		r.score(c)
	}
	slices.SortFunc(found, compareCandidates)
	if r.prose() && r.req.GroupBy != "file" {
		spreadNames(found)
	}
	return nil
}

// lineCovered is the share of what the query says that one line of c holds.
func (r *search) lineCovered(c *candidate, f *shownFile) (best float64) {
	for l := c.start; l <= min(c.end, f.lines.Count()); l++ {
		best = max(best, r.share(cutLine(lineText(f.text, f.lines, l), 0)))
	}
	return best
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
