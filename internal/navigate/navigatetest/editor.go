package navigatetest

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Editor changes the files of a workspace at random, for tests that compare the answers of an index
// that followed the edits with those of a new index.
type Editor struct {
	Count int // number of edits so far
	rnd   *rand.Rand
	first map[string]string // all files as they were at first
	live  *Bench
}

// NewEditor returns an editor of the workspace of live. The map first holds its files, from path to text.
func NewEditor(live *Bench, first map[string]string, rnd *rand.Rand) *Editor {
	return &Editor{rnd: rnd, first: first, live: live}
}

// Edits makes one or several random edits and returns their descriptions.
func (e *Editor) Edits() []string {
	what := []string{e.edit()}
	for e.rnd.IntN(3) == 0 {
		what = append(what, e.edit())
	}
	return what
}

// Number returns the number that an environment variable holds, or otherwise.
func Number(variable string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return otherwise
}

// Difference returns the first lines in which the answer of an index that followed edits differs from that of a
// new one.
func Difference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	cut := func(s []string) string { return strings.Join(s[max(0, min(i-8, len(s))):min(i+12, len(s))], "\n") }
	return fmt.Sprintf("the updated index says\n%s\na new index says\n%s", cut(a), cut(b))
}

// Texts returns the text files below dir, from path to text, without git's own.
func Texts(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		if !bytes.ContainsRune(text, 0) {
			files[rel] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Files returns the paths of all files, sorted.
func (e *Editor) Files() (out []string) {
	err := filepath.WalkDir(e.live.Dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, _ := filepath.Rel(e.live.Dir, name)
			out = append(out, rel)
		}
		return err
	})
	if err != nil {
		e.live.T.Fatal(err)
	}
	return out
}

func (e *Editor) read(file string) string {
	text, err := os.ReadFile(filepath.Join(e.live.Dir, file))
	if err != nil {
		e.live.T.Fatal(err)
	}
	return string(text)
}

var (
	literals = regexp.MustCompile(`"[^"\n]{1,60}"|'[^'\n]{1,60}'`)
	numbers  = regexp.MustCompile(`\b\d{2,5}\b`)
	names    = regexp.MustCompile(`[A-Za-z_]\w{3,}`)
)

// edit makes one random edit and returns its description. A change that a file does not allow returns "";
// another file then gets its first text back.
func (e *Editor) edit() string {
	e.Count++
	files := e.Files()
	file, other := files[e.rnd.IntN(len(files))], files[e.rnd.IntN(len(files))]
	changes := []func(file, other string) string{e.exchange, e.exchange, e.line, e.line, e.move, e.restore, e.restore,
		e.folder, e.rules}
	if what := changes[e.rnd.IntN(len(changes))](file, other); what != "" {
		return what
	}
	return e.restore(file, other)
}

// exchange replaces a literal, a number or a name of a file by one of another file.
func (e *Editor) exchange(file, other string) string {
	kind := []*regexp.Regexp{literals, literals, numbers, names}[e.rnd.IntN(4)]
	text := e.read(file)
	at, by := kind.FindAllStringIndex(text, -1), kind.FindAllString(e.read(other), -1)
	if len(at) == 0 || len(by) == 0 {
		return ""
	}
	span, with := at[e.rnd.IntN(len(at))], by[e.rnd.IntN(len(by))]
	e.live.Write(file, text[:span[0]]+with+text[span[1]:])
	return fmt.Sprintf("%s: %s for %s", file, with, text[span[0]:span[1]])
}

// line deletes or repeats a line, or adds one of another file.
func (e *Editor) line(file, other string) string {
	lines := strings.SplitAfter(e.read(file), "\n")
	from := lines
	if path.Ext(other) == path.Ext(file) {
		from = strings.SplitAfter(e.read(other), "\n")
	}
	at, gone := e.rnd.IntN(len(lines)), e.rnd.IntN(2)
	var added []string
	if gone == 0 {
		added = []string{from[e.rnd.IntN(len(from))]}
	}
	e.live.Write(file, strings.Join(slices.Concat(lines[:at], added, lines[at+gone:]), ""))
	return fmt.Sprintf("%s:%d: %d lines gone, added %q", file, at+1, gone, added)
}

// move moves a file into another's folder, or deletes it.
func (e *Editor) move(file, other string) string {
	from := filepath.Join(e.live.Dir, file)
	to := path.Join(path.Dir(other), path.Base(file))
	if e.rnd.IntN(3) == 0 {
		e.try(os.Remove(from))
		return "removed " + file
	}
	e.try(os.Rename(from, filepath.Join(e.live.Dir, to)))
	return "moved " + file + " to " + to
}

// restore gives a file its first text, even if it was deleted.
func (e *Editor) restore(_, _ string) string {
	var all []string
	for file := range e.first {
		all = append(all, file)
	}
	slices.Sort(all)
	file := all[e.rnd.IntN(len(all))]
	if info, err := os.Stat(filepath.Join(e.live.Dir, path.Dir(file))); err == nil && !info.IsDir() {
		return ""
	}
	e.live.Write(file, e.first[file])
	return "restored " + file
}

// folder renames the folder of a file.
func (e *Editor) folder(file, _ string) string {
	dir := path.Dir(file)
	if dir == "." {
		return ""
	}
	to := path.Join(path.Dir(dir), fmt.Sprintf("renamed%d", e.Count))
	e.try(os.Rename(filepath.Join(e.live.Dir, dir), filepath.Join(e.live.Dir, to)))
	return "renamed " + dir + " to " + to
}

// rules writes an ignore file, or another declaration into the sextant.toml.
func (e *Editor) rules(file, other string) string {
	if e.rnd.IntN(2) == 0 {
		ignored := []string{file, path.Dir(other) + "/", "*" + path.Ext(file), "sextant.toml", ""}[e.rnd.IntN(5)]
		e.live.Write(".gitignore", ignored+"\n")
		return "ignored " + ignored
	}
	called := names.FindAllString(e.read(file), -1)
	if len(called) == 0 {
		return ""
	}
	function := called[e.rnd.IntN(len(called))]
	transport := []string{"transport = \"http\"\nmethod = \"GET\"\npath = 0\n", "transport = \"publish\"\ntopic = 0\n",
		"transport = \"consume\"\ntopic = 0\nhandler = 1\n"}[e.rnd.IntN(3)]
	e.live.Write("sextant.toml", fmt.Sprintf("[[declare]]\nfunction = %q\n%s", function, transport))
	return fmt.Sprintf("declared %s, %q", function, transport)
}

func (e *Editor) try(err error) {
	if err != nil {
		e.live.T.Helper()
		e.live.T.Fatal(err)
	}
}
