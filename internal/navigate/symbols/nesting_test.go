package symbols

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/l2meta/languages"
)

// TestDeepNestingIsLinear checks that the outline of nested declarations allocates in proportion to their
// number: fourfold depth, at most sixfold bytes.
func TestDeepNestingIsLinear(t *testing.T) {
	for file, part := range map[string][2]string{
		"J.java": {"public class A { ", "}"}, "d.rb": {"class A\n", "end\n"}, "d.cpp": {"struct A { ", "};"},
	} {
		for _, format := range []contract.Format{contract.FormatText, contract.FormatJSON} {
			const depth = 500
			few, many := outlined(t, file, part, format, depth), outlined(t, file, part, format, 4*depth)
			if many > 6*few {
				t.Errorf("%s as %s: %d bytes for %d levels, %d for %d", file, format, few, depth, many, 4*depth)
			}
		}
	}
}

// outlined returns the bytes that an outline of nested declarations allocates.
func outlined(t *testing.T, file string, part [2]string, format contract.Format, depth int) uint64 {
	t.Helper()
	f, err := languages.Extract(file, []byte(strings.Repeat(part[0], depth)+strings.Repeat(part[1], depth)+"\n"))
	if err != nil || len(f.Symbols) != depth {
		t.Fatalf("%s: %d symbols of %d, error %v", file, len(f.Symbols), depth, err)
	}
	req := contract.OutlineRequest{Path: "/w", File: file,
		Delivery: contract.Delivery{Format: format, MaxTokens: contract.MaxMaxTokens}}
	if format == contract.FormatText {
		req.Price = func(any) int { return 1 } // so that every symbol fits
	}
	if err := req.Normalize(); err != nil {
		t.Fatal(err)
	}
	s := &Service{Engine: &engine.Engine{Clock: time.Now}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	a := &contract.OutlineAnswer{}
	s.outlineAll(a, &req, &f)
	runtime.ReadMemStats(&after)
	if len(a.Outline.Symbols) == 0 {
		t.Fatalf("%s: no symbols", file)
	}
	return after.TotalAlloc - before.TotalAlloc
}

// TestLabelsOfNestedNamesAreLinear checks that finding a nested symbol by its label allocates memory in
// proportion to the number of symbols: labelled splits the paths of a file once for each label.
func TestLabelsOfNestedNamesAreLinear(t *testing.T) {
	allocs := func(n int) float64 {
		var all []Named
		name := ""
		for i := range n {
			name += ".B"
			all = append(all, Named{Index: i, Symbol: &code.Symbol{Name: "B", QualifiedName: name[1:]}})
		}
		return testing.AllocsPerRun(3, func() {
			if got := labelled("deep/A.java", all, "missing"+name); len(got) > 0 {
				t.Errorf("%d symbols", len(got))
			}
		})
	}
	if few, many := allocs(50), allocs(200); many > 6*few {
		t.Errorf("%.0f allocations for 50 names, %.0f for 200", few, many)
	}
}
