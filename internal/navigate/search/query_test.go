package search_test

import (
	"slices"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestExpressionOfAnotherDialect checks that an expression without matches is explained if grep or a language with
// delimiters around expressions reads it otherwise, and that no other is.
func TestExpressionOfAnotherDialect(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.go": "package a\n\nfunc open() {}\n\nfunc shut() {}\n\n// api/v1/\n"})
	for query, want := range map[string]string{
		`regex:/open|shut/`: "try regex:open|shut.", `regex:open\|shut`: "try regex:open|shut.",
		`regex:\(open\|shut\)x`: "try regex:(open|shut)x.", `regex:/v1/`: "", `regex:nothing`: "", `regex:x\|\|y`: "",
		`regex:none\(`: "",
	} {
		a := b.Search(contract.SearchRequest{Query: query})
		at := slices.IndexFunc(a.Warnings, func(w contract.Warning) bool { return w.Code == "REGEX_DIALECT" })
		if (at >= 0) != (want != "") || at >= 0 && !strings.Contains(a.Warnings[at].Message, want) {
			t.Errorf("%s: %+v", query, a.Warnings)
		}
	}
}
