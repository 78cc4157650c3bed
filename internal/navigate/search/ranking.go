package search

import (
	"cmp"
	"strings"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search/rank"
	"sextant/internal/navigate/symbols"
)

// weighed returns the query as package rank weighs it.
func (r *search) weighed() rank.Query {
	q := rank.Query{Kind: rank.Words, Short: r.fewTerms(), Prose: r.prose(), ByFile: r.req.GroupBy == contract.GroupByFile,
		Docs: r.req.Scope == contract.ScopeDocs, Ranks: r.service.ranks()}
	switch {
	case q.ByFile:
		q.Kind = rank.Files
	case r.wordByWord() && r.work:
		q.Kind = rank.Ask
	case r.wordByWord():
		q.Kind = rank.Sentence
	case r.meant && r.work:
		q.Kind = rank.Few
	case r.meant:
		q.Kind = rank.Names
	}
	return q
}

// ranks reports whether cosines are ranks; see [FuseRanks].
func (s *Service) ranks() bool { return s != nil && s.fusion == FuseRanks }

// score ranks c by what is known of it now.
func (r *search) score(c *candidate) {
	q, f := r.weighed(), rank.Features{Words: c.lexical, WordRank: c.wordRank, Parts: c.parts, FileWords: c.fileLexical, Meaning: c.cosine,
		FileMeaning: c.fileCosine, Covered: c.covered, Held: c.held, Length: c.length, Line: c.line, Size: c.size(), Busy: c.busy, Path: r.share(c.path),
		Exact: c.exact, Naming: c.naming, Hidden: c.hidden, Changed: r.changed[c.path], Lifted: c.lifted, Class: c.class, Showing: showing(c.path)}
	if c.row != nil {
		f.Symbol, f.IsType, f.Name = &c.row.Symbol, symbols.IsType(c.row.Symbol.Kind), r.share(c.row.Symbol.Name)
	}
	if f.Path >= 0.5 {
		c.note("path")
	}
	worth, score := q.Score(&f)
	c.worth, c.score = worth, round(score)
}

// wordByWord reports whether each word of the query is compared with the candidates.
func (r *search) wordByWord() bool { return r.question != nil && r.meant }

// mostParts bounds the parts of a file that add to its score.
const mostParts = 4

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

// halfRank is the number of candidates before one that counts half of the first.
const halfRank = 5

// identifier reports whether the query is a name that a symbol bears: then
// meaning has no say in the answer.
func (r *search) identifier(all map[candidateKey]*candidate) bool {
	if len(strings.Fields(r.query.Text)) != 1 {
		return false
	}
	for _, c := range all {
		if c.exact >= rank.NamedSame {
			return true
		}
	}
	return false
}

const (
	// proseWords is the number of words from which a query is a question about
	// what code does: then what does something comes before what names it.
	proseWords = 4
	// proseTerms is the number of terms from which such a question is weighed word
	// by word: "the graceful shutdown of a server" has three.
	proseTerms = 4
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
