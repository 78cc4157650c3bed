package jit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
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
		"b.dat": "\x00\x01", "id_rsa": "x\n",
		"rates.csv": "version https://git-lfs.github.com/spec/v1\noid sha256:" +
			strings.Repeat("0a", 32) + "\nsize 12\n"} {
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
		"id_rsa": {ErrNotIndexed, "secret"}, "rates.csv": {ErrNotIndexed, "lfs_pointer"},
	} {
		text, row, err := w.r.ReadUnindexed(p)
		if !errors.Is(err, want.err) || row.Skip != want.skip || err == nil && string(text) != "func fresh\n" {
			t.Errorf("%s: %q, skip %q, %v; want %q, %v", p, text, row.Skip, err, want.skip, want.err)
		}
	}
}

// TestReadersOfIndexedFilesMask checks that credentials are masked in texts that the index has, which are only
// searched for credentials again if they have changed, and in texts that it does not have yet.
func TestReadersOfIndexedFilesMask(t *testing.T) {
	token, masked := "ghp_"+strings.Repeat("aB3", 12), "ghp_"+strings.Repeat("*", 36)
	w := newWorld(t, map[string]string{"clean.go": "func a\n", "token.go": "func a " + token + "\n"}, nil)
	read := func(path, want string, wantAs error) {
		t.Helper()
		if text, err := w.r.ReadNow(path, nil); err != nil || string(text) != want {
			t.Errorf("ReadNow(%s) = %q, %v; want %q", path, text, err, want)
		}
		var row FileRow
		w.must(w.r.View(t.Context(), func(v *View) (err error) {
			row, _, err = v.File(t.Context(), path)
			return err
		}))
		text, err := w.r.ReadAs(path, row.Hash)
		if !errors.Is(err, wantAs) || err == nil && string(text) != want {
			t.Errorf("ReadAs(%s) = %q, %v; want %q, %v", path, text, err, want, wantAs)
		}
	}
	read("clean.go", "func a\n", nil)
	read("token.go", "func a "+masked+"\n", nil)
	w.write("clean.go", "func b "+token+"\n")
	w.write("token.go", "func a "+masked+"\n") // the same text, once it is masked
	read("clean.go", "func b "+masked+"\n", ErrMoved)
	read("token.go", "func a "+masked+"\n", nil)
}

// TestTooLarge checks which files that are skipped for their size are listed: those of text that the caller asks
// for, of many the first.
func TestTooLarge(t *testing.T) {
	w := newWorld(t, map[string]string{"a.go": "func a\n"}, nil)
	long := strings.Repeat("func d\n", 300)
	w.write("b.go", long)
	w.write("a.py", long)
	w.write("c.go", "\x00"+long)
	for i := range maxPeeks {
		w.write(fmt.Sprintf("many/f%03d.go", i), long)
	}
	r, err := w.rs.Track(t.Context(), w.dir, Policy{MaxFileBytes: 1000})
	w.must(err)
	w.must(r.Build(t.Context(), "reindex", nil))
	only := func(end string) func(string, string) bool {
		return func(path, _ string) bool { return strings.HasSuffix(path, end) }
	}
	got := r.TooLarge(only(".go"))
	if len(got) != maxPeeks-1 || got[0] != "b.go" || got[len(got)-1] != "many/f097.go" {
		t.Errorf("%d files of Go: %q", len(got), got)
	}
	if got := r.TooLarge(only(".py")); !slices.Equal(got, []string{"a.py"}) {
		t.Errorf("files of Python: %q", got)
	}
}
