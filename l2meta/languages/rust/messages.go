package rust

import "sextant/l2meta/services"

// messages describes how Rust programs publish and consume messages.
var messages = services.ByCallee([]services.Message{
	{Broker: "rabbitmq", Role: services.Publishes, Callees: []string{"basic_publish"}, Scope: []string{"0"},
		Key: []string{"1"}, Keyless: true},
	{Broker: "rabbitmq", Role: services.Consumes, Callees: []string{"basic_consume"}, Key: []string{"0"}},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"queue_bind"}, Handler: []string{"0"},
		Scope: []string{"1"}, Key: []string{"2"}},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"exchange_declare"}, Scope: []string{"0"},
		Payload: []string{"1"}},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"send", "send_result"},
		Key: []string{"0/FutureRecord::to(/0", "0/BaseRecord::to(/0"}},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"subscribe"}, Names: []string{"consumer"},
		Makers: []string{"StreamConsumer", "BaseConsumer"}, Key: []string{"0"}},
	{Broker: "nats", Role: services.Publishes, Callees: []string{"publish", "request"},
		Makers: []string{"async_nats", "nats::"}, Key: []string{"0"}},
	{Broker: "nats", Role: services.Consumes, Callees: []string{"subscribe", "queue_subscribe"},
		Makers: []string{"async_nats", "nats::"}, Key: []string{"0"}},
	{Broker: "nats", Role: services.Publishes, Callees: []string{"publish", "request"}, Modules: []string{"nats"},
		Key: []string{"0"}},
	{Broker: "nats", Role: services.Consumes, Callees: []string{"subscribe", "queue_subscribe"},
		Modules: []string{"nats"}, Key: []string{"0"}},
	{Broker: "dapr", Role: services.Publishes, Callees: []string{"publish_event"}, Scope: []string{"0"},
		Key: []string{"1"}, Least: 4},
	{Broker: services.Binding, Role: services.Publishes, Callees: []string{"invoke_binding"}, Key: []string{"0"},
		Least: 3},
	{Broker: "redis", Role: services.Publishes, Callees: []string{"publish"}, Modules: []string{"redis"},
		Key: []string{"0"}},
	{Broker: "redis", Role: services.Consumes, Callees: []string{"subscribe", "psubscribe"},
		Modules: []string{"redis"}, Key: []string{"0"}},
	{Broker: "redis-list", Role: services.Publishes, Callees: []string{"lpush", "rpush"}, Key: []string{"0"}},
	{Broker: "redis-list", Role: services.Consumes, Callees: []string{"lpop", "rpop", "blpop", "brpop"},
		Key: []string{"0"}},
})

// listeners lists the attributes of functions that consume messages.
var listeners = []services.Listener{{Name: "topic", Broker: "dapr", Role: services.Consumes,
	Scope: []string{"pub_sub_name="}, Key: []string{"topic="}}}
