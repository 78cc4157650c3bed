package csharp

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// KafkaFlow gives a producer its topic where the producer is registered, by a name or a type:
//
//	.AddProducer("placed", producer => producer.DefaultTopic("orders-placed"))
//	producers["placed"].ProduceAsync(order.Id, new OrderPlaced(order.Id));
//
// A typed handler, IMessageHandler<OrderPlaced>, takes the messages of its type.

// producersOf is the prefix of a made-up setting, by which a registration records the topic of its producer.
const producersOf = "kafkaflow.topics."

var flowBy = []string{"KafkaFlow"}

var kafkaFlow = []services.Message{
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"AddProducer"}, Least: 1, Read: addsProducer},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"ProduceAsync", "Produce"}, Modules: flowBy, Least: 2,
		Read: produces},
}

// addsProducer records the topic of a producer as a setting.
func addsProducer(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	made := args[len(args)-1]
	topic := r.Topic(folding.Chained(made, ".DefaultTopic"), c.NameSpan.StartByte)
	if topic == "" {
		return false
	}
	name := ""
	if after := r.After(c); strings.HasPrefix(after, "<") {
		name, _, _ = strings.Cut(after[1:], ">")
	} else if len(args) > 1 {
		name = r.Fold(args[0], c.NameSpan.StartByte)
	}
	if name == "" || strings.Contains(name, "{") {
		return false
	}
	r.KeepSetting(producersOf+strings.TrimSpace(name), topic, c.NameSpan.StartByte)
	return true
}

// produces records a message with the type of its payload. Its topic is an argument, or else that of the producer.
func produces(r *services.Reader, c *code.Call) bool {
	args, at := r.Arguments(c), c.NameSpan.StartByte
	key, types := folding.SettingHole(producersOf+producer(r, c), ""), r.PayloadTypes(c, args[1])
	if _, quoted := folding.Quoted(args[0]); len(args) > 2 && (quoted || len(types) == 0) {
		key, types = r.Topic(args[0], at), r.PayloadTypes(c, args[2]) // topic, key and message
	}
	r.KeepMessage(services.Publishes, c.Caller, c.NameSpan,
		services.End{Broker: "kafka", Key: key, Payload: strings.Join(types, ",")})
	return true
}

// producer returns the name or the type by which a producer is registered, "" if it is not known.
func producer(r *services.Reader, c *code.Call) string {
	name := folding.LastWord(strings.TrimSuffix(c.Receiver, "]"))
	made, _ := r.Lookup(folding.LastWord(c.Receiver), c.NameSpan.StartByte)
	for _, text := range []string{c.Receiver, made} {
		if _, rest, ok := strings.Cut(text, "["); ok {
			return r.Fold(strings.TrimSuffix(strings.TrimRight(rest, "; "), "]"), c.NameSpan.StartByte)
		}
		if given := folding.Chained(text, ".GetProducer"); given != "" {
			return r.Fold(given, c.NameSpan.StartByte)
		}
	}
	if _, rest, ok := strings.Cut(r.Typed(name), "IMessageProducer<"); ok {
		kind, _, _ := strings.Cut(rest, ">")
		return kind
	}
	return ""
}
