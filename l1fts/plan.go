package l1fts

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"sextant/internal/store"
)

const (
	// maxTerms bounds the words of a query that are looked up. Longer queries
	// are pasted text, whose rarest words are found among the first ones.
	maxTerms = 48
	// maxPrefixTerms bounds what serv* stands for, prefixScan what it is chosen
	// from, in order of the alphabet.
	maxPrefixTerms = 16
	prefixScan     = 2000
	// maxBoost bounds the common words that raise scores, and noise is the
	// share of all chunks, one in so many, from which a word raises none.
	maxBoost = 3
	noise    = 10
	// minPrefix is the shortest prefix that is expanded, in characters.
	minPrefix = 2
	// maxJoined is the longest query, in words, whose neighbours are also
	// looked up as one identifier: "parse config" finds parseConfig.
	maxJoined = 6
)

// Term is one word of a query as it was looked up.
type Term struct {
	Word      string // as indexed: lower-cased, a part or the whole of an identifier
	Frequency int64  // chunks that hold it, an estimate above 1,000
	Ranked    bool   // whether rows were looked up by it; the rest only adds to scores
	part      bool   // of an identifier that is found as a whole
}

// plan is the FTS5 expressions of one query.
type plan struct {
	terms []Term
	// candidates finds the rows; boost, "" for none, finds those among them
	// that hold common words too, with their full score.
	candidates, boost string
	// common says that every word is common: candidates is cut at the budget,
	// and static importance decides among what is left.
	common bool
}

// term is one word to look for.
type term struct {
	word string
	// of is the index of the identifier that word is a part of, -1 for none.
	of int
}

// enough is how many chunks an identifier must be in for its parts to count no
// longer as words of their own: who asks for parseConfig wants that, and what
// else says parse or config only where there is little of it.
const enough = 12

// queryTerms is the words of a text to look for: every identifier whole and in
// parts, without stop words if others are there; a trailing * asks for a
// prefix.
func queryTerms(text string) (terms []term, prefixes []string) {
	seen := map[string]bool{}
	var kept, stopped []term
	var plain []string
	fields := strings.Fields(text)
	for _, f := range fields {
		if p, ok := strings.CutSuffix(f, "*"); ok {
			if last := lastWord(p); len(last) >= minPrefix {
				prefixes = append(prefixes, last)
				continue
			}
		}
		first, whole, wholeAt := true, "", -1
		words([]byte(f), nil, func(w []byte) {
			word := string(w)
			// Parts follow their identifier and lie within it.
			of := -1
			if whole != "" && strings.Contains(whole, word) {
				of = wholeAt
			} else {
				whole, wholeAt = word, -1
			}
			if seen[word] {
				return
			}
			seen[word] = true
			if stopWords[word] || len(word) < 2 {
				stopped = append(stopped, term{word, -1})
				return
			}
			if of < 0 {
				wholeAt = len(kept)
			}
			if first {
				plain, first = append(plain, word), false
			}
			kept = append(kept, term{word, of})
		})
	}
	if len(kept) == 0 && len(prefixes) == 0 {
		return cutTo(stopped, maxTerms), nil
	}
	if len(plain) <= maxJoined {
		for i := 1; i < len(plain); i++ {
			for _, j := range []string{plain[i-1] + plain[i], joined(plain, i)} {
				if j != "" && len(j) <= maxWord && !seen[j] {
					seen[j] = true
					kept = append(kept, term{j, -1})
				}
			}
		}
	}
	return cutTo(kept, maxTerms), prefixes
}

// joined is the three words that end at plain[i], as one.
func joined(plain []string, i int) string {
	if i < 2 {
		return ""
	}
	return plain[i-2] + plain[i-1] + plain[i]
}

func cutTo[T any](s []T, n int) []T { return s[:min(n, len(s))] }

// lastWord is the whole of the last identifier of s, as indexed.
func lastWord(s string) (last string) {
	end := 0
	for i := range len(s) {
		if !isWordByte(s[i]) && s[i] < 0x80 {
			end = i + 1
		}
	}
	first := true
	words([]byte(s[end:]), nil, func(w []byte) {
		if first {
			last, first = string(w), false
		}
	})
	return last
}

// plan chooses by document frequency: the rarest words find the rows, as many
// as fit the budget of postings together; the others raise the scores of what
// those found.
func (x *Index) plan(ctx context.Context, v *store.View, s state, text string) (plan, error) {
	words, prefixes := queryTerms(text)
	var p plan
	for _, w := range words {
		n, err := x.frequency(ctx, v, s, quote(w.word))
		if err != nil {
			return p, err
		}
		t := Term{Word: w.word, Frequency: n}
		t.part = w.of >= 0 && p.terms[w.of].Frequency >= enough
		p.terms = append(p.terms, t)
	}
	for _, prefix := range prefixes {
		found, err := x.expand(ctx, v, s, prefix)
		if err != nil {
			return p, err
		}
		p.terms = append(p.terms, found...)
	}
	slices.SortStableFunc(p.terms, func(a, b Term) int { return cmp.Compare(a.Frequency, b.Frequency) })
	p.choose(int64(x.postings), s.next)
	return p, nil
}

// choose fills the expressions. The budget is in postings, rows is about the
// number of chunks.
func (p *plan) choose(budget, rows int64) {
	var rare, common, boost []string
	sum := int64(0)
	for i := range p.terms {
		t := &p.terms[i]
		switch {
		case t.Frequency == 0:
		case !t.part && sum+t.Frequency <= budget:
			sum += t.Frequency
			t.Ranked = true
			rare = append(rare, quote(t.Word))
		default:
			common = append(common, quote(t.Word))
			if t.Frequency < rows/noise {
				boost = append(boost, quote(t.Word))
			}
		}
	}
	switch {
	case len(rare) > 0:
		p.candidates = strings.Join(rare, " OR ")
		if boost = cutTo(boost, maxBoost); len(boost) > 0 {
			p.boost = "(" + p.candidates + ") AND (" + strings.Join(boost, " OR ") + ")"
		}
	case len(common) > 1:
		p.common = true
		p.candidates = strings.Join(cutTo(common, 4), " AND ")
	case len(common) == 1:
		p.common = true
		p.candidates = "{name signature} : " + common[0]
	}
}

// expand is the indexed words that begin with prefix: the commonest that fit
// the budget together, since who writes serv* means serve, server and service
// rather than servftp. Words are indexed by their stems, so the prefix itself
// is looked up as a word too: service* means the stem servic.
func (x *Index) expand(ctx context.Context, v *store.View, s state, prefix string) ([]Term, error) {
	rows, err := v.Query(ctx, "SELECT term, doc FROM l1_vocab WHERE term >= ? AND term < ? LIMIT ?", prefix, prefix+"\U0010ffff", prefixScan)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Term
	for rows.Next() {
		var t Term
		if err := rows.Scan(&t.Word, &t.Frequency); err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b Term) int { return cmp.Compare(b.Frequency, a.Frequency) })
	var out []Term
	left, itself := int64(x.postings), false
	for _, t := range all {
		itself = itself || t.Word == prefix
		if t.Frequency <= left && len(out) < maxPrefixTerms {
			left -= t.Frequency
			out = append(out, t)
		}
	}
	if itself {
		return out, nil
	}
	n, err := x.frequency(ctx, v, s, quote(prefix))
	return append(out, Term{Word: prefix, Frequency: n}), err
}
