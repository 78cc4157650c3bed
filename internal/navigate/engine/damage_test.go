package engine_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
	"sextant/jit"
)

// damagedHomes is the number of homes that the test damages, each in another way; soakedHomes is
// the number with SEXTANT_SOAK.
const damagedHomes, soakedHomes = 15, 500

// TestSoakDamagedIndex changes the databases of an index at random. Answers directly afterwards
// must equal those before, or say that the index is being rebuilt. After the rebuild all must equal
// those before. No call requests a repair.
func TestSoakDamagedIndex(t *testing.T) {
	b := navigatetest.Indexed(t, "container")
	want := known(b)
	if err := b.Roots.Close(); err != nil {
		t.Fatal(err)
	}
	whole := b.Home
	r := rand.New(rand.NewPCG(3, 4))
	rounds, healed, catalogs := damagedHomes, 0, 0
	if os.Getenv("SEXTANT_SOAK") != "" {
		rounds = soakedHomes
	}
	for round := range rounds {
		b.Home = filepath.Join(t.TempDir(), "home")
		if err := os.CopyFS(b.Home, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		file := pickDatabase(t, r, b.Home)
		now := b.Process()
		if r.IntN(2) == 0 {
			known(now) // so that it has the database open
		}
		spoil(t, r, file)
		for what, got := range known(now) {
			if got != want[what] && !strings.Contains(got, jit.WarnBuilding) && !strings.Contains(got, `"indexing"`) {
				t.Errorf("round %d, right after: %s is\n%.400s\nwant\n%.400s", round, what, got, want[what])
			}
		}
		if broken := unlike(now, want); broken != "" {
			t.Errorf("round %d, in the end: %s", round, broken)
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(file), "damaged.db")); err == nil {
			healed++
			if filepath.Dir(file) == b.Home {
				catalogs++
			}
		}
		if err := now.Roots.Close(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("%d of %d indexes were found damaged and made anew, %d of them catalogs; none is broken",
		healed, rounds, catalogs)
}

// unlike waits for builds and returns the name of an answer that then differs from want, or "". An
// answer may be the first to read a damaged page, so it tries several times.
func unlike(b *navigatetest.Bench, want map[string]string) (wrong string) {
	b.T.Helper()
	for range 5 {
		for range 20 {
			if a := b.Manage(contract.ManageRequest{Action: contract.ManageSync, Path: b.Dir, Wait: true}); a.Status ==
				contract.StatusOK && a.Reason == "" {
				break
			}
		}
		wrong = ""
		for what, got := range known(b) {
			if got != want[what] {
				wrong = fmt.Sprintf("%s is\n%.400s\nwant\n%.400s", what, got, want[what])
			}
		}
		if wrong == "" {
			break
		}
	}
	return wrong
}

// clocks matches the times in an answer.
var clocks = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z`)

// known returns answers of every kind as text, without their times.
func known(b *navigatetest.Bench) map[string]string {
	b.T.Helper()
	text := func(parts ...any) string {
		out, err := json.Marshal(parts)
		if err != nil {
			b.T.Fatal(err)
		}
		return clocks.ReplaceAllString(string(out), "TIME")
	}
	all := map[string]string{}
	for _, q := range []string{"must:heap", "regex:\"func [A-Z]\\w+\"", "priority queue", "Ring"} {
		a := b.Search(contract.SearchRequest{Query: q})
		files := []string{string(a.Status), string(a.Reason)}
		for _, r := range a.Results {
			files = append(files, text(r))
		}
		all["search "+q] = text(files, codesOf(a.Warnings))
	}
	for _, name := range []string{"Init", "Ring.Len", "up"} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: name},
			Direction: contract.DirectionBoth, Depth: 2, DeadlineMs: 60_000})
		all["graph "+name] = text(a.Status, a.Reason, a.Edges, len(a.Candidates), a.Warnings)
	}
	a := b.Outline("heap/heap.go")
	all["outline"] = text(a.Status, a.Outline, a.Warnings)
	return all
}

func codesOf(ws contract.Warnings) (codes []string) {
	for _, w := range ws {
		codes = append(codes, w.Code)
	}
	return codes
}

// pickDatabase returns a database of a home: mostly that of the root.
func pickDatabase(t *testing.T, r *rand.Rand, home string) string {
	t.Helper()
	pattern := filepath.Join(home, "roots", "*", "index-*.db")
	if r.IntN(5) == 0 {
		pattern = filepath.Join(home, "index-*.db")
	}
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 1 {
		t.Fatalf("the databases are %q, %v", found, err)
	}
	return found[0]
}

// spoil changes a file as a failing disk or another program might.
func spoil(t *testing.T, r *rand.Rand, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	at := r.IntN(len(text)/page) * page
	switch r.IntN(6) {
	case 0:
		for i := range page {
			text[at+i] = byte(r.Uint32())
		}
	case 1:
		clear(text[at : at+page])
	case 2:
		text[r.IntN(len(text))] ^= 1 << r.IntN(8)
	case 3:
		from := r.IntN(len(text)/page) * page
		copy(text[at:at+page], slices.Clone(text[from:from+page]))
	case 4:
		text = text[:r.IntN(len(text))]
	default:
		for i := range 1 + r.IntN(page-1) {
			text[at+i] = byte(r.Uint32())
		}
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
