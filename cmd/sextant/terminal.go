package main

import (
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"sextant/internal/compact"
	"sextant/internal/navigate/contract"
	"sextant/internal/typeset"
)

// usualColumns is the assumed width of a terminal that does not report its own.
const usualColumns = 80

// columns returns the width of a terminal in columns: the one it reports, or else COLUMNS, or else
// 80. It returns 0 if f is not a terminal; lines are then never shortened.
func columns(f *os.File, env func(string) string) int {
	if !isTerminal(f) {
		return 0
	}
	if size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ); err == nil && size.Col > 0 {
		return int(size.Col)
	}
	if n, err := strconv.Atoi(env("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return usualColumns
}

// sheet is an output, standard output or standard error, with its colours and
// width.
type sheet struct {
	to      io.Writer
	style   style
	columns int // width of the terminal, 0 if it is no terminal
}

// print prints lines, with the matches of m highlighted. On a terminal it wraps
// or shortens them to fit and replaces control characters; elsewhere it prints
// them unchanged.
func (s sheet) print(m marker, lines ...typeset.Line) error {
	var b strings.Builder
	for _, l := range lines {
		if s.columns == 0 {
			b.WriteString(l.String() + "\n")
			continue
		}
		l = l.Visible()
		for i := range l {
			if l[i].Role == typeset.Source {
				if spans := m.spans(l[i].Text); len(spans) > 0 {
					l[i].Focus = spans[0]
				}
			}
		}
		for _, part := range l.Fit(s.columns) {
			b.WriteString(s.style.line(part, m) + "\n")
		}
	}
	_, err := io.WriteString(s.to, b.String())
	return err
}

// say prints lines and highlights no matches.
func (s sheet) say(lines ...typeset.Line) error { return s.print(marker{}, lines...) }

// columnShare is the largest width of a column of paths, in percent of the terminal's width.
const columnShare = 45

// column returns a function that formats a path and the line numbers after it,
// as in "a/b.go" and ":12-20", padded to the width of the widest of places. On
// a terminal that width is bounded by columnShare, and longer paths are
// shortened.
func (s sheet) column(places []string) func(path, lines string) []typeset.Part {
	wide := 0
	for _, p := range places {
		wide = max(wide, typeset.Width(p))
	}
	if s.columns > 0 {
		wide = min(wide, s.columns*columnShare/100)
	}
	return func(path, lines string) []typeset.Part {
		if s.columns > 0 {
			path = typeset.ShortPath(path, wide-typeset.Width(lines))
		}
		gap := wide - typeset.Width(path) - typeset.Width(lines)
		// The line numbers are never shortened; without them, a path would be of no
		// use.
		return []typeset.Part{{Role: typeset.Lines, Text: path + lines},
			{Text: strings.Repeat(" ", max(0, gap)+2)}}
	}
}

// line returns a line as text, with each part in the colour of its role and the
// matches of m highlighted.
func (s style) line(l typeset.Line, m marker) string {
	var b strings.Builder
	for _, p := range l {
		switch p.Role {
		case typeset.Path, typeset.Lines:
			b.WriteString(s.path(p.Text))
		case typeset.Name:
			b.WriteString(s.name(p.Text))
		case typeset.Dim:
			b.WriteString(s.dim(p.Text))
		case typeset.Good:
			b.WriteString(s.good(p.Text))
		case typeset.Caution:
			b.WriteString(s.warn(p.Text))
		case typeset.Bad:
			b.WriteString(s.bad(p.Text))
		case typeset.Source:
			b.WriteString(s.marked(p.Text, m))
		default:
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// draw prints the text that an agent would get, in colours and fitted to the
// terminal. It names flags instead of tool arguments. Warnings go to standard
// error.
func (c *console) draw(req contract.Request, answer any, root string, m marker) error {
	drawing, err := compact.Draw(req, answer, compact.Terminal{
		Shown: func(file string) string { return shown(root, file) },
		Flag:  flagText,
	})
	if err != nil {
		return err
	}
	for _, note := range drawing.Notes {
		if !c.wasTold(note) {
			c.warn(note)
		}
	}
	return c.sheet().print(m, drawing.Lines...)
}

// flagText returns the flag for an argument of the tools with a value, such as
// "--depth 3" for depth. For "query" it returns the search command. It returns
// "" if there is no flag for the argument.
func flagText(argument, value string) string {
	if argument == "query" {
		return "sextant search " + quote(value)
	}
	flag := flagOf[argument]
	if !strings.HasPrefix(flag, "--") {
		return ""
	}
	return flag + " " + quote(value)
}
