package endpoint

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
)

// A base class may publish for its subclasses, each of which gives the topic:
//
//	abstract class Publisher<T> {
//	    protected abstract String topic();
//	    void publish(T event) { kafka.send(topic(), event); }
//	}
//	class AuditPublisher extends Publisher<Order> { String topic() { return "audit"; } }
//
// The type of the object on which the method is called determines the topic.

// heirsEnds returns the messages that a method of an abstract class publishes to the topics of its subclasses, one for
// each topic, at the member that gives it. It returns nil if the topic is not a member of the object itself.
func (mj *messageJoiner) heirsEnds(u user, fact *code.Fact) (out []*message) {
	part, class := endsOf(fact.Type), u.File.Type(u.Index)
	if class < 0 || !ofSelf(part[1]) || lookup.IsConcrete(u.File.Ref(class)) {
		return nil
	}
	member := ownMember.FindStringSubmatch(strings.Trim(part[1], "{}"))[1]
	if len(ofType(u.File, class, member)) > 0 {
		return nil
	}
	for _, heir := range resolve.Descendants(u.File.Ref(class), mj.SubtypesOf) {
		for _, t := range ofType(heir.File, heir.Index, member) {
			text := strings.Join([]string{part[0], t.Value, part[2], part[3], part[4]}, "\t")
			for _, m := range spoken(mj.Reader, heir.File, t.Fact.Owner, t.Fact.Span, text) {
				m.heir = heir.Symbol().Name
				out = append(out, m)
			}
		}
	}
	return out
}

// ofSelf reports whether a topic is a member of the object itself: {topic()}, {this.topic}.
func ofSelf(key string) bool {
	return strings.HasPrefix(key, "{") && strings.HasSuffix(key, "}") && ownMember.MatchString(key[1:len(key)-1])
}

// gives returns a verb for how m has its topic.
func (m *message) gives() string {
	if m.heir != "" {
		return "leaves to a subclass"
	}
	return "is made with"
}

// ofHeir returns those of all whose topic is given by the class of the object on which a call runs a method: of
// audit.publish(order) by AuditPublisher, the type of audit.
func (mj *messageJoiner) ofHeir(c callSite, all []*message) (out []*message) {
	if !slices.ContainsFunc(all, func(m *message) bool { return m.heir != "" }) {
		return nil
	}
	names := map[string]bool{}
	if at := c.file.Type(c.call.Caller); at >= 0 && (c.call.Receiver == "" || c.call.Receiver == "this") {
		names[c.file.Symbols[at].Name] = true
	}
	mj.TypeNames(c.file, c.call.Caller, c.call.Receiver, func(_ *resolve.File, name string) {
		names[l2meta.TypeName(name)] = true
	}, 0)
	for _, m := range all {
		if names[m.heir] {
			out = append(out, m)
		}
	}
	return out
}
