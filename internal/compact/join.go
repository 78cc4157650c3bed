package compact

import (
	"regexp"
	"strings"
)

// Titled is the answer to one of several requests of a call. Title is the argument of the request,
// such as its query.
type Titled struct{ Title, Text string }

// headLine matches the first line of a search result, such as "a.go:12-20 function F".
var headLine = regexp.MustCompile(`^\S[^:]*:\d+(-\d+)?( \S.*)?$`)

// overloadLine matches the line of an overload, " 30-34: int size()", which is below the first line
// of its result.
var overloadLine = regexp.MustCompile(`^  \d+(-\d+)?:`)

// Join returns the answers one after the other, each below its title. Of a search result that an
// earlier answer shows too, it keeps the first line, followed by "(above)".
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
