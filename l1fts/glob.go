package l1fts

import (
	"fmt"
	"regexp"
	"strings"
)

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
	var b strings.Builder
	b.WriteString(`\A`)
	if !anchored {
		b.WriteString(`(?:.*/)?`)
	}
	for i := 0; i < len(p); {
		n, err := globStep(&b, p, i)
		if err != nil {
			return nil, err
		}
		i += n
	}
	if dirOnly {
		b.WriteString(`/.`)
	} else {
		b.WriteString(`(?:/.*)?\z`)
	}
	return regexp.Compile(`(?s)` + b.String())
}

// globStep translates the element of p at offset i, such as **/, * or [a-z],
// and returns its length in bytes.
func globStep(b *strings.Builder, p string, i int) (int, error) {
	rest := p[i:]
	start := i == 0 || p[i-1] == '/'
	switch {
	case start && strings.HasPrefix(rest, "**/"):
		b.WriteString(`(?:.*/)?`)
		return 3, nil
	case start && rest == "**":
		b.WriteString(`.+`)
		return 2, nil
	case rest[0] == '*':
		b.WriteString(`[^/]*`)
		return len(rest) - len(strings.TrimLeft(rest, "*")), nil
	case rest[0] == '?':
		b.WriteString(`[^/]`)
		return 1, nil
	case rest[0] == '[':
		return globClass(b, rest)
	case rest[0] == '\\' && len(rest) > 1:
		b.WriteString(regexp.QuoteMeta(rest[1:2]))
		return 2, nil
	}
	end := strings.IndexAny(rest[1:], `*?[\/`) + 1
	if end == 0 {
		end = len(rest)
	}
	b.WriteString(regexp.QuoteMeta(rest[:end]))
	return end, nil
}

// globClass translates a bracket expression, such as [!a-z], at the start of
// rest and returns its length in bytes.
func globClass(b *strings.Builder, rest string) (int, error) {
	i := 1
	b.WriteString("[")
	if i < len(rest) && (rest[i] == '!' || rest[i] == '^') {
		b.WriteString("^/")
		i++
	}
	for first := true; i < len(rest); first = false {
		c := rest[i]
		switch {
		case c == ']' && !first:
			b.WriteString("]")
			return i + 1, nil
		case c == '\\' && i+1 < len(rest):
			i++
			b.WriteString(regexp.QuoteMeta(rest[i : i+1]))
		case c == '-':
			b.WriteByte('-')
		case c == '[' && strings.HasPrefix(rest[i:], "[:"):
			end := strings.Index(rest[i:], ":]")
			if end < 0 {
				return 0, fmt.Errorf("[: is not closed")
			}
			b.WriteString(rest[i : i+end+2])
			i += end + 1
		case c == '[' || c == ']' || c == '^':
			b.WriteString(`\` + string(c))
		default:
			b.WriteByte(c)
		}
		i++
	}
	return 0, fmt.Errorf("[ is not closed")
}
