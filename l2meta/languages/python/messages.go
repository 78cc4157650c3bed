package python

import "sextant/l2meta/services"

// messages describes how Python programs publish and consume messages.
var messages = services.ByCallee(kafka, rabbitmq, nats, redis, clouds, dapr, others, sockets)

var (
	producers = []string{"producer", "p"}
	kafkaBy   = []string{"kafka"} // modules kafka, confluent_kafka and aiokafka
	natsBy    = []string{"nats"}
	natsNames = []string{"nc", "nats", "js", "client"}
	daprBy    = []string{"dapr"}
	pulsarBy  = []string{"pulsar"}
	redisWith = []string{"redis", "r", "client", "conn", "db", "pipe"}
	subscribe = []string{"pubsub", "sub", "ps", "p", "subscriber"}
	pushed    = []string{"0"}

	googlePubSub = []string{"google.cloud"} // from google.cloud import pubsub_v1
)

var kafka = []services.Message{
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"send", "send_and_wait", "produce"},
		Modules: kafkaBy, Names: producers, Makers: []string{"KafkaProducer(", "Producer("},
		Key: []string{"topic=", "0"}},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"KafkaConsumer", "AIOKafkaConsumer"},
		Key: []string{"0.."}},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"subscribe"}, Modules: kafkaBy,
		Key: []string{"topics=", "0"}},
}

var rabbitmq = []services.Message{
	{Broker: "rabbitmq", Role: services.Publishes, Callees: []string{"basic_publish"},
		Scope: []string{"exchange=", "0"}, Key: []string{"routing_key=", "1"}, Keyless: true},
	{Broker: "rabbitmq", Role: services.Consumes, Callees: []string{"basic_consume"}, Key: []string{"queue=", "0"},
		Handler: []string{"on_message_callback=", "1"}},
	{Broker: "rabbitmq", Role: services.Consumes, Callees: []string{"basic_get"}, Key: []string{"queue=", "0"}},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"queue_bind"}, Handler: []string{"queue=", "0"},
		Scope: []string{"exchange=", "1"}, Key: []string{"routing_key=", "2"}},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"exchange_declare"},
		Scope: []string{"exchange=", "0"}, Payload: []string{"exchange_type=", "1"}},
	{Broker: "rabbitmq", Role: services.Publishes, Callees: []string{"publish"}, Modules: []string{"aio_pika"},
		Scope: []string{"^/declare_exchange(/0"}, Key: []string{"routing_key=", "1"}},
	{Broker: "rabbitmq", Role: services.Consumes, Callees: []string{"consume", "iterator"},
		Modules: []string{"aio_pika"}, Key: []string{"^/declare_queue(/0"}, Handler: pushed},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"bind"}, Modules: []string{"aio_pika"},
		Handler: []string{"^/declare_queue(/0"}, Scope: []string{"0/declare_exchange(/0", "exchange=/declare_exchange(/0"},
		Key: []string{"routing_key=", "1"}},
}

var nats = []services.Message{
	{Broker: "nats", Role: services.Publishes, Callees: []string{"publish", "request"}, Modules: natsBy,
		Names: natsNames, Key: []string{"0"}},
	{Broker: "nats", Role: services.Consumes, Callees: []string{"subscribe", "pull_subscribe"}, Modules: natsBy,
		Names: natsNames, Key: []string{"0"}, Handler: []string{"cb="}},
}

var redis = []services.Message{
	{Broker: "redis", Role: services.Publishes, Callees: []string{"publish"}, Modules: []string{"redis"},
		Names: redisWith, Key: []string{"channel=", "0"}},
	{Broker: "redis", Role: services.Consumes, Callees: []string{"subscribe", "psubscribe"},
		Modules: []string{"redis"}, Names: subscribe, Makers: []string{".pubsub("}, Key: []string{"0.."}},
	{Broker: "redis-list", Role: services.Publishes, Callees: []string{"lpush", "rpush"}, Key: pushed},
	{Broker: "redis-list", Role: services.Consumes, Callees: []string{"lpop", "rpop", "blpop", "brpop"}, Key: pushed},
	{Broker: "redis-stream", Role: services.Publishes, Callees: []string{"xadd"}, Key: []string{"name=", "0"}},
	{Broker: "redis-stream", Role: services.Consumes, Callees: []string{"xreadgroup", "xread"}, Read: readStreams},
}

var clouds = []services.Message{
	{Broker: services.EventBridge, Role: services.Consumes, Callees: []string{"Rule"}, Modules: []string{"aws_cdk"},
		Read: services.DeclaresRule},
	{Broker: services.EventBridge, Role: services.Publishes, Callees: []string{"put_events"}, Read: services.PutsEvents},
	{Broker: "sqs", Role: services.Publishes, Callees: []string{"send_message", "send_message_batch"},
		Key: []string{"QueueUrl="}},
	{Broker: "sqs", Role: services.Consumes, Callees: []string{"receive_message"}, Key: []string{"QueueUrl="}},
	{Broker: "sns", Role: services.Publishes, Callees: []string{"publish"}, Key: []string{"TopicArn="}},
	{Broker: "pubsub", Role: services.Publishes, Callees: []string{"publish"}, Modules: googlePubSub,
		Names: []string{"publisher"}, Makers: []string{"PublisherClient("},
		Key: []string{"topic=/1", "0/1", "topic=/topic", "0/topic"}},
	{Broker: "pubsub", Role: services.Consumes, Callees: []string{"subscribe"}, Modules: googlePubSub,
		Names: []string{"subscriber"}, Makers: []string{"SubscriberClient("}, Least: 2,
		Key: []string{"subscription=/1", "0/1"}, Handler: []string{"callback=", "1"}},
	{Broker: "servicebus", Role: services.Publishes, Callees: []string{"send_messages"},
		Key: []string{"^/queue_name", "^/topic_name"}},
	{Broker: "servicebus", Role: services.Consumes, Callees: []string{"get_queue_receiver"},
		Key: []string{"queue_name="}},
}

var dapr = []services.Message{
	{Broker: "dapr", Role: services.Publishes, Callees: []string{"publish_event", "publish_events"}, Modules: daprBy,
		Scope: []string{"pubsub_name=", "0"}, Key: []string{"topic_name=", "1"}},
	{Broker: "dapr", Role: services.Consumes, Callees: []string{"subscribe", "subscribe_with_handler"},
		Names: []string{"client", "dapr", "d"}, Not: []string{"dapr_app"}, Makers: []string{"DaprClient("},
		Modules: daprBy, Scope: []string{"pubsub_name=", "0"}, Key: []string{"topic=", "1"},
		Handler: []string{"handler_fn=", "2"}},
	{Broker: services.Binding, Role: services.Publishes, Callees: []string{"invoke_binding"}, Modules: daprBy,
		Key: []string{"binding_name=", "0"}},
}

var others = []services.Message{
	{Broker: "pulsar", Role: services.Publishes, Callees: []string{"send", "send_async"}, Modules: pulsarBy,
		Key: []string{"^/create_producer(/topic", "^/create_producer(/0"}},
	{Broker: "pulsar", Role: services.Consumes, Callees: []string{"subscribe"}, Modules: pulsarBy,
		Key: []string{"topic=", "0"}, Handler: []string{"message_listener="}},
	{Broker: "pulsar", Role: services.Consumes, Callees: []string{"create_reader"}, Modules: pulsarBy,
		Key: []string{"topic=", "0"}},
	{Broker: "mqtt", Role: services.Publishes, Callees: []string{"publish"}, Modules: []string{"paho"},
		Key: []string{"topic=", "0"}},
	{Broker: "mqtt", Role: services.Consumes, Callees: []string{"subscribe"}, Modules: []string{"paho"},
		Key: []string{"topic=", "0"}},
	{Broker: "celery", Role: services.Publishes, Callees: []string{"send_task"}, Key: []string{"name=", "0"}},
	{Broker: "celery", Role: services.Publishes, Callees: []string{"signature"}, Modules: []string{"celery"},
		Key: []string{"0"}},
	{Broker: "celery", Role: services.Publishes, Callees: []string{"delay", "apply_async"}, Read: delayed},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"publish"}, Modules: []string{"faststream.kafka"},
		Key: []string{"topic=", "queue=", "channel=", "subject=", "1"}},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"publish"},
		Modules: []string{"faststream.confluent"}, Key: []string{"topic=", "queue=", "channel=", "subject=", "1"}},
	{Broker: "rabbitmq", Role: services.Publishes, Callees: []string{"publish"},
		Modules: []string{"faststream.rabbit"}, Key: []string{"topic=", "queue=", "channel=", "subject=", "1"}},
	{Broker: "nats", Role: services.Publishes, Callees: []string{"publish"}, Modules: []string{"faststream.nats"},
		Key: []string{"topic=", "queue=", "channel=", "subject=", "1"}},
	{Broker: "redis", Role: services.Publishes, Callees: []string{"publish"}, Modules: []string{"faststream.redis"},
		Key: []string{"topic=", "queue=", "channel=", "subject=", "1"}},
}

// listeners lists the decorators of functions that consume messages.
var listeners = []services.Listener{
	{Name: "task", Broker: "celery", Role: services.Consumes, Read: task},
	{Name: "shared_task", Broker: "celery", Role: services.Consumes, Read: task},
	{Name: "on", Broker: services.Sockets, Role: services.Consumes, Modules: socketsBy, Read: handlesEvent},
	{Name: "event", Broker: services.Sockets, Role: services.Consumes, Modules: socketsBy, Read: handlesEvent},
	{Name: "subscribe", Broker: "dapr", Role: services.Consumes, Modules: daprBy,
		Scope: []string{"pubsub_name=", "pubsub=", "0"}, Key: []string{"topic=", "1"}},
	{Name: "binding", Broker: services.Binding, Role: services.Consumes, Modules: daprBy, Key: []string{"name=", "0"}},
	{Name: "subscriber", Broker: "kafka", Role: services.Consumes, Modules: []string{"faststream.kafka"},
		Key: []string{"0"}},
	{Name: "subscriber", Broker: "kafka", Role: services.Consumes, Modules: []string{"faststream.confluent"},
		Key: []string{"0"}},
	{Name: "subscriber", Broker: "rabbitmq", Role: services.Consumes, Modules: []string{"faststream.rabbit"},
		Key: []string{"0"}},
	{Name: "subscriber", Broker: "nats", Role: services.Consumes, Modules: []string{"faststream.nats"},
		Key: []string{"0"}},
	{Name: "subscriber", Broker: "redis", Role: services.Consumes, Modules: []string{"faststream.redis"},
		Key: []string{"0"}},
	{Name: "agent", Broker: "kafka", Role: services.Consumes, Modules: []string{"faust"},
		Key: []string{"0/topic(/0", "0"}},
}
