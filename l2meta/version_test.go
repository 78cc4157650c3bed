package l2meta_test

import (
	"crypto/sha256"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"testing"

	"sextant/l2meta"
)

// redactionVersion is the ExtractorVersion at which the rules of redaction were last changed;
// redactionRules is the hash of their source. An index holds texts as they were masked when it was
// built, and answers do not mask them again. So a change of the rules needs a new index.
const (
	redactionVersion = 53
	redactionRules   = "fdd5bf544e8b8618"
)

// TestRedactionRaisesTheVersion fails if a rule of redaction changes and ExtractorVersion does not.
func TestRedactionRaisesTheVersion(t *testing.T) {
	rules := tokensHash(t, "../internal/workspace/redact.go")
	switch {
	case rules == redactionRules:
		if l2meta.ExtractorVersion < redactionVersion {
			t.Errorf("ExtractorVersion is %d, below the %d of these rules", l2meta.ExtractorVersion, redactionVersion)
		}
	case l2meta.ExtractorVersion <= redactionVersion:
		t.Errorf("redact.go has changed: raise ExtractorVersion above %d, redactionVersion to the same, and set "+
			"redactionRules to %q; if the same texts are masked as before, set redactionRules alone",
			redactionVersion, rules)
	default:
		t.Errorf("redact.go has changed: set redactionVersion to %d and redactionRules to %q",
			l2meta.ExtractorVersion, rules)
	}
}

// tokensHash returns a hash of the Go tokens of a file: comments and layout do not count.
func tokensHash(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var s scanner.Scanner
	s.Init(set.AddFile(file, set.Base(), len(text)), text, func(p token.Position, msg string) {
		t.Errorf("%s: %s", p, msg)
	}, 0)
	h := sha256.New()
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return fmt.Sprintf("%x", h.Sum(nil)[:8])
		}
		if lit != "\n" { // the semicolon that ends a line
			fmt.Fprintf(h, "%s %q\n", tok, lit)
		}
	}
}
