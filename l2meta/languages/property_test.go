package languages_test

import (
	"context"
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
	"time"

	"golang.org/x/tools/txtar"

	"sextant/internal/budget"
	"sextant/internal/store"
	"sextant/jit"
	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// editGroups are the languages that share a workspace. The manifests of several languages are side
// by side in it, as in a repository of services.
var editGroups = map[string][]string{
	"go-typescript":    {"go", "typescript", "javascript"},
	"python-ruby-php":  {"python", "ruby", "php", "bash"},
	"java-kotlin":      {"java", "kotlin", "scala"},
	"csharp-rust-cpp":  {"csharp", "rust", "c", "cpp"},
	"go-python-rust":   {"go", "python", "rust"},
	"typescript-ruby":  {"typescript", "ruby", "java"},
	"c-php-javascript": {"c", "php", "javascript", "bash"},
	"elixir-ruby":      {"elixir", "ruby"},
}

// defaultEdits is the number of edits in a workspace; SEXTANT_EDITS sets another.
const defaultEdits = 20

// TestEdgesFollowEdits edits workspaces at random. After every edit it compares all call sites of
// the updated index with those of a new index with an empty cache. It resolves them through a cache
// that saw every earlier state, and reads them from a ledger that followed every edit. It also
// compares the callers in the ledger with those found by searching, of other symbols after every
// edit. SEXTANT_EDITS sets the number of edits in a workspace, SEXTANT_SEED another sequence of
// edits. With SEXTANT_CORPUS, it also uses files of those repositories.
func TestEdgesFollowEdits(t *testing.T) {
	edits := number("SEXTANT_EDITS", defaultEdits)
	if testing.Short() {
		edits = 5
	}
	for name, group := range editGroups {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			followEdits(t, group, rand.New(rand.NewPCG(uint64(number("SEXTANT_SEED", 1)), uint64(len(name)))), edits)
		})
	}
}

func number(variable string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return otherwise
}

func followEdits(t *testing.T, group []string, rnd *rand.Rand, edits int) {
	e := &editor{dir: t.TempDir(), rnd: rnd, first: map[string]string{}}
	for _, l := range group {
		e.addTraps(t, l)
		e.addReal(t, l)
	}
	live := languagetest.Indexed(t, e.dir)
	// One cache has room for a few files at a time, the other for the ledger and little more.
	little := budget.New(400 << 10)
	budgets := []*budget.Budget{little}
	ahead := func() *resolve.Cache {
		more := budget.New(3 << 20)
		budgets = append(budgets, more)
		cache := resolve.NewCache(languages.All, more)
		cache.KeepUnder(func() string { return "this program" })
		return cache
	}
	cache, settled := resolve.NewCache(languages.All, little), ahead()
	settledSites := 0
	for i := range edits {
		what := "nothing"
		if i > 0 {
			what = e.edit(t)
		}
		if _, err := live.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := edges(t, live, cache)
		fresh := languagetest.Indexed(t, e.dir)
		want := edges(t, fresh, resolve.NewCache(languages.All, nil))
		for _, s := range want {
			settledSites += strings.Count(s, " -> ")
		}
		if d := difference(got, want); d != "" {
			t.Fatalf("after edit %d (%s):\n%s", i, what, d)
		}
		if e.rnd.IntN(4) == 0 {
			settled = ahead() // like the next process, which continues with the ledger of this one
		}
		if e.rnd.IntN(2) == 0 {
			// Interrupt settling halfway: the finished part must be correct for this state.
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(e.rnd.IntN(300))*time.Millisecond)
			_ = settled.Settle(ctx, index{live}, nil)
			cancel()
			continue
		}
		settle(t, live, settled)
		if d := difference(edges(t, live, settled), want); d != "" {
			t.Fatalf("settled ahead, after edit %d (%s):\n%s", i, what, d)
		}
		if d := difference(callers(t, live, settled, i), callers(t, live, cache, i)); d != "" {
			t.Fatalf("callers, settled ahead, after edit %d (%s):\n%s", i, what, d)
		}
	}
	for _, b := range budgets {
		if held, limit := b.Held(); held > limit {
			t.Errorf("%d bytes of %d are held", held, limit)
		}
	}
	if settledSites < edits {
		t.Errorf("only %d sites settled in %d states: the property says nothing", settledSites, edits)
	}
}

// edges returns the verdicts of the call sites of every file, by path.
func edges(t *testing.T, root *jit.Root, cache *resolve.Cache) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := root.View(t.Context(), func(v *jit.View) error {
		generation, err := jit.Generation(t.Context(), v)
		if err != nil {
			return err
		}
		ids := map[string]int64{}
		if err := v.Files(t.Context(), func(f store.FileRow) error { ids[f.Path] = f.ID; return nil }); err != nil {
			return err
		}
		r := resolve.New(t.Context(), v, cache, generation)
		for path, id := range ids {
			sites, err := r.Sites(id)
			if err != nil {
				return err
			}
			var b strings.Builder
			for _, s := range sites {
				fmt.Fprintf(&b, "%d:%d %s.%s", s.Call.NameSpan.StartLine, s.Call.NameSpan.StartColumn, s.Call.Receiver, s.Call.Callee)
				if s.Outcome == resolve.Settled {
					fmt.Fprintf(&b, " -> %s:%d %s", s.Target.File.Path, s.Target.Symbol().NameSpan.StartLine, s.Strategy)
				}
				fmt.Fprintf(&b, " %d %s %s\n", s.Outcome, s.Module, s.Reason)
			}
			out[path] = b.String()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// index adapts a root to the interface that the cache requires.
type index struct{ *jit.Root }

func (x index) View(ctx context.Context, fn func(v *store.View, generation int64) error) error {
	return x.Root.View(ctx, func(v *jit.View) error {
		generation, err := jit.Generation(ctx, v)
		if err != nil {
			return err
		}
		return fn(v, generation)
	})
}

func (x index) Keep(ctx context.Context, fn func(tx *store.Tx) error) error {
	return x.Root.Keep(ctx, fn)
}

func (x index) Changed(ctx context.Context, v *store.View, since int64) ([]string, bool, error) {
	return jit.Changed(ctx, v, since)
}

// settle settles every call site ahead of time.
func settle(t *testing.T, root *jit.Root, cache *resolve.Cache) {
	t.Helper()
	if err := cache.Settle(t.Context(), index{root}, nil); err != nil {
		t.Fatal(err)
	}
	err := index{root}.View(t.Context(), func(_ *store.View, generation int64) error {
		if !cache.Settled(generation) {
			t.Fatal("the ledger does not serve")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// callers returns, by path, the implementations of every third symbol and the declarations that it
// overrides, and the callers of every ninth. Each turn takes others.
func callers(t *testing.T, root *jit.Root, cache *resolve.Cache, turn int) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := index{root}.View(t.Context(), func(v *store.View, generation int64) error {
		rows := map[string]int64{}
		if err := v.Files(t.Context(), func(f store.FileRow) error { rows[f.Path] = f.ID; return nil }); err != nil {
			return err
		}
		r := resolve.New(t.Context(), v, cache, generation)
		for path, id := range rows {
			var b strings.Builder
			for i := 0; ; i++ {
				ref, err := r.Symbol(id, i)
				if err != nil {
					return err
				}
				if !ref.Valid() {
					break
				}
				if (i+turn)%3 > 0 {
					continue
				}
				if err := dispatch(&b, r, ref); err != nil {
					return err
				}
				if (i+turn)%9 > 0 {
					continue
				}
				in, err := r.Callers(ref, 5)
				if err != nil {
					return err
				}
				fmt.Fprintf(&b, "%s: %d of %d\n", ref.Symbol().QualifiedName, in.Read, in.Files)
				for _, at := range append(in.Callers, in.Open...) {
					fmt.Fprintf(&b, "  %v %d %s %d:%d %d %.3f\n", *at.File, at.Call, at.Callee, at.Line, at.Offset, at.Outcome, at.Confidence)
				}
			}
			out[path] = b.String()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func dispatch(b *strings.Builder, r *resolve.Resolver, ref resolve.Ref) error {
	below, err := r.Implementations(ref, resolve.Ref{})
	if err != nil {
		return err
	}
	above, err := r.Overridden(ref)
	if err != nil {
		return err
	}
	for _, d := range append(below, above...) {
		fmt.Fprintf(b, "%s: %s %s in %s\n", ref.Symbol().QualifiedName, d.Provenance, d.Target.Symbol().QualifiedName, d.Target.File.Path)
	}
	return nil
}

// difference returns the first lines that differ between two states.
func difference(got, want map[string]string) string {
	var out []string
	for path := range want {
		if _, ok := got[path]; !ok {
			out = append(out, path+" is not indexed")
		}
	}
	for path, g := range got {
		w, ok := want[path]
		if !ok {
			out = append(out, path+" is still indexed")
			continue
		}
		a, b := strings.Split(g, "\n"), strings.Split(w, "\n")
		for i := range max(len(a), len(b)) {
			if i >= len(a) || i >= len(b) || a[i] != b[i] {
				out = append(out, fmt.Sprintf("%s\n  updated: %s\n  fresh:   %s", path, at(a, i), at(b, i)))
				break
			}
		}
	}
	slices.Sort(out)
	return strings.Join(out[:min(len(out), 5)], "\n")
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}

// editor changes a workspace at random.
type editor struct {
	dir   string
	rnd   *rand.Rand
	first map[string]string // path → initial text
}

// addTraps writes the decoys of a language, which exercise every rule of it.
func (e *editor) addTraps(t *testing.T, language string) {
	t.Helper()
	traps, err := filepath.Glob(filepath.Join("*", "testdata", "decoys", language, "*.txtar"))
	if err != nil || len(traps) == 0 {
		t.Fatalf("no decoys of %s: %v", language, err)
	}
	for _, trap := range traps {
		if strings.HasSuffix(trap, "fifty.txtar") {
			continue // many of the same form, which cost time and exercise no other rule
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
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() && info.Size() < maxRealBytes && strings.HasSuffix(path, extension) {
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
	word      = regexp.MustCompile(`[A-Za-z_][A-Za-z_0-9]{2,}`)
	typeName  = regexp.MustCompile(`\b[A-Z][A-Za-z0-9]*\b`)
	brings    = regexp.MustCompile(`(?m)^.*\b(import|require|require_relative|use|using|from|include|source|mod|package|namespace)\b.*$`)
	manifests = regexp.MustCompile(`(^|/)(go\.mod|go\.work|package\.json|tsconfig\.json|Cargo\.toml|pyproject\.toml|pom\.xml|Gemfile|composer\.json|__init__\.py)$`)
)

// edit makes one change, and returns a description of it.
func (e *editor) edit(t *testing.T) string {
	t.Helper()
	files := e.files(t)
	path, other := pick(e, files), pick(e, files)
	if e.rnd.IntN(6) == 0 {
		if m := slices.DeleteFunc(slices.Clone(files), func(p string) bool { return !manifests.MatchString(p) }); len(m) > 0 {
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
	case 4: // rename, so that a name refers to nothing or to something else
		if names := word.FindAllString(text, -1); len(names) > 0 {
			from := pick(e, names)
			to := from + "2"
			if more := word.FindAllString(string(theirs), -1); len(more) > 0 && e.rnd.IntN(2) == 0 {
				to = pick(e, more)
			}
			return regexp.MustCompile(`\b`+from+`\b`).ReplaceAllString(text, to), "rename " + from + " to " + to
		}
	case 5: // another type, in one place
		if spots := typeName.FindAllStringIndex(text, -1); len(spots) > 0 {
			at, to := pick(e, spots), text
			if names := typeName.FindAllString(text+string(theirs), -1); len(names) > 0 {
				to = pick(e, names)
			}
			return text[:at[0]] + to + text[at[1]:], "type " + to
		}
	case 6, 7: // another import, or none
		if spots := brings.FindAllStringIndex(text, -1); len(spots) > 0 {
			at, to := pick(e, spots), ""
			if more := brings.FindAllString(string(theirs), -1); len(more) > 0 && n == 6 {
				to = pick(e, more)
			}
			return text[:at[0]] + to + text[at[1]:], "import " + to
		}
	case 8: // a second declaration, or one that hides another
		i := e.rnd.IntN(len(lines))
		return strings.Join(slices.Insert(slices.Clone(lines), e.rnd.IntN(len(lines)), lines[i]), ""), "repeat " + lines[i]
	case 9:
		i := e.rnd.IntN(len(lines))
		return strings.Join(slices.Delete(slices.Clone(lines), i, i+1), ""), "delete " + lines[i]
	case 10: // a name of the file bound to something else
		if names := word.FindAllString(text, -1); len(names) > 0 {
			line := fmt.Sprintf(pick(e, []string{"%s = 1\n", "let %s = 1;\n", "%s := 1\n", "var %s = 1;\n", "int %s = 1;\n", "$%s = 1;\n"}), pick(e, names))
			return strings.Join(slices.Insert(slices.Clone(lines), e.rnd.IntN(len(lines)), line), ""), "shadow " + line
		}
	}
	if n == 11 { // the text of another file
		return string(theirs), "the text of " + other
	}
	return text + "\n", "a line"
}
