package main

import (
	"strings"
)

// style colours text, or leaves it alone where colour is not wanted: in a
// pipe, with NO_COLOR, on a dumb terminal.
type style struct{ on bool }

func newStyle(io streams) style {
	return style{on: io.outTerminal && io.env("NO_COLOR") == "" && io.env("TERM") != "dumb"}
}

func (s style) paint(code, text string) string {
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) path(t string) string { return s.paint("36", t) }
func (s style) name(t string) string { return s.paint("1", t) }
func (s style) dim(t string) string  { return s.paint("2", t) }
func (s style) good(t string) string { return s.paint("32", t) }
func (s style) warn(t string) string { return s.paint("33", t) }
func (s style) bad(t string) string  { return s.paint("31", t) }
func (s style) mark(t string) string { return s.paint("1;31", t) }

// marked paints every occurrence of the terms in line, in any case.
func (s style) marked(line string, terms []string) string {
	if !s.on {
		return line
	}
	lower := strings.ToLower(line)
	var b strings.Builder
	for i := 0; i < len(line); {
		n := 0
		for _, t := range terms {
			if len(t) > n && len(lower) == len(line) && strings.HasPrefix(lower[i:], t) {
				n = len(t)
			}
		}
		if n == 0 {
			b.WriteByte(line[i])
			i++
			continue
		}
		b.WriteString(s.mark(line[i : i+n]))
		i += n
	}
	return b.String()
}

// level paints a confidence.
func (s style) level(l string) string {
	switch l {
	case "high":
		return s.good(l)
	case "medium":
		return s.warn(l)
	}
	return s.dim(l)
}
