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

// No list of message libraries is complete. So a call probably publishes or consumes a message if
// its name is typical of one that does, and its receiver has the name of a broker or its file
// imports a broker's library. A publication and a subscription in different services belong
// together if they name the same distinctive topic.

// byShape is recorded as the broker of messages that are recognized only by the shape of the call, its name and
// arguments.
const byShape = "?"

// These constants are the confidences of edges between messages that are recognized only by the
// names and arguments of calls: confidenceHalfKnown if the library at one end is known,
// confidenceUnknown if neither is.
const (
	confidenceHalfKnown = 0.7
	confidenceUnknown   = 0.6
)

// publishing and consuming list the names of functions of unknown libraries that may publish or
// consume messages.
var (
	publishing = []string{"publish", "Publish", "publishAsync", "PublishAsync", "publishMessage", "PublishMessage",
		"PublishWithContext", "publish_message", "publish_event", "publishEvent", "PublishEvent", "produce", "Produce",
		"ProduceAsync", "produceMessage", "emit", "Emit", "send", "Send", "sendMessage", "SendMessage", "send_message",
		"sendEvent", "SendEvent", "SendAsync", "enqueue", "Enqueue", "dispatch", "broadcast", "Broadcast",
		"basicPublish", "BasicPublishAsync"}
	consuming = []string{"subscribe", "Subscribe", "SubscribeAsync", "subscribeTo",
		"subscribe_to", "consume", "Consume",
		"ConsumeAsync", "NewConsumer", "createConsumer", "newConsumer", "listen", "Listen", "listenTo", "startConsumer",
		"StartConsumer", "start_consumer", "registerConsumer", "addConsumer", "AddConsumer", "basicConsume"}
)

// carrier matches the names of brokers, and of objects that send to or receive from one.
var carrier = regexp.MustCompile(`(?i)publisher|producer|consumer|subscriber|broker|bus$|queue|mq|kafka|rabbit|amqp|` +
	`nats|jetstream|pubsub|pulsar|mqtt|stomp|messag|event_?(?:client|hub)|topic`)

// noCarrier matches the names of objects that handle events within a program or a web page.
var noCarrier = regexp.MustCompile(`(?i)socket|^io$|^ws$|window|document|process|emitter|dispatcher|store|observable|` +
	`subject$|response|^res$|^this$|^self$|mail|sms|logger`)

// shapes lists the names of calls that may publish, and of those that may consume, by l2meta.RolePublish and
// l2meta.RoleConsume.
var shapes = map[string][]string{l2meta.RolePublish: publishing, l2meta.RoleConsume: consuming}

type shapedKey struct{ role string }

// shaped returns the ids of the files in which shapedIn finds messages: publisher.publish("order.paid") of an unknown
// library.
func (mj *messageJoiner) shaped(role string) map[int64]bool {
	return resolve.Derive(mj.World, shapedKey{role}, func() map[int64]bool {
		ids := map[int64]bool{}
		for _, name := range shapes[role] {
			for _, id := range mj.World.Telling(l2meta.RolePass, name) {
				if f := mj.World.ByID(id); !ids[id] && f != nil && len(mj.shapedIn(f, role)) > 0 {
					ids[id] = true
				}
			}
		}
		return ids
	})
}

type shapedInKey struct {
	file int64
	role string
}

// shapedIn returns the messages that a file publishes or consumes (role tells which) and that are
// recognized only by the shape of the call: publisher.publish("order.paid") of an unknown
// library.
func (mj *messageJoiner) shapedIn(f *resolve.File, role string) []*message {
	return resolve.Derive(mj.World, shapedInKey{f.ID, role}, func() (out []*message) {
		if f.Class != code.ClassSource {
			return nil
		}
		passed := lookup.Endpoints(f, l2meta.RolePass)
		for _, name := range shapes[role] {
			for _, fact := range passed {
				if strings.HasPrefix(fact.Type, name+"\t") && mj.mayCarry(f, fact, name) {
					out = append(out, mj.endsByShape(f, fact)...)
				}
			}
		}
		return out
	})
}

// mayCarry reports whether a call belongs to an unknown message library, judged by names: no message is known at the
// call, and it calls no function of the workspace.
func (mj *messageJoiner) mayCarry(f *resolve.File, fact *code.Fact, name string) bool {
	at := func(o *code.Fact) bool { return o.Span.StartByte == fact.Span.StartByte }
	for _, role := range []string{l2meta.RolePublish, l2meta.RoleConsume, l2meta.RoleBind} {
		if slices.ContainsFunc(lookup.Endpoints(f, role), at) {
			return false
		}
	}
	i := slices.IndexFunc(f.Calls(), func(c code.Call) bool { return c.NameSpan.StartByte == fact.Span.StartByte })
	if i < 0 {
		return false
	}
	c := &f.Calls()[i]
	receiver := folding.LastWord(strings.TrimSuffix(c.Receiver, "()"))
	if noCarrier.MatchString(receiver) || !carrier.MatchString(receiver) && !importsCarrier(f, c) {
		return false
	}
	return !mj.Target(f, fact, name).Valid()
}

// importsCarrier reports whether a file imports the library of a broker. It returns false for a
// call without a receiver, unless the function has the name of an object of a broker.
func importsCarrier(f *resolve.File, c *code.Call) bool {
	if c.Receiver == "" && !carrier.MatchString(c.Callee) {
		return false
	}
	return slices.ContainsFunc(f.Imports, func(m code.Import) bool { return carrier.MatchString(m.Module) })
}

// endsByShape returns a message for each argument of a call that may be a topic.
func (mj *messageJoiner) endsByShape(f *resolve.File, fact *code.Fact) (out []*message) {
	args := strings.Split(fact.Type, "\t")[1:]
	handler := ""
	for _, arg := range args {
		if m := handlerHole.FindStringSubmatch(arg); m != nil && handler == "" {
			handler = m[1]
		}
	}
	for _, arg := range args {
		for _, text := range topicsIn(arg) {
			r := mj.Readings(f, fact.Owner, text)[0]
			if distinctive(r.Text) {
				out = append(out, &message{file: f, owner: fact.Owner, at: fact.Span, broker: byShape, key: r.Text,
					handler: handler, how: r.How, rests: r.Rests})
			}
		}
	}
	return out
}

// handlerHole matches an argument that names a function which handles messages: {c.handleDelivery}.
var handlerHole = regexp.MustCompile(`^\{((?:\w+\.)*(?i:on|handle|process|consume)\w*)\}$`)

// topicMembers matches the names of members of an object that may hold a topic.
var topicMembers = regexp.MustCompile(`(?i)^(?:topics?|queue(?:_?name)?|subject|channel|event(?:_?name)?|exchange|` +
	`routing_?key|destination|stream)$`)

// topicsIn returns the texts of an argument that may be topics: the argument itself, the items of
// a list, or the members of an object that are named after topics.
func topicsIn(arg string) (out []string) {
	rest, object := strings.CutPrefix(arg, "{")
	if !object || !strings.Contains(rest, "=") {
		return services.Items(arg)
	}
	for _, item := range strings.Split(rest, "\x1f") {
		if key, value, ok := strings.Cut(item, "="); ok && topicMembers.MatchString(key) {
			out = append(out, services.Items(value)...)
		}
	}
	return out
}

var aTopic = regexp.MustCompile(`^[A-Za-z][\w.:/-]{3,80}$`)

// distinctive reports whether a text may be the name of a topic, rather than a common word such as "message".
func distinctive(text string) bool {
	return aTopic.MatchString(text) && !anyEvent[strings.ToLower(text)] && !values.Common[strings.ToLower(text)] &&
		!strings.Contains(text, "://") && !slices.Contains(folding.Methods, strings.ToUpper(text))
}

// anyEvent lists the names of events that libraries themselves emit, and of parts of messages.
var anyEvent = map[string]bool{"message": true, "messages": true, "data": true, "error": true, "close": true,
	"open": true, "ready": true, "connect": true, "connection": true, "connected": true, "disconnect": true,
	"disconnected": true, "finish": true, "drain": true, "join": true, "leave": true, "update": true, "change": true,
	"utf8": true, "utf-8": true, "json": true, "true": true, "false": true, "null": true, "undefined": true,
	"direct": true, "topic": true, "fanout": true, "default": true, "exit": true, "start": true, "stop": true,
	"text": true, "ping": true, "pong": true, "notification": true}

// severalWords matches a topic of several words: order.created, OrderCreated, order_created.
var severalWords = regexp.MustCompile(`[.:/_-]\w|[a-z][A-Z]`)

// shapesMeet reports whether the message p reaches the consumer c, of which at least one is recognized only by the
// shape of its call.
func (mj *messageJoiner) shapesMeet(p, c *message) (d delivery, ok bool) {
	if p.key != c.key || p.key == "" || hole(p.key) ||
		mj.Services().Root(p.file.Path) == mj.Services().Root(c.file.Path) {
		return d, false
	}
	d = delivery{message: c, strategy: StrategyTopic, confidence: confidenceHalfKnown,
		how: "both name " + p.key + ", in calls that look like ends of a message"}
	if p.broker == byShape && c.broker == byShape {
		d.confidence = confidenceUnknown
	}
	return d, distinctive(p.key) && (severalWords.MatchString(p.key) || mj.sameLibrary(p, c))
}

// sameLibrary reports whether the files of p and c import one library whose name suggests a broker.
func (mj *messageJoiner) sameLibrary(p, c *message) bool {
	return slices.ContainsFunc(p.file.Imports, func(m code.Import) bool {
		return carrier.MatchString(m.Module) && !strings.HasPrefix(m.Module, ".") &&
			slices.ContainsFunc(c.file.Imports, func(o code.Import) bool { return o.Module == m.Module })
	})
}
