package jit

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// ReadUnindexed returns the text of a file that is not indexed, or says why
// not.
func TestReadUnindexedSaysWhy(t *testing.T) {
	w := newWorld(t, seeds(), nil)
	w.git("-C", w.dir, "init", "-q")
	w.git("-C", w.dir, "init", "-q", "clone")
	w.write(".gitignore", "*.log\n")
	w.sync()
	for p, text := range map[string]string{"new.go": "func fresh\n", "x.log": "x\n", "clone/y.go": "func y\n",
		"b.dat": "\x00\x01", "id_rsa": "x\n"} {
		w.write(p, text)
	}
	w.must(os.Symlink(w.abs("sub"), w.abs("link")))
	for p, want := range map[string]struct {
		err  error
		skip string
	}{
		"new.go": {}, "x.log": {err: ErrIgnored}, "clone/y.go": {err: ErrApart}, "../y.go": {err: ErrOutside},
		"gone.go":                        {err: fs.ErrNotExist},
		strings.Repeat("n", 300) + ".go": {err: fs.ErrNotExist},
		"link/b.go":                      {err: ErrSymlink}, "b.dat": {ErrNotIndexed, "binary"},
		"id_rsa": {ErrNotIndexed, "secret"},
	} {
		text, row, err := w.r.ReadUnindexed(p)
		if !errors.Is(err, want.err) || row.Skip != want.skip || err == nil && string(text) != "func fresh\n" {
			t.Errorf("%s: %q, skip %q, %v; want %q, %v", p, text, row.Skip, err, want.skip, want.err)
		}
	}
}
