package search

import (
	"cmp"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/symbols"
)

// classPrior lowers what is seldom looked for. Tests repeat the words of what
// they test, in names that read like questions.
var classPrior = map[code.Class]float64{
	code.ClassSource: 1, code.ClassConfig: 0.9, code.ClassTest: 0.45, code.ClassDocs: 0.85,
	code.ClassBuild: 0.6, code.ClassGenerated: 0.5, code.ClassFixture: 0.5, code.ClassVendor: 0.4,
}

// weights are what each sign of a candidate counts; most signs are from 0 to 1.
type weights struct {
	words    float64 // the best chunk's BM25, as a share of the best of all
	wordRank float64 // its place by that
	parts    float64 // BM25 of each further chunk of a file that is one result
	meaning  float64 // a cosine of 1
	ranks    float64 // the first rank in meaning, where cosines tell nothing; not fitted
	covered  float64 // what the result holds of the query's terms, by how rare they are
	held     float64 // what it holds of the query's words, in other words too
	length   float64 // the logarithm of its bytes, by which it holds more of anything
	name     float64 // what its name holds of the terms
	path     float64 // what its path does
	line     float64 // one line that holds all of them, as a comment that says just this; less says far less
	named    float64 // a symbol that a question in prose mentions, by its exactness
	size     float64 // a function of some length
	busy     float64 // one that calls others

	// What speaks for the file speaks for the functions in it.
	fileWords, fileMeaning float64

	// By how much these are worth more, or less: what is exported, text that no
	// symbol owns, tests.
	exported, unowned, test float64
}

// These are fitted on validation (docs/embedder.md): askWeights on questions written
// by hand, sentenceWeights on sentences of documentation, fileWeights on subjects of
// commits. What a file is about shows in its path and in several of its parts;
// what a function does, in its meaning and in what stands around it. Where meaning
// has no say, words have to tell. fewWeights, of questions with few terms, are not:
// validation has hardly any. They are nameWeights, with signs of work set by eye.
var (
	wordWeights     = weights{words: 1.3, fileWords: 0.3, covered: 0.9, name: 0.7, path: 0.9, line: 0.5, named: 0.15, exported: 0.03}
	nameWeights     = weights{words: 0.2, fileWords: 0.4, meaning: 2.1, fileMeaning: 1.05, ranks: 1, covered: 0.9, name: 0.2, path: 0.35, line: 0.5, exported: 0.03}
	askWeights      = weights{wordRank: 0.33, fileWords: 0.35, meaning: 2.8, ranks: 2, held: 2.2, length: -0.22, path: 0.7, line: 0.4, named: 0.15, size: 1.3, busy: 0.27, exported: -0.05, unowned: -0.24, test: -0.17}
	sentenceWeights = weights{wordRank: 0.3, fileWords: 0.75, meaning: 3.4, ranks: 1.5, held: 1.05, length: -0.14, path: 0.45, line: 0.35, named: 0.15, busy: 0.1, exported: 0.08}
	fileWeights     = weights{words: 0.6, parts: 0.3, meaning: 1.4, ranks: 0.9, covered: 0.8, path: 1.3, named: 0.2, exported: 0.03}
	fewWeights      = nameWeights.forWork(0.3, 0.6)
)

func (w weights) forWork(size, busy float64) weights {
	w.size, w.busy = size, busy
	return w
}

func (r *search) weights() *weights {
	switch {
	case r.req.GroupBy == contract.GroupByFile:
		return &fileWeights
	case r.wordByWord() && r.work:
		return &askWeights
	case r.wordByWord():
		return &sentenceWeights
	case r.meant && r.work:
		return &fewWeights
	case r.meant:
		return &nameWeights
	}
	return &wordWeights
}

// wordByWord reports whether candidates are asked for each word of the query.
func (r *search) wordByWord() bool { return r.question != nil && r.meant }

// score fuses what the tiers say of c. In a query of a few words, what they
// name stands above what they mean; among equals, kind, export and class decide.
func (r *search) score(c *candidate) {
	w := r.weights()
	s := w.words*c.lexical + w.wordRank*c.wordRank + w.parts*c.parts + w.fileWords*c.fileLexical +
		w.covered*c.covered + w.held*c.held + w.length*c.length + w.line*c.line*c.line*c.line + w.size*c.size() + w.busy*c.busy
	if r.service.fusion == FuseRanks {
		s += w.ranks * c.cosine
	} else {
		s += w.meaning*c.cosine + w.fileMeaning*c.fileCosine
	}
	if c.row != nil {
		s += w.name * r.share(c.row.Symbol.Name)
	}
	inPath := r.share(c.path)
	s += w.path * inPath
	if inPath >= 0.5 {
		c.note("path")
	}
	named := w.named * float64(c.exact)
	if r.fewTerms() {
		named = namedFirst * float64(c.exact) * c.naming
	}
	if c.hidden {
		// Its class lowers what else speaks for it, and its name less: it stands
		// below what bears the name in source, and above what does not bear it.
		c.worth = max(s, 0)*r.prior(c) + named*namedHidden
	} else {
		c.worth = max(s+named, 0) * r.prior(c)
	}
	c.score = c.worth
	if r.changed[c.path] {
		c.score *= changedBoost
	}
	c.score = round(c.score + c.lifted)
}

const (
	// namedFirst lifts what a word of a short query names over all that words
	// and meaning find, by its exactness and by how much of the query the word is.
	namedFirst = 2.5
	// namedHidden is what that counts in a file that the scope leaves out.
	namedHidden = 0.8
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

// rankWords tells each candidate how many others words find before it.
func rankWords(all map[candidateKey]*candidate) {
	list := listed(all)
	sortBy(list, lexicalOf)
	for i, c := range list {
		if c.lexical > 0 {
			c.wordRank = halfRank / float64(halfRank+i)
		}
	}
}

// halfRank is how many stand before what counts half of the first.
const halfRank = 5

// prior is what speaks for c before anything is asked.
func (r *search) prior(c *candidate) float64 {
	p := classPrior[c.class]
	if p == 0 || r.req.Scope == contract.ScopeDocs {
		p = 1
	}
	w := r.weights()
	if c.row == nil {
		p *= 1 + w.unowned
	} else {
		p *= kindPrior(&c.row.Symbol)
		if c.row.Symbol.Exported {
			p *= 1 + w.exported
		}
		if c.row.Symbol.Kind == code.KindTest {
			p *= 1 + w.test
		}
	}
	if r.req.GroupBy != contract.GroupByFile && showing(c.path) {
		p *= showingPrior
	}
	if r.prose() && c.exact == notNamed && r.req.GroupBy != contract.GroupByFile && (c.row == nil || symbols.IsType(c.row.Symbol.Kind)) {
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
	case s.Kind.Callable() && s.Kind != code.KindTest, symbols.IsType(s.Kind):
		p = 1
	case s.Kind == code.KindField || s.Kind == code.KindVariable || s.Kind == code.KindConstant || s.Kind == code.KindProperty:
		p = 0.82
	}
	if s.Kind.Callable() && s.Span.Lines() == 1 {
		p -= 0.12 // a declaration without a body, or one that only forwards
	}
	return p
}

const (
	// proseWords is the number of words from which a query is a question about
	// what code does: then what does something comes before what names it.
	proseWords = 4
	// proseTerms is the number of terms from which such a question is weighed word
	// by word: "the graceful shutdown of a server" has three.
	proseTerms = 4
	// proseType lowers types and unowned lines for such a query.
	proseType = 0.85
)

// prose reports whether the query is a question rather than a few names.
func (r *search) prose() bool { return len(strings.Fields(r.query.Text)) >= proseWords }

// fewTerms reports whether what the query names stands above what it says.
func (r *search) fewTerms() bool {
	return !r.prose() || len(r.terms) < proseTerms && r.req.GroupBy != contract.GroupByFile
}

func compareCandidates(a, b candidate) int {
	label := func(c *candidate) string {
		if c.row == nil {
			return ""
		}
		return c.row.Symbol.QualifiedName
	}
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.path, b.path), cmp.Compare(a.start, b.start), cmp.Compare(label(&a), label(&b)), cmp.Compare(a.symbol, b.symbol))
}
