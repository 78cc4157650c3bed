package quality

import (
	"bytes"
	"strings"

	"sextant/internal/code"
)

// Strip returns the text of a file with spaces in place of its doc comments, so that a search for
// their words does not find them. Every other byte keeps its offset.
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
		blankStringAt(out, 0) // the docstring of the module
	}
	return out
}

// blankAbove blanks the comments directly above offset.
func blankAbove(text []byte, offset int, language string) {
	for {
		end := len(bytes.TrimRight(text[:offset], " \t\r\n"))
		if bytes.Count(text[end:offset], []byte{'\n'}) > 1 {
			return // the comment belongs to no declaration
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
			bytes.HasPrefix(content, []byte("#")) &&
				(language == "ruby" || language == "php" || language == "bash" || language == "elixir"):
		default:
			return
		}
		blank(text[start:end])
		offset = start
	}
}

// blankDocstring blanks the string that a Python declaration's body begins
// with. Comments above the declaration stay.
func blankDocstring(text []byte, s *code.Symbol) {
	if s.Body[1] > s.Body[0] {
		blankStringAt(text[:s.Body[1]], s.Body[0])
	}
}

// blankStringAt blanks the string at offset, after white space and colons, if
// there is one.
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

// blank replaces text by spaces, in place. Line breaks stay.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}
