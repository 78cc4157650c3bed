package elixir

import (
	"strconv"
	"testing"

	"sextant/internal/code"
)

func TestNames(t *testing.T) {
	for _, c := range []struct {
		library, head string
		want          bool
	}{
		{"plug", "Plug", true}, {"nimble_options", "NimbleOptions", true}, {"httpoison", "HTTPoison", true},
		{"ecto_sql", "Ecto", true}, {"telemetry", ":telemetry", true}, {"telemetry_poller", ":telemetry_poller", true},
		{"ecto", "EctoSql", false}, {"plug", "Plu", false}, {"plug", "", false}, {"", "", false},
	} {
		if got := names(c.library, c.head); got != c.want {
			t.Errorf("%s of %s: %v", c.head, c.library, got)
		}
	}
}

func TestIsName(t *testing.T) {
	for text, want := range map[string]bool{"azAZ09_": true, "a": true, "": false, "a-b": false, "a.b": false,
		"a@": false, "a[": false,
		"a{": false, "a`": false, "a/": false, "a:": false} {
		if got := isName(text); got != want {
			t.Errorf("%q is a name: %t", text, got)
		}
	}
}

func TestDecimal(t *testing.T) {
	for _, n := range []int{0, 9, 10, 11, 99, 100, 255} {
		if got := decimal(n); got != strconv.Itoa(n) {
			t.Errorf("%d is written %q", n, got)
		}
	}
}

// TestBoundaries checks where text is quoted: in a quote, not in an unquote within it, again in a quote
// within that.
func TestBoundaries(t *testing.T) {
	region := func(typ string, from, to int) *code.Fact {
		return &code.Fact{Type: typ, Span: code.Span{StartByte: from, EndByte: to}}
	}
	got := boundaries([]*code.Fact{region("quote", 10, 50), region("unquote", 20, 40), region("quote", 25, 30),
		region("quote", 50, 60)})
	for pos, want := range map[int]bool{0: false, 10: true, 19: true, 20: false, 25: true,
		30: false, 40: true, 49: true,
		50: true, 59: true, 60: false} {
		in := false
		for _, b := range got {
			if b.pos <= pos {
				in = b.quoted
			}
		}
		if in != want {
			t.Errorf("%d: quoted %v, want %v", pos, in, want)
		}
	}
}
