package services

import (
	"regexp"
	"strings"

	"sextant/internal/code"
)

// Carrier describes values that send or receive messages and are constructed with the topic: &kafka.Writer{Topic:
// topic}.
type Carrier struct {
	Broker  string
	Role    string // l2meta.RoleWriter or l2meta.RoleReader
	Modules []string
	Made    *regexp.Regexp // ends with the bracket before the parts of the value
	Key     []string       // selectors of the topic in the arguments or fields, as in Message
}

// Carried is recorded as the topic of a message that is sent or received through a value which was constructed with
// its topic elsewhere.
const Carried = "{carried}"

// carriers records the values that a file constructs with a topic.
func (mr *messageReader) carriers(l *Idioms) {
	for i := range l.Carriers {
		k := &l.Carriers[i]
		if !mr.importsAny(k.Modules) || !mr.look() {
			continue
		}
		for _, m := range mr.Matches(k.Made, 0, len(mr.Text)) {
			made := &selection{r: mr.Reader, args: ListItems(mr.Text[m[1]:]), at: m[0], annotation: true}
			for _, key := range made.texts(k.Key) {
				mr.KeepMessage(k.Role, mr.Around(m[0]), mr.SpanAt(m[0]), End{Broker: k.Broker, Key: key})
			}
		}
	}
}

// obtainedFor returns the topic with which the function around a call obtains the call's receiver, or which it is
// passed together with the receiver: k.writerFor(topic), k.writers[topic], func loop(reader *kafka.Reader, topic
// string). It returns "" if the topic is no parameter of the function.
func (mr *messageReader) obtainedFor(c *code.Call) string {
	at := c.NameSpan.StartByte
	made := c.Receiver
	if name := LastWord(c.Receiver); name != "" {
		if own := mr.Around(at); own >= 0 && mr.fold.parameter(name, at) != "" {
			for _, p := range mr.File.Symbols[own].Parameters {
				if ofTopic(p.Name) && p.Name != name {
					return mr.fold.fold(p.Name, at)
				}
			}
			return ""
		}
		made, at = mr.Lookup(name, at)
	}
	open := strings.IndexAny(made, "([")
	if open < 0 || mr.Around(at) != mr.Around(c.NameSpan.StartByte) {
		return ""
	}
	for _, arg := range ListItems(made[open+1:]) {
		if name := strings.TrimRight(arg, ")]"); ofTopic(name) && mr.fold.parameter(name, at) != "" {
			return mr.fold.fold(name, at)
		}
	}
	return ""
}
