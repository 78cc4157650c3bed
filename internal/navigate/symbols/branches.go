package symbols

import (
	"bytes"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

// Excerpt shows some lines of a text together with the branches around them, so that a long function
// takes only as many tokens as the lines in it that matter. Branches are recognized by indentation,
// which needs no grammar. Of code that is not indented, only the lines themselves are shown.
type Excerpt struct {
	text  []byte
	lines *code.LineIndex
	span  contract.LineSpan
	shown map[int]bool
}

// NewExcerpt returns an excerpt of the lines of span. At first it shows the lines up to head, the line
// that names the symbol; if head is 0, it shows none.
func NewExcerpt(text []byte, lines *code.LineIndex, span contract.LineSpan, head int) *Excerpt {
	x := &Excerpt{text: text, lines: lines, span: span, shown: map[int]bool{}}
	x.span.EndLine = min(span.EndLine, lines.Count())
	for l := span.StartLine; l <= min(head, x.span.EndLine); l++ {
		x.shown[l] = true
	}
	return x
}

// With returns the lines that the excerpt needs to show a line: the openings of the branches
// around it, and the line. It skips lines that the excerpt shows already. It returns nil for a
// line that is blank or outside of the span.
func (x *Excerpt) With(line int) []int {
	if line < x.span.StartLine || line > x.span.EndLine || len(x.at(line)) == 0 {
		return nil
	}
	return slices.DeleteFunc(append(x.around(line), line), func(l int) bool { return x.shown[l] })
}

// Show adds lines to the excerpt.
func (x *Excerpt) Show(lines []int) {
	for _, l := range lines {
		x.shown[l] = true
	}
}

// Add shows a line and the lines that open the branches around it, unless the excerpt would then have
// more than most lines.
func (x *Excerpt) Add(line, most int) {
	if with := x.With(line); len(x.shown)+len(with) <= most {
		x.Show(with)
	}
}

// Len returns the number of lines that the excerpt shows.
func (x *Excerpt) Len() int { return len(x.shown) }

// Lines returns the lines in order, with their indentation. Long ones are cut.
func (x *Excerpt) Lines() (out []contract.MatchedLine) {
	for l := x.span.StartLine; l <= x.span.EndLine; l++ {
		if x.shown[l] {
			out = append(out, x.Line(l))
		}
	}
	return out
}

// Line returns one line of the text, cut if it is long.
func (x *Excerpt) Line(line int) contract.MatchedLine {
	return contract.MatchedLine{Line: line, Text: clipLine(x.at(line))}
}

func (x *Excerpt) at(line int) []byte {
	start, end := x.lines.Lines(line, line)
	return bytes.TrimRight(x.text[start:end], " \t\r\n")
}

// around returns the lines that open the branches around line. In an `else` branch these are the lines
// of `if` and of `else`, as `else` says nothing without its condition; in a `switch`, the lines of the
// case and of `switch`.
func (x *Excerpt) around(line int) (out []int) {
	depth, followed := indent(x.at(line)), -1
	for l := line - 1; l >= x.span.StartLine && depth > 0; l-- {
		text := x.at(l)
		if len(text) == 0 || indent(text) >= depth || isComment(text) {
			continue
		}
		depth = indent(text)
		part := goesOn(text)
		if part == opens || part == follows && depth != followed {
			out = append(out, l)
		}
		if part == follows {
			followed = depth
		}
		if part != opens {
			depth++ // the line that opened the branch has the same depth
		}
	}
	return out
}

// branchLine classifies a line by its position in the branches of a function.
type branchLine int

const (
	opens   branchLine = iota // if x {
	follows                   // } else if y {
	between                   // a lone bracket, the end of a list over several lines
)

// goesOn reports whether a line opens a branch, continues one, such as `else`, or is only a
// bracket between branches.
func goesOn(text []byte) branchLine {
	word := strings.TrimLeft(string(text), " \t}")
	if word == "" || word == "{" || word == "(" || word[0] == ')' {
		return between
	}
	for _, w := range []string{"else", "elif", "elsif", "elseif", "except", "catch", "finally", "rescue", "ensure",
		"case ", "when ", "default"} {
		if strings.HasPrefix(word, w) {
			return follows
		}
	}
	return opens
}

// tabWidth is the number of columns of a tab. It matters only where tabs and spaces are mixed.
const tabWidth = 4

// indent returns the width of the white space at the beginning of a line.
func indent(text []byte) (columns int) {
	for _, b := range text {
		switch b {
		case ' ':
			columns++
		case '\t':
			columns += tabWidth
		default:
			return columns
		}
	}
	return columns
}

// isComment reports whether a line holds nothing but a comment or a preprocessor directive.
func isComment(text []byte) bool {
	text = bytes.TrimLeft(text, " \t")
	for _, mark := range []string{"//", "#", "/*", "*"} {
		if bytes.HasPrefix(text, []byte(mark)) {
			return true
		}
	}
	return false
}

// maxExcerptLine is the largest length in bytes of a line of an excerpt.
const maxExcerptLine = 240

func clipLine(line []byte) string {
	if len(line) <= maxExcerptLine {
		return strings.ToValidUTF8(string(line), "\ufffd")
	}
	return strings.ToValidUTF8(string(line[:maxExcerptLine]), "") + "…"
}

// HeadLine returns the line that names a symbol, which follows its decorators. If none of its first
// lines contains the name, it returns the first line.
func HeadLine(text []byte, lines *code.LineIndex, span contract.LineSpan, name string) int {
	const most = 8 // lines of decorators
	for l := span.StartLine; l <= min(span.EndLine, span.StartLine+most); l++ {
		if start, end := lines.Lines(l, l); bytes.Contains(text[start:end], []byte(name)) {
			return l
		}
	}
	return span.StartLine
}
