package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// The number of edits in each of the two modes (watching and sweeping).
// SEXTANT_FRESHNESS_OPS overrides it; SEXTANT_FRESHNESS_SEED repeats a run.
const (
	freshnessOps     = 200
	freshnessSoakOps = 2500
)

func fromEnv(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	s := os.Getenv(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// TestNoStaleAnswer edits a workspace at random and calls a server right after
// every edit. No answer may contain deleted text or miss new text, and every
// answer must show the lines that it names.
func TestNoStaleAnswer(t *testing.T) {
	editAndAsk(t, freshnessOps)
}

// TestSoakFreshness runs TestNoStaleAnswer with more edits.
func TestSoakFreshness(t *testing.T) {
	if os.Getenv("SEXTANT_SOAK") == "" {
		t.Skip("it takes minutes: SEXTANT_SOAK is not set")
	}
	editAndAsk(t, freshnessSoakOps)
}

func editAndAsk(t *testing.T, n uint64) {
	requireTool(t, "git", "apt-get install git")
	n = fromEnv(t, "SEXTANT_FRESHNESS_OPS", n)
	seed := fromEnv(t, "SEXTANT_FRESHNESS_SEED", uint64(time.Now().UnixNano()))
	for name, args := range map[string][]string{"watch": nil, "no-watch": {"--no-watch"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Logf("SEXTANT_FRESHNESS_SEED=%d", seed)
			s := newSite(t, args...)
			e := &editor{t: t, dir: s.ws, rng: rand.New(rand.NewPCG(seed, 4))}
			e.git("init", "-q")
			e.branches = []string{"main"}
			for range 30 {
				p := filepath.Join(e.dirName(), e.fileName())
				e.write(p, e.text(p))
			}
			c := &checker{client: s.serve(), editor: e, ws: s.ws, known: map[string][]symbol{}}
			c.track(s)
			c.run(s, int(n))
			c.close()
			t.Logf("%d edits, %d answers, %d more that said so were early, %d of %d searches without a sweep",
				n, c.answers, c.pending, c.vouched, c.searches)
			if spared := c.vouched > c.searches/4; spared != (name == "watch") {
				t.Errorf("%d of %d searches were spared the sweep", c.vouched, c.searches)
			}
		})
	}
}

// checker compares a server's answers with the workspace that its editor
// changes.
type checker struct {
	*client
	*editor
	ws       string
	now      picture
	answers  int
	searches int
	pending  int // answers with a warning that changes were still being indexed
	vouched  int // searches whose gate did not check every file
	known    map[string][]symbol
}

// symbol is one symbol of a file_outline answer.
type symbol struct {
	Name          string
	SymbolID      string
	Span          lineRange
	CallGraphHint struct {
		SymbolRef struct{ SymbolInstanceID string }
	}
}

// run does n rounds of edits and checks.
func (c *checker) run(s *site, n int) {
	c.now = look(c.editor.t, c.ws)
	for i := range n {
		edits := 1
		if c.rng.IntN(6) == 0 {
			edits = 2 + c.rng.IntN(6)
		}
		if c.rng.IntN(60) == 0 { // edits while no server runs
			if c.rng.IntN(2) == 0 {
				c.client.close()
			} else {
				c.client.kill()
			}
			c.trace = append(c.trace, "server away")
			c.step()
			c.client = s.serve()
		}
		for range edits {
			c.step()
		}
		before := c.now
		c.now = look(c.editor.t, c.ws)
		c.check(before, i%8 == 7 || i == n-1)
		if c.editor.t.Failed() {
			c.editor.t.Fatalf("after edit %d: %q\nlocked: %q\nrules: %q\ncheckouts: %q", i,
				c.trace[max(0, len(c.trace)-12):], c.now.locked, c.now.rules, c.now.checkouts)
		}
	}
}

// check checks some of the words and files that changed since before; if all is
// set, also every word of the workspace.
func (c *checker) check(before picture, all bool) {
	gone, fresh, files := changed(before, c.now)
	for _, words := range [][]string{gone, fresh} {
		for range 2 {
			if w := pick(c.rng, words); w != "" {
				c.checkWord(w)
				c.checkRanked(w)
				c.checkGraph(w)
			}
		}
	}
	for range 2 {
		if f := pick(c.rng, files); f != "" {
			c.checkSymbol(f)
			c.checkRead(f)
			c.checkOutline(f)
		}
	}
	if all {
		c.checkAll()
	}
}

// TestACursorGoesOnInItsOwnList checks that a cursor continues the result list
// of its own first page, not an older list from before a directory was locked.
// Locking is no edit, so that nothing invalidates the older list.
func TestACursorGoesOnInItsOwnList(t *testing.T) {
	s := newSite(t)
	e := &editor{t: t, dir: s.ws}
	for i := range 60 {
		e.write(filepath.Join("d"+strconv.Itoa(i%3), "f"+strconv.Itoa(i)+".txt"), "walnut\n")
	}
	c := s.serve()
	defer c.close()
	c.track(s)
	walk := func() (files map[string]int, complete []bool) {
		files = map[string]int{}
		for cursor := ""; len(complete) < 10; {
			args := map[string]any{"path": s.ws, "query": "must:walnut", "scope": "mixed", "limit": 25,
				"maxTokens": 8000}
			if cursor != "" {
				args["cursor"] = cursor
			}
			var a found
			c.ask("search_codebase", args, &a)
			for _, r := range a.Results {
				files[r.File]++
			}
			complete = append(complete, a.Matches.Complete)
			if cursor = a.Cursor; cursor == "" {
				break
			}
		}
		return files, complete
	}
	if files, complete := walk(); len(files) != 60 || !slices.Equal(complete, []bool{true, true, true}) {
		t.Fatalf("%d files, complete %v", len(files), complete)
	}
	locked := e.abs("d0")
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(locked, 0o755)
	files, complete := walk()
	if len(files) != 40 || !slices.Equal(complete, []bool{false, false}) {
		t.Errorf("%d files, complete %v", len(files), complete)
	}
	for file, n := range files {
		if n > 1 {
			t.Errorf("%s is found on %d pages", file, n)
		}
	}
}
