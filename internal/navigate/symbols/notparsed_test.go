package symbols

import (
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

// TestNotParsed checks that a file on which the parser gave up differs from one without a grammar.
func TestNotParsed(t *testing.T) {
	f := code.File{Path: "a.go", Language: "go"}
	if o := NotParsed(&f, 9, "No symbols are known for %s."); o.Reason != contract.ReasonNotParsed ||
		o.Status != contract.StatusUnsupported {
		t.Errorf("gave up: %+v", o)
	}
	f = code.File{Path: "a.txt"}
	if o := NotParsed(&f, 0, "No symbols are known for %s."); o.Reason != contract.ReasonUnsupportedLanguage ||
		o.Message != "No symbols are known for plain text." {
		t.Errorf("no grammar: %+v", o)
	}
}
