package main

import (
	"strings"
	"testing"
)

func TestMarkerShowsWhatAQueryMeans(t *testing.T) {
	for _, c := range []struct{ query, line, want string }{
		{`must:"ctx.Err()" lang:go`, `if ctx.Err() != nil { // lang:go, ctx`,
			`if [ctx.Err()] != nil { // lang:go, ctx`},
		{`must:ab must:bc`, `abc ab Ab`, `[abc] [ab] Ab`},
		{`regex:"x[0-9]+" path:src/**`, `x12 := src + x3 + xs`, `[x12] := src + [x3] + xs`},
		{`where are old tokens dropped`, `var TokensDropped int // compared, old_token`,
			`var [Tokens][Dropped] int // compared, [old]_[token]`},
		{`refreshing sessions`, `func (s *Server) refreshSession() {}`, `func (s *Server) [refresh][Session]() {}`},
		{`HTTPServer`, `type httpServer struct{ HTTP_SERVER, server }`,
			`type [httpServer] struct{ [HTTP_SERVER], [server] }`},
		{`the of`, `the list of it`, `the list of it`},
		{`größe`, `let größe = Größen`, `let [größe] = Größen`},
		{`must:"open`, `open`, `open`},
	} {
		var b strings.Builder
		at := 0
		for _, f := range newMarker(c.query).spans(c.line) {
			b.WriteString(c.line[at:f[0]] + "[" + c.line[f[0]:f[1]] + "]")
			at = f[1]
		}
		b.WriteString(c.line[at:])
		// Adjacent marks are merged.
		want := strings.ReplaceAll(c.want, "][", "")
		if got := strings.ReplaceAll(b.String(), "][", ""); got != want {
			t.Errorf("%s in %q:\n got %s\nwant %s", c.query, c.line, got, want)
		}
	}
}

func TestSplitLines(t *testing.T) {
	for _, c := range []struct {
		arg, file   string
		first, last int
	}{
		{"a.go", "a.go", 0, 0},
		{"a.go:7", "a.go", 7, 7},
		{"a.go:7-9", "a.go", 7, 9},
		{"a.go:7-", "a.go", 7, 0},
		{"a:b.go", "a:b.go", 0, 0},
		{"a.go:7-x", "a.go:7-x", 0, 0},
		{"a.go:", "a.go:", 0, 0},
	} {
		if file, first, last := splitLines(c.arg); file != c.file || first != c.first || last != c.last {
			t.Errorf("%s: got %s %d %d, want %s %d %d", c.arg, file, first, last, c.file, c.first, c.last)
		}
	}
}

func TestQuoteIsOneWordOfAShell(t *testing.T) {
	for in, want := range map[string]string{"/a/b-c.go:7-": "/a/b-c.go:7-", "a b": "'a b'", "it's": `'it'\''s'`,
		"": "''", "$x": "'$x'"} {
		if got := quote(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

// FuzzMarker checks that marks are within the line, in order, disjoint, and
// never split a character.
func FuzzMarker(f *testing.F) {
	f.Add(`must:a regex:"b|é" word`, "aé_wordsWord b")
	f.Fuzz(func(t *testing.T, query, line string) {
		at := 0
		for i, s := range newMarker(query).spans(line) {
			if s[0] < at || s[1] <= s[0] || s[1] > len(line) || i > 0 && s[0] == at {
				t.Fatalf("%q in %q: span %d is %v after %d", query, line, i, s, at)
			}
			at = s[1]
		}
	})
}
