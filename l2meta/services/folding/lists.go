package folding

import (
	"regexp"
	"strings"
)

// Lists and expressions are split at commas and operators that are outside of brackets, strings and comments.

// split splits an expression at each operator that is outside of brackets and strings.
func split(expr string, operator byte) (out []string) {
	depth, from := 0, 0
	for i := 0; i < len(expr); i++ {
		switch c := expr[i]; {
		case c == '"' || c == '\'' || c == '`':
			i = SkipString(expr, i)
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == operator && depth == 0 && i > 0 && (operator != '.' || isConcatenation(expr, i)):
			out = append(out, expr[from:i])
			from = i + 1
		}
	}
	return append(out, expr[from:])
}

// isConcatenation reports whether the dot at a byte offset concatenates texts in PHP: it has a blank or a quote
// beside it, or follows a call, as in config('a').$path.
func isConcatenation(expr string, at int) bool {
	if strings.IndexByte(" \t\n\"')]", expr[at-1]) >= 0 {
		return true
	}
	return at+1 < len(expr) && strings.IndexByte(" \t\n\"'$", expr[at+1]) >= 0
}

// ListItems returns the items of a list whose opening bracket is just before text, up to the
// closing bracket. Commas separate the items. The items are trimmed and have no comments; empty
// ones are omitted.
func ListItems(text string) (out []string) {
	depth, from := 0, 0
	pieces := "" // the parts of an item before its last comment
	add := func(to int) {
		if s := strings.TrimSpace(pieces + text[from:to]); s != "" {
			out = append(out, s)
		}
		pieces = ""
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"', '\'', '`':
			i = SkipString(text, i)
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				add(i)
				return out
			}
		case '<':
			i = pastTypes(text, i)
		case '/', '#':
			if end := commentEnd(text, i); end > i {
				pieces += text[from:i] + " "
				from, i = end, end-1
			}
		case ',':
			if depth == 0 {
				add(i)
				from = i + 1
			}
		}
	}
	add(len(text))
	return out
}

// pastTypes returns the offset of the last byte of the type arguments that start at i, as in new Record<String,
// byte[]>(topic). It returns i if none start there.
func pastTypes(text string, i int) int {
	if i == 0 || !IsName(text[i-1]) {
		return i
	}
	end := SkipGeneric(text, i)
	if end < len(text) && end > i && (text[end] == '(' || text[end] == '{') {
		return end - 1
	}
	return i
}

// commentEnd returns the end of the comment that starts at an offset in a list, 0 if none does. A comment to the end
// of its line counts only before an item or after the last one, as in ch.Publish("", // exchange. Elsewhere, "//" may
// divide numbers in Python.
func commentEnd(text string, at int) int {
	rest := text[at:]
	if strings.HasPrefix(rest, "/*") {
		if end := strings.Index(rest[2:], "*/"); end >= 0 {
			return at + 2 + end + 2
		}
		return 0
	}
	if !strings.HasPrefix(rest, "//") && !strings.HasPrefix(rest, "# ") {
		return 0
	}
	end := linesEnd(text, at, rest[:2])
	if end < 0 {
		return 0
	}
	before := strings.TrimRight(text[:at], " \t\r\n")
	if before == "" || strings.IndexByte(",([{", before[len(before)-1]) >= 0 {
		return end
	}
	next := strings.TrimLeft(text[end:min(len(text), end+maxIndent)], " \t\r\n")
	if next != "" && strings.IndexByte(")]},", next[0]) >= 0 {
		return end
	}
	return 0
}

// maxComments is the largest number of lines that one comment in a list is read for.
const maxComments = 40

// linesEnd returns the end of the last of the comments that begin with mark and follow each other line by line, the
// first at an offset. It returns -1 if the text ends before them.
func linesEnd(text string, at int, mark string) int {
	end := -1
	for range maxComments {
		line := strings.IndexByte(text[at:], '\n')
		if line < 0 {
			return end
		}
		end = at + line
		next := strings.TrimLeft(text[end:min(len(text), end+maxIndent)], " \t\r\n")
		if !strings.HasPrefix(next, mark) {
			return end
		}
		at = end + strings.Index(text[end:], mark)
	}
	return end
}

// maxIndent is the largest number of blanks between a comment and the next item.
const maxIndent = 200

// ListStart matches the start of a list literal, up to its first item: []string{, vec![, listOf(.
var ListStart = regexp.MustCompile(
	`^(?:new\s*(?:\w*\s*)?\[\s*\]\s*\{|\[\]string\{|&(?:vec!)?\[|vec!\[|(?:Arrays\.asList|List\.of|Set\.of|Collections\.singleton(?:List)?|listOf|setOf|arrayOf|array|Pattern\.compile)\(|\[|\{)`)

// Listed returns the items of a list literal, or the expression itself if it is no list.
func Listed(expr string) []string {
	if start := ListStart.FindString(expr); start != "" &&
		!(start == "{" && NamedArgument.MatchString(FirstItem(expr[1:]))) {
		return ListItems(expr[len(start):])
	}
	return []string{expr}
}

// FirstItem returns the first item of a list, "" if there is none.
func FirstItem(list string) string {
	if items := ListItems(list); len(items) > 0 {
		return items[0]
	}
	return ""
}

// NamedArgument matches an argument or entry that is given by name: key=x, key: x, 'key' => x.
var NamedArgument = regexp.MustCompile(
	`^(?:'([A-Za-z_]\w*)'|"([A-Za-z_]\w*)"|:?([A-Za-z_]\w*))\s*(?:=>|=|:)\s*([^=>:\s][\s\S]*)$`)
