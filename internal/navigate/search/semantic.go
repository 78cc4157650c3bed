package search

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search/rank"
	"sextant/l1fts"
)

// Fusion is a way to combine a lexical and a semantic score into one score.
type Fusion uint8

const (
	// FuseScores adds the cosine to the lexical score. It is for embedders whose cosines are
	// comparable with that score.
	FuseScores Fusion = iota
	// FuseRanks adds reciprocal ranks. It is for embedders whose cosines are not comparable with lexical
	// scores.
	FuseRanks
)

const (
	// semanticDepth is the largest number of chunks that vectors find.
	semanticDepth = 60
	// embedWait bounds the wait for the vector of a question. The built-in embedder takes
	// microseconds. If a slower one exceeds the limit, the answer uses words alone, and says so.
	embedWait = 2 * time.Second
	// leastCosine is the least cosine of a chunk that contains none of the words.
	leastCosine = 0.35
)

// meaning is the part of a search that compares meanings by vectors.
type meaning struct {
	vector []float32 // vector of the query; nil if there is none
	tier   contract.Tier
}

// embed computes the vector of the question. It does so before the index is opened for reading, because a
// remote embedder may be slow.
func (r *search) embed(ctx context.Context) {
	words := r.service.Words(r.place.Root)
	switch {
	case !words.Embedder() && r.service.Missing != "":
		r.meaning.tier = contract.Tier{State: contract.TierFailed,
			Why: r.service.Missing + "; this answer rests on words"}
	case !words.Embedder():
		r.meaning.tier = contract.Tier{State: contract.TierOff, Why: "the embedder is switched off"}
	case r.query.Text == "":
		r.meaning.tier = contract.Tier{State: contract.TierOK, Why: "the query has no words to embed"}
	case r.meaning.vector == nil:
		ctx, cancel := context.WithTimeout(ctx, embedWait)
		defer cancel()
		vector, err := words.EmbedQuery(ctx, r.query.Text)
		if err != nil {
			r.meaning.tier = contract.Tier{State: contract.TierFailed,
				Why: fmt.Sprintf("%v; this answer rests on words", err)}
			return
		}
		if r.meaning.tier = (contract.Tier{State: contract.TierOK}); isZero(vector) {
			r.meaning.tier.Why = "the embedder knows too few of the query's words; this answer rests on words"
			return
		}
		r.meaning.vector = vector
	}
}

func isZero(vector []float32) bool {
	return !slices.ContainsFunc(vector, func(x float32) bool { return x != 0 })
}

// addNear adds the chunks that are nearest in meaning to the candidates, and sets the cosine of
// each candidate. If that fails, the answer uses words alone, and says so.
func (p *pool) addNear(ctx context.Context) {
	if p.nearest, p.meant = 0, false; p.meaning.vector == nil {
		return
	}
	if err := p.near(ctx); err != nil {
		p.meaning.tier, p.nearest, p.meant = contract.Tier{State: contract.TierFailed, Why: err.Error()}, 0, false
		for _, c := range p.all {
			c.cosine, c.near = 0, false
		}
	}
}

// near finds the chunks that are nearest in meaning to the query and sets the cosines of all
// candidates. For the name of a symbol, which meaning does not affect, it only starts to load the
// vectors.
func (p *pool) near(ctx context.Context) error {
	words := p.service.Words(p.place.Root)
	if p.identifier() {
		state, err := words.VectorState(ctx, p.view)
		if err == nil && !state.Loaded {
			p.service.LoadVectors(p.place.Root) // for the next query, which may be a question
		}
		p.noteState(state)
		return err
	}
	hits, state, err := words.Near(ctx, p.view, p.meaning.vector, p.query,
		l1fts.SearchOptions{Limit: semanticDepth, Filter: p.filter})
	if err != nil {
		return err
	}
	if !state.Loaded {
		loaded := p.service.LoadVectors(p.place.Root)
		if state.Skipped && p.service.AwaitVectors(ctx, loaded) {
			if hits, state, err = words.Near(ctx, p.view, p.meaning.vector, p.query,
				l1fts.SearchOptions{Limit: semanticDepth, Filter: p.filter}); err != nil {
				return err
			}
		}
	}
	p.noteState(state)
	for _, h := range hits {
		if h.Score < leastCosine && p.service.fusion == FuseScores {
			break
		}
		c := p.candidateOf(h)
		if len(c.matchedBy) == 0 {
			c.chunks++
		}
		if !c.near || h.Score > c.cosine {
			c.cosine, c.near = h.Score, true
			if c.lexical == 0 && c.exact == rank.NotNamed {
				c.start, c.end, c.symbol = h.StartLine, h.EndLine, h.Symbol
			}
		}
		c.note("semantic")
	}
	if err := p.cosines(ctx, listed(p.all)); err != nil {
		return err
	}
	for _, c := range p.all {
		p.meant = p.meant || c.cosine > 0
	}
	if p.service.fusion == FuseRanks {
		byRank(p.all)
		return nil
	}
	if state.Complete && !state.Skipped { // otherwise the nearest chunk may lack its vector
		for _, c := range p.all {
			p.nearest = max(p.nearest, c.cosine)
		}
	}
	return nil
}

// noteState records in the answer's state of the semantic tier that some vectors are missing.
func (r *search) noteState(state l1fts.NearState) {
	switch {
	case state.Skipped:
		r.meaning.tier = contract.Tier{State: contract.TierBuilding,
			Why: "the vectors are being loaded; what words find is ordered by meaning meanwhile"}
	case !state.Complete:
		r.meaning.tier = contract.Tier{State: contract.TierBuilding, Why: "not every file has its vectors yet"}
	}
}

// cosines sets the cosines of candidates that were found by words. A candidate without a vector
// gets the average of the others, so that it does not fall behind while its file waits for the
// embedder.
func (p *pool) cosines(ctx context.Context, of []*candidate) error {
	var places []l1fts.Place
	for _, c := range of {
		if !c.near {
			places = append(places, c.place())
		}
	}
	found, err := p.service.Words(p.place.Root).Cosines(ctx, p.view, p.meaning.vector, places)
	if err != nil || len(found) == 0 {
		return err
	}
	// Sums of floats depend on the order, and ids of files on the order of the edits. So sum the sorted values.
	sum := 0.0
	for _, cosine := range slices.Sorted(maps.Values(found)) {
		sum += cosine
	}
	for _, c := range of {
		if c.near {
			continue
		}
		cosine, ok := found[c.place()]
		if !ok {
			cosine = sum / float64(len(found))
		}
		c.cosine = cosine
	}
	return nil
}

func (c *candidate) place() l1fts.Place {
	return l1fts.Place{FileID: c.fileID, StartLine: c.start, Symbol: c.symbol}
}

// rankConstant is the k of reciprocal rank fusion (Cormack, Clarke and
// Büttcher, 2009).
const rankConstant = 60

// byRank replaces scores and cosines by reciprocal ranks, which are 1 for the first rank.
func byRank(all map[candidateKey]*candidate) {
	list := listed(all)
	for _, of := range []func(*candidate) *float64{lexicalOf, cosineOf} {
		sortBy(list, of)
		for i, c := range list {
			if *of(c) > 0 {
				*of(c) = (rankConstant + 1) / float64(rankConstant+1+i)
			}
		}
	}
}

func lexicalOf(c *candidate) *float64 { return &c.lexical }
func cosineOf(c *candidate) *float64  { return &c.cosine }

func listed(all map[candidateKey]*candidate) []*candidate {
	list := make([]*candidate, 0, len(all))
	for _, c := range all {
		list = append(list, c)
	}
	return list
}

// sortBy sorts candidates by a value, highest first, and equal ones by position.
func sortBy(list []*candidate, of func(*candidate) *float64) {
	slices.SortFunc(list, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(*of(b), *of(a)), cmp.Compare(a.path, b.path), cmp.Compare(a.start, b.start),
			cmp.Compare(a.symbol, b.symbol))
	})
}

// lanes are the ways by which a candidate is found, in the order in which answers list them: the query
// contains exactly its name, or a literal in it; by words; by meaning; by its path.
var lanes = []string{"exact", "lexical", "semantic", "path"}

// note adds a way by which c was found, one of lanes, to c.matchedBy. Their order is fixed, since
// candidates are visited in the random order of a map.
func (c *candidate) note(by string) {
	if slices.Contains(c.matchedBy, by) {
		return
	}
	list := append(slices.Clone(c.matchedBy), by) // copies of c share the list
	slices.SortFunc(list, func(a, b string) int { return slices.Index(lanes, a) - slices.Index(lanes, b) })
	c.matchedBy = list
}
