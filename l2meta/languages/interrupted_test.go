package languages_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"sextant/internal/store"
	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// TestRulesEndWithTheirContext resolves the calls of some decoys, of all if SEXTANT_SOAK is set,
// with contexts that end at a random point. Look-ups return empty values from then on, on which no
// rule may panic.
func TestRulesEndWithTheirContext(t *testing.T) {
	t.Parallel()
	e := &editor{dir: t.TempDir(), first: map[string]string{}}
	for _, language := range slices.Sorted(maps.Keys(languagesOf(t))) {
		e.addTraps(t, language)
	}
	root := languagetest.IndexedBy(t, e.dir, remembering)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	err := index{root}.View(t.Context(), func(v *store.View, generation int64) error {
		files := map[int64]string{}
		if err := v.Files(t.Context(), func(f store.FileRow) error { files[f.ID] = f.Path; return nil }); err != nil {
			return err
		}
		for _, id := range slices.Sorted(maps.Keys(files)) {
			if os.Getenv("SEXTANT_SOAK") == "" && random.IntN(40) > 0 {
				continue
			}
			languagetest.Interrupt(t, files[id], random, func(ctx context.Context) {
				_ = callsOf(resolve.New(ctx, v, resolve.NewCache(languages.All, nil), generation), id)
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// callsOf resolves the call sites of a file, what they may run, and the callers of its symbols.
func callsOf(r *resolve.Resolver, id int64) error {
	sites, err := r.Sites(id)
	if err != nil {
		return err
	}
	for i := range sites {
		if _, err := r.Dispatched(&sites[i]); err != nil {
			return err
		}
	}
	for i := 0; ; i++ {
		ref, err := r.Symbol(id, i)
		if err != nil || !ref.Valid() {
			return err
		}
		if _, err := r.Callers(ref, 1<<30); err != nil {
			return err
		}
		if _, err := r.Overridden(ref); err != nil {
			return err
		}
	}
}
