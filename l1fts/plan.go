package l1fts

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"sextant/internal/store"
)

const (
	// maxTerms is the largest number of words of a query that are looked up. A longer query is
	// pasted text, and among its first 48 words are enough rare ones to find it.
	maxTerms = 48
	// maxPrefixTerms is the largest number of words to which a prefix such as serv* expands. They
	// are chosen from the first prefixScan words with the prefix, in alphabetical order.
	maxPrefixTerms = 16
	prefixScan     = 2000
	// maxBoost is the largest number of common words of a query that raise scores. A word that
	// more than one in noise chunks contain does not raise scores.
	maxBoost = 3
	noise    = 10
	// minPrefix is the shortest prefix that is expanded, in characters.
	minPrefix = 2
	// maxJoined is the longest query, in words, whose neighbouring words are also
	// looked up as one identifier: "parse config" also finds parseConfig.
	maxJoined = 6
)

// Term is one word of a query as it was looked up.
type Term struct {
	Word      string // as indexed: lower-cased, a part or the whole of an identifier
	Frequency int64  // number of chunks that contain it; an estimate above probeLimit
	Ranked    bool   // whether it selects rows; other words only add to scores
	part      bool   // whether the word is a part of an identifier in the query that also occurs as a whole
}

// plan holds the words of one query and the FTS5 expressions for them.
type plan struct {
	terms []Term
	// candidates is the expression that selects the rows to rank. boost selects those of them that
	// also contain some common words, which raise their scores; it is "" if no word does.
	candidates, boost string
	// common reports that every word is common. The rows are then cut off at the
	// budget of postings, and ordered by static importance.
	common bool
}

// term is one word of a query to look up.
type term struct {
	word string
	// of is the index, in the list of terms, of the identifier of which word is a
	// part; -1 if word is not a part.
	of int
}

// enough is the number of chunks at which a whole identifier suffices: if that many contain
// parseConfig, its parts, parse and config, no longer select chunks.
const enough = 12

// queryTerms returns the words of a query to look up: every identifier whole and in parts. It omits
// stop words if there are other words. prefixes are the words that end in *, such as serv for
// serv*.
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
			// words emits an identifier first and then its parts, which are substrings of it.
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

// joined returns the three words that end at plain[i], concatenated. It returns "" if there are
// fewer than three.
func joined(plain []string, i int) string {
	if i < 2 {
		return ""
	}
	return plain[i-2] + plain[i-1] + plain[i]
}

func cutTo[T any](s []T, n int) []T { return s[:min(n, len(s))] }

// lastWord returns the last identifier of s, whole, as indexed.
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

// plan returns the plan of a query for text. The rarest words select the rows: as many of them as
// occur in no more rows together than the budget allows. The other words raise the scores of these
// rows.
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
	p.choose(int64(x.postings), s.chunks)
	return p, nil
}

// choose sets the FTS5 expressions of p, whose terms are sorted from rare to common. budget bounds
// the sum of the frequencies of the words that select rows. rows is the number of chunks.
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

// expand returns indexed words that begin with prefix: the most frequent ones
// that fit the budget together, because serv* more likely means serve, server
// and service than servftp. Since the index holds stems, the prefix itself is
// looked up as a word too: service* finds the stem servic.
func (x *Index) expand(ctx context.Context, view *store.View, s state, prefix string) ([]Term, error) {
	rows, err := view.Query(ctx, "SELECT term, doc FROM l1_vocab WHERE term >= ? AND term < ? LIMIT ?", prefix,
		prefix+"\U0010ffff", prefixScan)
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
	n, err := x.frequency(ctx, view, s, quote(prefix))
	return append(out, Term{Word: prefix, Frequency: n}), err
}
