package compact

import (
	"strings"
	"testing"
)

func TestSignatureKeepsTheName(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"func F(a int) error", "func F(a int) error"},
		{"func F(" + strings.Repeat("a, ", 60) + ")", "func F(" + strings.Repeat("a, ", 34) + "a…"},
		{"// Don't specify " + strings.Repeat("it here ", 20) + "@Deprecated public final void F(boolean lenient)",
			"…public final void F(boolean lenient)"},
		{strings.Repeat("x", 200) + "F()", "…" + strings.Repeat("x", 20) + "F()"},
	} {
		if got := aroundName(c.text, "F("); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.text, got, c.want)
		}
	}
	// The name of a test may be longer than the bound, and stand near the beginning.
	name := strings.Repeat("n", 150)
	if got, want := aroundName("it('"+name+"')", name), "it('"+name[:maxSignature-4]+"…"; got != want {
		t.Errorf("a long name\n got %q\nwant %q", got, want)
	}
}
