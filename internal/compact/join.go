package compact

import (
	"regexp"
	"strings"
)

// Titled is one of several texts with the question that it answers.
type Titled struct{ Title, Text string }

// headLine matches the line that a search result begins with.
var headLine = regexp.MustCompile(`^\S[^:]*:\d+(-\d+)?( \S.*)?$`)

// Join writes several answers below their titles. A result that an earlier
// answer shows is its first line alone.
func Join(list []Titled) string {
	var out strings.Builder
	seen := map[string]bool{}
	for _, part := range list {
		out.WriteString("== " + strings.Join(strings.Fields(part.Title), " ") + "\n")
		repeated := false
		for line := range strings.Lines(part.Text) {
			text := strings.TrimSuffix(line, "\n")
			switch {
			case headLine.MatchString(text):
				if repeated = seen[text]; repeated {
					text += " (above)"
				}
				seen[strings.TrimSuffix(text, " (above)")] = true
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
