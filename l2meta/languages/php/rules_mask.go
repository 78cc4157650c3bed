package php

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"sextant/l2meta/syntax"
)

// constants parses a text again if it contains constants that the grammar does not support. It
// replaces them by supported text of the same length: const A = 1; in an enumeration by case A =
// 1;, and the type in const self A by a name. Otherwise the grammar would lose the rest of the
// enumeration. Names are still read from the original text.
func constants(w *syntax.Walk) {
	if w.Out.BadBytes == 0 || len(w.Text) > syntax.MendLimit || w.ErrorNodes() > syntax.MendErrors {
		return
	}
	text := bytes.Clone(w.Text)
	maskSelf(text)
	for _, at := range enum.FindAllIndex(text, -1) {
		maskEnum(text[at[1]:])
	}
	if bytes.Equal(text, w.Text) {
		return
	}
	if next, err := w.Grammar.ParseWithin(text, w.Left); err == nil && next.BadBytes() < w.Out.BadBytes {
		w.Nodes, w.Out.BadBytes = next.Nodes, next.BadBytes()
		w.DocNodes = w.CommentNodes()
	}
}

var (
	enum       = regexp.MustCompile(`\benum\s+\w+[^{};()]*\{`)
	typedConst = regexp.MustCompile(`\bconst\s+([\w\\|&?()\s]+?)\s+\w+\s*=`)
	ownType    = regexp.MustCompile(`\b(?:self|static|parent)\b`)
)

// maskSelf replaces self, static and parent in the types of constants by names.
func maskSelf(text []byte) {
	for _, m := range typedConst.FindAllSubmatchIndex(text, -1) {
		typ := text[m[2]:m[3]]
		for _, word := range ownType.FindAllIndex(typ, -1) {
			typ[word[0]] = '_'
		}
	}
}

// maskEnum replaces the constants in the body of an enumeration, which begins at the start of text, by cases.
func maskEnum(text []byte) {
	var words [][2]int // the modifiers before a word, which belong to a constant if the word is const
	for i, depth := 0, 0; i < len(text) && depth >= 0; {
		end := tokenEnd(text, i)
		switch token := text[i:end]; {
		case bytes.IndexByte([]byte("{(["), token[0]) >= 0:
			depth++
		case bytes.IndexByte([]byte("})]"), token[0]) >= 0:
			depth--
		case depth > 0 || !isWord(token[0]):
		case bytes.EqualFold(token, []byte("const")):
			var masked bool
			if end, masked = maskConst(text, i); masked {
				for _, m := range words {
					blank(text[m[0]:m[1]])
				}
			}
			words = nil
		case modifier[strings.ToLower(string(token))]:
			words = append(words, [2]int{i, end})
		default:
			words = nil
		}
		i = end
	}
}

var modifier = map[string]bool{"public": true, "protected": true, "private": true, "final": true}

// maskConst replaces const T A = 1, B = 2; at byte i by case A = 1; and returns the end of the
// statement. The grammar supports no case of several names, so only the first name is left. It
// returns false for any other use of the word: function const() {}.
func maskConst(text []byte, i int) (end int, masked bool) {
	start := i + len("const")
	equals := bytes.IndexByte(text[start:], '=')
	if equals < 0 || bytes.ContainsAny(text[start:start+equals], ";:{}") {
		return start, false
	}
	equals += start
	typ := bytes.TrimRight(text[start:equals], " \t\r\n")
	name := len(typ)
	for name > 0 && isWord(typ[name-1]) {
		name--
	}
	copy(text[i:], "case ")
	blank(typ[:name])
	end = equals
	cut, depth := -1, 0
	for end < len(text) && (depth > 0 || text[end] != ';') {
		switch text[end] {
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			depth--
		case ',':
			if depth == 0 && cut < 0 {
				cut = end
			}
		}
		if depth < 0 {
			return end, true
		}
		end = tokenEnd(text, end)
	}
	if cut >= 0 {
		blank(text[cut:min(end, len(text))])
	}
	return end, true
}

// tokenEnd returns the end of the token at byte i: of a word, a string, a comment, or a single character.
func tokenEnd(text []byte, i int) int {
	rest := text[i:]
	until := func(end string) int {
		if n := bytes.Index(rest[min(2, len(rest)):], []byte(end)); n >= 0 {
			return i + min(2, len(rest)) + n + len(end)
		}
		return len(text)
	}
	switch c := rest[0]; {
	case isWord(c):
		n := slices.IndexFunc(rest, func(c byte) bool { return !isWord(c) })
		if n < 0 {
			n = len(rest)
		}
		return i + n
	case c == '\'' || c == '"':
		for n := 1; n < len(rest); n++ {
			if rest[n] == '\\' {
				n++
			} else if rest[n] == c {
				return i + n + 1
			}
		}
		return len(text)
	case bytes.HasPrefix(rest, []byte("/*")):
		return until("*/")
	case bytes.HasPrefix(rest, []byte("//")), c == '#' && !bytes.HasPrefix(rest, []byte("#[")):
		if n := bytes.IndexByte(rest, '\n'); n >= 0 {
			return i + n
		}
		return len(text)
	}
	return i + 1
}

func isWord(c byte) bool {
	return c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// blank overwrites text with spaces; it keeps line breaks.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}
