package syntax

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// DocBefore returns the text of the comments that end right above offset: with at most one line
// break between them, and no code before them on their line. It returns "" if there are none.
func (w *Walk) DocBefore(offset int) string {
	i := sort.Search(len(w.DocNodes), func(i int) bool { return w.End(w.DocNodes[i]) > offset })
	var parts []string
	for i--; i >= 0; i-- {
		c := w.DocNodes[i]
		if !w.adjoins(c, offset) || !w.startsLine(c) {
			break
		}
		parts = append(parts, CommentText(w.Str(c)))
		offset = w.Start(c)
		if len(parts) > 200 {
			break
		}
	}
	for l, r := 0, len(parts)-1; l < r; l, r = l+1, r-1 {
		parts[l], parts[r] = parts[r], parts[l]
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// code returns the text between two offsets without comments. Signatures are read with it,
// because they may have comments between annotations or after parameters. It reads no more text
// than OneLine can show, plus the comments in that text.
func (w *Walk) code(start, end int) []byte {
	i := sort.Search(len(w.DocNodes), func(i int) bool { return w.Start(w.DocNodes[i]) >= start })
	if i == len(w.DocNodes) || w.Start(w.DocNodes[i]) >= end {
		return w.Text[start:end]
	}
	const most = 4 * MaxLine
	var out []byte
	for ; i < len(w.DocNodes) && w.Start(w.DocNodes[i]) < end && len(out) < most; i++ {
		w.Step(1)
		if from := w.Start(w.DocNodes[i]); from >= start { // otherwise the comment is nested in the one before it
			// the space separates the words around the comment
			out = append(append(out, w.Text[start:min(from, start+most)]...), ' ')
			start = min(w.End(w.DocNodes[i]), end)
		}
	}
	return append(out, w.Text[start:min(end, start+most)]...)
}

// adjoins reports whether there is only white space with at most one line break between comment c
// and offset. It reads backwards from offset and stops at the first other byte: without that,
// each declaration without a comment would read all text up to the comment at the top of the
// file.
func (w *Walk) adjoins(c Node, offset int) bool {
	breaks := 0
	// Some grammars count the line break as part of a line comment.
	if end := w.End(c); end > w.Start(c) && w.Text[end-1] == '\n' {
		breaks++
	}
	for i := offset - 1; i >= w.End(c); i-- {
		switch b := w.Text[i]; {
		case b == '\n':
			breaks++
		case !IsSpace(b):
			return false
		}
		if breaks > 1 {
			return false
		}
	}
	return breaks <= 1
}

// startsLine reports whether only white space precedes n on its line.
func (w *Walk) startsLine(n Node) bool {
	for i := w.Start(n) - 1; i >= 0 && w.Text[i] != '\n'; i-- {
		if !IsSpace(w.Text[i]) {
			return false
		}
	}
	return true
}

// CommentText returns the text of a line or block comment without its markers, such as // or /* */.
func CommentText(s string) string {
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

// Clip returns at most the first n bytes of s, cut between runes.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
