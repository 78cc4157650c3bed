package navigate_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestContextLines compares the lines around matches with the file: pages of any size show each
// line near a match once, in the order of the file.
func TestContextLines(t *testing.T) {
	b := navigatetest.Indexed(t, "text/template/parse")
	for _, file := range []string{"parse.go", "lex.go", "node.go"} {
		text, err := os.ReadFile(filepath.Join(b.Dir, file))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		for _, word := range []string{"package", "errorf", "Copyright", "}"} {
			around := 1 + rand.IntN(contract.MaxContextLines)
			var want []int
			for n := range lines {
				near := lines[max(0, n-around):min(len(lines), n+around+1)]
				if !strings.Contains(lines[n], word) && slices.ContainsFunc(near, func(l string) bool {
					return strings.Contains(l, word)
				}) {
					want = append(want, n+1)
				}
			}
			req := contract.SearchRequest{Path: b.Dir, Query: fmt.Sprintf("must:%q path:/%s", word, file),
				Context: around, Limit: 1 + rand.IntN(5)}
			var got []int
			for {
				a := b.Search(req)
				for _, r := range a.Results {
					for _, l := range r.(*contract.Group).ContextLines {
						if got = append(got, l.Line); !strings.HasPrefix(lines[l.Line-1],
							strings.TrimSuffix(l.Text, "…")) {
							t.Errorf("%s:%d: %q, the file has %q", file, l.Line, l.Text, lines[l.Line-1])
						}
					}
				}
				if req.Cursor = a.Cursor; a.Cursor == "" {
					break
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s in %s, %d lines around: %v, want %v", word, file, around, got, want)
			}
		}
	}
}
