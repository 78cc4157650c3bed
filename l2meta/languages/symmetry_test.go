package languages_test

import (
	"fmt"
	"go/build"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/internal/store"
	"sextant/jit"
	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// TestEdgesAreFoundFromBothEnds compares the edges found from callers with those found from
// callees, including dispatch, in decoys of every language and in packages of Go's library and of
// npm. It does so with results derived on demand, and with those of a ledger.
func TestEdgesAreFoundFromBothEnds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := &editor{dir: dir, first: map[string]string{}}
	for _, language := range slices.Sorted(maps.Keys(languagesOf(t))) {
		e.addTraps(t, language)
	}
	for _, p := range []string{"go/ast", "go/printer", "container/heap", "io/fs", "encoding/json"} {
		e.copyTree(t, filepath.Join(build.Default.GOROOT, "src", p), filepath.Join("go", "std", p), ".go")
	}
	modules := filepath.Join("..", "..", "testdata", "node", "node_modules")
	for _, p := range []string{"acorn", "ajv/lib", "argparse"} {
		if _, err := os.Stat(filepath.Join(modules, p)); err != nil {
			t.Logf("not held: the npm package %s is not installed", p)
			continue
		}
		e.copyTree(t, filepath.Join(modules, p), filepath.Join("npm", p), "")
	}
	root := languagetest.IndexedBy(t, dir, remembering)
	settled := resolve.NewCache(languages.All, nil)
	settle(t, root, settled)
	for name, cache := range map[string]*resolve.Cache{"anew": resolve.NewCache(languages.All, nil),
		"settled": settled} {
		found := bothEnds(t, root, cache)
		plain := []string{"bash", "c", "svelte", "vue"} // declare no method that another may run instead of
		for language := range languagesOf(t) {
			if f := found[language]; f == nil || f.calls == 0 || f.dispatch == 0 && !slices.Contains(plain, language) {
				t.Errorf("%s, %s: nothing is held: %+v", name, language, f)
			}
		}
		report(t, name, found)
	}
}

// TestOverriddenInvertsImplementations checks, in the decoys of every language, that a declaration
// is among the implementations of another exactly if the other is among those that it overrides. It
// compares the search, which goes in both directions, with the ledger, which inverts one of them.
func TestOverriddenInvertsImplementations(t *testing.T) {
	t.Parallel()
	e := &editor{dir: t.TempDir(), first: map[string]string{}}
	for _, language := range slices.Sorted(maps.Keys(languagesOf(t))) {
		e.addTraps(t, language)
	}
	root := languagetest.IndexedBy(t, e.dir, remembering)
	anew, settled := resolve.NewCache(languages.All, nil), resolve.NewCache(languages.All, nil)
	settle(t, root, settled)
	for i := range 9 { // callers looks at a third of the symbols, and at the callers of a ninth
		if d := difference(callers(t, root, settled, i), callers(t, root, anew, i)); d != "" {
			t.Error(d)
		}
	}
}

// TestSoakEdgesOfRepositories does the same as TestEdgesAreFoundFromBothEnds for each repository in
// SEXTANT_CORPUS, a folder of clones, if SEXTANT_SOAK is set. SEXTANT_ONLY selects some of them.
func TestSoakEdgesOfRepositories(t *testing.T) {
	corpus := os.Getenv("SEXTANT_CORPUS")
	if os.Getenv("SEXTANT_SOAK") == "" || corpus == "" {
		t.Skip("whole repositories take minutes: SEXTANT_SOAK and SEXTANT_CORPUS are not both set")
	}
	entries, err := os.ReadDir(corpus)
	if err != nil {
		t.Fatal(err)
	}
	only := strings.Fields(os.Getenv("SEXTANT_ONLY"))
	for _, entry := range entries {
		if name := entry.Name(); entry.IsDir() && name[0] != '.' && (len(only) == 0 || slices.Contains(only, name)) {
			t.Run(name, func(t *testing.T) {
				root := languagetest.Indexed(t, filepath.Join(corpus, name))
				cache := resolve.NewCache(languages.All, nil)
				settle(t, root, cache)
				report(t, name, bothEnds(t, root, cache))
			})
		}
	}
}

// languagesOf returns the languages that have traps.
func languagesOf(t *testing.T) map[string]bool {
	t.Helper()
	traps, err := filepath.Glob(filepath.Join("*", "testdata", "decoys", "*"))
	if err != nil || len(traps) == 0 {
		t.Fatalf("no traps: %v", err)
	}
	out := map[string]bool{}
	for _, dir := range traps {
		out[filepath.Base(dir)] = true
	}
	return out
}

func report(t *testing.T, name string, found map[string]*ends) {
	t.Helper()
	for _, language := range slices.Sorted(maps.Keys(found)) {
		f := found[language]
		if f.calls == 0 {
			continue
		}
		t.Logf("%s, %s: %d calls and %d dispatched ones forward, %d backward", name, language,
			f.calls, f.dispatch, f.back)
		if len(f.oneWay) > 0 {
			t.Errorf("%s, %s: %d edges are found from one end alone:\n%s", name, language, len(f.oneWay),
				strings.Join(f.oneWay[:min(len(f.oneWay), 12)], "\n"))
		}
	}
}

// ends counts the edges in the files of one language, from both ends.
type ends struct {
	calls, dispatch, back int
	oneWay                []string
}

// halves compares the edges found from callers with those found from callees.
type halves struct {
	r *resolve.Resolver
	// up holds the call sites found from their target, or from a declaration that may run through a
	// base.
	up    map[[2]resolve.Ref]map[string]bool
	bases map[resolve.Ref][]resolve.Dispatch
	found map[string]*ends
}

// bothEnds checks every call site and every callable of a root.
func bothEnds(t *testing.T, root *jit.Root, cache *resolve.Cache) map[string]*ends {
	t.Helper()
	h := &halves{up: map[[2]resolve.Ref]map[string]bool{}, bases: map[resolve.Ref][]resolve.Dispatch{},
		found: map[string]*ends{}}
	err := index{root}.View(t.Context(), func(v *store.View, generation int64) error {
		ids := map[string]int64{}
		if err := v.Files(t.Context(), func(f store.FileRow) error { ids[f.Path] = f.ID; return nil }); err != nil {
			return err
		}
		h.r = resolve.New(t.Context(), v, cache, generation)
		for _, path := range slices.Sorted(maps.Keys(ids)) {
			if err := h.file(ids[path]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return h.found
}

func (h *halves) of(f *resolve.File) *ends {
	if h.found[f.Language] == nil {
		h.found[f.Language] = &ends{}
	}
	return h.found[f.Language]
}

func (h *halves) file(id int64) error {
	sites, err := h.r.Sites(id)
	if err != nil {
		return err
	}
	for i := range sites {
		if err := h.site(&sites[i], i); err != nil {
			return err
		}
	}
	for i := 0; ; i++ {
		ref, err := h.r.Symbol(id, i)
		if err != nil || !ref.Valid() {
			return err
		}
		if err := h.symbol(ref); err != nil {
			return err
		}
	}
}

// site checks that the targets of a call site lead back to it.
func (h *halves) site(s *resolve.Site, i int) error {
	if s.Outcome != resolve.Settled {
		return nil
	}
	e, at := h.of(s.File), fmt.Sprint(s.File.Path, " ", i)
	where := fmt.Sprintf("%s:%d %s", s.File.Path, s.Call.NameSpan.StartLine, s.Call.Callee)
	e.calls++
	up, err := h.callers(s.Target, s.Target)
	if err != nil {
		return err
	}
	if !up[at] {
		e.oneWay = append(e.oneWay, where+" calls "+named(s.Target))
	}
	runs, err := h.r.Dispatched(s)
	if err != nil {
		return err
	}
	for _, d := range runs {
		e.dispatch++
		up, err := h.callers(s.Target, d.Target)
		if err != nil {
			return err
		}
		bases, err := h.overridden(d.Target)
		if err != nil {
			return err
		}
		if !up[at] || !slices.ContainsFunc(bases, func(b resolve.Dispatch) bool { return b.Target == s.Target }) {
			e.oneWay = append(e.oneWay, where+" may run "+named(d.Target)+" through "+named(s.Target))
		}
	}
	return nil
}

// symbol checks that the call sites which may run a symbol through a base lead to it.
func (h *halves) symbol(ref resolve.Ref) error {
	if !ref.Symbol().Runs() {
		return nil
	}
	bases, err := h.overridden(ref)
	if err != nil {
		return err
	}
	for _, b := range bases {
		in, err := h.r.CallersThrough(b.Target, ref, 1<<30)
		if err != nil {
			return err
		}
		for _, at := range in.Callers {
			h.of(ref.File).back++
			s, _, err := h.r.At(at)
			if err != nil {
				return err
			}
			runs, err := h.r.Dispatched(&s)
			if err != nil {
				return err
			}
			if !slices.ContainsFunc(runs, func(d resolve.Dispatch) bool { return d.Target == ref }) {
				h.of(ref.File).oneWay = append(h.of(ref.File).oneWay,
					fmt.Sprintf("%s may be run by %s:%d", named(ref), at.File.Path, at.Line))
			}
		}
	}
	return nil
}

func (h *halves) overridden(ref resolve.Ref) (out []resolve.Dispatch, err error) {
	out, ok := h.bases[ref]
	if !ok {
		out, err = h.r.Overridden(ref)
		h.bases[ref] = out
	}
	return out, err
}

// callers returns the positions of the calls of base that may run ref.
func (h *halves) callers(base, ref resolve.Ref) (map[string]bool, error) {
	key := [2]resolve.Ref{base, ref}
	if up, ok := h.up[key]; ok {
		return up, nil
	}
	in, err := h.r.Callers(base, 1<<30)
	if base != ref {
		in, err = h.r.CallersThrough(base, ref, 1<<30)
	}
	up := map[string]bool{}
	for _, at := range in.Callers {
		up[fmt.Sprint(at.File.Path, " ", at.Call)] = true
	}
	h.up[key] = up
	return up, err
}

func named(r resolve.Ref) string {
	return fmt.Sprintf("%s of %s:%d", r.Symbol().QualifiedName, r.File.Path, r.Symbol().NameSpan.StartLine)
}
