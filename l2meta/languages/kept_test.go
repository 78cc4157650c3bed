package languages_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sextant/internal/store"
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// writes counts the transactions that store something for a root.
type writes struct {
	index
	n int
}

func (w *writes) Keep(ctx context.Context, fn func(tx *store.Tx) error) error {
	w.n++
	return w.index.Keep(ctx, fn)
}

// process returns a new cache, as a new process would have. basis identifies the version of its
// rules.
func process(basis string) *resolve.Cache {
	cache := resolve.NewCache(languages.All, nil)
	cache.KeepUnder(func() string { return basis }, time.Minute)
	cache.MapIn(os.TempDir())
	cache.CompactAfter(1) // the parts that are stored must stay the same
	return cache
}

// settleAs resolves all call sites ahead of time, and returns the number of transactions in which
// it stored them.
func settleAs(t *testing.T, live *jit.Root, cache *resolve.Cache) int {
	t.Helper()
	if _, err := live.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := &writes{index: index{live}}
	if err := cache.Settle(t.Context(), w, nil); err != nil {
		t.Fatal(err)
	}
	return w.n
}

// partsOf returns the stored parts of the ledger.
func partsOf(t *testing.T, live *jit.Root) map[int64]string {
	t.Helper()
	parts := map[int64]string{}
	err := live.View(t.Context(), func(v *jit.View) error {
		return l2meta.Index{}.Derived(t.Context(), v, func(part int64, data []byte) error {
			parts[part] = string(data)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return parts
}

// traps writes the decoys of some languages into a folder and indexes it. They suffice for a ledger
// of many parts; TestEdgesFollowEdits keeps ledgers of the decoys of every language.
func traps(t *testing.T) (*editor, *jit.Root) {
	t.Helper()
	e := &editor{dir: t.TempDir(), rnd: rand.New(rand.NewPCG(1, 2)), first: map[string]string{}}
	for _, l := range slices.Sorted(maps.Keys(languages.All)) {
		if slices.Contains([]string{"python", "java", "csharp", "cpp"}, l) {
			e.addTraps(t, l)
		}
	}
	return e, languagetest.IndexedBy(t, e.dir, remembering)
}

// TestLedgerOutlivesProcess checks that a process continues with the ledger of the previous
// process, if that has the same rules and the ledger is undamaged, and then resolves only the sites
// that later changes affect.
func TestLedgerOutlivesProcess(t *testing.T) {
	t.Parallel()
	e, live := traps(t)
	first := process("rules")
	settle(t, live, first)
	want, wantCallers := edges(t, live, first), callers(t, live, first, 0)
	again := func(name, basis string, writes bool) {
		t.Helper()
		next := process(basis)
		if n := settleAs(t, live, next); (n > 0) != writes {
			t.Errorf("%s: %d transactions", name, n)
		}
		if d := difference(edges(t, live, next), want); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
		if d := difference(callers(t, live, next, 0), wantCallers); d != "" {
			t.Errorf("%s, callers:\n%s", name, d)
		}
	}
	again("the next process", "rules", false)

	before := partsOf(t, live)
	path := filepath.Join(e.dir, "new_file.py")
	if err := os.WriteFile(path, []byte("def brand_new():\n    print(brand_new())\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := live.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	fresh := resolve.NewCache(languages.All, nil)
	want, wantCallers = edges(t, live, fresh), callers(t, live, fresh, 0)
	again("after an edit", "rules", true)
	again("after that", "rules", false)
	changed := 0
	for part, data := range partsOf(t, live) {
		if before[part] != data {
			changed++
		}
	}
	if changed < 1 || changed > len(before)/4 {
		t.Errorf("%d of %d parts are new after the edit of one file", changed, len(before))
	}

	for _, statement := range []string{
		"UPDATE derived SET data=substr(data, 1, length(data)/2) WHERE part=(SELECT max(part) FROM derived)",
		"DELETE FROM derived WHERE part=(SELECT max(part) FROM derived)",
		"UPDATE derived SET data=zeroblob(100) WHERE part=0",
		"DELETE FROM derived WHERE part=0",
		"UPDATE meta SET value='{' WHERE key='l2meta_derivation'",
	} {
		err := live.Keep(t.Context(), func(tx *jit.Tx) error { _, err := tx.Exec(t.Context(), statement); return err })
		if err != nil {
			t.Fatal(err)
		}
		again(statement, "rules", true)
		again("after "+statement, "rules", false)
	}
	again("other rules", "other", true)
	again("other rules again", "other", false)
}

// TestLedgersOfTwoProcesses checks that only one of two processes on one root stores the ledger,
// and that the other takes over when the first falls behind.
func TestLedgersOfTwoProcesses(t *testing.T) {
	t.Parallel()
	e, live := traps(t)
	write := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(e.dir, name),
			[]byte("def "+name[:3]+"():\n    pass\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	one := process("rules")
	if settleAs(t, live, one) == 0 {
		t.Fatal("nothing is kept")
	}
	two := process("rules")
	if settleAs(t, live, two) != 0 {
		t.Fatal("what was taken up is written again")
	}
	write("aaa.py")
	if settleAs(t, live, one) == 0 || settleAs(t, live, two) != 0 {
		t.Error("the one that kept the ledger goes on to, and it alone")
	}
	for i := range 300 {
		write(fmt.Sprintf("b%02d%d.py", i/10, i%10))
	}
	if settleAs(t, live, two) == 0 {
		t.Error("the other one begins where a ledger lies far behind")
	}
	if settleAs(t, live, one) != 0 {
		t.Error("what another process keeps now is left alone")
	}
	next := process("rules")
	if settleAs(t, live, next) != 0 {
		t.Error("the ledger of the other one is not taken up")
	}
	if d := difference(edges(t, live, next), edges(t, live, resolve.NewCache(languages.All, nil))); d != "" {
		t.Error(d)
	}
}

// TestDerivedPartsGo checks that a stored part is deleted with its group.
func TestDerivedPartsGo(t *testing.T) {
	e, live := traps(t)
	cache := process("rules")
	parts := func() int {
		t.Helper()
		settleAs(t, live, cache)
		return len(partsOf(t, live))
	}
	before := parts()
	path := filepath.Join(e.dir, "gone.py")
	if err := os.WriteFile(path, []byte("def gone(): pass\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if n := parts(); n != before+1 {
		t.Errorf("%d parts with a file more, %d before", n, before)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if n := parts(); n != before {
		t.Errorf("%d parts without it, %d before", n, before)
	}
}

// TestFollows checks that a question waits for a Settle that only has to bring a complete ledger up
// to date, and for no other.
func TestFollows(t *testing.T) {
	t.Parallel()
	e, live := traps(t)
	wait := func(cache *resolve.Cache) (wait time.Duration) {
		t.Helper()
		err := index{live}.View(t.Context(), func(_ *store.View, generation int64) error {
			wait = cache.Follows(t.Context(), index{live}, generation)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return wait
	}
	first, ran := process("rules"), []string{}
	if wait(first) > 0 {
		t.Error("a question waits until all calls are resolved")
	}
	settleTold := func(cache *resolve.Cache) {
		t.Helper()
		before := func() bool {
			settled := false
			_ = index{live}.View(t.Context(), func(_ *store.View, generation int64) error {
				settled = cache.Settled(generation)
				return nil
			})
			return settled
		}
		err := cache.Settle(t.Context(), index{live}, func() { ran = append(ran, fmt.Sprint(before())) })
		if err != nil {
			t.Fatal(err)
		}
	}
	settleTold(first)
	if wait(first) > 0 {
		t.Error("a question waits for a ledger that is up to date")
	}
	path := filepath.Join(e.dir, "new_file.py")
	if err := os.WriteFile(path, []byte("def brand_new():\n    print(brand_new())\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := live.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	next := process("rules")
	if soon, read := wait(first), wait(next); soon == 0 || read > 0 {
		t.Errorf("a question waits %v after an edit, and %v for a small ledger of another process", soon, read)
	}
	settleTold(first)
	settleTold(next)
	if want := []string{"false", "true", "true"}; !slices.Equal(ran, want) {
		t.Errorf("the short work ran behind the ledger: %v, want %v", ran, want)
	}
}
