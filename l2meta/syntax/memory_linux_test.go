package syntax

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/golang"
)

// TestReturnMemory parses a large text on several threads at once, and checks that
// most of what the trees took is returned.
func TestReturnMemory(t *testing.T) {
	text := append([]byte("package a\n"),
		bytes.Repeat([]byte("func f(x int) int { return g(x, h(x), x+1) }\n"), 5000)...)
	ReturnMemory()
	before := anonymous(t)
	var all, parsed sync.WaitGroup
	release := make(chan struct{})
	for range 4 {
		parsed.Add(1)
		all.Go(func() {
			p := sitter.NewParser()
			defer p.Close()
			p.SetLanguage(golang.GetLanguage())
			tree, err := p.ParseCtx(t.Context(), nil, text)
			parsed.Done()
			<-release
			if err != nil {
				t.Error(err)
				return
			}
			tree.Close()
		})
	}
	parsed.Wait()
	full := anonymous(t) - before
	close(release)
	all.Wait()
	kept := anonymous(t) - before
	ReturnMemory()
	left := anonymous(t) - before
	t.Logf("%d kB with the trees, %d kB after them, %d kB returned to", full, kept, left)
	if full < 20_000 || left > full/4 {
		t.Errorf("%d kB of %d kB are left, %d kB before they were returned", left, full, kept)
	}
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
