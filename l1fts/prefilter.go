package l1fts

import (
	"bytes"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// prefilter is a set of literals such that every match of a regular expression
// contains at least one of them. Go's engine then runs only on the lines that
// contain one.
type prefilter struct {
	literals [][]byte
	fold     bool // whether to ignore ASCII case; the literals are then lower-case ASCII
}

const (
	// maxLiterals is the largest number of literals in a prefilter; each costs a scan of the
	// text.
	maxLiterals = 8
	// minLiteral is the length below which a literal occurs on nearly every line.
	minLiteral = 2
)

// prefilterOf returns the best prefilter for the expression, nil if there is
// none.
func prefilterOf(re *syntax.Regexp) *prefilter {
	p := required(re)
	if p == nil || p.shortest() < minLiteral {
		return nil
	}
	if p.fold {
		for i, l := range p.literals {
			p.literals[i] = bytes.ToLower(l)
		}
	}
	return p
}

// required returns literals such that every match of re contains at least one
// of them, or nil if it finds none.
func required(re *syntax.Regexp) *prefilter {
	switch re.Op {
	case syntax.OpLiteral:
		p := &prefilter{literals: [][]byte{[]byte(string(re.Rune))}, fold: re.Flags&syntax.FoldCase != 0}
		if p.fold && !ascii(p.literals[0]) {
			return nil
		}
		return p
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var best *prefilter
		for _, sub := range re.Sub {
			if p := required(sub); p != nil && (best == nil || p.value() > best.value()) {
				best = p
			}
		}
		return best
	case syntax.OpAlternate:
		return requiredOfAny(re.Sub)
	}
	return nil
}

// requiredOfAny returns the union of the required literals of subs, the branches of an alternation.
// It returns nil if some branch requires none, or if there are too many.
func requiredOfAny(subs []*syntax.Regexp) *prefilter {
	all := &prefilter{}
	for _, sub := range subs {
		p := required(sub)
		if p == nil || len(all.literals)+len(p.literals) > maxLiterals {
			return nil
		}
		all.literals = append(all.literals, p.literals...)
		all.fold = all.fold || p.fold
	}
	if all.fold && slices.ContainsFunc(all.literals, func(l []byte) bool { return !ascii(l) }) {
		return nil
	}
	return all
}

// shortest returns the length in bytes of the shortest literal.
func (p *prefilter) shortest() int {
	n := len(p.literals[0])
	for _, l := range p.literals {
		n = min(n, len(l))
	}
	return n
}

// value estimates how selective p is: long literals and few of them are best.
func (p *prefilter) value() int { return 2*p.shortest() - len(p.literals) }

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// foldsToASCII lists the characters beyond ASCII that match an ASCII letter if
// case is ignored: long s and the Kelvin sign.
var foldsToASCII = [][]byte{[]byte("ſ"), []byte("K")}

// eachLine calls fn for the lines of text that may match, in order, with their
// 1-based number and without their newline, until fn returns false. A nil p selects all lines.
func (p *prefilter) eachLine(text []byte, fn func(line int, text []byte) bool) {
	where := text // text or, if case is ignored, its lower case with the same offsets
	if p != nil && p.fold {
		if slices.ContainsFunc(foldsToASCII, func(s []byte) bool { return bytes.Contains(text, s) }) {
			p = nil
		} else {
			where = lowerASCII(text)
		}
	}
	var next []int // offset in where of each literal's next occurrence, len(where) for none
	if p != nil {
		next = make([]int, len(p.literals))
		for i := range next {
			next[i] = -1
		}
	}
	for line, at := 1, 0; at < len(text); line++ {
		if p != nil {
			hit := p.advance(where, at, next)
			if hit == len(where) {
				return
			}
			start := bytes.LastIndexByte(text[at:hit], '\n') + 1 + at
			line += bytes.Count(text[at:start], newline)
			at = start
		}
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at
		}
		if !fn(line, text[at:at+end]) {
			return
		}
		at += end + 1
	}
}

// advance returns the offset of the first literal at or after offset at,
// len(where) if there is none. next caches the next offset of each literal.
func (p *prefilter) advance(where []byte, at int, next []int) int {
	first := len(where)
	for i, l := range p.literals {
		if next[i] < at {
			n := bytes.Index(where[at:], l)
			if n < 0 {
				n = len(where) - at
			}
			next[i] = at + n
		}
		first = min(first, next[i])
	}
	return first
}

// lowerASCII returns a copy of text with A to Z in lower case. All offsets stay the same.
func lowerASCII(text []byte) []byte {
	out := make([]byte, len(text))
	for i, c := range text {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		out[i] = c
	}
	return out
}
