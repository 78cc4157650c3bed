package l1fts

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
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
//
// Beyond gitignore, brackets also match themselves, because frameworks route by folders such as
// app/[id], and *.{ts,tsx} means both.
func compileGlob(pattern string) (*regexp.Regexp, error) {
	var forms []string
	var last error
	for _, p := range spellings(pattern) {
		form, err := globForm(p)
		if err == nil {
			_, err = regexp.Compile(form)
		}
		switch {
		case err == nil:
			forms = append(forms, form)
		case last == nil || errors.Is(err, errOpen):
			last = err
		}
	}
	if len(forms) == 0 || errors.Is(last, errOpen) {
		return nil, last
	}
	return regexp.Compile(`(?s)` + strings.Join(forms, "|"))
}

var errOpen = errors.New("[ is not closed")

// maxSpellings is the largest number of patterns that spellings returns for one pattern.
const maxSpellings = 64

// spellings returns the gitignore patterns that a pattern may mean: itself, with its brackets taken
// literally, and with each alternative of its braces.
func spellings(pattern string) []string {
	list := []string{pattern}
	for i := 0; i < len(list) && len(list) < maxSpellings; i++ {
		open := strings.IndexByte(list[i], '{')
		if open < 0 {
			continue
		}
		inner, after, closed := strings.Cut(list[i][open+1:], "}")
		if !closed || !strings.Contains(inner, ",") || strings.Contains(inner, "{") {
			continue
		}
		for _, one := range strings.Split(inner, ",") {
			list = append(list, list[i][:open]+one+after)
		}
	}
	list = list[:min(len(list), maxSpellings)]
	for _, p := range list {
		if strings.Contains(p, "[") {
			list = append(list, strings.ReplaceAll(p, "[", `\[`))
		}
	}
	return list
}

// globForm translates a gitignore pattern into the text of a regular expression.
func globForm(pattern string) (string, error) {
	p := strings.TrimPrefix(pattern, "./")
	dirOnly := strings.HasSuffix(p, "/")
	p = strings.TrimSuffix(p, "/")
	anchored := strings.Contains(p, "/")
	p = strings.TrimPrefix(p, "/")
	if p == "" {
		return "", fmt.Errorf("it is empty")
	}
	var out strings.Builder
	out.WriteString(`\A`)
	if !anchored {
		out.WriteString(`(?:.*/)?`)
	}
	for i := 0; i < len(p); {
		n, err := globStep(&out, p, i)
		if err != nil {
			return "", err
		}
		i += n
	}
	if dirOnly {
		out.WriteString(`/.`)
	} else {
		out.WriteString(`(?:/.*)?\z`)
	}
	return out.String(), nil
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
		_, size := utf8.DecodeRuneInString(rest[1:])
		out.WriteString(regexp.QuoteMeta(rest[1 : 1+size]))
		return 1 + size, nil
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
			if c = rest[i]; c < utf8.RuneSelf && !isWordByte(c) {
				out.WriteByte('\\') // this also quotes "-", which QuoteMeta does not quote
			}
			out.WriteByte(c)
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
	return 0, errOpen
}
