package search

import (
	"cmp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search/rank"
	"sextant/internal/navigate/symbols"
	"sextant/l1fts"
)

// weighed returns the properties of the query on which its weights depend.
func (r *search) weighed() rank.Query {
	q := rank.Query{Kind: rank.Words, Short: r.fewTerms(), Prose: r.prose(),
		ByFile: r.req.GroupBy == contract.GroupByFile,
		Docs:   r.req.Scope == contract.ScopeDocs, Ranks: r.service.ranks()}
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

// ranks reports whether lexical and semantic scores are combined by their ranks, because the embedder's
// cosines are not comparable with lexical scores.
func (s *Service) ranks() bool { return s != nil && s.fusion == FuseRanks }

// score sets the score of c from its current features.
func (r *search) score(c *candidate) {
	q, f := r.weighed(), r.features(c)
	if f.Path >= mostlyPath {
		c.note("path")
	}
	worth, score := rank.Current.Score(&q, &f)
	c.worth, c.score = worth, round(score)
}

// mostlyPath is the share of the query's terms from which a path counts as a match.
const mostlyPath = 0.5

// features returns the features of c in the form that package rank needs.
func (r *search) features(c *candidate) rank.Features {
	f := rank.Features{
		Words: c.lexical, WordRank: c.wordRank, Parts: c.parts, FileWords: c.fileLexical,
		Meaning: c.cosine, FileMeaning: c.fileCosine,
		Covered: c.covered, Held: c.held, Length: c.length, Line: c.line,
		Size: c.size(), Busy: c.busy, Path: r.terms.share(c.path),
		Exact: c.exact, Naming: c.naming, Hidden: c.hidden, Changed: r.changed[c.path], Lifted: c.lifted,
		Class: c.class, Showing: showing(c.path), Migrates: migrates(c.path) || repeatsTable(c),
		Presents: presents(c.path),
	}
	if c.row != nil {
		f.Symbol, f.IsType = &c.row.Symbol, symbols.IsType(c.row.Symbol.Kind)
		f.Name = r.terms.share(c.row.Symbol.Name)
	}
	return f
}

// wordByWord reports whether each word of the query is compared with the candidates. It is for questions,
// and needs vectors.
func (r *search) wordByWord() bool { return r.question != nil && r.meant }

// mostParts is the largest number of chunks of a candidate that add to its score.
const mostParts = 4

// shareFiles sets the fileLexical and fileCosine of each candidate to the best values in its file.
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

// rankWords sets the wordRank of each candidate that contains words of the query: 1 for the best, 0.5 for
// the sixth.
func rankWords(all map[candidateKey]*candidate) {
	list := listed(all)
	sortBy(list, lexicalOf)
	for i, c := range list {
		if c.lexical > 0 {
			c.wordRank = halfRank / float64(halfRank+i)
		}
	}
}

// halfRank is the number of candidates before the one whose wordRank is 0.5; the first has 1.
const halfRank = 5

// identifier reports whether the query is the name of a symbol. If it is, similarity in meaning does not
// affect the answer.
func (p *pool) identifier() bool {
	if len(strings.Fields(p.query.Text)) != 1 {
		return false
	}
	for _, c := range p.all {
		if c.exact >= rank.NamedSame {
			return true
		}
	}
	return false
}

const (
	// proseWords is the number of words from which on a query counts as a question about the
	// behaviour of code. Then code that does something ranks above code with a matching name.
	proseWords = 4
	// proseTerms is the number of terms from which on a question is compared word by word. "The
	// graceful shutdown of a server" has three.
	proseTerms = 4
)

// prose reports whether the query is a question rather than a few names.
func (r *search) prose() bool { return countWords(r.query.Text) >= proseWords }

// countWords returns the number of words of a text, two ideographs counting as a word.
func countWords(text string) int {
	n, ideographs := len(strings.Fields(text)), 0
	for _, r := range text {
		if l1fts.Ideograph(r) {
			ideographs++
		}
	}
	return max(n, ideographs/2)
}

// fewTerms reports whether the names in a query rank above its other words: in a query that is no
// question or has few terms.
func (r *search) fewTerms() bool {
	return !r.prose() || len(r.terms.list) < proseTerms && r.req.GroupBy != contract.GroupByFile
}

func compareCandidates(a, b candidate) int {
	label := func(c *candidate) string {
		if c.row == nil {
			return ""
		}
		return c.row.Symbol.QualifiedName
	}
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.path, b.path), cmp.Compare(a.start, b.start),
		cmp.Compare(label(&a), label(&b)), cmp.Compare(a.symbol, b.symbol))
}

// order sorts candidates, the best first.
func order(found []candidate) {
	slices.SortFunc(found, compareCandidates)
	typesFirst(found)
}

// typesFirst moves a type that has the queried name before its constructors, which have the same name, and
// gives it the score of the first of them. A query for Reader asks for class Reader.
func typesFirst(found []candidate) {
	for i := range found {
		c := &found[i]
		if c.row == nil || c.row.Symbol.Kind != code.KindConstructor || c.exact < rank.NamedSame {
			continue
		}
		owner := slices.IndexFunc(found[i:], func(t candidate) bool {
			return t.fileID == c.fileID && t.symbol == c.row.Symbol.Parent && t.exact >= rank.NamedSame
		})
		if owner > 0 {
			t := found[i+owner]
			t.score = c.score
			copy(found[i+1:], found[i:i+owner])
			found[i] = t
		}
	}
}
