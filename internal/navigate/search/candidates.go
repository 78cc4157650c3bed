package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search/rank"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta"
)

// candidate is a result before rendering: a symbol, or a part of a file outside of symbols.
type candidate struct {
	fileID                  int64
	path                    string
	language                string
	class                   code.Class
	symbol                  int         // index in code.File.Symbols; -1 for a part of a file
	row                     *l2meta.Row // row of the symbol in the index
	start, end              int         // lines of the best chunk
	lexical                 float64     // score of the best chunk by words, 0 to 1
	parts                   float64     // sum of the scores of its next best chunks
	cosine                  float64     // similarity in meaning; 0 without vectors
	near                    bool        // whether it is among the nearest by meaning
	fileLexical, fileCosine float64     // best values of lexical and cosine in its file
	exact                   rank.Exactness
	naming                  float64             // share of the query that is its name
	worth, score            float64             // score of its own, and final score
	covered                 float64             // share of the query's terms that it contains; 1 until it is read
	line                    float64             // greatest share of the query's terms in one of its lines, once read
	wordRank                float64             // 1 for the first candidate by words, a half for the sixth
	held                    float64             // share of a question's words that it contains; usualHeld until read
	length                  float64             // logarithm of its size with the comment above; usualLength until read
	busy                    float64             // how much it calls, 0 to 1 (see func busy); usualBusy until read
	hidden                  bool                // whether the scope excludes its file
	lifted                  float64             // boost, for example because it contains a rare literal of the query
	focus                   int                 // line of the first such literal; 0 if there is none
	declared                *l2meta.Row         // best declaration in its lines; nil if there is none, and for a symbol
	declares                float64             // share of the query's terms that declared contains
	overloads               []contract.LineSpan // lines of further overloads, which have no result of their own
	matchedBy               []string
	chunks                  int
}

const (
	// lexicalDepth is the number of best chunks by words that become candidates. It is larger than an
	// answer, since a file may have several such chunks, and other features change their order.
	lexicalDepth = 60
	// namedDepth is the largest number of symbols that are looked up for one word.
	namedDepth = 200
)

// pool collects the candidates of one search on one snapshot of the index.
type pool struct {
	*search
	view *jit.View
	all  map[candidateKey]*candidate
}

type candidateKey struct {
	file   int64
	symbol int
	start  int // first line, which distinguishes parts of one file
}

// candidates returns the results that words, names and meaning suggest. Each occurs once, with a
// score from all of these; the best is first.
func (r *search) candidates(ctx context.Context, v *jit.View) ([]candidate, error) {
	words := r.service.Words(r.place.Root)
	hits, stats, err := words.Search(ctx, v, r.query, l1fts.SearchOptions{Limit: lexicalDepth, Filter: r.filter})
	if err != nil {
		return nil, err
	}
	r.terms.weigh(stats)
	p := &pool{search: r, view: v, all: map[candidateKey]*candidate{}}
	best := 0.0
	for _, h := range hits {
		best = max(best, h.Score)
	}
	for _, h := range hits {
		p.addHit(h, best)
	}
	if err := p.addNamed(ctx); err != nil {
		return nil, err
	}
	if err := p.addFiles(ctx); err != nil {
		return nil, err
	}
	p.addNear(ctx)
	if err := p.addOccurrences(ctx); err != nil {
		return nil, err
	}
	if err := p.addRoutes(ctx); err != nil {
		return nil, err
	}
	shareFiles(p.all)
	rankWords(p.all)
	if err := p.addRows(ctx); err != nil {
		return nil, err
	}
	if err := p.addOwners(ctx); err != nil {
		return nil, err
	}
	if err := p.addRelatives(ctx); err != nil {
		return nil, err
	}
	if err := p.addDeclared(ctx); err != nil {
		return nil, err
	}
	shareFiles(p.all)
	return p.ordered(), nil
}

// candidateOf returns a candidate for a symbol. Its scores are still 0.
func candidateOf(row *l2meta.Row) *candidate {
	return &candidate{fileID: row.FileID, path: row.Path, language: row.Language, class: row.Class, symbol: row.Index,
		row: row, start: row.Symbol.Span.StartLine, end: row.Symbol.Span.EndLine, chunks: 1}
}

// ordered returns the candidates by their scores, best first.
func (p *pool) ordered() []candidate {
	out := make([]candidate, 0, len(p.all))
	for _, c := range p.all {
		if !p.kindPasses(c) {
			continue
		}
		// values until the candidate is read
		c.covered, c.held, c.length, c.busy = 1, usualHeld, usualLength, usualBusy
		p.score(c)
		out = append(out, *c)
	}
	order(out)
	return out
}

// addRows looks up the rows of those symbols among the candidates that do not have theirs yet. A
// row is the index's record of a symbol.
func (p *pool) addRows(ctx context.Context) error {
	var keys []l2meta.Key
	for _, c := range p.all {
		if c.symbol >= 0 && c.row == nil {
			keys = append(keys, l2meta.Key{FileID: c.fileID, Index: c.symbol})
		}
	}
	rows, err := p.service.Facts.All(ctx, p.view, keys)
	if err != nil {
		return err
	}
	for _, c := range p.all {
		if c.row == nil {
			c.row = rows[l2meta.Key{FileID: c.fileID, Index: c.symbol}]
		}
	}
	return nil
}

// candidateOf returns the candidate for a hit of the text or vector index, and adds it to p.all if it is
// new.
func (p *pool) candidateOf(h l1fts.Hit) *candidate {
	key := candidateKey{file: h.FileID, symbol: h.Symbol}
	if h.Symbol < 0 {
		key.start = h.StartLine
	}
	if p.req.GroupBy == contract.GroupByFile {
		key = candidateKey{file: h.FileID, symbol: -1}
	}
	c := p.all[key]
	if c == nil {
		c = &candidate{fileID: h.FileID, path: h.Path, language: h.Language, class: h.Class, symbol: h.Symbol,
			start: h.StartLine, end: h.EndLine}
		p.all[key] = c
	}
	return c
}

// addHit adds a hit of the text index. best is the highest score of all hits; a hit with that score
// gets 1.
func (p *pool) addHit(h l1fts.Hit, best float64) {
	score := 0.0
	if best > 0 {
		score = h.Score / best
	}
	c := p.candidateOf(h)
	if len(p.query.Text) == 0 {
		c.note("path")
	} else {
		c.note("lexical")
	}
	c.chunks++
	if c.chunks > 1 && c.chunks <= mostParts {
		c.parts += min(score, c.lexical)
	}
	if c.chunks == 1 || score > c.lexical {
		c.lexical, c.start, c.end, c.symbol = score, h.StartLine, h.EndLine, h.Symbol
	}
}

// addNamed looks up the words of the query as symbol names, because the text index contains only
// stems of words.
func (p *pool) addNamed(ctx context.Context) error {
	for _, word := range nameWords(p.query.Text) {
		share := p.terms.share(word)
		if len(p.terms.list) == 0 || word == p.query.Text {
			share = 1 // "find" is a common word, but here it is the whole query
		}
		rows, err := p.service.Facts.Named(ctx, p.view, symbols.LastName(word), namedDepth)
		if err != nil {
			return err
		}
		for i := range rows {
			row := &rows[i]
			e := exactnessOf(row.Symbol.QualifiedName, symbols.NormalLabel(word))
			inScope := p.passes(row.Path, row.Language, row.Class)
			if e == rank.NotNamed || !inScope && (e < rank.NamedSame || !p.named(row.Path, row.Language, row.Class)) {
				continue
			}
			c := p.candidate(row)
			c.row, c.symbol, c.hidden = row, row.Index, !inScope
			c.exact, c.naming = max(c.exact, e), max(c.naming, share)
			c.note("exact")
		}
	}
	return nil
}

// kindPasses reports whether a candidate has one of the kinds that kind: operators of the query
// name. Every candidate passes a query without such operators.
func (r *search) kindPasses(c *candidate) bool {
	if len(r.query.Kinds) == 0 {
		return true
	}
	return c.row != nil && slices.Contains(r.query.Kinds, c.row.Symbol.Kind)
}

// nameWords returns the words of a query that may be names: all of a short query, and of a long one
// those written like code (with an inner capital, an underscore, a dot, digits, parentheses).
func nameWords(text string) (out []string) {
	words := strings.Fields(text)
	for _, w := range words {
		w = strings.Trim(w, ",;:?!'\"`")
		if len(symbols.LastName(w)) < 2 {
			continue
		}
		if len(words) <= 2 || looksLikeCode(w) {
			out = append(out, w)
		}
	}
	return out
}

// looksLikeCode reports whether a word looks like an identifier or a call: read_file, s.Close, f(),
// A::b, readFile.
func looksLikeCode(w string) bool {
	if strings.ContainsAny(w, "_.#(") || strings.Contains(w, "::") || strings.Contains(w, "->") {
		return strings.IndexFunc(w, unicode.IsLetter) >= 0 && !strings.HasSuffix(w, ".")
	}
	for i, r := range w {
		if i > 0 && unicode.IsUpper(r) {
			return true
		}
	}
	return false
}

func exactnessOf(qualified, label string) rank.Exactness {
	switch symbols.LabelRank(qualified, label) {
	case 4:
		if strings.Contains(label, ".") {
			return rank.NamedFull
		}
		return rank.NamedSame
	case 3:
		if strings.Contains(label, ".") {
			return rank.NamedFull
		}
		return rank.NamedSame
	case 2, 1:
		return rank.NamedFold
	}
	return rank.NotNamed
}

const (
	// mostOfFile is the number of results of one file whose scores are not reduced.
	mostOfFile = 4
	// sameFile is the factor by which the score of each further result of the same file is reduced: 0.96
	// for the fifth, 0.96² for the sixth. Results of other files that are nearly as good then come
	// first. On 292 questions of the validation split, 0.96 was better than 0.9.
	sameFile = 0.96
)

// spare is the number of candidates picked beyond the limit. They replace candidates that turn out
// to repeat better ones.
const spare = 4

// limit returns the number of results that the caller requests.
func (r *search) limit() int { return min(r.req.Limit, r.req.DisclosureLimit) }

// asText reports whether the answer is sent as compact text.
func (r *search) asText() bool { return r.req.Format == contract.FormatText }

// diversify returns the best candidates, spare more than the answer needs. After the first mostOfFile
// candidates of a file, candidates of other files that are nearly as good come first. The spare
// candidates do not affect the order of those before them.
func (r *search) diversify(found []candidate) (out []candidate) {
	limit := r.answer.From + r.limit() + spare
	var late lateCandidates
	count := map[string]int{}
	for i := range found {
		c := &found[i]
		for len(out) < limit && late.best() >= c.score {
			out = append(out, late.take())
		}
		if len(out) == limit {
			return out
		}
		if count[c.path]++; count[c.path] <= mostOfFile {
			out = append(out, *c)
		} else {
			late.add(c, c.score*math.Pow(sameFile, float64(count[c.path]-mostOfFile)))
		}
	}
	for len(out) < limit && len(late.list) > 0 {
		out = append(out, late.take())
	}
	return out
}

// lateCandidates are candidates beyond the first mostOfFile of their files, the best first.
type lateCandidates struct {
	list   []*candidate
	scores []float64
}

// add inserts a candidate with its reduced score, after those with the same score.
func (l *lateCandidates) add(c *candidate, score float64) {
	at, _ := slices.BinarySearchFunc(l.scores, score, func(a, b float64) int { return cmp.Compare(b, a) })
	for at < len(l.scores) && l.scores[at] == score {
		at++ // after its equals
	}
	l.list, l.scores = slices.Insert(l.list, at, c), slices.Insert(l.scores, at, score)
}

// best returns the score of the best late candidate, or -Inf if there is none.
func (l *lateCandidates) best() float64 {
	if len(l.scores) == 0 {
		return math.Inf(-1)
	}
	return l.scores[0]
}

// take removes and returns the best late candidate.
func (l *lateCandidates) take() candidate {
	c := *l.list[0]
	l.list, l.scores = l.list[1:], l.scores[1:]
	return c
}

// candidate returns the candidate of a symbol, or of its file if the answer groups by file. It adds the candidate to
// the pool if it is new.
func (p *pool) candidate(row *l2meta.Row) *candidate {
	key := candidateKey{file: row.FileID, symbol: row.Index}
	if p.req.GroupBy == contract.GroupByFile {
		key.symbol = -1
	}
	c := p.all[key]
	if c == nil {
		c = candidateOf(row)
		p.all[key] = c
	}
	return c
}
