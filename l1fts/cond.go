package l1fts

import "github.com/google/codesearch/index"

// gramCond is a condition on the grams (see gram) of a file. It is derived from a query, such that
// every file that matches the query satisfies it.
type gramCond struct {
	// op says how own and subs combine: matchAnd, matchOr, or a constant, matchAll or matchNone, without
	// operands.
	op   condOp
	own  []gram
	subs []*gramCond
}

type condOp uint8

const (
	// matchAll and matchNone are the conditions that every file and no file satisfies.
	matchAll condOp = iota
	matchNone
	matchAnd // all of own and subs
	matchOr  // any of own and subs
)

// maxAnd is the largest number of grams of one literal that are looked up. For a longer literal,
// 32 grams spread over its length are selective enough.
const maxAnd = 32

// gramsOfQuery returns the condition that q's must: and regex: place on the
// grams of a file.
func gramsOfQuery(q Query) *gramCond {
	all := &gramCond{op: matchAnd}
	for _, s := range q.Must {
		all.own = append(all.own, spread(gramsOf(s), maxAnd)...)
	}
	for _, re := range q.Regex {
		all.subs = append(all.subs, gramsOfRegex(re.query))
	}
	return all.simplify()
}

// spread returns at most n elements of list, evenly spaced.
func spread(list []gram, n int) []gram {
	if len(list) <= n {
		return list
	}
	out := make([]gram, n)
	for i := range out {
		out[i] = list[i*len(list)/n]
	}
	return out
}

// gramsOfRegex converts a query on trigrams, which the codesearch library derived from a regular
// expression, into a condition on grams.
func gramsOfRegex(query *index.Query) *gramCond {
	cond := &gramCond{}
	switch query.Op {
	case index.QAll:
		return cond
	case index.QNone:
		cond.op = matchNone
		return cond
	case index.QAnd:
		cond.op = matchAnd
	case index.QOr:
		cond.op = matchOr
	}
	for _, t := range query.Trigram {
		// A trigram with a newline has no gram, because grams lie within a line. No file satisfies
		// its condition, matchNone, which simplify removes.
		if g := gramsOf(t); len(g) == 1 {
			cond.own = append(cond.own, g[0])
		} else {
			cond.subs = append(cond.subs, &gramCond{op: matchNone})
		}
	}
	for _, s := range query.Sub {
		cond.subs = append(cond.subs, gramsOfRegex(s))
	}
	return cond.simplify()
}

// simplify removes the constants matchAll and matchNone from c's operands.
func (c *gramCond) simplify() *gramCond {
	if c.op != matchAnd && c.op != matchOr {
		return c
	}
	// An operand that changes nothing (true in x AND true, false in x OR false) is dropped. The
	// opposite constant is the result.
	neutral, decides := matchAll, matchNone
	if c.op == matchOr {
		neutral, decides = matchNone, matchAll
	}
	kept := c.subs[:0]
	for _, s := range c.subs {
		switch s.op {
		case decides:
			return s
		case neutral:
		default:
			kept = append(kept, s)
		}
	}
	c.subs = kept
	if len(c.own)+len(c.subs) == 0 {
		return &gramCond{op: neutral}
	}
	return c
}

// grams appends every gram that c tests to out.
func (c *gramCond) grams(out []gram) []gram {
	out = append(out, c.own...)
	for _, s := range c.subs {
		out = s.grams(out)
	}
	return out
}

// inSet reports whether a file whose grams are the set held satisfies c.
func (c *gramCond) inSet(held map[gram]bool) bool {
	switch c.op {
	case matchAll:
		return true
	case matchNone:
		return false
	}
	stop := c.op == matchOr // the operand that decides the result
	for _, g := range c.own {
		if held[g] == stop {
			return stop
		}
	}
	for _, s := range c.subs {
		if s.inSet(held) == stop {
			return stop
		}
	}
	return !stop
}

// inSegment returns the files of a segment that satisfy c. sets maps each gram
// to the files that contain it. Bits past the last file may be set.
func (c *gramCond) inSegment(sets map[gram]*ordinals) (out ordinals) {
	and := c.op == matchAnd
	if and || c.op == matchAll {
		for i := range out {
			out[i] = ^uint64(0)
		}
	}
	merge := func(s *ordinals) {
		for i := range out {
			if and {
				out[i] &= s[i]
			} else {
				out[i] |= s[i]
			}
		}
	}
	if c.op == matchAnd || c.op == matchOr {
		none := &ordinals{}
		for _, g := range c.own {
			if s, ok := sets[g]; ok {
				merge(s)
			} else {
				merge(none)
			}
		}
		for _, s := range c.subs {
			set := s.inSegment(sets)
			merge(&set)
		}
	}
	return out
}
