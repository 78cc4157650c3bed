package services

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services/folding"
)

// Carrier describes values that publish or consume messages and whose constructor gets the topic:
// &kafka.Writer{Topic: topic}.
type Carrier struct {
	Broker  string
	Role    string // l2meta.RoleWriter or l2meta.RoleReader
	Modules []string
	Made    *regexp.Regexp // matches the construction up to the bracket before its arguments or fields
	Key     []string       // selectors of the topic in the arguments or fields; see Message.Key
}

// Carried replaces the topic in the fact of a message that is sent or received through a Carrier
// whose constructor call, with the topic, is elsewhere: p.writer.WriteMessages(m).
const Carried = "{carried}"

// carriers records each value that a file constructs with a topic, &kafka.Writer{Topic: "orders"}, with that topic.
func (mr *messageReader) carriers(l *Idioms) {
	for i := range l.Carriers {
		k := &l.Carriers[i]
		if !mr.importsAny(k.Modules) || !mr.Look() {
			continue
		}
		for _, m := range mr.Matches(k.Made, 0, len(mr.Text)) {
			made := mr.SelectAt(folding.ListItems(mr.Text[m[1]:]), m[0])
			for _, key := range made.Texts(k.Key) {
				mr.KeepMessage(k.Role, mr.Around(m[0]), mr.SpanAt(m[0]), End{Broker: k.Broker, Key: key})
			}
		}
	}
}

// obtainedFor returns the topic of a call's receiver if a parameter of the function around the call holds it: topic
// in k.writerFor(topic).Send(m), in k.writers[topic].Send(m), and, for a call on reader, in func loop(reader
// *kafka.Reader, topic string). It returns "" for any other topic.
func (mr *messageReader) obtainedFor(c *code.Call) string {
	at := c.NameSpan.StartByte
	made := c.Receiver
	if name := folding.LastWord(c.Receiver); name != "" {
		if own := mr.Around(at); own >= 0 && mr.Folder.Parameter(name, at) != "" {
			for _, p := range mr.File.Symbols[own].Parameters {
				if folding.OfTopic(p.Name) && p.Name != name {
					return mr.Folder.Fold(p.Name, at)
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
	for _, arg := range folding.ListItems(made[open+1:]) {
		if name := strings.TrimRight(arg, ")]"); folding.OfTopic(name) && mr.Folder.Parameter(name, at) != "" {
			return mr.Folder.Fold(name, at)
		}
	}
	return ""
}
