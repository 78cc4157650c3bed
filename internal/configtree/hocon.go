package configtree

import (
	"regexp"
	"strings"
)

// hoconKey matches the start of a HOCON entry: its key, and the opening brace or the sign (=, :, +=) after it.
var hoconKey = regexp.MustCompile(`^("[^"]*"|[\w.\-]+)\s*(?:[:=]?\s*(\{)|(?:\+?=|:))\s*`)

// HOCON reads the configuration of Akka, Ktor and Play into a tree. A value that concatenates
// substitutions and strings, ${base}"/api", is kept as text, ${base}/api. An optional
// substitution, ${?PORT}, does not replace a value that was set before. It skips values of
// several lines, and includes.
func HOCON(text string) *Node {
	root := &Node{}
	stack := []*Node{root}
	line := 0
	for s := range strings.Lines(text) {
		line++
		for rest := strings.TrimSpace(uncommented(s)); rest != ""; {
			if rest[0] == '}' || rest[0] == ',' {
				if rest[0] == '}' && len(stack) > 1 {
					stack = stack[:len(stack)-1]
				}
				rest = strings.TrimSpace(rest[1:])
				continue
			}
			m := hoconKey.FindStringSubmatchIndex(rest)
			if m == nil {
				break
			}
			at := stack[len(stack)-1]
			for _, part := range strings.Split(strings.Trim(rest[m[2]:m[3]], `"`), ".") {
				at = at.make(part, line)
			}
			if rest = rest[m[1]:]; m[4] >= 0 {
				stack = append(stack, at)
				continue
			}
			var value string
			value, rest = hoconValue(rest)
			if at.Value == "" || !strings.HasPrefix(value, "${?") {
				at.Value, at.Line = value, line
			}
		}
	}
	return root
}

// hoconValue returns the first value of text, and the text after it, which begins with a comma or a
// closing brace: "8080" and ", host = a" of "8080, host = a".
func hoconValue(text string) (value, rest string) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			end := strings.IndexByte(text[i+1:], '"')
			if end < 0 {
				return strings.TrimSpace(b.String() + text[i+1:]), ""
			}
			b.WriteString(text[i+1 : i+1+end])
			i += end + 1
		case strings.HasPrefix(text[i:], "${"):
			end := strings.IndexByte(text[i:], '}')
			if end < 0 {
				return strings.TrimSpace(b.String()), ""
			}
			b.WriteString(text[i : i+end+1])
			i += end
		case c == ',' || c == '}':
			return strings.TrimSpace(b.String()), text[i:]
		default:
			b.WriteByte(c)
		}
	}
	return strings.TrimSpace(b.String()), ""
}

// uncommented returns a line without the comment at its end.
func uncommented(line string) string {
	quoted := false
	for i := range len(line) {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case !quoted && (line[i] == '#' || strings.HasPrefix(line[i:], "//") && (i == 0 || line[i-1] != ':')):
			return line[:i]
		}
	}
	return line
}
