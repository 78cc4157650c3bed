package typescript_test

import (
	"strings"
	"testing"

	"sextant/l2meta/languages"
)

// A long chain of short calls takes steps by its length: all of it is read.
func TestLongChain(t *testing.T) {
	const links = 1000
	f, err := languages.Extract("a.js", []byte("x = a"+strings.Repeat(".b()", links)+";\n"))
	if err != nil || len(f.Calls) != links {
		t.Errorf("%d calls of %d, %v", len(f.Calls), links, err)
	}
}
