package symbols_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestSkeletonOfLines checks that a skeleton covers the lines asked for, and whole declarations if
// these begin or end within one.
func TestSkeletonOfLines(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.go": "package a\n\nfunc one() {\n\tx()\n}\n\n" +
		"func two() {\n\tf := func() {\n\t\ty()\n\t}\n\tf()\n}\n\nfunc three() {\n\tz()\n}\n"})
	for _, c := range []struct {
		first, last int
		want        string
	}{
		{0, 0, "package a\n\nfunc one() { … }\n\nfunc two() { … }\n\nfunc three() { … }\n"},
		{7, 12, "func two() { … }\n"},
		{9, 10, "func two() { … }\n"},
		{4, 8, "func one() { … }\n\nfunc two() { … }\n"},
		{14, 0, "func three() { … }\n"},
		{1, 2, "package a\n\n"},
		{6, 6, "\n"},
		{90, 0, ""},
	} {
		a, err := b.Service.Outline(t.Context(), navigatetest.Normal(t, contract.OutlineRequest{Path: b.Dir,
			File: "a.go", StartLine: c.first, EndLine: c.last, Detail: contract.DetailSkeleton}))
		if err != nil {
			t.Fatal(err)
		}
		if a.Skeleton != c.want {
			t.Errorf("lines %d to %d: %q, want %q", c.first, c.last, a.Skeleton, c.want)
		}
	}
}

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
