package folding

import "strings"

// The first and last words in names of functions and objects are compared by code rather than by regular expressions.
// The names of all calls of a workspace are compared, and regular expressions took ten times as long.

var (
	// asking lists the last words in names of objects that may send requests: orderClient.
	asking = strings.Fields("service client api http gateway request requests")
	// speakingFirst and speakingLast list the first and last words in names of functions that
	// publish or consume.
	speakingFirst = strings.Fields("publish emit produce dispatch enqueue broadcast send subscribe consume listen")
	speakingLast  = strings.Fields(
		"consumer subscriber subscription listener publisher producer queue topic topics event message")
	// Carrying lists the last words in names of values through which messages pass, in addition
	// to speakingLast.
	Carrying = strings.Fields("writer reader sender")
	// topicLast lists the last words in names of functions that return the name of a topic, a
	// queue or an exchange; "name" may follow: queueName.
	topicLast = strings.Fields("topic queue exchange subject channel routingkey routing_key messagekey message_key " +
		"eventkey event_key event")
)

// AsksFor reports whether the name of an object is typical of one that may send requests.
func AsksFor(name string) bool { return EndsIn(name, asking) }

// Speaks reports whether the name of a function is typical of one that publishes or consumes
// messages.
func Speaks(name string) bool {
	return beginsWith(strings.TrimLeft(name, "_"), speakingFirst) || strings.HasPrefix(name, "Push") ||
		EndsIn(name, speakingLast)
}

// OfTopic reports whether the name of a function is typical of one that returns the name of a
// topic, a queue or an exchange.
func OfTopic(name string) bool {
	if EndsIn(name, topicLast) || strings.EqualFold(name, "key") {
		return true
	}
	of := WithoutName(name)
	return len(of) < len(name) && EndsIn(strings.TrimSuffix(of, "_"), topicLast) || NamesTask(name)
}

// NamesTask reports whether a name is typical of one that holds the name of a task, by which a worker finds the
// function that a message is for: upload_task_name.
func NamesTask(name string) bool {
	of := WithoutName(name)
	return len(of) < len(name) && EndsIn(strings.TrimSuffix(of, "_"), []string{"task"})
}

// WithoutName returns a name without the word "name" at its end: queue for queueName. It returns
// the name "name" unchanged.
func WithoutName(name string) string {
	const also = "name"
	if n := len(name) - len(also); n > 0 && strings.EqualFold(name[n:], also) {
		return name[:n]
	}
	return name
}

// EndsIn reports whether a name ends in one of some words, in any case of letters.
func EndsIn(name string, words []string) bool {
	for _, w := range words {
		if n := len(name) - len(w); n >= 0 && strings.EqualFold(name[n:], w) {
			return true
		}
	}
	return false
}

// beginsWith reports whether a name begins with one of some words, in any case of letters.
func beginsWith(name string, words []string) bool {
	for _, w := range words {
		if len(name) >= len(w) && strings.EqualFold(name[:len(w)], w) {
			return true
		}
	}
	return false
}
