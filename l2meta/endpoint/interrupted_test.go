package endpoint_test

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// TestJoinsEndWithTheirContext computes the edges of some fixtures, of all if SEXTANT_SOAK is set,
// with contexts that end at a random point. No rule may panic on the empty results that look-ups
// return from then on.
func TestJoinsEndWithTheirContext(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	for _, file := range slices.Concat(archives(t, "testdata/*.txtar"), archives(t, "testdata/*/*.txtar")) {
		if os.Getenv("SEXTANT_SOAK") == "" && random.IntN(12) > 0 {
			continue
		}
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		write(t, dir, a)
		root := languagetest.Indexed(t, dir)
		languagetest.Interrupt(t, file, random, func(ctx context.Context) {
			_, _ = crossingsWithin(ctx, root, resolve.NewCache(languages.All, nil), random.IntN(2) > 0)
		})
	}
}
