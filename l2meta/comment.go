package l2meta

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// docBefore is the text of the comments that end right above offset: nothing
// but white space with at most one line break between them, and no code before
// them on their line.
func (w *walk) docBefore(offset int) string {
	i := sort.Search(len(w.docNodes), func(i int) bool { return w.end(w.docNodes[i]) > offset })
	var parts []string
	for i--; i >= 0; i-- {
		c := w.docNodes[i]
		if !w.adjoins(c, offset) || !w.startsLine(c) {
			break
		}
		parts = append(parts, commentText(w.str(c)))
		offset = w.start(c)
		if len(parts) > 200 {
			break
		}
	}
	for l, r := 0, len(parts)-1; l < r; l, r = l+1, r-1 {
		parts[l], parts[r] = parts[r], parts[l]
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// adjoins reports whether only white space with at most one line break lies
// between c and offset. It reads backwards, no further than the first thing
// that says no: a comment at the top of a file is asked about by everything
// that has none of its own.
func (w *walk) adjoins(c node, offset int) bool {
	breaks := 0
	// Some grammars count the line break as part of a line comment.
	if end := w.end(c); end > w.start(c) && w.text[end-1] == '\n' {
		breaks++
	}
	for i := offset - 1; i >= w.end(c); i-- {
		switch b := w.text[i]; {
		case b == '\n':
			breaks++
		case !isSpace(b):
			return false
		}
		if breaks > 1 {
			return false
		}
	}
	return breaks <= 1
}

// startsLine reports whether only white space stands before n on its line.
func (w *walk) startsLine(n node) bool {
	for i := w.start(n) - 1; i >= 0 && w.text[i] != '\n'; i-- {
		if !isSpace(w.text[i]) {
			return false
		}
	}
	return true
}

// commentText strips the markers of a line or block comment.
func commentText(s string) string {
	s = strings.TrimSpace(s)
	if body, ok := strings.CutPrefix(s, "/*"); ok {
		return blockText(strings.TrimSuffix(body, "*/"))
	}
	if body, ok := strings.CutPrefix(s, "<!--"); ok {
		return strings.TrimSpace(strings.TrimSuffix(body, "-->"))
	}
	if body, ok := strings.CutPrefix(s, "--[["); ok {
		return strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(body, "]]"), "--"))
	}
	for _, marker := range []string{"///", "//!", "//", "---", "--", "##", "#"} {
		if body, ok := strings.CutPrefix(s, marker); ok {
			return strings.TrimPrefix(body, " ")
		}
	}
	return s
}

func blockText(body string) string {
	body = strings.TrimLeft(body, "*!")
	lines := strings.Split(body, "\n")
	for i, l := range lines {
		l = strings.TrimSpace(l)
		if i > 0 {
			l = strings.TrimPrefix(strings.TrimPrefix(l, "*"), " ")
		}
		lines[i] = l
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// clip cuts s between runes at n bytes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
