package csharp

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// A state machine of MassTransit declares its events as properties, says in its constructor when it handles them, and
// publishes and sends in the activities of such a clause:
//
//	Initially(When(Placed).Send(context => new ReserveStock(context.Saga.OrderId)).TransitionTo(Waiting));
//	public Event<OrderPlaced> Placed { get; private set; }

const machines = "StateMachine<"

// sagas are the calls of state machines, and those of request clients, of which a type names the request.
var sagas = []services.Message{
	{Broker: "masstransit", Role: services.Consumes, Callees: []string{"When"}, Modules: massTransits, Least: 1,
		Read: sagaHandles},
	{Broker: "masstransit", Role: services.Publishes, Modules: massTransits, Least: 1, Read: sagaSends,
		Callees: []string{"Publish", "PublishAsync", "Send", "SendAsync", "Produce", "ProduceAsync", "Request", "Schedule"}},
	{Broker: "masstransit", Role: services.Publishes, Callees: []string{"GetResponse", "Create"},
		Modules: massTransits, Read: namedBy(requestClient)},
	{Broker: "masstransit", Role: services.Publishes, Callees: []string{"Produce"}, Modules: massTransits, Least: 1,
		Read: namedBy(topicProducer)},
	// A response without an address is published. A response that a client awaits has no consumer.
	{Role: services.Publishes, Callees: []string{"RespondAsync", "Respond"}, Modules: massTransits,
		Payload: []string{"<>", "0"}},
}

var massTransits = []string{"MassTransit", "Automatonymous"}

var (
	// sagaEvent matches the type of an event of a state machine.
	sagaEvent = regexp.MustCompile(`\bEvent<([\w.]+)>`)
	// sagaMessage matches a function that makes the message of an activity: context => new Paid(…), and context =>
	// context.Init<Paid>(…).
	sagaMessage = regexp.MustCompile(`=>\s*(?:await\s+)?(?:\{\s*return\s+)?(?:new\s+([A-Z][\w.]*)|\w+\.Init<([\w.]+)>)`)
	// requestClient matches a type or call that names the type of a request.
	requestClient = regexp.MustCompile(`RequestClient<([\w.]+)>`)
	// topicProducer matches a type or call that names the type of what a producer of Kafka's rider sends.
	topicProducer = regexp.MustCompile(`TopicProducer<(?:[\w.]+\s*,\s*)?([\w.]+)>`)
)

// sagaHandles records the event of a clause When(Placed), once in a file.
func sagaHandles(r *services.Reader, c *code.Call) bool {
	event := folding.LastWord(r.Arguments(c)[0])
	m := sagaEvent.FindStringSubmatch(r.Typed(event))
	if m == nil || !r.Mentions(machines) {
		return false
	}
	for i := range r.File.Calls {
		before := &r.File.Calls[i]
		if before.Callee == "When" && before.NameSpan.StartByte < c.NameSpan.StartByte && before.Caller == c.Caller {
			if args := r.Arguments(before); len(args) > 0 && folding.LastWord(args[0]) == event {
				return true
			}
		}
	}
	r.KeepMessage(services.Consumes, c.Caller, c.NameSpan,
		services.End{Broker: "masstransit", Payload: folding.TypeWord(m[1])})
	return true
}

// sagaSends records the message of an activity, which a function makes.
func sagaSends(r *services.Reader, c *code.Call) bool {
	if !strings.Contains(c.Receiver, "When(") || !r.Mentions(machines) {
		return false
	}
	for _, arg := range r.Arguments(c) {
		if m := sagaMessage.FindStringSubmatch(arg); m != nil {
			if payload := folding.TypeWord(m[1] + m[2]); payload != "" && payload != "Uri" {
				r.KeepMessage(services.Publishes, c.Caller, c.NameSpan,
					services.End{Broker: "masstransit", Payload: payload})
				return true
			}
		}
	}
	return false
}

// namedBy returns a function that records a message whose type the type of the receiver names, as pattern finds it:
// client.GetResponse<Checked>(new { Id = 1 }) on an IRequestClient<CheckStock>.
func namedBy(pattern *regexp.Regexp) func(r *services.Reader, c *code.Call) bool {
	return func(r *services.Reader, c *code.Call) bool {
		name := folding.LastWord(c.Receiver)
		made, _ := r.Lookup(name, c.NameSpan.StartByte)
		for _, text := range []string{c.Receiver, made, r.Typed(name)} {
			if m := pattern.FindStringSubmatch(text); m != nil {
				r.KeepMessage(services.Publishes, c.Caller, c.NameSpan,
					services.End{Broker: "masstransit", Payload: folding.TypeWord(m[1])})
				return true
			}
		}
		return false
	}
}
