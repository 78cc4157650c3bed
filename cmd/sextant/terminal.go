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

// usualColumns is the width of a terminal that does not say its own.
const usualColumns = 80

// columns returns the width of a terminal: its own, else COLUMNS, else 80. It returns 0 if f is not
// a terminal; lines are then never shortened.
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

// sheet is an output that lines are printed on.
type sheet struct {
	to      io.Writer
	style   style
	columns int // of the terminal, 0 if it is none
}

// print prints lines, with the matches of m marked. On a terminal it makes them
// fit and replaces control characters; elsewhere they are printed as they are.
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

// say prints lines without matches.
func (s sheet) say(lines ...typeset.Line) error { return s.print(marker{}, lines...) }

// columnShare bounds a column of paths, in percent of the terminal.
const columnShare = 45

// column returns a function that writes a path and the lines behind it into a
// column as wide as the widest of places. On a terminal the column has a bound,
// and longer paths are shortened.
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
		// Lines are never shortened, as the path needs to be no more.
		return []typeset.Part{{Role: typeset.Lines, Text: path + lines},
			{Text: strings.Repeat(" ", max(0, gap)+2)}}
	}
}

// line paints the parts of a line.
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

// draw prints an answer as agents get it: in colours, with the lines fitted, and
// with flags for the arguments that go on. Warnings go to standard error.
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

// flagText returns the flag that gives an argument of the tools a value, of a
// query the command; "" if there is none.
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
