package gitobject

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// TestDifferences checks what a difference makes of an object, and that a damaged one is an error.
func TestDifferences(t *testing.T) {
	base := []byte("0123456789")
	large := bytes.Repeat([]byte("x"), 1<<16)
	for _, c := range []struct {
		name       string
		base, diff string
		limit      int64
		want       string
		err        error
	}{
		{"own bytes", string(base), "\x0a\x03\x03abc", 100, "abc", nil},
		{"a copy from the start", string(base), "\x0a\x04\x90\x04", 100, "0123", nil},
		{"a copy from within", string(base), "\x0a\x03\x91\x05\x03", 100, "567", nil},
		{"both", string(base), "\x0a\x05\x91\x08\x02\x03abc", 100, "89abc", nil},
		{"nothing", string(base), "\x0a\x00", 100, "", nil},
		{"a copy without a size", string(large), "\x80\x80\x04\x80\x80\x04\x80", 1 << 17, string(large), nil},
		{"another base", string(base), "\x0b\x03\x03abc", 100, "", errCorrupt},
		{"no sizes", string(base), "", 100, "", errCorrupt},
		{"one size", string(base), "\x0a", 100, "", errCorrupt},
		{"a size without an end", string(base), "\x8a\x80\x80\x80\x80\x80\x80\x80\x00", 100, "", errCorrupt},
		{"too large", string(base), "\x0a\x03\x03abc", 2, "", ErrTooLarge},
		{"just large enough", string(base), "\x0a\x03\x03abc", 3, "abc", nil},
		{"command 0", string(base), "\x0a\x03\x00", 100, "", errCorrupt},
		{"own bytes cut off", string(base), "\x0a\x03\x03ab", 100, "", errCorrupt},
		{"a copy cut off", string(base), "\x0a\x03\x91\x05", 100, "", errCorrupt},
		{"a copy beyond the base", string(base), "\x0a\x03\x91\x08\x03", 100, "", errCorrupt},
		{"a copy from behind the base", string(base), "\x0a\x01\x91\x0b\x01", 100, "", errCorrupt},
		{"more than its size", string(base), "\x0a\x02\x03abc", 100, "", errCorrupt},
		{"less than its size", string(base), "\x0a\x04\x03abc", 100, "", errCorrupt},
	} {
		got, err := apply([]byte(c.base), []byte(c.diff), c.limit)
		if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) || string(got) != c.want {
			t.Errorf("%s: %.20q, %v; want %.20q, %v", c.name, got, err, c.want, c.err)
		}
	}
}

// TestBasesAreHeldWithinBounds checks which objects are held for differences to them.
func TestBasesAreHeldWithinBounds(t *testing.T) {
	var c baseCache
	c.put(place{at: 1}, kindTree, []byte("tree"))
	c.put(place{at: 2}, kindTree, nil)
	c.put(place{at: 3}, kindTree, make([]byte, maxOneHeld+1))
	c.put(place{at: 1}, kindBlob, []byte("other"))
	if k, text := c.get(place{at: 1}); k != kindTree || string(text) != "tree" || len(c.held) != 1 || c.bytes != 4 {
		t.Errorf("%v %q; %d objects, %d bytes", k, text, len(c.held), c.bytes)
	}
	for i := range maxCached/maxOneHeld + 1 {
		c.put(place{at: int64(10 + i)}, kindBlob, make([]byte, maxOneHeld))
	}
	if _, text := c.get(place{at: 1}); text != nil || c.bytes > maxCached || len(c.held) > maxCached/maxOneHeld {
		t.Errorf("%d objects, %d bytes are held", len(c.held), c.bytes)
	}
}

func TestHeadersOfCommits(t *testing.T) {
	for who, want := range map[string]int64{"A B <a@b> 1700000000 +0100": 1700000000, "<a@b> 5 +0000": 5,
		"nobody": 0, "": 0,
		"A B": 0} {
		if got := dateOf(who); got != want {
			t.Errorf("%q: %d, want %d", who, got, want)
		}
	}
	text := []byte("object " + strings.Repeat("a", 40) + "\ntype commit\n\nobject in the message\n")
	if v, ok := field(text, "type"); !ok || v != "commit" {
		t.Errorf("type %q", v)
	}
	if v, ok := field(text, "in"); ok {
		t.Errorf("a word of the message is a header: %q", v)
	}
}

// TestUnborn checks that a new repository has a branch without commits, until it has one.
func TestUnborn(t *testing.T) {
	r := newRepo(t)
	if s := r.open(); !s.Unborn() {
		t.Error("a new repository has a commit")
	}
	r.history(0, 1)
	if s := r.open(); s.Unborn() {
		t.Error("after a commit there is none")
	}
	r.git("checkout", "-q", "--detach")
	if s := r.open(); s.Unborn() {
		t.Error("a detached HEAD is a branch without commits")
	}
}
