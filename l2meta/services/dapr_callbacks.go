package services

import (
	"regexp"
	"strings"

	"sextant/l2meta/services/folding"
)

// An application that communicates with its sidecar of Dapr by gRPC implements the service
// AppCallback. ListTopicSubscriptions returns the topics to which the application subscribes, and
// OnTopicEvent handles all of their messages. ListInputBindings and OnBindingEvent do the same for
// bindings. Each language spells these methods in its own way.

var (
	topicListed = regexp.MustCompile(
		`(?i)\b(?:set)?_?(pubsub_?name|topic)["']?\s*(?:=>|[:=(])\s*(?:String::from\()?("[^"\s]+"|'[^'\s]+'|[A-Za-z_][\w.]*)`)
	quotedName = regexp.MustCompile(`"([\w./-]+)"`)
)

// calledBack records the messages that a program receives from its sidecar by gRPC.
func (r *Reader) calledBack() {
	if !r.Mentions("opicEvent") && !r.Mentions("topic_event") && !r.Mentions("indingEvent") &&
		!r.Mentions("binding_event") {
		return
	}
	if list, taken := r.method("listtopicsubscriptions"), r.method("ontopicevent"); list >= 0 && taken >= 0 {
		component, kept := "", 0
		body := r.body(list)
		for _, m := range topicListed.FindAllStringSubmatchIndex(body, maxSubscriptions) {
			value := r.Topic(body[m[4]:m[5]], r.File.Symbols[list].Span.StartByte+m[4])
			if strings.HasPrefix(strings.ToLower(body[m[2]:m[3]]), "pubsub") {
				component = value
			} else if value != "" && !strings.Contains(value, "{") && kept < maxSubscriptions {
				r.keepTaken(taken, End{Broker: "dapr", Key: value, Scope: component})
				kept++
			}
		}
	}
	if list, taken := r.method("listinputbindings"), r.method("onbindingevent"); list >= 0 && taken >= 0 {
		for _, m := range quotedName.FindAllStringSubmatch(r.body(list), maxSubscriptions) {
			r.keepTaken(taken, End{Broker: Binding, Key: m[1]})
		}
	}
}

// keepTaken records that a method of the file consumes the messages that e describes.
func (r *Reader) keepTaken(method int, e End) {
	r.KeepMessage(Consumes, method, r.File.Symbols[method].NameSpan, e)
}

// method returns the first method of the file with a name in lower case without underscores, -1 for none.
func (r *Reader) method(name string) int {
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		if s.Kind.Callable() && strings.ReplaceAll(strings.ToLower(s.Name), "_", "") == name {
			return i
		}
	}
	return -1
}

// body returns the source text of a symbol.
func (r *Reader) body(symbol int) string {
	span := &r.File.Symbols[symbol].Span
	return r.Text[span.StartByte:min(span.EndByte, span.StartByte+folding.MaxEndpointText)]
}
