package workspace

import (
	"bytes"
	"strings"
)

// verdict is what a list of patterns says of a path.
type verdict uint8

const (
	silent verdict = iota
	ignore
	include // a negated pattern matched last
)

// ruleList is the patterns of one source, relative to one directory.
// Immutable once made.
type ruleList struct {
	base string // directory of the list, relative to the root; "" is the root
	lift string // for a list above the root: the root relative to it, with a final "/"

	patterns []pattern
	// named finds the patterns that are a bare name, rest holds all others;
	// both in ascending order of precedence. Most patterns of real files are
	// bare names, and a map keeps their number out of the cost of a path.
	named map[string][]int
	rest  []int
}

// maxRuleBytes and maxRules bound one rule file. The largest of the public
// collections has some 400 lines; what exceeds the bounds is not used.
const (
	maxRuleBytes = 1 << 20
	maxRules     = 20000
)

// parseRules reads the lines of an ignore file; nil when none has a pattern.
func parseRules(text []byte, base string) *ruleList {
	text = bytes.TrimPrefix(text[:min(len(text), maxRuleBytes)], []byte("\xef\xbb\xbf"))
	var lines []string
	for line := range strings.SplitSeq(string(text), "\n") {
		lines = append(lines, strings.TrimSuffix(line, "\r"))
	}
	return newRuleList(lines, base)
}

func newRuleList(lines []string, base string) *ruleList {
	l := &ruleList{base: base}
	for _, line := range lines {
		if len(l.patterns) == maxRules {
			break
		}
		p, ok := parsePattern(line)
		if !ok {
			continue
		}
		i := len(l.patterns)
		l.patterns = append(l.patterns, p)
		if !p.anchored && len(p.tokens) == 0 {
			if l.named == nil {
				l.named = map[string][]int{}
			}
			l.named[p.prefix] = append(l.named[p.prefix], i)
		} else {
			l.rest = append(l.rest, i)
		}
	}
	if len(l.patterns) == 0 {
		return nil
	}
	return l
}

// match is the verdict of the last matching pattern. path is relative to the
// root and lies below l.base; name is its last step.
func (l *ruleList) match(path, name string, isDir bool) verdict {
	if l == nil {
		return silent
	}
	best := -1
	byName := l.named[name]
	for k := len(byName) - 1; k >= 0; k-- {
		if i := byName[k]; isDir || !l.patterns[i].dirOnly {
			best = i
			break
		}
	}
	rel := ""
	for k := len(l.rest) - 1; k >= 0 && l.rest[k] > best; k-- {
		p := &l.patterns[l.rest[k]]
		if p.dirOnly && !isDir {
			continue
		}
		s := name
		if p.anchored {
			if rel == "" {
				rel = l.relative(path)
			}
			s = rel
		}
		if p.match(s) {
			best = l.rest[k]
			break
		}
	}
	switch {
	case best < 0:
		return silent
	case l.patterns[best].negate:
		return include
	}
	return ignore
}

func (l *ruleList) relative(path string) string {
	if l.lift != "" {
		return l.lift + path
	}
	if l.base != "" {
		return path[len(l.base)+1:]
	}
	return path
}
