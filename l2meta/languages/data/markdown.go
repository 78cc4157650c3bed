package data

import (
	"bytes"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// markdownRules declares headings. The symbol of a heading spans its section, up to the next
// heading of the same or a higher level. Headings within block quotes and lists are not declared.
//
// It recognizes headings line by line (CommonMark 4.2 and 4.3). A change log of megabytes takes
// milliseconds this way; parsing it takes seconds.
func markdownRules() *syntax.Rules {
	return &syntax.Rules{File: markdownFile}
}

type markdownReader struct {
	w         *syntax.Walk
	text      []byte
	open      []markdownHeading // the headings around the current line
	paragraph [2]int            // byte range of the current paragraph, [0, 0) outside of one
	fence     []byte            // the opening marks of the current code fence, nil outside of one
	margin    int               // indentation of the open fence
	until     string            // the text that ends the current HTML block, such as "-->"; "" outside of one
	inList    bool
	blank     bool // the previous line is empty
}

type markdownHeading struct{ level, symbol int }

func markdownFile(w *syntax.Walk, root syntax.Node) {
	r := markdownReader{w: w, text: w.Text[:w.End(root)], blank: true}
	at := r.frontMatter(w.Start(root))
	for at < len(r.text) {
		end := lineEnd(r.text, at)
		r.line(at, end)
		at = end + 1
	}
	r.closeTo(0, len(r.text))
	w.Encloser = -1
}

// frontMatter returns the offset of the text after a leading block of metadata, from "---" to "---"
// or from "+++" to "+++".
func (r *markdownReader) frontMatter(start int) int {
	at := start
	if bytes.HasPrefix(r.text[at:], []byte("\ufeff")) {
		at += 3
	}
	first := lineEnd(r.text, at)
	mark := string(bytes.TrimRight(r.text[at:first], " \t\r"))
	if mark != "---" && mark != "+++" {
		return at
	}
	for i := first + 1; i < len(r.text); {
		end := lineEnd(r.text, i)
		if line := string(bytes.TrimRight(r.text[i:end], " \t\r")); line == mark || mark == "---" && line == "..." {
			return min(end+1, len(r.text))
		}
		i = end + 1
	}
	return at
}

func (r *markdownReader) line(at, end int) {
	from, to := syntax.Trimmed(r.text, at, end)
	line, indent := r.text[from:to], from-at
	blank := r.blank
	r.blank = len(line) == 0
	switch {
	case r.fence != nil:
		if indent < r.margin+4 && bytes.HasPrefix(line, r.fence) && len(bytes.Trim(line, string(r.fence[:1]))) == 0 {
			r.fence = nil
		}
		return
	case r.until != "":
		if bytes.Contains(bytes.ToLower(line), []byte(r.until)) {
			r.until = ""
		}
		return
	case len(line) == 0:
		r.paragraph = [2]int{}
		return
	}
	if blank && indent == 0 && !markdownItem(line) {
		r.inList = false
	}
	if indent >= 4 && !r.inList && r.paragraph[1] == 0 {
		return // an indented line is code
	}
	if r.opens(line) {
		r.margin = indent
		r.paragraph = [2]int{}
		return
	}
	if (indent == 0 || indent < 4 && !r.inList) && (r.atx(at, from, to) || r.setext(at, end, line)) {
		return
	}
	switch {
	case markdownItem(line):
		r.inList = true
		r.paragraph = [2]int{}
	case line[0] == '>' || line[0] == '|' || len(bytes.Trim(line, "-_* ")) == 0 || indent > 0 && r.inList:
		r.paragraph = [2]int{}
	case r.paragraph[1] == 0:
		r.paragraph = [2]int{from, to}
	default:
		r.paragraph[1] = to
	}
}

// opens reports whether line begins a block in which no heading is recognized: fenced code, a
// comment, a script. It stores in r how that block ends.
func (r *markdownReader) opens(line []byte) bool {
	if n := len(line) - len(bytes.TrimLeft(line, string(line[:1]))); n >= 3 &&
		(line[0] == '~' || line[0] == '`' && bytes.IndexByte(line[n:], '`') < 0) {
		r.fence = line[:n]
		return true
	}
	lower := bytes.ToLower(line[:min(len(line), len("<textarea"))])
	for start, end := range map[string]string{"<!--": "-->", "<script": "</script", "<style": "</style",
		"<pre": "</pre", "<textarea": "</textarea"} {
		if bytes.HasPrefix(lower, []byte(start)) {
			if !bytes.Contains(bytes.ToLower(line), []byte(end)) {
				r.until = end
			}
			return true
		}
	}
	return false
}

// markdownItem reports whether line begins an item of a list.
func markdownItem(line []byte) bool {
	i := 0
	for i < len(line) && '0' <= line[i] && line[i] <= '9' && i < 9 {
		i++
	}
	switch {
	case i == 0 && strings.IndexByte("-*+", line[0]) >= 0:
	case i > 0 && i < len(line) && (line[i] == '.' || line[i] == ')'):
	default:
		return false
	}
	if i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t' {
		return len(bytes.Trim(line, "-* \t")) > 0 // nothing but marks is a thematic break: - - -
	}
	return false
}

// atx records an ATX heading, "## Title ##", and reports whether the line is one.
func (r *markdownReader) atx(at, from, to int) bool {
	line := r.text[from:to]
	level := len(line) - len(bytes.TrimLeft(line, "#"))
	if level == 0 || level > 6 || level < len(line) && line[level] != ' ' && line[level] != '\t' {
		return false
	}
	r.paragraph = [2]int{}
	start, end := syntax.Trimmed(r.text, from+level, to)
	if cut := bytes.TrimRight(r.text[start:end], "#"); len(cut) < end-start &&
		(len(cut) == 0 || syntax.IsSpace(cut[len(cut)-1])) {
		start, end = syntax.Trimmed(r.text, start, start+len(cut))
	}
	r.heading(level, at, from, to, start, end)
	return true
}

// setext records the current paragraph as a setext heading, which is underlined by "=" or "-".
// line, which is r.text[at:end], is the underline if it consists of one of these marks alone.
// setext reports whether it is.
func (r *markdownReader) setext(at, end int, line []byte) bool {
	if r.paragraph[1] == 0 || line[0] != '=' && line[0] != '-' || len(bytes.Trim(line, string(line[:1]))) > 0 {
		return false
	}
	level := 1
	if line[0] == '-' {
		level = 2
	}
	p := r.paragraph
	r.paragraph = [2]int{}
	_, to := syntax.Trimmed(r.text, at, end)
	r.heading(level, p[0], p[0], to, p[0], p[1])
	return true
}

// heading declares the heading text[from:to], whose title is text[start:end]. line is the offset
// of the heading's line; there the preceding sections of the same and of deeper levels end.
func (r *markdownReader) heading(level, line, from, to, start, end int) {
	title := markdownTitle(syntax.OneLine(r.text[start:end]))
	if title == "" {
		return
	}
	r.closeTo(level, line)
	r.w.Encloser = -1
	if len(r.open) > 0 {
		r.w.Encloser = r.open[len(r.open)-1].symbol
	}
	symbol := r.w.DeclareText(syntax.TextDecl{
		Kind: code.KindNamespace, Name: title, Start: from, End: to, NameStart: start, NameEnd: end,
		Signature: strings.Repeat("#", level) + " " + title,
	})
	r.open = append(r.open, markdownHeading{level, symbol})
}

// closeTo ends the sections of a level and of deeper ones at the offset end.
func (r *markdownReader) closeTo(level, end int) {
	for len(r.open) > 0 && r.open[len(r.open)-1].level >= level {
		r.w.Stretch(r.open[len(r.open)-1].symbol, end)
		r.open = r.open[:len(r.open)-1]
	}
}

// markdownTitle returns s in the form in which users search for it: without link and image targets,
// tags, emphasis and code marks.
func markdownTitle(s string) string {
	if !strings.ContainsAny(s, "[<`*") {
		return s
	}
	return strings.TrimSpace(markdownMarks.ReplaceAllString(markdownLinks.ReplaceAllString(s, "$1"), ""))
}

var (
	markdownLinks = regexp.MustCompile(`!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\]]*\])`)
	markdownMarks = regexp.MustCompile("</?[A-Za-z][^<>]*>|`+|\\*+")
)
