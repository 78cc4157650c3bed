package workspace

import (
	"bytes"
	"strings"
)

// verdict is the decision of a list of rules about a path.
type verdict uint8

const (
	silent verdict = iota // no pattern matches
	ignore
	include // the last match is a negated pattern
)

// ruleList holds the patterns of one rule file or setting, relative to one directory. It is not
// modified.
type ruleList struct {
	base string // directory of the list, relative to the root; "" is the root
	lift string // for a list from above the root: the path from its directory down to the root, with a final "/"

	patterns []pattern
	// named maps a bare name, such as node_modules, to the indexes of the patterns that are just
	// this name; rest holds the indexes of the other patterns. In both, a later pattern has
	// precedence. Most patterns of real files are bare names, and with the map they cost one
	// look-up for each path.
	named map[string][]int
	rest  []int
}

// maxRuleBytes and maxRules bound one rule file; what exceeds them is dropped.
// The largest file in public collections has some 400 lines.
const (
	maxRuleBytes = 1 << 20
	maxRules     = 20000
)

// parseRules parses an ignore file. It returns nil if there are no patterns.
func parseRules(text []byte, base string) *ruleList {
	text = bytes.TrimPrefix(text[:min(len(text), maxRuleBytes)], []byte("\xef\xbb\xbf"))
	var lines []string
	for line := range strings.SplitSeq(string(text), "\n") {
		lines = append(lines, strings.TrimSuffix(line, "\r"))
	}
	return newRuleList(lines, base)
}

// newRuleList compiles the lines of an ignore file. It returns nil if there are
// no patterns.
func newRuleList(lines []string, base string) *ruleList {
	list := &ruleList{base: base}
	for _, line := range lines {
		if len(list.patterns) == maxRules {
			break
		}
		p, ok := parsePattern(line)
		if !ok {
			continue
		}
		i := len(list.patterns)
		list.patterns = append(list.patterns, p)
		if !p.anchored && len(p.tokens) == 0 {
			if list.named == nil {
				list.named = map[string][]int{}
			}
			list.named[p.prefix] = append(list.named[p.prefix], i)
		} else {
			list.rest = append(list.rest, i)
		}
	}
	if len(list.patterns) == 0 {
		return nil
	}
	return list
}

// match returns what the last pattern that matches decides. path is relative to
// the root and below l.base; name is its base name.
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

// relative returns path, relative to the directory of the list.
func (l *ruleList) relative(path string) string {
	if l.lift != "" {
		return l.lift + path
	}
	if l.base != "" {
		return path[len(l.base)+1:]
	}
	return path
}
