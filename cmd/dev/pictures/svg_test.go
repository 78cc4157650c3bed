package main

import (
	"encoding/xml"
	"strings"
	"testing"
)

// Each piece of a line begins at its cell, in the colour that the terminal shows.
func TestSVG(t *testing.T) {
	got := svg("$ sextant x", parse(
		steady("\x1b[36m文.go\x1b[0m  \x1b[1mF<T>\x1b[0m & \x1b[1;31mhit\x1b[0m\n2 results, 14.2ms\n")), 20)
	for _, want := range []string{
		`<text x="16.0" y="48" textLength="42.0" xml:space="preserve" fill="#5cb8c9">文.go</text>`,
		`<text x="74.8" y="48" textLength="33.6" xml:space="preserve" font-weight="bold" fill="#ffffff">F&lt;T&gt;</text>`,
		`<text x="133.6" y="48" textLength="25.2" xml:space="preserve" font-weight="bold" fill="#f07178">hit</text>`,
		`>2 results</text>`, `fill="#8bc98b">$ sextant x</text>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if err := xml.Unmarshal([]byte(got), new(struct{ XMLName xml.Name })); err != nil {
		t.Error(err)
	}
}

func TestShellWords(t *testing.T) {
	if got, want := shellWords([]string{"search", `a "b" $c`, "-n"}), `search "a \"b\" \$c" -n`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
