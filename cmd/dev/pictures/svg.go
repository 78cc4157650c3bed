package main

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strings"

	"sextant/internal/typeset"
)

// cell is the size of a character in the picture, in pixels.
const (
	cellWidth  = 8.4
	cellHeight = 18
	margin     = 16
	fontSize   = 14
)

// Colours of the terminal.
const (
	ground = "#16181d"
	ink    = "#d5d8de"
	prompt = "#8bc98b"
)

// piece is text of one style.
type piece struct {
	text  string
	style string // ANSI codes of the escape sequence, such as "1;31"; "" for none
}

// escape matches the ANSI escape sequences that sextant prints, which set
// colours.
var escape = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// passing matches the time that an answer took, such as ", 12ms", which differs between runs.
var passing = regexp.MustCompile(`, [0-9.]+(ms|µs|s)\b`)

// steady returns printed text without the times that commands took, which differ between runs.
func steady(printed string) string { return passing.ReplaceAllString(printed, "") }

// parse splits the output of a command into lines, and each line into pieces of one style.
func parse(printed string) (lines [][]piece) {
	for _, line := range strings.Split(strings.TrimRight(printed, "\n"), "\n") {
		var pieces []piece
		style, at := "", 0
		add := func(to int) {
			if to > at {
				pieces = append(pieces, piece{line[at:to], style})
			}
		}
		for _, m := range escape.FindAllStringSubmatchIndex(line, -1) {
			add(m[0])
			style, at = strings.TrimPrefix(line[m[2]:m[3]], "0"), m[1]
		}
		add(len(line))
		lines = append(lines, pieces)
	}
	return lines
}

// looks maps each ANSI code that sextant prints to SVG attributes.
var looks = map[string]string{
	"":     "",
	"1":    ` font-weight="bold" fill="#ffffff"`,
	"2":    ` fill="#868d9a"`,
	"31":   ` fill="#f07178"`,
	"32":   ` fill="#8bc98b"`,
	"33":   ` fill="#e6b450"`,
	"36":   ` fill="#5cb8c9"`,
	"1;31": ` font-weight="bold" fill="#f07178"`,
}

// svg draws a terminal that is columns wide: the command, and the lines that it
// printed.
func svg(command string, lines [][]piece, columns int) string {
	lines = append([][]piece{{{text: command, style: "command"}}}, lines...)
	width, height := float64(columns)*cellWidth+2*margin, len(lines)*cellHeight+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0f %d" `+
		`font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="%d" fill="%s">`+"\n",
		width, height, width, height, fontSize, ink)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", ground)
	for i, line := range lines {
		at := 0
		for _, p := range line {
			cells := typeset.Width(p.text)
			if text := strings.TrimLeft(p.text, " "); strings.TrimSpace(text) != "" {
				lead := cells - typeset.Width(text)
				text = strings.TrimRight(text, " ")
				drawText(&b, text, p.style, at+lead, i)
			}
			at += cells
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// drawText draws text that begins at a column and row. It sets the attribute textLength, so that
// the columns are aligned in any font.
func drawText(b *strings.Builder, text, style string, column, row int) {
	look := looks[style]
	if style == "command" {
		look = fmt.Sprintf(` fill="%s"`, prompt)
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%d" textLength="%.1f" xml:space="preserve"%s>`, margin+float64(column)*cellWidth,
		margin+row*cellHeight+fontSize, float64(typeset.Width(text))*cellWidth, look)
	_ = xml.EscapeText(b, []byte(text)) // a Builder never fails
	b.WriteString("</text>\n")
}
