package elixir

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

var (
	basics    = []string{"basic"}
	queues    = []string{"queue"}
	exchanges = []string{"exchange"}
	gnats     = []string{"gnat"}
)

// messages describes how Elixir programs publish and consume messages.
var messages = services.ByCallee(append([]services.Message{
	{Broker: "rabbitmq", Role: services.Publishes, Callees: []string{"publish"}, Names: basics, Read: published},
	{Broker: "rabbitmq", Role: services.Consumes, Callees: []string{"consume"}, Names: basics, Read: consumed},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"bind"}, Names: queues, Handler: []string{"1"},
		Scope: []string{"2"}, Key: []string{"routing_key="}},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"declare", "topic", "direct", "fanout"},
		Names: exchanges, Read: declared},
	{Broker: "nats", Role: services.Publishes, Callees: []string{"pub", "request"}, Names: gnats, Key: []string{"1"}},
	{Broker: "nats", Role: services.Consumes, Callees: []string{"sub"}, Names: gnats, Key: []string{"2"}},
	{Broker: "redis", Role: services.Consumes, Callees: []string{"subscribe", "psubscribe"}, Names: []string{"pubsub"},
		Modules: []string{"Redix"}, Key: []string{"1"}},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"produce", "produce_sync"}, Names: []string{"brod"},
		Key: []string{"1"}},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"produce"}, Names: []string{"kafkaex"},
		Key: []string{"0"}},
}, processes...))

// published records Basic.publish(channel, exchange, key, payload), and reports whether c has
// these arguments. If a clause for a message calls it with a key from that message, published
// looks the key up where the process sends the message to itself: "paid" for
// GenServer.cast(__MODULE__, {:publish, "paid", event}).
func published(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	if len(args) < 4 {
		return false
	}
	at := c.NameSpan.StartByte
	end := services.End{Broker: "rabbitmq", Scope: r.Topic(args[1], at)}
	sent := cast(r, c, args[2])
	if len(sent) == 0 {
		sent = []sentText{{args[2], at}}
	}
	for _, key := range sent {
		end.Key = r.Topic(key.text, key.at)
		r.KeepMessage(services.Publishes, c.Caller, c.NameSpan, end)
	}
	return true
}

// sentText is an element of a tuple that a process sends to itself, as written, and a byte offset
// at which to evaluate it.
type sentText struct {
	text string
	at   int
}

// handled matches the start of a clause that handles a message sent to its process, up to the
// content of the message: `def handle_cast({`.
var handled = regexp.MustCompile(`\bdef\s+handle_(?:cast|call|info)\(\s*\{`)

// cast returns the values of a variable in the clause around call c, which handles a message. The
// values are elements of the tuples that the file sends with GenServer.cast or GenServer.call:
//
//	def handle_cast({:publish, key, event}, s), do: …         c is here, the variable is key
//	GenServer.cast(__MODULE__, {:publish, "paid", event})     gives it "paid"
func cast(r *services.Reader, c *code.Call, variable string) (out []sentText) {
	var pattern []string
	for _, m := range r.Matches(handled, 0, c.NameSpan.StartByte) {
		pattern = folding.ListItems(r.Text[m[1]:]) // the last match is the clause around the call
	}
	at := -1
	for i, part := range pattern {
		if part == variable {
			at = i
		}
	}
	if at < 1 {
		return nil
	}
	for i := range r.File.Calls {
		o := &r.File.Calls[i]
		if o.Receiver != "GenServer" || o.Callee != "cast" && o.Callee != "call" {
			continue
		}
		if args := r.Arguments(o); len(args) > 1 && strings.HasPrefix(args[1], "{") {
			given := folding.ListItems(args[1][1:])
			if len(given) == len(pattern) && given[0] == pattern[0] {
				out = append(out, sentText{given[at], o.NameSpan.StartByte})
			}
		}
	}
	return out
}

// consumed records Basic.consume(channel, queue), and reports whether c has these arguments. The
// function handle_info of the same process receives the messages.
func consumed(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	if len(args) < 2 {
		return false
	}
	end := services.End{Broker: "rabbitmq", Key: r.Topic(args[1], c.NameSpan.StartByte)}
	if r.Mentions(":basic_deliver") && r.Mentions("def handle_info") {
		end.Handler = "handle_info"
	}
	r.KeepMessage(services.Consumes, c.Caller, c.NameSpan, end)
	return true
}

// declared records the kind of an exchange, from Exchange.declare(channel, name, :topic) or
// Exchange.topic(channel, name). It reports whether c states a kind.
func declared(r *services.Reader, c *code.Call) bool {
	args, kind := r.Arguments(c), c.Callee
	if len(args) > 2 && kind == "declare" {
		kind = strings.TrimPrefix(args[2], ":")
	}
	if len(args) < 2 || kind == "declare" {
		return false
	}
	r.KeepMessage(services.Binds, c.Caller, c.NameSpan,
		services.End{Broker: "rabbitmq", Payload: kind, Scope: r.Topic(args[1], c.NameSpan.StartByte)})
	return true
}
