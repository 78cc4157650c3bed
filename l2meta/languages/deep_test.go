package languages_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// nested are texts with a call inside n nested declarations.
var nested = map[string]func(n int) string{
	"A.java": func(n int) string {
		return "class A {" + strings.Repeat("class B {", n) + "void run() { run(); }" + strings.Repeat("}", n+1)
	},
	"a.rb": func(n int) string {
		return strings.Repeat("class B\n", n) + "def run; run(); B.new; end\n" + strings.Repeat("end\n", n)
	},
	"a.cs": func(n int) string {
		return strings.Repeat("namespace N {\n", n) + "class A { void Run() { Run(); } }" + strings.Repeat("}\n", n)
	},
	"a.cpp": func(n int) string {
		return strings.Repeat("struct B {", n) + "void run() { run(); }" + strings.Repeat("};", n)
	},
	"a.rs": func(n int) string {
		return strings.Repeat("mod a {", n) + "fn run() { run(); }" + strings.Repeat("}", n)
	},
	"a.py": func(n int) string {
		text := ""
		for i := range n {
			text += strings.Repeat(" ", i) + "class B:\n"
		}
		return text + strings.Repeat(" ", n) + "def run(self): self.run()\n"
	},
	"a.ts": func(n int) string {
		return strings.Repeat("namespace N {", n) + "function run() { run(); }" + strings.Repeat("}", n)
	},
	"a.kt": func(n int) string {
		return strings.Repeat("class B {", n) + "fun run() { run() }" + strings.Repeat("}", n)
	},
}

// TestNestedCallsAreLinear checks that resolving the calls within nested declarations allocates
// memory in proportion to their depth: 4 times as much at 4 times the depth, and some more because
// qualified names grow with the depth. A quadratic rule takes 16 times as much.
func TestNestedCallsAreLinear(t *testing.T) {
	for name, text := range nested {
		few, many := allocated(t, name, text(200)), allocated(t, name, text(800))
		t.Logf("%s: %d kB at depth 200, %d kB at 800", name, few>>10, many>>10)
		if many > 8*few {
			t.Errorf("%s: %d kB at depth 200, %d kB at 800", name, few>>10, many>>10)
		}
	}
}

// allocated returns the bytes that settling the calls of a file allocates.
func allocated(t *testing.T, name, text string) uint64 {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	live := languagetest.Indexed(t, dir)
	cache := resolve.NewCache(languages.All, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	settle(t, live, cache)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
