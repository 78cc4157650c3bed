package resolve

import (
	"fmt"
	"strings"
	"testing"
)

// TestInternedStringsKeepTheirNumbers checks that each distinct string gets the next number, and that
// number, find and at agree while the table grows.
func TestInternedStringsKeepTheirNumbers(t *testing.T) {
	var names interned
	if _, ok := names.find("x"); ok {
		t.Error("an empty table has a string")
	}
	text := func(i int) string { return strings.Repeat("é", i%7) + fmt.Sprint(i) }
	for round := range 2 {
		for i := range 5000 {
			if n := names.number(text(i)); n != uint32(i) {
				t.Fatalf("round %d: %q has the number %d, want %d", round, text(i), n, i)
			}
		}
	}
	if n := names.number(""); n != 5000 || names.at(n) != "" || names.count() != 5001 {
		t.Errorf("the empty string has the number %d of %d", n, names.count())
	}
	for i := range 5000 {
		if n, ok := names.find(text(i)); !ok || n != uint32(i) || names.at(n) != text(i) {
			t.Fatalf("%q is found as %d, %t", text(i), n, ok)
		}
	}
	if _, ok := names.find("5000"); ok {
		t.Error("a string is found that was never added")
	}
}
