package engine_test

import (
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestTooLongNameLeavesNoTrace checks that the name of no file, which is too long for any, is not reported as a file
// that cannot be read, in later answers either.
func TestTooLongNameLeavesNoTrace(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.go": "package a\n\nfunc F() {}\n"})
	long := strings.Repeat("x", 300)
	if a := b.Outline(long); a.Reason != contract.ReasonMissingFile {
		t.Errorf("the outline: %+v", a.Outcome)
	}
	a := b.Search(contract.SearchRequest{Query: "F"})
	if a.Status != contract.StatusOK || len(a.Warnings) > 0 {
		t.Errorf("a search: %+v %+v", a.Outcome, a.Warnings)
	}
}
