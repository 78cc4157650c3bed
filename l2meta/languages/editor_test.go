package languages_test

import (
	"fmt"
	"go/build"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// editor changes a workspace at random.
type editor struct {
	dir   string
	rnd   *rand.Rand
	first map[string]string // path → initial text
}

// addTraps writes the decoys of a language, which exercise all of its rules.
func (e *editor) addTraps(t *testing.T, language string) { e.addPart(t, language, 0, 1) }

// addPart writes those decoys of a language whose number modulo parts equals part.
func (e *editor) addPart(t *testing.T, language string, part, parts int) {
	t.Helper()
	traps, err := filepath.Glob(filepath.Join("*", "testdata", "decoys", language, "*.txtar"))
	if err != nil || len(traps) == 0 {
		t.Fatalf("no decoys of %s: %v", language, err)
	}
	for i, trap := range traps {
		if i%parts != part || strings.HasSuffix(trap, "fifty.txtar") { // one form, many times
			continue
		}
		text, err := os.ReadFile(trap)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(text).Files {
			e.put(t, filepath.Join(language, strings.TrimSuffix(filepath.Base(trap), ".txtar"), f.Name), string(f.Data))
		}
	}
}

// maxReal bounds the real files of a language, and their size in bytes.
const maxReal, maxRealBytes = 15, 12_000

// addReal copies a directory of real files: packages of Go's library and, if there is a corpus,
// files of the language.
func (e *editor) addReal(t *testing.T, language string) {
	t.Helper()
	if language == "go" {
		for _, p := range []string{"container/list", "container/heap", "path", "text/tabwriter", "errors"} {
			e.copyTree(t, filepath.Join(build.Default.GOROOT, "src", p), filepath.Join("go", "std", p), ".go")
		}
	}
	corpus := os.Getenv("SEXTANT_CORPUS")
	lock, err := os.ReadFile(filepath.Join("..", "..", "testdata", "corpus.lock"))
	if corpus == "" || err != nil {
		return
	}
	for line := range strings.Lines(string(lock)) {
		if f := strings.Split(line, "\t"); len(f) > 1 && f[0] == language {
			name := strings.Replace(f[1], "/", "+", 1)
			e.copyTree(t, filepath.Join(corpus, name), filepath.Join(language, "real", name), "")
		}
	}
}

func (e *editor) copyTree(t *testing.T, from, to, extension string) {
	t.Helper()
	count := 0
	filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" || count >= maxReal {
			return fs.SkipDir
		}
		rel, _ := filepath.Rel(from, path)
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() && info.Size() < maxRealBytes &&
			strings.HasSuffix(path, extension) {
			if text, err := os.ReadFile(path); err == nil {
				e.put(t, filepath.Join(to, rel), string(text))
				count++
			}
		}
		return nil
	})
}

func (e *editor) put(t *testing.T, path, text string) {
	t.Helper()
	if _, ok := e.first[path]; !ok {
		e.first[path] = text
	}
	full := filepath.Join(e.dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return // there is a file at the path of a directory
	}
	if info, err := os.Stat(full); err == nil && info.IsDir() {
		return
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (e *editor) files(t *testing.T) (out []string) {
	t.Helper()
	err := filepath.WalkDir(e.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, _ := filepath.Rel(e.dir, path)
			out = append(out, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func pick[T any](e *editor, from []T) T { return from[e.rnd.IntN(len(from))] }

var (
	word     = regexp.MustCompile(`[A-Za-z_][A-Za-z_0-9]{2,}`)
	typeName = regexp.MustCompile(`\b[A-Z][A-Za-z0-9]*\b`)
	brings   = regexp.MustCompile(
		`(?m)^.*\b(import|require|require_relative|use|using|from|include|source|mod|package|namespace)\b.*$`)
	manifests = regexp.MustCompile(
		`(^|/)(go\.mod|go\.work|package\.json|tsconfig\.json|Cargo\.toml|pyproject\.toml|pom\.xml|Gemfile|composer\.json|__init__\.py)$`)
)

// edit makes one change, and returns a description of it.
func (e *editor) edit(t *testing.T) string {
	t.Helper()
	files := e.files(t)
	path, other := pick(e, files), pick(e, files)
	if e.rnd.IntN(6) == 0 {
		if m := slices.DeleteFunc(slices.Clone(files), func(p string) bool {
			return !manifests.MatchString(p)
		}); len(m) > 0 {
			path = pick(e, m)
		}
	}
	text, err := os.ReadFile(filepath.Join(e.dir, path))
	if err != nil {
		t.Fatal(err)
	}
	switch n := e.rnd.IntN(12); n {
	case 0:
		os.Remove(filepath.Join(e.dir, path))
		return "delete " + path
	case 1, 2:
		to := e.place(path, other)
		e.put(t, to, string(text))
		if n == 1 {
			os.Remove(filepath.Join(e.dir, path))
		}
		return fmt.Sprintf("copy or move (%d) %s to %s", n, path, to)
	case 3:
		old := pick(e, slices.Sorted(keys(e.first)))
		e.put(t, old, e.first[old])
		return "restore " + old
	default:
		after, what := e.rewrite(t, n, string(text), other)
		e.put(t, path, after)
		return what + " in " + path
	}
}

func keys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// place returns a new path for a file: beside another one, or under another name.
func (e *editor) place(path, other string) string {
	if e.rnd.IntN(2) == 0 {
		return filepath.Join(filepath.Dir(other), filepath.Base(path))
	}
	return filepath.Join(filepath.Dir(path), "x"+strconv.Itoa(e.rnd.IntN(3))+filepath.Ext(path))
}

// rewrite changes a text in the n-th way, and returns a description of the change.
func (e *editor) rewrite(t *testing.T, n int, text, other string) (after, what string) {
	t.Helper()
	theirs, err := os.ReadFile(filepath.Join(e.dir, other))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(text, "\n")
	switch n {
	case 4: // rename: the name then refers to nothing or to something else
		if names := word.FindAllString(text, -1); len(names) > 0 {
			from := pick(e, names)
			to := from + "2"
			if more := word.FindAllString(string(theirs), -1); len(more) > 0 && e.rnd.IntN(2) == 0 {
				to = pick(e, more)
			}
			return regexp.MustCompile(`\b`+from+`\b`).ReplaceAllString(text, to), "rename " + from + " to " + to
		}
	case 5: // replace a type in one place
		if spots := typeName.FindAllStringIndex(text, -1); len(spots) > 0 {
			at, to := pick(e, spots), text
			if names := typeName.FindAllString(text+string(theirs), -1); len(names) > 0 {
				to = pick(e, names)
			}
			return text[:at[0]] + to + text[at[1]:], "type " + to
		}
	case 6, 7: // replace or remove an import
		if spots := brings.FindAllStringIndex(text, -1); len(spots) > 0 {
			at, to := pick(e, spots), ""
			if more := brings.FindAllString(string(theirs), -1); len(more) > 0 && n == 6 {
				to = pick(e, more)
			}
			return text[:at[0]] + to + text[at[1]:], "import " + to
		}
	case 8: // repeat a line: a second declaration, or one that hides another
		i := e.rnd.IntN(len(lines))
		return strings.Join(slices.Insert(slices.Clone(lines), e.rnd.IntN(len(lines)), lines[i]), ""),
			"repeat " + lines[i]
	case 9:
		i := e.rnd.IntN(len(lines))
		return strings.Join(slices.Delete(slices.Clone(lines), i, i+1), ""), "delete " + lines[i]
	case 10: // bind a name of the file to something else
		if names := word.FindAllString(text, -1); len(names) > 0 {
			line := fmt.Sprintf(pick(e, []string{"%s = 1\n", "let %s = 1;\n", "%s := 1\n", "var %s = 1;\n",
				"int %s = 1;\n", "$%s = 1;\n"}), pick(e, names))
			return strings.Join(slices.Insert(slices.Clone(lines), e.rnd.IntN(len(lines)), line), ""), "shadow " + line
		}
	}
	if n == 11 { // the text of another file
		return string(theirs), "the text of " + other
	}
	return text + "\n", "a line"
}
