package php

import (
	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// messages describes how PHP programs publish and consume messages.
var messages = services.ByCallee([]services.Message{
	{Broker: "rabbitmq", Role: services.Publishes, Callees: []string{"basic_publish"},
		Scope: []string{"exchange=", "1"}, Key: []string{"routing_key=", "2"}, Keyless: true},
	{Broker: "rabbitmq", Role: services.Consumes, Callees: []string{"basic_consume"}, Key: []string{"queue=", "0"},
		Handler: []string{"callback=", "6"}},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"queue_bind"}, Handler: []string{"queue=", "0"},
		Scope: []string{"exchange=", "1"}, Key: []string{"routing_key=", "2"}},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"exchange_declare"},
		Scope: []string{"exchange=", "0"}, Payload: []string{"type=", "1"}},
	{Broker: "redis", Role: services.Publishes, Callees: []string{"publish"}, Names: []string{"redis", "predis"},
		Key: []string{"0"}},
	{Broker: "redis", Role: services.Consumes, Callees: []string{"subscribe", "psubscribe"},
		Names: []string{"redis", "predis"}, Key: []string{"0"}, Handler: []string{"1"}},
	{Broker: "redis-list", Role: services.Publishes, Callees: []string{"lpush", "rpush", "lPush", "rPush"},
		Key: []string{"0"}},
	{Broker: "redis-list", Role: services.Consumes,
		Callees: []string{"lpop", "rpop", "lPop", "rPop", "blpop", "brpop", "blPop", "brPop"}, Key: []string{"0"}},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"produce", "producev"},
		Key: []string{"^/newTopic(/0"}},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"subscribe"}, Makers: []string{"KafkaConsumer"},
		Key: []string{"0"}},
	{Broker: "dapr", Role: services.Publishes, Callees: []string{"publishEvent"}, Scope: []string{"pubsubName=", "0"},
		Key: []string{"topicName=", "1"}, Least: 3},
	{Broker: messenger, Role: services.Publishes, Callees: []string{"dispatch"}, Names: buses,
		Modules: []string{"Component\\Messenger"}, Payload: []string{"0"}},
	{Broker: services.Jobs, Role: services.Publishes, Callees: []string{"dispatch", "dispatchIf", "dispatchUnless",
		"dispatchAfterResponse"}, Read: dispatched},
})

// messenger is Symfony's bus, which routes by the type of the message, whatever transport carries it.
const messenger = "symfony-messenger"

var buses = []string{"bus", "messagebus", "commandbus", "eventbus", "querybus"}

// listeners lists the attributes of classes and methods that consume messages.
var listeners = []services.Listener{{Name: "AsMessageHandler", Role: services.Consumes, Read: handlesMessage}}

// handlesMessage records the message that a handler of Symfony's Messenger handles: the type of the first parameter of
// the method with the attribute, or of a class's __invoke.
func handlesMessage(r *services.Reader, symbol int, _ []string) bool {
	if !r.File.Symbols[symbol].Kind.Callable() {
		class := symbol
		symbol = -1
		for i := range r.File.Symbols {
			if s := &r.File.Symbols[i]; s.Parent == class && s.Kind == code.KindMethod && s.Name == "__invoke" {
				symbol = i
			}
		}
	}
	if symbol < 0 || len(r.File.Symbols[symbol].Parameters) == 0 {
		return false
	}
	s := &r.File.Symbols[symbol]
	payload := s.Parameters[0].Type
	for _, f := range r.File.Facts {
		if f.Kind == code.FactParam && f.Owner == symbol && f.Span.StartByte >= s.NameSpan.StartByte && payload == "" {
			payload = f.Type
		}
	}
	if payload = folding.TypeWord(payload); payload == "" {
		return false
	}
	r.KeepMessage(services.Consumes, symbol, s.NameSpan, services.End{Broker: messenger, Payload: payload})
	return true
}
