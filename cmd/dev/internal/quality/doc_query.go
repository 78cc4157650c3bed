package quality

import (
	"regexp"
	"strings"
	"unicode"
)

const (
	minWords = 3  // least words of a query; shorter queries are too vague
	maxWords = 60 // words of a paragraph that are used; the text after them is detail
)

var (
	tagLine = regexp.MustCompile(
		`(?m)^\s*(@\w+|\\(param|return|brief|note|see)\b|:(param|return|rtype|type|raises)\b|Args:|Arguments:|Parameters:?$|Returns:|Raises:|Example:|Examples:|# (Examples?|Errors|Panics|Safety|Arguments)|-{3,}|={3,}|<(param|returns|remarks|typeparam|exception|example|inheritdoc)\b|>>> |` + "```" + `)`)
	inlineTag = regexp.MustCompile(`\{@\w+\s+([^}]*)\}`)
	htmlTag   = regexp.MustCompile(
		`<(see|paramref|typeparamref)\s+\w+="(?:[A-Z]:)?([^"]*)"\s*/?>|</?[A-Za-z][^<>]{0,80}>`)
	roleMark   = regexp.MustCompile(`:[a-z:]+:`)
	linkMark   = regexp.MustCompile(`\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])?`)
	sentenceAt = regexp.MustCompile(`[.!?](\s|$)|\n\s*\n|:\s*\n`)
	wordMark   = regexp.MustCompile(`[\pL\pN_$]+`)
	unwanted   = regexp.MustCompile(
		`(?i)copyright|licen[cs]ed? under|spdx|inheritdoc|eslint|nolint|todo|fixme|auto-?generated|do not edit|^see |^deprecated|non-javadoc`)
)

// DocQueries returns two queries of a user who looks for the declaration of name: the first
// sentence of its doc comment, and the first paragraph if that is longer, both without the name. A
// query is "" if too few words remain for it.
func DocQueries(doc, name string) (sentence, paragraph string) {
	doc = strings.TrimSpace(doc)
	doc = strings.TrimPrefix(doc, "\\brief ")
	doc = strings.TrimPrefix(doc, "@brief ")
	if at := tagLine.FindStringIndex(doc); at != nil {
		if strings.TrimSpace(doc[:at[0]]) == "" {
			return "", ""
		}
		doc = doc[:at[0]]
	}
	doc = inlineTag.ReplaceAllString(doc, "$1")
	doc = htmlTag.ReplaceAllString(doc, " $2 ")
	doc = roleMark.ReplaceAllString(doc, " ")
	doc = linkMark.ReplaceAllString(doc, "$1")
	doc = strings.TrimSpace(doc)
	if at := strings.Index(doc, "\n\n"); at > 0 {
		doc = doc[:at]
	}
	first := doc
	if at := sentenceAt.FindStringIndex(doc); at != nil {
		first = doc[:at[0]]
	}
	if unwanted.MatchString(first) {
		return "", ""
	}
	if sentence = queryText(first, name); sentence == "" {
		return "", ""
	}
	if paragraph = queryText(doc, name); paragraph == sentence {
		paragraph = ""
	}
	return sentence, paragraph
}

// queryText returns the words of text without name, "" if they are too few.
func queryText(text, name string) string {
	n, letters := 0, 0
	text = wordMark.ReplaceAllStringFunc(text, func(w string) string {
		if strings.EqualFold(w, name) {
			return ""
		}
		if n++; n > maxWords {
			return ""
		}
		if unicode.IsLetter([]rune(w)[0]) && len(w) > 2 {
			letters++
		}
		return w
	})
	if letters < minWords {
		return ""
	}
	return strings.Join(strings.Fields(text), " ")
}
