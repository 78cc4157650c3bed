package syntax

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCommentText(t *testing.T) {
	for comment, want := range map[string]string{
		"// a":                     "a",
		"//  a":                    " a",
		"/// a":                    "a",
		"//! a":                    "a",
		"# a":                      "a",
		"## a":                     "a",
		"-- a":                     "a",
		"--- a":                    "a",
		"--[[ a\nb ]]":             "a\nb",
		"--[[ a --]]":              "a",
		"<!-- a -->":               "a",
		"/* a */":                  "a",
		"/** a\n * b\n *   c\n */": "a\nb\n  c",
		"/*! a\n   b */":           "a\nb",
		"  // a  ":                 "a",
		"a":                        "a",
		"":                         "",
	} {
		if got := CommentText(comment); got != want {
			t.Errorf("%q: %q, want %q", comment, got, want)
		}
	}
}

func TestClipsAndLines(t *testing.T) {
	for n, want := range map[int]string{0: "", 1: "a", 2: "a", 3: "aé", 4: "aéb", 9: "aéb"} {
		if got := Clip("aéb", n); got != want {
			t.Errorf("%d bytes: %q, want %q", n, got, want)
		}
	}
	if got := OneLine([]byte(" a\n\t b  ")); got != "a b" {
		t.Errorf("%q", got)
	}
	whole := strings.Repeat("x", MaxLine)
	if got := OneLine([]byte(whole)); got != whole {
		t.Errorf("%d bytes of a line that fits", len(got))
	}
	cut := OneLine([]byte(strings.Repeat("x", MaxLine-4) + "éy" + strings.Repeat("z", MaxLine)))
	if !utf8.ValidString(cut) || cut != strings.Repeat("x", MaxLine-4)+"…" {
		t.Errorf("cut to %q", cut)
	}
}

func TestSplitTop(t *testing.T) {
	for text, want := range map[string]string{
		"a, b": "a| b", "f(a, b), c": "f(a, b)| c", "Map<K, V>, [a, b], {c, d}": "Map<K, V>| [a, b]| {c, d}",
		"": "", "a, ": "a", "a,,b": "a||b",
	} {
		if got := strings.Join(SplitTop(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestUnquote(t *testing.T) {
	for text, want := range map[string]string{
		`"a\n"`: "a\n", "`a`": "a", "'x'": "x", "'ab'": "ab", `"a'`: "a", "a": "a", `"`: "",
	} {
		if got := Unquote(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestBlankKeepsLines(t *testing.T) {
	text := []byte("a\n b\r\nc")
	if Blank(text); string(text) != " \n   \n " {
		t.Errorf("%q", text)
	}
	for b, want := range map[byte]bool{'_': true, '$': true, 'a': true, 'Z': true, '9': true, 0xc3: true, '-': false,
		'@': false, '[': false, '{': false, '`': false, ':': false, '/': false} {
		if IsIdentByte(b) != want {
			t.Errorf("%q is part of an identifier: %t", b, !want)
		}
	}
}

func TestRouteNames(t *testing.T) {
	for _, c := range []struct{ method, template, want string }{
		{"get", "/orders/:id", "GET /orders/{id}"},
		{"DEL", "/orders/{id}", "DELETE /orders/{id}"},
		{"all", "orders", "ANY /orders"}, {"use", "/", "ANY /"}, {"", "", "ANY /"}, {"any", "/a", "ANY /a"},
		{"post", "/:id(\\d+)/:name?/x", "POST /{id}/{name}/x"},
		{"put", "/{id:int}/{**rest=x}/{slug?}", "PUT /{id}/{rest}/{slug}"},
		{"patch", "/<name>", "PATCH /{name}"},
	} {
		if got := RouteName(c.method, c.template); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.method, c.template, got, c.want)
		}
	}
	if !IsRouteMethod("patch") || IsRouteMethod("use") || IsRouteMethod("GET") {
		t.Error("names of methods that add a route")
	}
}

// TestTextDoc checks which comments document a declaration that is read from the text.
func TestTextDoc(t *testing.T) {
	for text, want := range map[string]string{
		"# a\n# b\nX":    "a\nb",
		"# a\n\n# b\nX":  "b",
		"# a\n\nX":       "",
		"y # a\nX":       "",
		"  # a\n  X":     "a",
		"y # a\n# b\nX":  "b",
		"# a\ny # b\nX":  "",
		"# a\n# b\n y X": "",
	} {
		var d TextDoc
		for at := 0; at < len(text); at++ {
			if text[at] == '#' {
				end := at + strings.IndexByte(text[at:], '\n')
				d.Add([]byte(text), at, end)
				at = end
			}
		}
		x := strings.IndexByte(text, 'X')
		if got := d.Before([]byte(text), x); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if d.Before([]byte(text), x) != "" {
			t.Errorf("%q documents two declarations", text)
		}
	}
	for text, want := range map[string]string{" a b\n": "a b", "": "", "  ": "", "a": "a"} {
		from, to := Trimmed([]byte(text), 0, len(text))
		if text[from:to] != want {
			t.Errorf("%q is trimmed to %q", text, text[from:to])
		}
	}
}
