package endpoints

import "sextant/l2meta/services"

// messages describes how Java, Kotlin and Scala programs publish and consume messages.
var messages = services.ByCallee(pulsar, kafka, kafkaForms, rabbitmq, jms, redis, eventuate, clouds, dapr,
	flows, camel, stomp, others)

var (
	first   = []string{"0"}
	second  = []string{"1"}
	record  = []string{"0/ProducerRecord(/0", "0"}
	streams = []string{"org.apache.kafka.streams"}
	rabbits = []string{"RabbitTemplate", "AmqpTemplate", "RabbitOperations", "RabbitMessagingTemplate",
		"AsyncRabbitTemplate"}
)

var kafka = []services.Message{
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"send"}, Names: []string{"kafkatemplate"},
		Makers: []string{"KafkaTemplate"}, Least: 1, Most: 1, Read: withHeader},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"send", "sendDefault"},
		Names:  []string{"kafkatemplate"},
		Makers: []string{"KafkaTemplate", "KafkaProducer", "Producer<", "KafkaOperations"}, Key: record},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"subscribe"}, Modules: []string{"org.apache.kafka"},
		Names: []string{"consumer"}, Makers: []string{"KafkaConsumer", "Consumer<"}, Key: first},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"stream", "table", "globalTable"}, Modules: streams,
		Key: first, Least: 1},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"to", "through"}, Modules: streams, Key: first,
		Least: 1},
}

var rabbitmq = []services.Message{
	{Broker: "rabbitmq", Role: services.Publishes,
		Callees: []string{"convertAndSend", "convertSendAndReceive", "send"},
		Names:   []string{"rabbittemplate", "amqptemplate"}, Makers: rabbits, Least: 3, Scope: first, Key: second,
		Keyless: true},
	{Broker: "rabbitmq", Role: services.Publishes,
		Callees: []string{"convertAndSend", "convertSendAndReceive", "send"},
		Names:   []string{"rabbittemplate", "amqptemplate"}, Makers: rabbits, Least: 2, Most: 2, Key: first},
	{Broker: "rabbitmq", Role: services.Publishes, Callees: []string{"basicPublish"}, Scope: first,
		Key: second, Keyless: true},
	{Broker: "rabbitmq", Role: services.Consumes, Callees: []string{"basicConsume", "basicGet"}, Key: first},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"queueBind"}, Handler: first, Scope: second,
		Key: []string{"2"}},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"exchangeDeclare"}, Scope: first, Payload: second},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"bind"}, Names: []string{"bindingbuilder"},
		Read: readBinding},
}

var redis = []services.Message{
	{Broker: "redis", Role: services.Publishes, Callees: []string{"publish"}, Names: []string{"jedis", "redis"},
		Makers: []string{"Jedis"}, Key: first},
	{Broker: "redis", Role: services.Consumes, Callees: []string{"subscribe", "psubscribe"}, Names: []string{"jedis"},
		Makers: []string{"Jedis"}, Key: []string{"1.."}},
	{Broker: "redis", Role: services.Publishes, Callees: []string{"convertAndSend"}, Names: []string{"redistemplate"},
		Makers: []string{"RedisTemplate", "ReactiveRedisTemplate"}, Key: first},
	{Broker: "redis", Role: services.Consumes, Callees: []string{"addMessageListener"}, Key: second},
	{Broker: "redis-list", Role: services.Publishes, Callees: []string{"lpush", "rpush", "leftPush", "rightPush"},
		Key: first},
	{Broker: "redis-list", Role: services.Consumes, Callees: []string{"lpop", "rpop", "leftPop", "rightPop"},
		Key: first},
	{Broker: "redis-list", Role: services.Consumes, Callees: []string{"blpop", "brpop"}, Key: second},
	{Broker: "redis-stream", Role: services.Publishes, Callees: []string{"xadd"}, Key: first},
}

// eventuate describes the calls of the Eventuate library. The arguments of a call that publishes
// domain events are an aggregate, often given by its id, and the events.
var eventuate = []services.Message{
	{Broker: "eventuate", Role: services.Publishes, Callees: []string{"forCommand"},
		Modules: []string{"io.eventuate"}, Payload: first},
	{Broker: "eventuate", Role: services.Publishes, Callees: []string{"send"},
		Modules: []string{"io.eventuate.tram.commands"}, Payload: first},
	{Broker: "eventuate", Role: services.Publishes, Callees: []string{"publish"},
		Names: []string{"domaineventpublisher", "aggregateeventpublisher"}, Least: 3, Payload: []string{"2"}},
	{Broker: "eventuate", Role: services.Publishes, Callees: []string{"publish"},
		Names: []string{"domaineventpublisher", "aggregateeventpublisher"}, Least: 2, Most: 2, Payload: second},
	{Broker: "eventuate", Role: services.Consumes, Callees: []string{"onMessage", "onEvent"},
		Modules: []string{"io.eventuate"}, Payload: first, Handler: second},
}

var clouds = []services.Message{
	{Broker: services.EventBridge, Role: services.Publishes, Callees: []string{"putEvents"}, Read: services.PutsEvents},
	{Broker: "stream", Role: services.Publishes, Callees: []string{"send"}, Names: []string{"streambridge"},
		Makers: []string{"StreamBridge"}, Read: bridge},
	{Broker: "stream", Role: services.Publishes, Callees: []string{"setHeader"},
		Modules: []string{"org.springframework"}, Read: destinationHeader},
	{Broker: "sqs", Role: services.Publishes, Callees: []string{"sendMessage"},
		Key: []string{"0/.queueUrl", "0/.withQueueUrl"}},
	{Broker: "sqs", Role: services.Consumes, Callees: []string{"receiveMessage"},
		Key: []string{"0/.queueUrl", "0/.withQueueUrl"}},
	{Broker: "sqs", Role: services.Publishes, Callees: []string{"send", "convertAndSend"},
		Makers: []string{"SqsTemplate", "QueueMessagingTemplate"}, Key: []string{"0/.queue", "0"}},
	{Broker: "sns", Role: services.Publishes, Callees: []string{"sendNotification", "convertAndSend"},
		Makers: []string{"SnsTemplate", "SnsOperations", "NotificationMessagingTemplate"}, Key: first},
	{Broker: "sns", Role: services.Publishes, Callees: []string{"publish"},
		Key: []string{"0/.topicArn", "0/.withTopicArn"}},
}

var dapr = []services.Message{
	{Broker: "dapr", Role: services.Publishes, Callees: []string{"publishEvent", "publishEvents"}, Modules: daprBy,
		Scope: first, Key: second, Least: 2},
	{Broker: "dapr", Role: services.Publishes, Callees: []string{"PublishEventRequest", "BulkPublishRequest"},
		Modules: daprBy, Scope: first, Key: second, Least: 2},
	{Broker: "dapr", Role: services.Consumes, Callees: []string{"subscribeToEvents"}, Modules: daprBy,
		Scope: first, Key: second},
	{Broker: "dapr", Role: services.Publishes, Callees: []string{"send"}, Makers: []string{"DaprMessagingTemplate"},
		Key: first, Least: 2},
	{Broker: services.Binding, Role: services.Publishes, Callees: []string{"invokeBinding"}, Modules: daprBy,
		Key: first, Least: 2},
}

var daprBy = []string{"io.dapr"}

var others = []services.Message{
	{Broker: services.Channels, Role: services.Publishes,
		Callees: []string{"send", "sendAndAwait", "sendAndForget", "sendMessage", "sendMessageAndAwait",
			"sendMessageAndForget"},
		Makers: []string{"Emitter"}, Modules: []string{"reactive.messaging"}, Read: emitted},
	{Broker: "nats", Role: services.Publishes, Callees: []string{"publish", "request"}, Names: []string{"nats"},
		Makers: []string{"io.nats"}, Key: first},
	{Broker: "nats", Role: services.Publishes, Callees: []string{"publish", "request"},
		Modules: []string{"io.nats"}, Key: first},
	{Broker: "nats", Role: services.Consumes, Callees: []string{"subscribe"},
		Modules: []string{"io.nats"}, Key: first},
	{Broker: "pubsub", Role: services.Publishes, Callees: []string{"publish"}, Names: []string{"pubsubtemplate"},
		Makers: []string{"PubSubTemplate", "PubSubPublisherTemplate"}, Key: first},
	{Broker: "pubsub", Role: services.Consumes, Callees: []string{"subscribe", "subscribeAndConvert"},
		Names: []string{"pubsubtemplate"}, Makers: []string{"PubSubTemplate", "PubSubSubscriberTemplate"}, Key: first},
	{Broker: "vertx", Role: services.Publishes, Callees: []string{"send", "publish", "request"},
		Modules: []string{"io.vertx"}, Names: []string{"eventbus", "eb", "bus"}, Key: first},
	{Broker: "vertx", Role: services.Consumes, Callees: []string{"consumer", "localConsumer"},
		Modules: []string{"io.vertx"}, Names: []string{"eventbus", "eb", "bus"}, Key: first,
		Handler: []string{"1", ".handler"}},
	{Broker: "axon", Role: services.Publishes, Callees: []string{"apply"}, Names: []string{"aggregatelifecycle"},
		Payload: first},
	{Broker: "axon", Role: services.Publishes, Callees: []string{"apply", "publish", "send", "sendAndWait", "query"},
		Modules: []string{"org.axonframework"}, Payload: first},
}

// listeners lists the annotations of methods that consume messages.
var listeners = []services.Listener{
	{Name: "KafkaListener", Broker: "kafka", Role: services.Consumes, Each: "KafkaHandler",
		Key: []string{"topics=", "topicPattern=", "topicPartitions=/topic", "topicPartitions=/[]/topic"}},
	{Name: "KafkaListeners", Read: repeated("kafka", "topics")},
	{Name: "RabbitListener", Broker: "rabbitmq", Role: services.Consumes, Read: readQueues},
	{Name: "SqsListener", Broker: "sqs", Role: services.Consumes, Key: []string{"queueNames=", "value=", "0"}},
	{Name: "JmsListener", Broker: "jms", Role: services.Consumes, Key: []string{"destination="}},
	{Name: "JmsListeners", Read: repeated("jms", "destination")},
	{Name: "MessageDriven", Read: drivenBean},
	{Name: "MessageMapping", Modules: stompBy, Read: stompTaken},
	{Name: "SendTo", Read: sendsAnswer},
	{Name: "Consume", Modules: camels, Read: camelAnnotation},
	{Name: "PulsarListener", Broker: "pulsar", Role: services.Consumes, Key: []string{"topics=", "value=", "0"}},
	{Name: "ReactivePulsarListener", Broker: "pulsar", Role: services.Consumes, Key: []string{"topics=", "value="}},
	{Name: "Bean", Broker: "stream", Role: services.Consumes, Read: functions},
	{Name: "Gateway", Modules: []string{"org.springframework.integration"}, Read: gateways},
	{Name: "MessagingGateway", Modules: []string{"org.springframework.integration"}, Read: gateways},
	{Name: "StreamListener", Broker: "stream", Role: services.Consumes, Key: []string{"target=", "value=", "0"}},
	{Name: "Topic", Broker: "dapr", Role: services.Consumes, Modules: daprBy,
		Scope: []string{"pubsubName="}, Key: []string{"name="}},
	{Name: "Topic", Modules: []string{"io.micronaut.configuration.kafka"}, Read: micronaut("kafka", "KafkaClient")},
	{Name: "Subject", Modules: []string{"io.micronaut.nats"}, Read: micronaut("nats", "NatsClient")},
	{Name: "Queue", Modules: []string{"io.micronaut.rabbitmq"}, Read: micronaut("rabbitmq", "RabbitClient")},
	{Name: "Binding", Modules: []string{"io.micronaut.rabbitmq"}, Read: micronaut("rabbitmq", "RabbitClient")},
	{Name: "Incoming", Broker: services.Channels, Role: services.Consumes, Read: incoming},
	{Name: "Outgoing", Broker: services.Channels, Role: services.Publishes, Read: outgoing},
	{Name: "EventHandler", Broker: "axon", Role: services.Consumes,
		Modules: []string{"org.axonframework"}, ByType: true},
	{Name: "EventSourcingHandler", Broker: "axon", Role: services.Consumes,
		Modules: []string{"org.axonframework"}, ByType: true},
	{Name: "SagaEventHandler", Broker: "axon", Role: services.Consumes,
		Modules: []string{"org.axonframework"}, ByType: true},
	{Name: "CommandHandler", Broker: "axon", Role: services.Consumes,
		Modules: []string{"org.axonframework"}, ByType: true},
	{Name: "QueryHandler", Broker: "axon", Role: services.Consumes,
		Modules: []string{"org.axonframework"}, ByType: true},
}
