package rules_test

import (
	"strings"
	"testing"

	"sextant/l2meta/languages"
)

// TestLongChain checks that a long chain of short calls is read completely, in linear time.
func TestLongChain(t *testing.T) {
	const links = 1000
	f, err := languages.Extract("a.js", []byte("x = a"+strings.Repeat(".b()", links)+";\n"))
	if err != nil || len(f.Calls) != links {
		t.Errorf("%d calls of %d, %v", len(f.Calls), links, err)
	}
}
