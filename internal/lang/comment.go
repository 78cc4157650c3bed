package lang

import "bytes"

// maxCommentLines bounds how many lines above a declaration CommentAbove reads.
const maxCommentLines = 200

// CommentAbove returns the number of the first line of the comment that ends directly above line
// first, or first if there is no comment. line returns the text of line n; it reports false for a
// line that does not exist or belongs to something else, where the comment ends.
//
// Line comments and block comments may follow one another. A block comment does not count if it
// begins after code on its line, or more than maxCommentLines lines above first.
func CommentAbove(language string, first int, line func(n int) (text []byte, ok bool)) int {
	start, block := first, false
	for n := first - 1; first-n <= maxCommentLines; n-- {
		text, ok := line(n)
		if !ok {
			break
		}
		t := bytes.TrimSpace(text)
		switch {
		case block:
			if !bytes.Contains(t, []byte("/*")) {
				continue
			}
			if !bytes.HasPrefix(t, []byte("/*")) {
				return start // code precedes the comment on its line
			}
			start, block = n, false
		case bytes.HasPrefix(t, []byte("/*")) && bytes.HasSuffix(t, []byte("*/")), lineComment(t, language):
			start = n
		case bytes.HasSuffix(t, []byte("*/")):
			block = true
		default:
			return start
		}
	}
	return start
}

// lineComment reports whether a trimmed line is a line comment. A line that starts with # is none
// in a language where # begins code, such as #include in C.
func lineComment(t []byte, language string) bool {
	for _, p := range []string{"//", "--", ";;", "<!--"} {
		if bytes.HasPrefix(t, []byte(p)) {
			return true
		}
	}
	known, ok := ByName(language)
	return bytes.HasPrefix(t, []byte("#")) && !(ok && known.HashIsCode)
}
