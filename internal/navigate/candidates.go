package navigate

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"sextant/internal/code"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta"
)

// candidate is one result before it is rendered: a symbol, or a part of a
// file that no symbol owns.
type candidate struct {
	fileID     int64
	path       string
	language   string
	class      code.Class
	symbol     int         // index in code.File.Symbols, -1 without an owner
	row        *l2meta.Row // of the owner
	start, end int         // lines of the best chunk
	lexical    float64     // 0 to 1
	exact      exactness
	score      float64
	covered    float64 // share of the query's terms that it holds, once rendered
	matchedBy  []string
	chunks     int
}

// exactness is how a word of the query names the symbol.
type exactness uint8

const (
	notNamed  exactness = iota
	namedFold           // in another case
	namedSame           // letter by letter
	namedFull           // by its qualified name
)

const (
	// lexicalDepth is how many chunks are ranked before they are grouped: a
	// file may have several, and priors reorder them.
	lexicalDepth = 60
	// namedDepth bounds the symbols that one word may name.
	namedDepth = 200
)

// candidates are what the tiers find, fused, best first.
func (r *search) candidates(ctx context.Context, v *jit.View) ([]candidate, error) {
	words := r.service.words(r.place.root)
	hits, _, err := words.Search(ctx, v, r.query, l1fts.SearchOptions{Limit: lexicalDepth, Filter: r.filter})
	if err != nil {
		return nil, err
	}
	all := map[candidateKey]*candidate{}
	best := 0.0
	for _, h := range hits {
		best = max(best, h.Score)
	}
	for _, h := range hits {
		r.addHit(all, h, best)
	}
	if err := r.addNamed(ctx, v, all); err != nil {
		return nil, err
	}
	out := make([]candidate, 0, len(all))
	for _, c := range all {
		if c.symbol >= 0 && c.row == nil {
			row, ok, err := r.service.symbols.At(ctx, v, c.fileID, c.symbol)
			if err != nil {
				return nil, err
			}
			if ok {
				c.row = &row
			}
		}
		if !r.kindPasses(c) {
			continue
		}
		r.score(c)
		out = append(out, *c)
	}
	slices.SortFunc(out, compareCandidates)
	return out, nil
}

type candidateKey struct {
	file   int64
	symbol int
	start  int // tells parts without an owner apart
}

func (r *search) addHit(all map[candidateKey]*candidate, h l1fts.Hit, best float64) {
	key := candidateKey{file: h.FileID, symbol: h.Symbol}
	if h.Symbol < 0 {
		key.start = h.StartLine
	}
	if r.req.GroupBy == "file" {
		key = candidateKey{file: h.FileID, symbol: -1}
	}
	score := 0.0
	if best > 0 {
		score = h.Score / best
	}
	c := all[key]
	if c == nil {
		c = &candidate{fileID: h.FileID, path: h.Path, language: h.Language, class: h.Class, symbol: h.Symbol, start: h.StartLine, end: h.EndLine,
			lexical: score, matchedBy: []string{"lexical"}}
		if len(r.query.Text) == 0 {
			c.matchedBy = []string{"path"}
		}
		all[key] = c
	}
	c.chunks++
	if score > c.lexical {
		c.lexical, c.start, c.end, c.symbol = score, h.StartLine, h.EndLine, h.Symbol
	}
}

// addNamed looks the words of the query up as names: before any ranking, since
// the text index knows stems.
func (r *search) addNamed(ctx context.Context, v *jit.View, all map[candidateKey]*candidate) error {
	for _, word := range nameWords(r.query.Text) {
		rows, err := r.service.symbols.Named(ctx, v, lastName(word), namedDepth)
		if err != nil {
			return err
		}
		for i := range rows {
			row := &rows[i]
			e := exactnessOf(row.Symbol.QualifiedName, normalLabel(word))
			if e == notNamed || !r.passes(row.Path, row.Language, row.Class) {
				continue
			}
			key := candidateKey{file: row.FileID, symbol: row.Index}
			if r.req.GroupBy == "file" {
				key.symbol = -1
			}
			c := all[key]
			if c == nil {
				c = &candidate{fileID: row.FileID, path: row.Path, language: row.Language, class: row.Class, symbol: row.Index,
					start: row.Symbol.Span.StartLine, end: row.Symbol.Span.EndLine, chunks: 1}
				all[key] = c
			}
			c.row, c.symbol = row, row.Index
			if e > c.exact {
				c.exact = e
			}
			if !slices.Contains(c.matchedBy, "exact") {
				c.matchedBy = append([]string{"exact"}, c.matchedBy...)
			}
		}
	}
	return nil
}

func (r *search) kindPasses(c *candidate) bool {
	if len(r.query.Kinds) == 0 {
		return true
	}
	return c.row != nil && slices.Contains(r.query.Kinds, c.row.Symbol.Kind)
}

// nameWords are the words of a query that may be names: all of a short query,
// and of a long one those that are written as code is (a capital inside, an
// underscore, a dot, digits, parentheses).
func nameWords(text string) (out []string) {
	words := strings.Fields(text)
	for _, w := range words {
		w = strings.Trim(w, ",;:?!'\"`")
		if len(lastName(w)) < 2 {
			continue
		}
		if len(words) <= 2 || looksLikeCode(w) {
			out = append(out, w)
		}
	}
	return out
}

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

func exactnessOf(qualified, label string) exactness {
	switch labelRank(qualified, label) {
	case 4:
		if strings.Contains(label, ".") {
			return namedFull
		}
		return namedSame
	case 3:
		if strings.Contains(label, ".") {
			return namedFull
		}
		return namedSame
	case 2, 1:
		return namedFold
	}
	return notNamed
}

// classPrior lowers what is seldom looked for.
var classPrior = map[code.Class]float64{
	code.ClassSource: 1, code.ClassConfig: 0.9, code.ClassTest: 0.72, code.ClassDocs: 0.85,
	code.ClassBuild: 0.6, code.ClassGenerated: 0.5, code.ClassFixture: 0.5, code.ClassVendor: 0.4,
}

// score fuses what the tiers say of c. Exact names stand above every ranked
// chunk; among equals, kind, export and class decide.
func (r *search) score(c *candidate) {
	s := c.lexical
	if c.exact > notNamed {
		s = max(s, 0.3) + []float64{0, 0.6, 1.2, 1.6}[c.exact]
	}
	prior := classPrior[c.class]
	if prior == 0 {
		prior = 1
	}
	if r.req.Scope == "docs" {
		prior = 1
	}
	s *= prior
	if c.row != nil {
		s *= kindPrior(&c.row.Symbol)
		s += 0.25 * r.nameCoverage(&c.row.Symbol)
	}
	if n := r.pathCoverage(c.path); n > 0 {
		s += 0.12 * n
		if n >= 0.5 && !slices.Contains(c.matchedBy, "path") {
			c.matchedBy = append(c.matchedBy, "path")
		}
	}
	if r.changed[c.path] {
		s *= changedBoost
	}
	c.score = math.Round(s*1e4) / 1e4
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
	proseType = 0.85
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
		covered := r.covered(c, f)
		c.score *= uncovered + (1-uncovered)*covered*covered
		if r.prose() && (c.row == nil || isType(c.row.Symbol.Kind)) {
			c.score *= proseType
		}
		c.score = round(c.score)
	}
	slices.SortFunc(found, compareCandidates)
	return nil
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

// diversify takes the best, at most two results of a file, three when there
// are few.
func (r *search) diversify(found []candidate) []candidate {
	limit := min(r.req.Limit, r.req.DisclosureLimit)
	for _, perFile := range []int{2, 3} {
		count := map[string]int{}
		var out []candidate
		for _, c := range found {
			if len(out) == limit {
				break
			}
			if count[c.path] < perFile {
				count[c.path]++
				out = append(out, c)
			}
		}
		if len(out) == limit || perFile == 3 {
			return out
		}
	}
	return nil
}
