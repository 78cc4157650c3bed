package symbols_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestSkeletonPages checks that the pages of a skeleton, joined, are the whole of it, that each keeps
// its lines whole, and that the cursors between them are short.
func TestSkeletonPages(t *testing.T) {
	judge, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	b := navigatetest.Of(t, map[string]string{"a.go": "package a\n\n" + longSource(400)})
	ask := func(cursor string, most int) *contract.OutlineAnswer {
		t.Helper()
		a, err := b.Service.Outline(t.Context(),
			navigatetest.Normal(t, contract.OutlineRequest{Path: b.Dir, File: "a.go", Cursor: cursor,
				Detail:   contract.DetailSkeleton,
				Delivery: contract.Delivery{MaxTokens: most, Format: contract.FormatText}}))
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	whole := ask("", contract.MaxMaxTokens)
	if whole.HasMore || !strings.Contains(whole.Skeleton, "f399") {
		t.Fatal("the whole skeleton does not fit into the largest budget")
	}
	pages, joined, cursor := 0, "", ""
	for {
		a := ask(cursor, 500)
		joined += a.Skeleton
		if pages++; a.Cursor == "" {
			break
		}
		if !strings.HasSuffix(a.Skeleton, "\n") {
			t.Errorf("page %d ends within a line", pages)
		}
		if n, err := judge.Count(a.Cursor); err != nil || n > 20 {
			t.Errorf("cursor %q has %d tokens, error %v", a.Cursor, n, err)
		}
		if left := strings.Count(whole.Skeleton, "\n") - strings.Count(joined, "\n"); a.Truncated.Omitted != left {
			t.Errorf("page %d says that %d lines are left, of %d", pages, a.Truncated.Omitted, left)
		}
		cursor = a.Cursor
	}
	if pages < 3 || joined != whole.Skeleton {
		t.Errorf("%d pages joined are not the whole skeleton:\n%s", pages, joined)
	}
	if odd := ask("14", contract.MaxMaxTokens); strings.HasPrefix(odd.Skeleton, "unc") ||
		!strings.HasSuffix(whole.Skeleton, odd.Skeleton) {
		t.Errorf("a cursor within a line shows %q", odd.Skeleton[:20])
	}
}

// longSource returns n functions of several lines.
func longSource(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "func f%d(name string, tries int) error {\n\treturn nil\n}\n", i)
	}
	return b.String()
}
