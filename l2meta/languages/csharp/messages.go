package csharp

import "sextant/l2meta/services"

// messages describes how C# programs publish and consume messages.
var messages = services.ByCallee(kafkaFlow, sagas, kafka, rabbitmq, redis, clouds, dapr, nats, hubs, buses)

var (
	kafkaBy = []string{"Confluent.Kafka"}
	first   = []string{"0"}
	second  = []string{"1"}
	added   = []string{"+="}
)

var kafka = []services.Message{
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"ProduceAsync", "Produce"}, Modules: kafkaBy,
		Names: []string{"producer"}, Makers: []string{"IProducer", "ProducerBuilder"}, Key: first},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"ProduceAsync"}, Names: []string{"producer"},
		Least: 2, Key: first}, // the type Confluent.Kafka.IProducer written in full, without a using directive
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"Subscribe"}, Modules: kafkaBy,
		Names: []string{"consumer"}, Makers: []string{"ConsumerBuilder"}, Key: first},
}

var rabbitmq = []services.Message{
	{Broker: "rabbitmq", Role: services.Publishes, Callees: []string{"BasicPublish", "BasicPublishAsync"},
		Scope: []string{"exchange=", "0"}, Key: []string{"routingKey=", "1"}, Keyless: true},
	{Broker: "rabbitmq", Role: services.Consumes,
		Callees: []string{"BasicConsume", "BasicConsumeAsync", "BasicGet", "BasicGetAsync"},
		Key:     []string{"queue=", "0"}, Handler: added},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"QueueBind", "QueueBindAsync"},
		Handler: []string{"queue=", "0"}, Scope: []string{"exchange=", "1"}, Key: []string{"routingKey=", "2"}},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"ExchangeDeclare", "ExchangeDeclareAsync"},
		Scope: []string{"exchange=", "0"}, Payload: []string{"type=", "1"}},
}

var redis = []services.Message{
	{Broker: "redis", Role: services.Publishes, Callees: []string{"Publish", "PublishAsync"},
		Modules: []string{"StackExchange.Redis"}, Names: []string{"sub", "subscriber", "redis", "db", "pub"},
		Makers: []string{"ISubscriber", "GetSubscriber("}, Key: first},
	{Broker: "redis", Role: services.Consumes, Callees: []string{"Subscribe", "SubscribeAsync"},
		Modules: []string{"StackExchange.Redis"}, Names: []string{"sub", "subscriber", "redis", "db"},
		Makers: []string{"ISubscriber", "GetSubscriber("}, Key: first, Handler: second},
	{Broker: "redis-list", Role: services.Publishes,
		Callees: []string{"ListLeftPush", "ListRightPush", "ListLeftPushAsync", "ListRightPushAsync"}, Key: first},
	{Broker: "redis-list", Role: services.Consumes,
		Callees: []string{"ListLeftPop", "ListRightPop", "ListLeftPopAsync", "ListRightPopAsync"}, Key: first},
	{Broker: "redis-stream", Role: services.Publishes, Callees: []string{"StreamAdd", "StreamAddAsync"}, Key: first},
	{Broker: "redis-stream", Role: services.Consumes,
		Callees: []string{"StreamRead", "StreamReadGroup", "StreamReadAsync", "StreamReadGroupAsync"}, Key: first},
}

var clouds = []services.Message{
	{Broker: services.EventBridge, Role: services.Publishes, Callees: []string{"PutEventsAsync"},
		Read: services.PutsEvents},
	{Broker: "servicebus", Role: services.Publishes,
		Callees: []string{"SendMessageAsync", "SendMessagesAsync", "ScheduleMessageAsync"},
		Key:     []string{"^/CreateSender(/0"}},
	{Broker: "servicebus", Role: services.Consumes,
		Callees: []string{"CreateProcessor", "CreateReceiver", "CreateSessionProcessor"}, Key: first, Handler: added},
	{Broker: "sqs", Role: services.Publishes, Callees: []string{"SendMessageAsync"},
		Key: []string{"0/QueueUrl", "0/SendMessageRequest(/0"}},
	{Broker: "sqs", Role: services.Publishes, Callees: []string{"SendMessageAsync"}, Modules: []string{"Amazon.SQS"},
		Least: 2, Key: []string{"0"}},
	{Broker: "sqs", Role: services.Consumes, Callees: []string{"ReceiveMessageAsync"},
		Key: []string{"0/QueueUrl", "0"}},
	{Broker: "sns", Role: services.Publishes, Callees: []string{"PublishAsync"},
		Key: []string{"0/TopicArn", "0/PublishRequest(/0"}},
}

var nats = []services.Message{
	{Broker: "nats", Role: services.Publishes, Callees: []string{"PublishAsync", "RequestAsync", "Publish", "Request"},
		Modules: []string{"NATS."}, Key: []string{"subject=", "0"}},
	{Broker: "nats", Role: services.Consumes, Callees: []string{"SubscribeAsync", "Subscribe"},
		Modules: []string{"NATS."}, Key: []string{"subject=", "0"}},
}

// ownBuses lists usual names of receivers whose type the program declares itself: a bus that
// forwards messages to one of the libraries.
var ownBuses = []string{"bus", "eventbus", "messagebus", "servicebus", "integrationbus"}

// typeArgument selects the type of the payload from subscribe<OrderPaid>(…).
var typeArgument = []string{"<>"}

// mediators lists names of objects that pass notifications only within their program.
var mediators = []string{"mediator", "mediatr", "sender"}

// buses describes message buses that route by the type of the payload. A message that is saved to an outbox is
// published later; if the same function also publishes it directly, that call counts.
var buses = []services.Message{
	{Broker: "cap", Role: services.Publishes, Callees: []string{"Publish", "PublishAsync"},
		Modules: []string{"DotNetCore.CAP"}, Names: []string{"cap", "publisher", "bus"},
		Makers: []string{"ICapPublisher"}, Key: first},
	{Broker: "masstransit", Role: services.Publishes, Callees: []string{"Publish", "Send", "PublishBatch"},
		Modules: []string{"MassTransit"}, Not: mediators, Payload: []string{"<>", "0"}},
	{Broker: "masstransit", Role: services.Publishes, Callees: []string{"GetResponse"},
		Modules: []string{"MassTransit"}, Payload: first},
	{Broker: "masstransit", Role: services.Publishes, Callees: []string{"Produce"}, Modules: []string{"MassTransit"},
		Names: []string{"producer"}, Makers: []string{"ITopicProducer", "IEventHubProducer"}, Payload: []string{"<>", "0"}},
	{Broker: "nservicebus", Role: services.Publishes, Callees: []string{"Publish", "Send", "SendLocal"},
		Modules: []string{"NServiceBus"}, Not: mediators, Payload: []string{"<>", "0"}},
	{Broker: "nservicebus", Role: services.Publishes, Callees: []string{"Reply"}, Modules: []string{"NServiceBus"},
		Payload: []string{"<>", "0"}},
	{Broker: "rebus", Role: services.Publishes, Callees: []string{"Publish", "Send", "SendLocal", "Defer", "Reply"},
		Modules: []string{"Rebus"}, Not: mediators, Payload: first},
	{Broker: "rebus", Role: services.Consumes, Callees: []string{"Handle"}, Modules: []string{"Rebus"}, Least: 1,
		Payload: typeArgument, Handler: first},
	{Broker: "easynetq", Role: services.Publishes,
		Callees: []string{"Publish", "PublishAsync", "Request", "RequestAsync"},
		Modules: []string{"EasyNetQ"}, Payload: []string{"<>", "0"}},
	{Broker: "easynetq", Role: services.Publishes, Callees: []string{"Send", "SendAsync"},
		Modules: []string{"EasyNetQ"}, Least: 2, Payload: []string{"<>", "1"}},
	{Broker: "easynetq", Role: services.Consumes,
		Callees: []string{"Subscribe", "SubscribeAsync", "Receive", "ReceiveAsync"},
		Modules: []string{"EasyNetQ"}, Payload: typeArgument, Handler: second},
	{Broker: "easynetq", Role: services.Consumes, Callees: []string{"Respond", "RespondAsync"},
		Modules: []string{"EasyNetQ"}, Least: 1, Payload: typeArgument, Handler: first},
	{Broker: "brighter", Role: services.Publishes,
		Callees: []string{"Post", "PostAsync", "DepositPost", "DepositPostAsync", "Call"},
		// Send and Publish of Brighter stay within the program
		Modules: []string{"Paramore.Brighter"}, Payload: first},
	{Broker: "wolverine", Role: services.Publishes, Callees: []string{"PublishAsync", "SendAsync", "InvokeAsync",
		"ScheduleAsync", "RespondToSenderAsync", "BroadcastToTopicAsync"},
		Modules: []string{"Wolverine"}, Not: mediators, Payload: first},
	{Role: services.Consumes, Callees: []string{"Subscribe", "SubscribeAsync"}, Names: ownBuses, Least: 1,
		Payload: typeArgument, Handler: []string{"1", "0"}},
	{Role: services.Consumes, Callees: []string{"Respond", "RespondAsync"}, Names: ownBuses, Least: 1,
		Payload: typeArgument, Handler: first},
	{Role: services.Publishes, Callees: []string{"Request", "RequestAsync"}, Names: ownBuses,
		Payload: []string{"<>", "0"}},
	{Role: services.Publishes, Callees: []string{"Publish", "PublishAsync", "PublishThroughEventBusAsync",
		"PublishEventAsync", "PublishIntegrationEventAsync", "SendAsync"}, Not: mediators,
		Payload: []string{"<>", "0"}},
	{Role: services.Publishes, Callees: []string{"AddAndSaveEventAsync", "SaveEventAsync", "AddEventAsync",
		"AddIntegrationEvent", "AddToOutboxAsync", "EnqueueAsync"}, Not: mediators, Payload: first},
	{Role: services.Publishes, Callees: []string{services.AnyCallee}, Names: []string{"outbox", "eventbus", "messagebus"},
		Not: mediators, Payload: first},
}

// listeners lists the attributes of methods that consume messages.
var listeners = []services.Listener{
	{Name: "Topic", Broker: "dapr", Role: services.Consumes, Scope: first, Key: second},
	{Name: "CapSubscribe", Broker: "cap", Role: services.Consumes, Key: first},
}

// handles lists the base types of classes that consume a type of payload, except for those of
// mediators.
var handles = []services.Handles{
	{Base: "IConsumer", Broker: "masstransit", Modules: []string{"MassTransit"}, Methods: []string{"Consume"}},
	{Base: "IMessageHandler", Broker: "kafka", Scope: services.TypedHandlers, Modules: flowBy,
		Methods: []string{"Handle"}},
	{Base: "IHandleMessages", Broker: "nservicebus", Modules: []string{"NServiceBus"}, Methods: []string{"Handle"}},
	{Base: "IAmStartedByMessages", Broker: "nservicebus", Modules: []string{"NServiceBus"},
		Methods: []string{"Handle"}},
	{Base: "IHandleMessages", Broker: "rebus", Modules: []string{"Rebus"}, Methods: []string{"Handle"}},
	{Base: "IAmInitiatedBy", Broker: "rebus", Modules: []string{"Rebus"}, Methods: []string{"Handle"}},
	{Base: "RequestHandler", Broker: "brighter", Modules: []string{"Paramore.Brighter"}, Methods: []string{"Handle"}},
	{Base: "RequestHandlerAsync", Broker: "brighter", Modules: []string{"Paramore.Brighter"},
		Methods: []string{"HandleAsync"}},
	{Base: "IConsume", Broker: "easynetq", Modules: []string{"EasyNetQ"}, Methods: []string{"Consume"}},
	{Base: "IConsumeAsync", Broker: "easynetq", Modules: []string{"EasyNetQ"}, Methods: []string{"ConsumeAsync"}},
	{Base: "I*IntegrationEventHandler", Methods: []string{"Handle", "HandleAsync"}},
	{Base: "IEventHandler", Methods: []string{"Handle", "HandleAsync"}},
	{Base: "IMessageHandler", Methods: []string{"Handle", "HandleAsync"}},
	{Base: "*IntegrationEventHandler", Methods: consumes},
	{Base: "*MessageHandler", Methods: consumes},
	{Base: "*Consumer", Methods: consumes},
	{Base: "*Subscriber", Methods: consumes},
}

// consumes lists the names of the methods that consume a message in subtypes of a program's own
// base types.
var consumes = []string{"Handle*", "Consume*", "Process*", "Receive*", "On*", "Execute*"}
