package languages_test

import (
	"go/build"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"sextant/internal/code"
	"sextant/l2meta/languages"
	"sextant/l2meta/services"
	"sextant/l2meta/syntax"
)

// TestRulesAreLinearSoak checks that the rules of every language take steps and memory in
// proportion to a text that repeats or nests a construct: for four times the text, at most six
// times as much. A construct with a long word grows sixteenfold, and more is allowed in proportion.
// Costs below the floors are not compared.
func TestRulesAreLinearSoak(t *testing.T) {
	const (
		size       = 1000
		stepsFloor = 1 << 20
		bytesFloor = 4 << 20
	)
	every := 5 // one construct in five; all in a soak
	if os.Getenv("SEXTANT_SOAK") != "" {
		every = 1
	}
	skipped := 0
	for i, c := range constructs {
		if i%every != 0 {
			continue
		}
		steps, bytes, ok := readingCost(t, c, size)
		steps4, bytes4, ok4 := readingCost(t, c, 4*size)
		if !ok || !ok4 {
			skipped++
			continue
		}
		most := max(6, 3*len(c.text(4*size))/len(c.text(size))/2)
		if steps4 > most*steps && steps4 > stepsFloor {
			t.Errorf("%.60q: %d steps, of the fourfold %d", c.String(), steps, steps4)
		}
		if bytes4 > uint64(most)*bytes && bytes4 > bytesFloor {
			t.Errorf("%.60q: %d bytes, of the fourfold %d", c.String(), bytes, bytes4)
		}
	}
	t.Logf("the parser was too slow for %d constructs", skipped)
}

// readingPatience bounds the parsing time of a construct. Most need a tenth of it.
const readingPatience = 60 * time.Millisecond

// readingCost returns the steps and allocated bytes of the rules for a construct. ok is false if
// the parser takes too long, which is not the rules' cost.
func readingCost(t *testing.T, c construct, n int) (steps int, bytes uint64, ok bool) {
	t.Helper()
	text := []byte(c.text(n))
	name := languages.LanguageOf(c.path, text)
	g := languages.GrammarOf(name, c.path, nil)
	if g == nil {
		return 0, 0, true
	}
	left := readingPatience
	tree, err := g.ParseWithin(text, &left)
	if err != nil {
		return 0, 0, false
	}
	lines := code.NewLineIndex(text)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w := syntax.NewWalk(tree, c.path, name, lines)
	w.Out.Lines, w.Grammars = lines.Count(), languages.GrammarOf
	f, err := w.Read()
	if err != nil {
		t.Errorf("%.60q: %v", c.String(), err)
	}
	services.Facts(&f, languages.Idioms(name))
	runtime.ReadMemStats(&after)
	return w.Work, after.TotalAlloc - before.TotalAlloc, true
}

// TestRulesGiveUp checks that a text which exceeds the step limit has no symbols and returns an
// error.
func TestRulesGiveUp(t *testing.T) {
	g := *languages.GrammarOf("go", "a.go", nil)
	endless := *g.Rules
	endless.File = func(w *syntax.Walk, _ syntax.Node) {
		for {
			w.Parent(1)
		}
	}
	g.Rules = &endless
	text := []byte("package p\n\nfunc f() {}\n")
	tree, err := g.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := syntax.NewWalk(tree, "a.go", "go", code.NewLineIndex(text)).Read(); err == nil {
		t.Error("no error")
	}
}

// TestRulesTakeFewSteps checks that real files stay far below the step limit.
func TestRulesTakeFewSteps(t *testing.T) {
	for _, g := range goldenTexts(t) {
		steps, _, _ := readingCost(t, construct{path: g[0], middle: g[1]}, 1)
		if per := steps / (len(g[1]) + 1); per > syntax.WorkPerByte/10 {
			t.Errorf("%s: %d steps a byte", g[0], per)
		}
	}
	files, _ := filepath.Glob(filepath.Join(build.Default.GOROOT, "src/net/http/*.go"))
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		steps, _, _ := readingCost(t, construct{path: "a.go", middle: string(text)}, 1)
		if per := steps / (len(text) + 1); per > syntax.WorkPerByte/10 {
			t.Errorf("%s: %d steps a byte", path, per)
		}
	}
}
