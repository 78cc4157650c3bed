package main

import (
	"fmt"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

// searchLines holds the flags of search that print one line per file or matching line, for other
// programs to read.
type searchLines struct{ files, vimgrep bool }

// printLines prints the files or the matching lines of an answer. For a result
// without matching lines it prints the first line of the preview. Warnings go
// to standard error.
func (c *console) printLines(s *contract.SearchAnswer, lines searchLines) error {
	if s.Status != contract.StatusOK {
		return failed(s.Outcome, s.Path)
	}
	m, seen := newMarker(s.Query), map[string]bool{}
	for _, r := range s.Results {
		g, ok := r.(*contract.Group)
		if !ok {
			continue
		}
		file := shown(s.CodebaseRoot, g.File)
		if c.outTerminal { // only people get the name quoted; other programs get it as it is
			file = code.QuotePath(file)
		}
		switch {
		case lines.vimgrep:
			for _, l := range placesOf(g) {
				text := strings.TrimSuffix(l.Text, "\r")
				column := max(l.Column, 1)
				if spans := m.spans(text); l.Column == 0 && len(spans) > 0 {
					column = spans[0][0] + 1
				}
				fmt.Fprintf(c.out, "%s:%d:%d:%s\n", file, l.Line, column, text)
			}
		case !seen[file]:
			seen[file] = true
			fmt.Fprintln(c.out, file)
		}
	}
	if s.Cursor != "" {
		c.aside("More: add --cursor %s", quote(s.Cursor))
	}
	c.printWarnings(s.Warnings)
	return nil
}

// placesOf returns the matching lines of a result, or else the first line of
// its preview.
func placesOf(g *contract.Group) []contract.MatchedLine {
	if len(g.MatchedLines) > 0 {
		return g.MatchedLines
	}
	line := g.Span.StartLine
	if g.PreviewSpan != nil {
		line = g.PreviewSpan.StartLine
	}
	first, _, _ := strings.Cut(g.Preview, "\n")
	return []contract.MatchedLine{{Line: line, Text: first}}
}
