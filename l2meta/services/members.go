package services

import (
	"regexp"
	"strings"
)

// Programs keep the names of topics and queues in members of members:
//
//	Config{PaymentQueue: QueueConfig{Name: "payments", TTL: 60}}
//	const config = { paymentQueue: { name: "payments" } };
//
// A map may hold several, each under a key: Topics: map[string]string{"paid": "orders.paid"}.

var (
	// memberObject matches a member that is an object without objects in it: PaymentQueue: QueueConfig{…}.
	memberObject = regexp.MustCompile(`\b([A-Za-z_]\w*)["']?\s*:\s*&?(?:[\w.]+)?\{([^{}]*)\}`)
	// memberMap matches a member that is a map of texts.
	memberMap = regexp.MustCompile(`\b([A-Za-z_]\w*)["']?\s*:\s*map\[string\]string\{([^{}]*)\}`)
	// memberText matches a member that is a text: Name: "payments".
	memberText = regexp.MustCompile("\\b([A-Za-z_]\\w*)[\"']?\\s*:\\s*[\"'`]([A-Za-z][\\w.:/-]*)[\"'`]")
)

// withMembers are the languages whose literals have members of this form.
var withMembers = map[string]bool{"go": true, "javascript": true, "typescript": true, "python": true}

// memberTopics records the texts that literals give to members of members which are named after topics, each under the
// names of both: PaymentQueue.Name.
func (r *Reader) memberTopics() {
	if !withMembers[r.File.Language] || !containsAny(strings.ToLower(r.Text), topicWords) || !r.look() {
		return
	}
	r.membersOf(memberObject, topicMember.MatchString)
	r.membersOf(memberMap, func(string) bool { return true })
}

// membersOf records the members of the objects that a pattern matches whose names keep accepts.
func (r *Reader) membersOf(objects *regexp.Regexp, keep func(name string) bool) {
	for _, m := range objects.FindAllStringSubmatchIndex(r.Text, -1) {
		object := r.Text[m[2]:m[3]]
		if !ofTopic(object) {
			continue
		}
		for _, t := range memberText.FindAllStringSubmatch(r.Text[m[4]:m[5]], maxPossibleArgs) {
			if keep(t[1]) {
				r.KeepText(r.Around(m[2]), r.SpanAt(m[2]), object+"."+t[1], t[2])
			}
		}
	}
}
