package syntax

import (
	"bytes"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/smacker/go-tree-sitter/golang"
)

// TestReturnMemory parses a large text on several threads at once, and checks that ReturnMemory
// frees the memory that the parsers keep for the next texts.
func TestReturnMemory(t *testing.T) {
	text := append([]byte("package a\n"),
		bytes.Repeat([]byte("func f(x int) int { return g(x, h(x), x+1) }\n"), 5000)...)
	g := NewGrammar(golang.GetLanguage(), &Rules{})
	parse := func() {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if _, err := g.Parse(text); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		debug.FreeOSMemory() // the flattened trees
	}
	var kept, left int
	for range 5 { // the race detector keeps memory of its own, until all threads have parsed
		parse()
		ReturnMemory()
		before := anonymous(t)
		parse()
		if len(idleArenas) == 0 {
			t.Fatal("no arena is kept")
		}
		kept = anonymous(t) - before
		ReturnMemory()
		left = anonymous(t) - before
		t.Logf("%d kB kept, %d kB left", kept, left)
		if len(idleArenas) > 0 {
			t.Fatal("an arena is left")
		}
		if kept > 2_000 && left < kept/2 {
			return
		}
	}
	t.Errorf("%d kB of %d kB are left", left, kept)
}

// anonymous returns the anonymous memory of the process that is resident, in kB.
func anonymous(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			n, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatal("no RssAnon")
	return 0
}
