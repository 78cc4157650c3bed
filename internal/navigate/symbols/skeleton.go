package symbols

import (
	"bytes"
	"strings"

	"sextant/internal/code"
)

// elision replaces the bodies that a skeleton omits.
const elision = "…"

// skeleton returns the lines first to last of f without the bodies of functions, methods and
// properties with code; a last of 0 means no bound. It keeps the bodies of types, because readers
// look for the members, and bodies of one line, because their omission saves nothing. If a line at
// either end is within a body, the whole declaration with that body counts.
func skeleton(f *code.File, first, last int) string {
	var out strings.Builder
	at, stop := linesOf(f.Text, first, last)
	for i := range f.Symbols {
		s := &f.Symbols[i]
		start, end := s.Body[0], s.Body[1]
		if !s.Runs() || end <= start || end > len(f.Text) || end <= at || start >= stop {
			continue
		}
		body := f.Text[start:end]
		if bytes.Count(body, []byte("\n")) == 0 {
			continue
		}
		if start < at {
			if out.Len() > 0 {
				continue // within a body that is left out already
			}
			at, _ = linesOf(f.Text, s.Span.StartLine, 0)
		}
		out.Write(f.Text[at:start])
		out.WriteString(elided(body))
		at = end
		if end > stop {
			_, stop = linesOf(f.Text, 1, s.Span.EndLine)
		}
	}
	if at < stop {
		out.Write(f.Text[at:stop])
	}
	return out.String()
}

// linesOf returns the offsets of the start of line first and of the end of line last, with its line
// feed. A last of 0 means the last line of text.
func linesOf(text []byte, first, last int) (start, end int) {
	for line := 1; line < first && start < len(text); line++ {
		next := bytes.IndexByte(text[start:], '\n')
		if next < 0 {
			return len(text), len(text)
		}
		start += next + 1
	}
	if last == 0 {
		return start, len(text)
	}
	end = start
	for line := max(first, 1); line <= last && end < len(text); line++ {
		next := bytes.IndexByte(text[end:], '\n')
		if next < 0 {
			return start, len(text)
		}
		end += next + 1
	}
	return start, end
}

// elided returns a replacement for a body, with the body's delimiters.
func elided(body []byte) string {
	first, last := body[0], body[len(body)-1]
	if first == '{' && last == '}' {
		return "{ " + elision + " }"
	}
	return elision
}
