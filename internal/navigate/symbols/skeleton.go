package symbols

import (
	"bytes"
	"strings"

	"sextant/internal/code"
)

// elision stands for a body that a skeleton leaves out.
const elision = "…"

// skeleton returns the text of f with the bodies of its callables elided; types
// keep theirs, since their members are what is looked for. A body on one line
// is kept: there is nothing to save.
func skeleton(f *code.File) string {
	var out strings.Builder
	at := 0
	for i := range f.Symbols {
		s := &f.Symbols[i]
		start, end := s.Body[0], s.Body[1]
		if !s.Kind.Callable() || end <= start || start < at || end > len(f.Text) {
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

// elided keeps the delimiters of a body.
func elided(body []byte) string {
	first, last := body[0], body[len(body)-1]
	if first == '{' && last == '}' {
		return "{ " + elision + " }"
	}
	return elision
}
