package ruby

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
)

// messages describes how Ruby programs publish and consume messages.
var messages = services.ByCallee([]services.Message{
	{Broker: "kafka", Role: services.Publishes,
		Callees: []string{"deliver_message", "produce", "produce_sync", "produce_async"}, Key: []string{"topic="}},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"subscribe"}, Names: []string{"consumer"},
		Makers: []string{".consumer("}, Key: []string{"0"}},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"each_message"}, Key: []string{"topic="}},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"consumer"}, Read: karafkaRoute},
	{Broker: "redis", Role: services.Publishes, Callees: []string{"publish"}, Names: []string{"redis"},
		Makers: []string{"Redis.new"}, Key: []string{"0"}},
	{Broker: "redis", Role: services.Consumes, Callees: []string{"subscribe", "psubscribe"}, Names: []string{"redis"},
		Makers: []string{"Redis.new"}, Key: []string{"0.."}},
	{Broker: "redis-list", Role: services.Publishes, Callees: []string{"lpush", "rpush"}, Key: []string{"0"}},
	{Broker: "redis-list", Role: services.Consumes, Callees: []string{"lpop", "rpop", "blpop", "brpop"},
		Key: []string{"0"}},
	{Broker: "rabbitmq", Role: services.Publishes, Callees: []string{"publish"},
		Names: []string{"exchange", "default_exchange", "x"}, Makers: exchanges,
		Scope: []string{"^/topic(/0", "^/direct(/0", "^/fanout(/0", "^/exchange(/0"}, Key: []string{"routing_key="},
		Keyless: true},
	{Broker: "rabbitmq", Role: services.Publishes, Callees: []string{"publish"}, Key: []string{"^/queue(/0"}},
	{Broker: "rabbitmq", Role: services.Consumes, Callees: []string{"subscribe", "pop"}, Key: []string{"^/queue(/0"}},
	{Broker: "rabbitmq", Role: services.Consumes, Callees: []string{"from_queue"}, Key: []string{"0"}},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"bind"}, Handler: []string{"^/queue(/0"},
		Scope: []string{"0/topic(/0", "0/direct(/0", "0/fanout(/0", "0/exchange(/0", "0"},
		Key:   []string{"routing_key="}},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"fanout"}, Names: []string{"channel", "ch"},
		Scope: []string{"0"}, Payload: []string{"~fanout"}},
})

var exchanges = []string{".topic(", ".direct(", ".fanout(", ".exchange("}

// karafkaRoute records the consumer of a topic in the routes of Karafka:
// topic :orders do consumer OrdersConsumer end.
func karafkaRoute(r *services.Reader, c *code.Call) bool {
	args := arguments(r.After(c))
	if c.Receiver != "" || len(args) != 1 || !strings.Contains(r.Text, "Karafka") {
		return false
	}
	for _, outer := range r.Enclosing(c.NameSpan.StartByte, "topic") {
		if topic := arguments(r.After(outer)); outer.Receiver == "" && len(topic) > 0 {
			key := strings.TrimPrefix(text(topic[0]), ":")
			r.KeepMessage(services.Consumes, c.Caller, c.NameSpan,
				services.End{Broker: "kafka", Key: key, Handler: constantOf(args[0]) + ".consume"})
			return true
		}
	}
	return false
}
