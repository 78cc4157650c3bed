package services

import (
	"regexp"
	"strings"

	"sextant/l2meta/services/folding"
)

// Programs keep the names of topics and queues in members of members:
//
//	Config{PaymentQueue: QueueConfig{Name: "payments", TTL: 60}}
//	const config = { paymentQueue: { name: "payments" } };
//
// A map may hold several, each under a key: Topics: map[string]string{"paid": "orders.paid"}.

// textMap is the type of a map of texts in Go.
const textMap = "map[string]string"

// memberText matches a member whose value is a text: Name: "payments".
var memberText = regexp.MustCompile("\\b([A-Za-z_]\\w*)[\"']?\\s*:\\s*[\"'`]([A-Za-z][\\w.:/-]*)[\"'`]")

// withMembers lists the languages whose literals have members of this form.
var withMembers = map[string]bool{"go": true, "javascript": true, "typescript": true, "python": true}

// memberTopics records the texts in members of members that are named after topics, each under
// the names of both members: PaymentQueue.Name.
func (r *Reader) memberTopics() {
	if !withMembers[r.File.Language] || !folding.ContainsAny(strings.ToLower(r.Text), folding.TopicWords) || !r.Look() {
		return
	}
	eachInnermost(r.Text, func(open, end int) {
		at, object := memberBefore(strings.TrimSuffix(r.Text[:open], textMap))
		if !folding.OfTopic(object) {
			return
		}
		isMap := strings.HasSuffix(r.Text[:open], textMap)
		for _, t := range memberText.FindAllStringSubmatch(r.Text[open+1:end], maxPossibleArgs) {
			if isMap || topicMember.MatchString(t[1]) {
				r.KeepText(r.Around(at), r.SpanAt(at), object+"."+t[1], t[2])
			}
		}
	})
}

// eachInnermost calls visit with the offsets of the braces around each part of text that contains
// no braces.
func eachInnermost(text string, visit func(open, end int)) {
	open := -1
	for i := range len(text) {
		switch text[i] {
		case '{':
			open = i
		case '}':
			if open >= 0 {
				visit(open, i)
			}
			open = -1
		}
	}
}

// memberBefore returns the offset and the name of the member whose value, an object, begins at the end of text. An
// object may have a type and be a pointer: "PaymentQueue: &QueueConfig". The name is "" if there is no member.
func memberBefore(text string) (at int, name string) {
	text = strings.TrimRightFunc(text, func(c rune) bool { return isNameChar(c) || c == '.' })
	text, member := strings.CutSuffix(strings.TrimRight(strings.TrimSuffix(text, "&"), spaces), ":")
	if !member {
		return 0, ""
	}
	text = strings.TrimRight(text, spaces)
	if n := len(text); n > 0 && (text[n-1] == '"' || text[n-1] == '\'') {
		text = text[:n-1]
	}
	at = len(strings.TrimRightFunc(text, isNameChar))
	if name = text[at:]; name == "" || '0' <= name[0] && name[0] <= '9' {
		return 0, ""
	}
	return at, name
}

// spaces holds the characters between the parts of a member.
const spaces = " \t\n\f\r"

// isNameChar reports whether a name may have c.
func isNameChar(c rune) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
