package typeset

import (
	"slices"
	"strings"
)

// Role is the role of a part of a line, which determines its colour and the way to shorten it.
type Role uint8

const (
	Plain   Role = iota
	Path         // the path of a file or folder, without lines
	Lines        // the line numbers after a path: ":12-20"
	Name         // a symbol
	Dim          // secondary text: kinds, evidence, flags
	Source       // source text, in which matches may be marked
	Good         // a state that is as it should be
	Caution      // a warning, or a state that limits what the answer says
	Bad          // a failure
)

// Part is a piece of a line.
type Part struct {
	Role Role
	Text string
	// Focus is the range of bytes in Text, a match, that a part of role Source keeps when it is
	// shortened. If it is empty, the beginning is kept.
	Focus [2]int
}

// Line is the parts of one line, without its line break.
type Line []Part

// Text returns a line of one plain part.
func Text(text string) Line { return Line{{Text: text}} }

// String returns the text of all parts.
func (l Line) String() string {
	if len(l) == 1 {
		return l[0].Text
	}
	var b strings.Builder
	for _, p := range l {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Width returns how many cells the line takes.
func (l Line) Width() (cells int) {
	for _, p := range l {
		cells += Width(p.Text)
	}
	return cells
}

// Visible returns the line as a terminal may print it: tabs are four spaces, and
// control characters, which could move the cursor or turn the direction of
// writing, are "·".
func (l Line) Visible() Line {
	out := make(Line, len(l))
	for i, p := range l {
		out[i] = Part{Role: p.Role, Text: Visible(p.Text)}
	}
	return out
}

const (
	// leastSource is the number of cells that source keeps beside other parts, enough to tell one
	// call from another. With less room it moves to a line of its own.
	leastSource = 20
	// pathShare is the share of a line, in percent, that a path keeps while source
	// can be shortened instead.
	pathShare = 45
)

// leastCells is the narrowest terminal that lines are fitted into. Below it the
// terminal breaks them itself.
const leastCells = 20

// Fit returns the line as lines of at most cells cells each. It first shortens paths down to a
// share of the line, then source, then paths down to their names. If that is not enough, source
// moves to a line of its own, and other text is broken at spaces.
func (l Line) Fit(cells int) []Line {
	if cells < leastCells || l.Width() <= cells {
		return []Line{l}
	}
	if short := l.shortened(cells); short.Width() <= cells {
		return []Line{short}
	}
	if i := slices.IndexFunc(l, func(p Part) bool { return p.Role == Source }); i > 0 {
		below := append(Line{{Text: l.indent(cells)}}, l[i:]...)
		if above := append(Line(nil), l[:i]...); strings.TrimSpace(above.String()) != "" {
			above[i-1].Text = strings.TrimRight(above[i-1].Text, " ")
			return append(above.Fit(cells), below.Fit(cells)...)
		}
	}
	return l.shortened(cells).wrap(cells)
}

// shortened returns the line with its paths and its source shortened, so that it takes at most
// the given cells. It is longer if they cannot be shortened enough.
func (l Line) shortened(cells int) Line {
	out := append(Line(nil), l...)
	for _, step := range []struct {
		role  Role
		least int
	}{{Path, cells * pathShare / 100}, {Source, leastSource}, {Path, 0}} {
		// Start at the end: the last source of a line is the least important.
		for i := len(out) - 1; i >= 0; i-- {
			if over := out.Width() - cells; over > 0 && l[i].Role == step.role {
				out[i].Text = l[i].shortened(max(step.least, Width(out[i].Text)-over), cells)
			}
		}
	}
	return out
}

// shortened returns the text of a path or of source in at most the given number of cells. A path
// keeps its last element even if that takes more cells; line is the limit for this element.
func (p Part) shortened(cells, line int) string {
	if p.Role == Source {
		return around(p.Text, cells, p.Focus)
	}
	name := Width(ellipsis + "/" + p.Text[strings.LastIndexByte(p.Text, '/')+1:])
	return ShortPath(p.Text, min(max(cells, name), line))
}

// hanging is the number of cells by which continuation lines are indented further than their first
// line.
const hanging = 4

// indent returns the text that the continuation lines of l begin with: the indentation of l and hanging more
// spaces. In it, the branches of a drawn tree continue: "├─" becomes "│ ", "└─" becomes spaces.
func (l Line) indent(cells int) string {
	var b strings.Builder
	for _, r := range l[0].Text {
		switch r {
		case ' ', '│':
			b.WriteRune(r)
		case '├':
			b.WriteRune('│')
		case '└', '─':
			b.WriteByte(' ')
		default:
			return clip(b.String()+strings.Repeat(" ", hanging), cells/2)
		}
	}
	return clip(b.String()+strings.Repeat(" ", hanging), cells/2)
}

// wrap breaks a line at spaces.
func (l Line) wrap(cells int) []Line {
	w := wrapping{cells: cells, indent: l.indent(cells)}
	for _, p := range l {
		for _, word := range words(p.Text) {
			w.word(p.Role, word)
		}
	}
	if !w.fresh {
		w.lines = append(w.lines, w.now)
	}
	return w.lines
}

// wrapping collects the lines into which a long line is broken.
type wrapping struct {
	cells  int
	indent string
	lines  []Line
	now    Line
	at     int  // cells of now
	fresh  bool // now is a continuation line that holds only its indentation
}

// add appends text of a role to the current line.
func (w *wrapping) add(role Role, text string) {
	w.at += Width(text)
	if n := len(w.now); n > 0 && w.now[n-1].Role == role {
		w.now[n-1].Text += text
		return
	}
	w.now = append(w.now, Part{Role: role, Text: text})
}

// next ends the current line, without the spaces at its end, and begins a continuation line.
func (w *wrapping) next() {
	for i := len(w.now) - 1; i >= 0; i-- {
		w.now[i].Text = strings.TrimRight(w.now[i].Text, " ")
		if w.now[i].Text != "" {
			break
		}
	}
	w.lines, w.now, w.at, w.fresh = append(w.lines, w.now), nil, 0, true
	w.add(Plain, w.indent)
}

// word adds a word with the spaces before it, on a continuation line if it does not fit. A word
// that is longer than a line is broken.
func (w *wrapping) word(role Role, word string) {
	long := Width(w.indent)+Width(strings.TrimLeft(word, " ")) > w.cells
	if w.at+Width(word) > w.cells && !w.fresh && w.at > 0 && !(long && w.at < w.cells/4) {
		w.next()
	}
	if w.fresh {
		word = strings.TrimLeft(word, " ")
	}
	for w.at+Width(word) > w.cells {
		head := clip(word, w.cells-w.at)
		w.add(role, head)
		word = word[len(head):]
		w.next()
	}
	if word != "" {
		w.add(role, word)
		w.fresh = false
	}
}

// words splits text into words, each with the spaces before it: "a b" into "a" and " b".
func words(text string) (list []string) {
	for text != "" {
		end := len(text) - len(strings.TrimLeft(text, " "))
		if i := strings.IndexByte(text[end:], ' '); i >= 0 {
			end += i
		} else {
			end = len(text)
		}
		list, text = append(list, text[:end]), text[end:]
	}
	return list
}
