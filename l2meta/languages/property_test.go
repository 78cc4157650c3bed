package languages_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

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

// The groups that share a language divide its decoys among them. So each decoy is in one workspace,
// and another seed puts it beside other languages.
func TestEdgesFollowEdits(t *testing.T) {
	edits, seed := number("SEXTANT_EDITS", defaultEdits), number("SEXTANT_SEED", 1)
	if testing.Short() {
		edits = 5
	}
	t.Logf("seed %d", seed)
	for name, group := range editGroups {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := &editor{dir: t.TempDir(), rnd: rand.New(rand.NewPCG(uint64(seed), uint64(len(name)))),
				first: map[string]string{}}
			for _, l := range group {
				of := groupsOf(l)
				part := uint64(slices.Index(of, name)+seed) % uint64(len(of))
				e.addPart(t, l, int(part), len(of))
				if part == 0 {
					e.addReal(t, l)
				}
			}
			followEdits(t, e, edits)
		})
	}
}

// groupsOf returns the names of the groups with a language, sorted.
func groupsOf(language string) (names []string) {
	for name, group := range editGroups {
		if slices.Contains(group, language) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func number(variable string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return otherwise
}

// remembering serves tests of the resolution in large workspaces, which share most files.
// TestEdgesFollowEdits compares it with an index whose texts are all extracted anew.
var remembering = languagetest.Remembering()

func followEdits(t *testing.T, e *editor, edits int) {
	live := languagetest.Indexed(t, e.dir)
	// One cache has room for a few files at a time, the other for the ledger and little more.
	little := budget.New(400 << 10)
	budgets := []*budget.Budget{little}
	ahead := func() *resolve.Cache {
		more := budget.New(3 << 20)
		budgets = append(budgets, more)
		cache := resolve.NewCache(languages.All, more)
		cache.KeepUnder(func() string { return "this program" }, time.Duration(e.rnd.IntN(2))*time.Minute)
		if e.rnd.IntN(2) == 0 {
			cache.MapIn(t.TempDir())
			cache.CompactAfter(1)
		}
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
		fresh := languagetest.IndexedBy(t, e.dir, remembering)
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
			for range 2 { // the second time, it logs the facts that the next edit replaces
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(e.rnd.IntN(200))*time.Millisecond)
				_ = settled.Settle(ctx, index{live}, nil)
				cancel()
			}
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
				fmt.Fprintf(&b, "%d:%d %s.%s", s.Call.NameSpan.StartLine, s.Call.NameSpan.StartColumn,
					s.Call.Receiver, s.Call.Callee)
				if s.Outcome == resolve.Settled {
					fmt.Fprintf(&b, " -> %s:%d %s", s.Target.File.Path,
						s.Target.Symbol().NameSpan.StartLine, s.Strategy)
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
// overrides, and the callers of every ninth symbol with all declarations that may run at its calls.
// turn selects which third and ninth.
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
				if err := dispatched(&b, r, ref); err != nil {
					return err
				}
				in, err := r.Callers(ref, 5)
				if err != nil {
					return err
				}
				fmt.Fprintf(&b, "%s: %d of %d\n", ref.Symbol().QualifiedName, in.Read, in.Files)
				for _, at := range append(in.Callers, in.Open...) {
					fmt.Fprintf(&b, "  %v %d %s %d:%d %d %.3f\n", *at.File, at.Call, at.Callee, at.Line, at.Offset,
						at.Outcome, at.Confidence)
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

// dispatched writes the declarations that may run at the calls in ref, given the receivers of these
// calls.
func dispatched(b *strings.Builder, r *resolve.Resolver, ref resolve.Ref) error {
	sites, err := r.Callees(ref)
	if err != nil {
		return err
	}
	for i := range sites {
		may, err := r.Dispatched(&sites[i])
		if err != nil {
			return err
		}
		for _, d := range may {
			fmt.Fprintf(b, "%d: %s in %s\n", sites[i].Call.NameSpan.StartLine, d.Target.Symbol().QualifiedName,
				d.Target.File.Path)
		}
	}
	return nil
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
		fmt.Fprintf(b, "%s: %s %s in %s\n", ref.Symbol().QualifiedName, d.Provenance, d.Target.Symbol().QualifiedName,
			d.Target.File.Path)
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
