package l1fts

import (
	"fmt"
	"regexp"
	"strings"
)

// Glob returns a function that reports whether a '/'-separated path relative to the root
// matches a gitignore pattern. The error says why pattern is invalid.
func Glob(pattern string) (matches func(path string) bool, err error) {
	re, err := compileGlob(pattern)
	if err != nil {
		return nil, err
	}
	return re.MatchString, nil
}

// compileGlob compiles a gitignore pattern into a matcher of '/'-separated
// paths relative to the root. As in gitignore, a pattern without an inner slash
// matches at any depth, and a pattern that matches a directory matches
// everything below it.
func compileGlob(pattern string) (*regexp.Regexp, error) {
	p := strings.TrimPrefix(pattern, "./")
	dirOnly := strings.HasSuffix(p, "/")
	p = strings.TrimSuffix(p, "/")
	anchored := strings.Contains(p, "/")
	p = strings.TrimPrefix(p, "/")
	if p == "" {
		return nil, fmt.Errorf("it is empty")
	}
	var out strings.Builder
	out.WriteString(`\A`)
	if !anchored {
		out.WriteString(`(?:.*/)?`)
	}
	for i := 0; i < len(p); {
		n, err := globStep(&out, p, i)
		if err != nil {
			return nil, err
		}
		i += n
	}
	if dirOnly {
		out.WriteString(`/.`)
	} else {
		out.WriteString(`(?:/.*)?\z`)
	}
	return regexp.Compile(`(?s)` + out.String())
}

// globStep translates the element of p at offset i, such as **/, * or [a-z],
// and returns its length in bytes.
func globStep(out *strings.Builder, p string, i int) (int, error) {
	rest := p[i:]
	start := i == 0 || p[i-1] == '/'
	switch {
	case start && strings.HasPrefix(rest, "**/"):
		out.WriteString(`(?:.*/)?`)
		return 3, nil
	case start && rest == "**":
		out.WriteString(`.+`)
		return 2, nil
	case rest[0] == '*':
		out.WriteString(`[^/]*`)
		return len(rest) - len(strings.TrimLeft(rest, "*")), nil
	case rest[0] == '?':
		out.WriteString(`[^/]`)
		return 1, nil
	case rest[0] == '[':
		return globClass(out, rest)
	case rest[0] == '\\' && len(rest) > 1:
		out.WriteString(regexp.QuoteMeta(rest[1:2]))
		return 2, nil
	}
	end := strings.IndexAny(rest[1:], `*?[\/`) + 1
	if end == 0 {
		end = len(rest)
	}
	out.WriteString(regexp.QuoteMeta(rest[:end]))
	return end, nil
}

// globClass translates a bracket expression, such as [!a-z], at the start of
// rest and returns its length in bytes.
func globClass(out *strings.Builder, rest string) (int, error) {
	i := 1
	out.WriteString("[")
	if i < len(rest) && (rest[i] == '!' || rest[i] == '^') {
		out.WriteString("^/")
		i++
	}
	for first := true; i < len(rest); first = false {
		c := rest[i]
		switch {
		case c == ']' && !first:
			out.WriteString("]")
			return i + 1, nil
		case c == '\\' && i+1 < len(rest):
			i++
			out.WriteString(regexp.QuoteMeta(rest[i : i+1]))
		case c == '-':
			out.WriteByte('-')
		case c == '[' && strings.HasPrefix(rest[i:], "[:"):
			end := strings.Index(rest[i:], ":]")
			if end < 0 {
				return 0, fmt.Errorf("[: is not closed")
			}
			out.WriteString(rest[i : i+end+2])
			i += end + 1
		case c == '[' || c == ']' || c == '^':
			out.WriteString(`\` + string(c))
		default:
			out.WriteByte(c)
		}
		i++
	}
	return 0, fmt.Errorf("[ is not closed")
}
