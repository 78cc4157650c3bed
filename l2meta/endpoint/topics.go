package endpoint

import (
	"sextant/l2meta/endpoint/values"
	"strings"
)

// covers reports whether the pattern of a subscription matches a topic, by the rules of the
// broker.
func covers(broker, pattern, topic string) bool {
	switch broker {
	case "nats": // in NATS, ">" matches one or more tokens
		return tokensMeet(strings.Split(strings.Replace(pattern, ">", "*.>", 1), "."),
			strings.Split(topic, "."), "*", ">")
	case "rabbitmq", "nestjs":
		return tokensMeet(strings.Split(pattern, "."), strings.Split(topic, "."), "*", "#")
	case "mqtt", "dapr": // Dapr forwards the patterns of MQTT
		return tokensMeet(strings.Split(pattern, "/"), strings.Split(topic, "/"), "+", "#")
	case "moleculer", "moleculer-event":
		return tokensMeet(strings.Split(pattern, "."), strings.Split(topic, "."), "*", "**")
	case "redis":
		before, behind, glob := strings.Cut(pattern, "*")
		return glob && strings.HasPrefix(topic, before) && strings.HasSuffix(topic, behind)
	}
	return false
}

// tokensMeet compares a pattern with a topic, token by token. one is the token that matches any
// single token, such as RabbitMQ's "*"; rest matches any number of tokens, such as "#".
func tokensMeet(pattern, topic []string, one, rest string) bool {
	met := make([]bool, len(topic)+1) // met[n] reports whether the pattern so far may match n tokens
	met[0] = true
	for _, p := range pattern {
		next := make([]bool, len(met))
		for n := range met {
			if p == rest {
				next[n] = met[n] || n > 0 && next[n-1]
			} else {
				next[n] = n > 0 && met[n-1] && (p == one || p == topic[n-1])
			}
		}
		met = next
	}
	return met[len(topic)]
}

// ofAnyObject reports whether a topic is only known as a member of some object, with a common
// name: {this.topic}.
func ofAnyObject(key string) bool {
	return hole(key) && shape(key) == "{}" && !strings.HasPrefix(key, "{env:") &&
		values.Common[strings.ToLower(strings.TrimSuffix(lastStepOf(key), "()"))]
}

func hole(text string) bool { return strings.ContainsAny(text, "{") }

// shape returns a topic without the text in its braces: "orders.{}" for "orders.{id}".
func shape(text string) string {
	var b strings.Builder
	depth := 0
	for _, c := range text {
		switch {
		case c == '{':
			if depth++; depth == 1 {
				b.WriteString("{}")
			}
		case c == '}':
			depth--
		case depth == 0:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// lastStepOf returns the last name in a topic that is not known, ORDERS for "{Topics.ORDERS}", so that
// "{Topics.ORDERS}" and "{ORDERS}" compare equal.
func lastStepOf(text string) string {
	text = strings.Trim(text, "{}")
	return text[strings.LastIndexAny(text, ".:>$")+1:]
}
