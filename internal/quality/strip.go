package quality

import (
	"bytes"
	"strings"

	"sextant/internal/code"
)

// Strip blanks the doc comments of a file, so that what they say can be asked
// for. Every byte keeps its place.
func Strip(f *code.File) []byte {
	out := bytes.Clone(f.Text)
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if s.Doc == "" {
			continue
		}
		if f.Language == "python" {
			blankDocstring(out, s)
			continue
		}
		blankAbove(out, s.Span.StartByte, f.Language)
	}
	if f.Language == "python" {
		blankStringAt(out, 0) // the module's
	}
	return out
}

// blankAbove blanks the comments that end right above offset.
func blankAbove(text []byte, offset int, language string) {
	for {
		end := len(bytes.TrimRight(text[:offset], " \t\r\n"))
		if bytes.Count(text[end:offset], []byte{'\n'}) > 1 {
			return // it belongs to nothing
		}
		line := bytes.LastIndexByte(text[:end], '\n') + 1
		content := bytes.TrimSpace(text[line:end])
		start := line
		switch {
		case bytes.HasSuffix(content, []byte("*/")):
			if start = bytes.LastIndex(text[:end], []byte("/*")); start < 0 {
				return
			}
		case bytes.HasPrefix(content, []byte("//")), bytes.HasPrefix(content, []byte("--")),
			bytes.HasPrefix(content, []byte("#")) && (language == "ruby" || language == "php" || language == "bash" || language == "elixir"):
		default:
			return
		}
		blank(text[start:end])
		offset = start
	}
}

// blankDocstring blanks the string that a Python declaration's body begins
// with. Blank comments above are comments, which stay.
func blankDocstring(text []byte, s *code.Symbol) {
	if s.Body[1] > s.Body[0] {
		blankStringAt(text[:s.Body[1]], s.Body[0])
	}
}

// blankStringAt blanks the string that stands first at or after offset.
func blankStringAt(text []byte, offset int) {
	at := offset
	for at < len(text) && strings.IndexByte(" \t\r\n:", text[at]) >= 0 {
		at++
	}
	quoteAt := at
	for quoteAt < len(text) && strings.IndexByte("rRuUbB", text[quoteAt]) >= 0 {
		quoteAt++
	}
	for _, quote := range []string{`"""`, `'''`, `"`, `'`} {
		if !bytes.HasPrefix(text[quoteAt:], []byte(quote)) {
			continue
		}
		inside := quoteAt + len(quote)
		if end := bytes.Index(text[inside:], []byte(quote)); end >= 0 {
			blank(text[inside : inside+end])
		}
		return
	}
}

func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}
