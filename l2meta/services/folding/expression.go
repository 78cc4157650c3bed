package folding

import (
	"strings"
)

// Expression returns the text from at to the end of its statement: a semicolon, a comma, an
// unmatched closing bracket, or a line break without an operator.
func (d *Definitions) Expression(at int) string {
	depth, pieces, from := 0, "", at // pieces holds the parts of the text before comments
	until := func(end int) string { return strings.TrimSpace(pieces + d.Text[from:end]) }
	for i := at; i < len(d.Text) && i < at+MaxEndpointText; i++ {
		switch c := d.Text[i]; c {
		case '"', '\'', '`':
			i = SkipString(d.Text, i)
		case '<':
			i = pastTypes(d.Text, i)
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return until(i)
			}
		case ';', ',':
			if depth == 0 {
				return until(i)
			}
		case '/', '#':
			end := d.lineComment(i)
			if end == i {
				break
			}
			if before := until(i); depth == 0 && !continues(d.Text, before, end) {
				return before // for example, url := "http://orders" // to be configured
			}
			pieces += d.Text[from:i]
			from, i = end, end-1
		case '\n':
			if before := until(i); depth == 0 && !continues(d.Text, before, i) {
				return before
			}
		}
	}
	return until(max(from, min(len(d.Text), at+MaxEndpointText)))
}

// continues reports whether an expression continues on the next line. before is its text so far; end is the offset
// where its line ends.
func continues(text, before string, end int) bool {
	rest := strings.TrimLeft(text[end:min(len(text), end+200)], " \t\r\n")
	return strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "+") || strings.HasPrefix(rest, "?") ||
		strings.HasPrefix(rest, ": ") || strings.HasSuffix(before, "+") || strings.HasSuffix(before, "(") ||
		before == "" || strings.HasPrefix(rest, "{") && strings.HasPrefix(before, "new ") // an object of C#
}

// hashComments lists the languages in which "#" starts a comment; in all others, "//" does.
var hashComments = map[string]bool{"python": true, "ruby": true, "elixir": true, "bash": true}

// lineComment returns the offset of the end of the line if a comment starts at at, after a blank; otherwise at.
func (d *Definitions) lineComment(at int) int {
	mark := "//"
	if hashComments[d.f.Language] {
		mark = "# "
	}
	if !strings.HasPrefix(d.Text[at:], mark) || at == 0 || !isBlank(d.Text[at-1]) {
		return at
	}
	if n := strings.IndexByte(d.Text[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(d.Text)
}

// SkipString returns the index of the quotation mark that ends the string starting at i.
func SkipString(s string, i int) int {
	quote := s[i]
	holes := quote == '"' && i > 0 && s[i-1] == '$' // for example, $"{string.Join(",", ids)}" in C#
	for i++; i < len(s); i++ {
		switch {
		case quote == '`' && s[i] == '$' && i+1 < len(s) && s[i+1] == '{': // an interpolation may contain strings
			i = Closing(s, i+1) - 1
		case holes && s[i] == '{':
			end := Closing(s, i)
			if strings.IndexByte(s[i:end], '\n') >= 0 {
				return i // the brace is not closed, so it begins no interpolation
			}
			i = end - 1
		case s[i] == '\\' && quote != '`':
			i++
		case s[i] == quote:
			return i
		case s[i] == '\n' && quote != '`':
			return i // the quotation mark is an apostrophe
		}
	}
	return i
}
