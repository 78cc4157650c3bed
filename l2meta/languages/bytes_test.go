package languages_test

import (
	"go/build"
	"path/filepath"
	"runtime"
	"testing"

	"sextant/internal/budget"
	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// TestCacheCountsItsBytes checks that the bytes that a cache counts differ by at most a third from
// those on the heap, for files, derived values and the ledger.
func TestCacheCountsItsBytes(t *testing.T) {
	root := languagetest.Indexed(t, filepath.Join(build.Default.GOROOT, "src", "net", "http"))
	b := budget.New(1 << 40)
	before := heap()
	asked := resolve.NewCache(languages.All, b)
	edges(t, root, asked)
	same(t, "files and derivations", b, heap()-before)

	b = budget.New(1 << 40)
	ahead := resolve.NewCache(languages.All, b)
	before = heap()
	settle(t, root, ahead)
	b.Clear()
	same(t, "ledger", b, heap()-before)
	runtime.KeepAlive(asked)
	runtime.KeepAlive(ahead)
}

// TestCacheKeepsToItsBudget checks that a full cache gives the same answers as an empty one, and
// stays within its budget.
func TestCacheKeepsToItsBudget(t *testing.T) {
	t.Parallel()
	root := languagetest.Indexed(t, filepath.Join(build.Default.GOROOT, "src", "text"))
	const limit = 1 << 20
	b := budget.New(limit)
	cache := resolve.NewCache(languages.All, b)
	most := int64(0)
	for range 2 {
		edges(t, root, cache)
		held, _ := b.Held()
		most = max(most, held)
	}
	if most > limit || most < limit/4 {
		t.Errorf("%d bytes of %d are held", most, limit)
	}
	if d := difference(edges(t, root, cache), edges(t, root, resolve.NewCache(languages.All, nil))); d != "" {
		t.Error(d)
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC() // the first may only start to sweep
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func same(t *testing.T, what string, b *budget.Budget, held int64) {
	t.Helper()
	counted, _ := b.Held()
	t.Logf("%s: %d kB are held, %d counted", what, held>>10, counted>>10)
	if float64(counted) < 0.7*float64(held) || float64(counted) > 1.3*float64(held) {
		t.Errorf("%s: %d bytes are held, %d counted", what, held, counted)
	}
}
