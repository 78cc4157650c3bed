package l2meta

import (
	"bytes"
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
		gap := w.text[w.end(c):offset]
		// Some grammars count the line break as part of a line comment.
		breaks := bytes.Count(gap, []byte("\n"))
		if bytes.HasSuffix(w.text[w.start(c):w.end(c)], []byte("\n")) {
			breaks++
		}
		if breaks > 1 || len(bytes.TrimSpace(gap)) > 0 || !w.startsLine(c) {
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

// startsLine reports whether only white space stands before n on its line.
func (w *walk) startsLine(n node) bool {
	before := w.text[:w.start(n)]
	return len(bytes.TrimSpace(before[bytes.LastIndexByte(before, '\n')+1:])) == 0
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
	for _, marker := range []string{"///", "//!", "//", "--", "##", "#"} {
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
