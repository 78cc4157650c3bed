package endpoint

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// twin describes a possible end of a message, such as a call of an unknown library. It counts only
// if a possible or known end in another service has the same topic or type.
type twin struct {
	name  string   // name of the call, the annotation or the base type; see services.PossibleEnd
	given []string // topics among its arguments
	rank  int
}

// These constants are ranks of twins, by how clearly their form shows an end of a message, the
// least clear first.
const (
	rankObject   = iota // the construction of an object that publishes or consumes, or a binding of a queue
	rankSettled         // a call of such an object in the same function
	rankCall            // a call that is named after publishing or consuming
	rankHandler         // a call with an argument that is the function which handles messages
	rankDeclared        // an annotation or a base type
)

// possible returns the messages that the call, annotation or base type at fact may publish or
// consume: one for each topic among its arguments, and one for all types of payloads.
func (mj *messageJoiner) possible(f *resolve.File, fact *code.Fact) (out []*message) {
	end := services.ParsePossible(fact.Type)
	base := message{file: f, owner: fact.Owner, at: fact.Span, handler: end.Handler,
		twin: &twin{name: end.Name, rank: rankOf(fact.Name, end)}}
	mj.settle(&base, fact, end)
	for _, topic := range end.Topics {
		for _, r := range mj.Readings(f, fact.Owner, topic) {
			m := base
			m.key, m.how, m.rests = queueName("", values.Unnumbered(r.Text)), r.How, r.Rests
			if m.key != "" && !hole(m.key) {
				base.twin.given = append(base.twin.given, m.key)
				out = append(out, &m)
			}
		}
	}
	if len(end.Types) > 0 {
		m := base
		m.types = end.Types
		out = append(out, &m)
	}
	return out
}

func rankOf(role string, end services.PossibleEnd) int {
	name := end.Callee()
	switch {
	case end.Name[0] == '@' || end.Name[0] == ':':
		return rankDeclared
	case role == l2meta.RoleMayConsume && end.Handler != "":
		return rankHandler
	case strings.HasPrefix(end.Name, services.Constructs) || services.IsBinding(name) || constructor.MatchString(name):
		return rankObject
	}
	if way := services.DirectionOf(name); way == services.In || way == services.Out {
		return rankCall
	}
	return rankObject
}

// constructor matches the names of functions that construct an object which publishes or consumes.
var constructor = regexp.MustCompile(`^(?i:new|create)[A-Z_]|^(?:[A-Z]\w*)?(?:Publisher|Producer|Consumer|Subscriber|` +
	`Listener|Sender|Receiver|Emitter|Dispatcher|Processor|Worker|Reader|Writer|Broadcaster|Notifier)` +
	`(?:Record|Config|Options)?$`)

// settle moves a message that a constructor or a binding names to the call in the same function
// that publishes or consumes it: from new Record("orders", x) to producer.send(record). If a
// consuming call runs a function of the workspace, this function handles the message.
func (mj *messageJoiner) settle(m *message, fact *code.Fact, end services.PossibleEnd) {
	in := fact.Name == l2meta.RoleMayConsume
	switch {
	case in && m.twin.rank == rankCall:
		m.answer = ownTarget(mj.Workspace, m.file, m.at, end.Callee())
		if subscribesFor(m.answer, end) { // the function handles no messages
			m.twin.rank = rankObject
		}
	case m.twin.rank == rankObject:
		c := m.settledAt(in, end)
		if c == nil {
			return
		}
		m.at, m.twin.rank = c.NameSpan, rankSettled
		for _, o := range lookup.Endpoints(m.file, fact.Name) {
			if o.Span.StartByte == c.NameSpan.StartByte {
				m.handler = services.ParsePossible(o.Type).Handler
			}
		}
		if in && m.handler == "" {
			m.answer = ownTarget(mj.Workspace, m.file, c.NameSpan, c.Callee)
		}
	}
}

// subscribesFor reports whether the function that a consuming call runs only passes the topic on to a function of the
// same name: subscribe(client, topic) { return client.subscribe(topic); }.
func subscribesFor(ref resolve.Ref, end services.PossibleEnd) bool {
	if !ref.Valid() || ref.Index < 0 || end.Handler != "" {
		return false
	}
	within := ref.Symbol().Span
	return slices.ContainsFunc(ref.File.Calls(), func(c code.Call) bool {
		return c.Callee == end.Callee() && c.Receiver != "" && within.StartByte < c.Span.StartByte &&
			c.Span.EndByte <= within.EndByte
	})
}

// settledAt returns the first call after m, in the same function, that publishes or consumes; nil
// if there is none. in selects consuming calls. Those count only on the object that m constructs or
// binds. A publishing call counts on another object only if it has arguments, which may be that object.
func (m *message) settledAt(in bool, end services.PossibleEnd) *code.Call {
	way, object := services.Out, m.holder()
	if in {
		way = services.In
		if receiver, _, ok := strings.Cut(end.Name, "."); ok && services.IsBinding(end.Callee()) {
			object = receiver
		}
	}
	calls := m.file.Calls()
	for i := range calls {
		c := &calls[i]
		if c.Caller == m.owner && m.owner >= 0 && c.NameSpan.StartByte > m.at.StartByte && c.Kind == code.CallPlain &&
			services.DirectionOf(c.Callee) == way && !constructor.MatchString(c.Callee) &&
			!services.IsBinding(c.Callee) &&
			(folding.LastWord(c.Receiver) == object && (in || object != "") || !in && c.Args != 0) {
			return c
		}
	}
	return nil
}

// ownTarget returns the function of the program that a call resolves to, the zero Ref if there is none.
func ownTarget(ws *lookup.Workspace, f *resolve.File, at code.Span, name string) resolve.Ref {
	t := ws.Target(f, &code.Fact{Span: at}, name)
	if !t.Valid() || t.Index < 0 || t.File.Class != code.ClassSource {
		return resolve.Ref{}
	}
	return t
}

// tells reports whether a key of a twin is distinctive enough to show a message: it has several
// words, or the call is named after a broker.
func (m *message) tells(key string) bool {
	if t, typed := strings.CutPrefix(key, typeKey); typed {
		return severalWords.MatchString(t)
	}
	return distinctive(key) && !noTopic.MatchString(key) &&
		(severalWords.MatchString(key) || services.PossibleEnd{Name: m.twin.name}.OfBroker())
}

// noTopic matches the addresses and the names of brokers.
var noTopic = regexp.MustCompile(`(?i)pub-?sub$|broker$|:\d+$`)
