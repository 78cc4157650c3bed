package ruby

import "strings"

// split splits a call into its receiver, "" for none, and the method's name. It skips arguments and
// a block at the end. It returns false for a text that is no call.
func split(text string) (receiver, name string, ok bool) {
	head := head(text)
	dot := lastDot(head)
	if dot < 0 {
		return "", head, rubyName.MatchString(head)
	}
	name = strings.TrimSpace(head[dot+1:])
	receiver = strings.TrimSuffix(strings.TrimSpace(head[:dot]), "&")
	return receiver, name, rubyName.MatchString(name) && receiver != ""
}

// head returns text without the arguments and the block at its end. It returns "" for a text that
// ends in "end" but has no "do".
func head(text string) string {
	if strings.HasSuffix(text, " end") {
		if text = beforeDo(text); text == "" {
			return ""
		}
	}
	for {
		last := text[len(text)-1]
		if last != ')' && last != '}' {
			return text
		}
		start := opening(text)
		if start <= 0 {
			return text
		}
		text = strings.TrimSpace(text[:start])
	}
}

// beforeDo returns the text before the first "do" outside of brackets; "" if there is none.
func beforeDo(text string) string {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '{', '[':
			if i = closing(text, i); i < 0 {
				return ""
			}
		case '"', '\'':
			if i = quoted(text, i); i < 0 {
				return ""
			}
		case ' ':
			if strings.HasPrefix(text[i:], " do ") {
				return text[:i]
			}
		}
	}
	return ""
}

// opening returns the index of the bracket that the last character of text closes, or -1.
func opening(text string) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '{', '[':
			end := closing(text, i)
			if end < 0 {
				return -1
			}
			if end == len(text)-1 {
				return i
			}
			i = end
		case '"', '\'':
			if i = quoted(text, i); i < 0 {
				return -1
			}
		}
	}
	return -1
}

// closing returns the index of the bracket that closes the one at open, or -1.
func closing(text string, open int) int {
	depth := 0
	for i := open; i < len(text); i++ {
		switch text[i] {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'':
			if i = quoted(text, i); i < 0 {
				return -1
			}
		}
	}
	return -1
}

// quoted returns the index of the quote that closes the string at open, or -1.
func quoted(text string, open int) int {
	for i := open + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[open]:
			return i
		}
	}
	return -1
}

// lastDot returns the index of the last "." outside of brackets, or -1 if there is none or text is
// more than a chain of calls.
func lastDot(text string) int {
	dot := -1
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '(' || c == '{' || c == '[':
			if i = closing(text, i); i < 0 {
				return -1
			}
		case c == '"' || c == '\'':
			if i = quoted(text, i); i < 0 {
				return -1
			}
		case c == '.':
			dot = i
		case c == ' ' && i+1 < len(text) && text[i+1] != '.' && text[i+1] != '&' && text[i+1] != '{' &&
			(i == 0 || text[i-1] != '.'):
			return -1
		}
	}
	return dot
}
