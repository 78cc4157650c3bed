package symbols

import (
	"bytes"
	"strings"

	"sextant/internal/code"
)

// elision replaces the bodies that a skeleton omits.
const elision = "…"

// skeleton returns the text of f without the bodies of functions, methods and properties with
// code. It keeps the bodies of types, because readers look for the members, and bodies of one
// line, because their omission saves nothing.
func skeleton(f *code.File) string {
	var out strings.Builder
	at := 0
	for i := range f.Symbols {
		s := &f.Symbols[i]
		start, end := s.Body[0], s.Body[1]
		if !s.Runs() || end <= start || start < at || end > len(f.Text) {
			continue
		}
		body := f.Text[start:end]
		if bytes.Count(body, []byte("\n")) == 0 {
			continue
		}
		out.Write(f.Text[at:start])
		out.WriteString(elided(body))
		at = end
	}
	out.Write(f.Text[at:])
	return out.String()
}

// elided returns a replacement for a body, with the body's delimiters.
func elided(body []byte) string {
	first, last := body[0], body[len(body)-1]
	if first == '{' && last == '}' {
		return "{ " + elision + " }"
	}
	return elision
}
