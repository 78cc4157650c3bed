package l1fts

import (
	"fmt"
	"regexp/syntax"
	"unicode"

	"github.com/google/codesearch/index"
)

// Regex is a regular expression for single lines, in RE2 syntax: ^ and $ are
// the ends of the line, \w, \d, \b and \s are ASCII, and case matters unless
// (?i). As in ripgrep, bytes that are not UTF-8 match nothing. An "\r" before the end of a line may
// be matched, as by ripgrep, or ends the line, as with ripgrep's --crlf: `;\r$` and `;$` match "x;\r\n".
type Regex struct {
	source string
	match  expression
	// strict is match, rewritten so that it never matches the character invalidByte. It is used
	// only for lines with bytes that are not UTF-8, which invalidByte then replaces.
	strict expression
	// prefilter selects the lines that may match; nil selects all of them.
	prefilter *prefilter
	query     *index.Query
}

// String returns the expression as written.
func (r *Regex) String() string { return r.source }

const (
	// maxRegex is the largest length in bytes of a regular expression, since the time to match it
	// grows with its length.
	maxRegex = 1000
	// invalidByte replaces a byte that is not UTF-8 in a line. It is a Unicode
	// noncharacter, which real text does not contain.
	invalidByte = '\ufdd0'
)

// compileRegex compiles an expression. It returns an error if the expression is
// too long, invalid, or requires a newline.
func compileRegex(source string) (*Regex, error) {
	if len(source) > maxRegex {
		return nil, fmt.Errorf("%d bytes are more than the %d that an expression may have", len(source), maxRegex)
	}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil, err
	}
	if needsNewline(tree) {
		return nil, fmt.Errorf("it asks for a newline, and lines are matched one by one")
	}
	regex := &Regex{source: source}
	if regex.match, err = compile(source); err != nil {
		return nil, err
	}
	regex.prefilter = prefilterOf(tree)
	regex.query = index.RegexpQuery(tree.Simplify())
	strict, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil, err
	}
	without(strict, invalidByte)
	if regex.strict, err = compile(strict.String()); err != nil {
		return nil, fmt.Errorf("rewrite as %s: %w", strict, err)
	}
	return regex, nil
}

// needsNewline reports whether the expression contains a newline, as a literal or as a class of
// that character alone.
func needsNewline(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		for _, c := range re.Rune {
			if c == '\n' {
				return true
			}
		}
	case syntax.OpCharClass:
		return len(re.Rune) == 2 && re.Rune[0] == '\n' && re.Rune[1] == '\n'
	}
	for _, sub := range re.Sub {
		if needsNewline(sub) {
			return true
		}
	}
	return false
}

// without removes the character r from every character class of the tree.
func without(re *syntax.Regexp, r rune) {
	switch re.Op {
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		re.Op = syntax.OpCharClass
		re.Rune = []rune{0, r - 1, r + 1, unicode.MaxRune}
	case syntax.OpCharClass:
		var out []rune
		for i := 0; i+1 < len(re.Rune); i += 2 {
			lo, hi := re.Rune[i], re.Rune[i+1]
			if r < lo || r > hi {
				out = append(out, lo, hi)
				continue
			}
			if lo < r {
				out = append(out, lo, r-1)
			}
			if r < hi {
				out = append(out, r+1, hi)
			}
		}
		re.Rune = out
		if len(out) == 0 {
			re.Op = syntax.OpNoMatch
		}
	}
	for _, sub := range re.Sub {
		without(sub, r)
	}
}
