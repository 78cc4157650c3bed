package compact

import (
	"regexp"
	"strings"
)

// Titled is the answer to one of several questions, with the question as its title.
type Titled struct{ Title, Text string }

// headLine matches the first line of a search result.
var headLine = regexp.MustCompile(`^\S[^:]*:\d+(-\d+)?( \S.*)?$`)

// overloadLine matches the line of an overload below that first line.
var overloadLine = regexp.MustCompile(`^  \d+(-\d+)?:`)

// Join returns several answers below their titles. It reduces a result that an earlier answer shows
// to its first line.
func Join(list []Titled) string {
	var out strings.Builder
	seen := map[string]bool{}
	for _, part := range list {
		out.WriteString("== " + strings.Join(strings.Fields(part.Title), " ") + "\n")
		head, repeated := "", false
		for line := range strings.Lines(part.Text) {
			text := strings.TrimSuffix(line, "\n")
			switch {
			case headLine.MatchString(text):
				if repeated = seen[text]; repeated {
					text += " (above)"
				}
				head = strings.TrimSuffix(text, " (above)")
				seen[head] = true
			case overloadLine.MatchString(text):
				if repeated = seen[head+text]; repeated {
					continue
				}
				seen[head+text] = true
			case repeated && strings.HasPrefix(text, "  "):
				continue
			default:
				repeated = false
			}
			out.WriteString(text + "\n")
		}
	}
	return out.String()
}
