package impact_test

import (
	"fmt"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestNarrowPagesReachAllCallers checks that pages of callers without tests go on to the last caller, however small
// the budget is.
func TestNarrowPagesReachAllCallers(t *testing.T) {
	files := map[string]string{"f/f.go": "package f\n\nfunc F() int { return 1 }\n", "go.mod": "module x\n"}
	for i := range 9 {
		files[fmt.Sprintf("c%d/c.go", i)] = fmt.Sprintf("package c%d\n\nimport \"x/f\"\n\nfunc C%d() int { return f.F() }\n", i, i)
	}
	b := navigatetest.Of(t, files)
	b.Git("init", "-q")
	b.Git("add", "-A")
	b.Git("commit", "-q", "-m", "x")
	b.Edit("f/f.go", func(s string) string { return strings.Replace(s, "1", "2", 1) })
	head := ""
	req := contract.GraphRequest{SymbolRef: contract.SymbolRef{Diff: &head}, Limit: 50,
		Delivery: contract.Delivery{MaxTokens: contract.MinMaxTokens, Format: contract.FormatJSON}}
	callers := map[string]bool{}
	for range 20 {
		a := b.Graph(req)
		if a.Status != contract.StatusOK {
			t.Fatalf("%+v", a.Outcome)
		}
		for _, c := range a.Impact.Callers {
			callers[c.SymbolLabel] = true
		}
		if req.Cursor = a.Cursor; a.Cursor == "" {
			break
		}
	}
	if len(callers) != 9 || req.Cursor != "" {
		t.Errorf("%d callers, and the last page goes on at %q", len(callers), req.Cursor)
	}
}
