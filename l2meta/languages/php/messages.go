package php

import "sextant/l2meta/services"

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
})
