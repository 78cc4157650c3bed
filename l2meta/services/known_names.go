package services

import (
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
)

// nameTest tests names by a regular expression. It remembers the results, since a few names, such as get, occur in
// most files. It is safe for concurrent use.
type nameTest struct {
	pattern *regexp.Regexp
	known   sync.Map // name → bool
	size    atomic.Int64
}

// maxKnown bounds the names that a nameTest remembers. 3,454 files of Go have 418,729 calls of 24,212 names; the most
// frequent 16,384 names are those of 98 % of the calls.
const maxKnown = 1 << 14

func newNameTest(pattern string) *nameTest { return &nameTest{pattern: regexp.MustCompile(pattern)} }

// MatchString reports whether the expression matches name.
func (t *nameTest) MatchString(name string) bool {
	if is, ok := t.known.Load(name); ok {
		return is.(bool)
	}
	is := t.pattern.MatchString(name)
	if t.size.Load() < maxKnown {
		if _, had := t.known.LoadOrStore(strings.Clone(name), is); !had { // name may be a part of a whole file
			t.size.Add(1)
		}
	}
	return is
}
