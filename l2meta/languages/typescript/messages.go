package typescript

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// messages describes how programs in JavaScript and TypeScript publish and consume messages.
var messages = services.ByCallee(stomp, kafka, rabbitmq, nats, redis, clouds, dapr, nest, moleculer, others, classes,
	sockets, hubs)

var (
	producers = []string{"producer", "kafka"}
	consumers = []string{"consumer", "kafka"}
	channels  = []string{"channel", "ch", "rabbit"}
	natsNames = []string{"nc", "nats", "js", "jetstream", "stan", "client", "connection", "conn"}
	natsBy    = []string{"nats", "node-nats-streaming", "nats.ws", "@nats-io"}
	redisBy   = []string{"redis"}
	redisWith = []string{"redis", "pub", "sub", "client", "publisher", "subscriber", "rdb", "db", "queue"}
	redisOwn  = []string{"redis"}

	googlePubSub = []string{"@google-cloud/pubsub"}

	pulsarBy     = []string{"pulsar-client"}
	daprBy       = []string{"@dapr/dapr"}
	daprTopics   = []string{"pubsub"}
	daprClients  = []string{"lient.pubsub", "erver.pubsub", "apr.pubsub"} // of a client that another file makes
	daprBindings = []string{"binding"}
)

var kafka = []services.Message{
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"send"}, Names: producers,
		Makers: []string{".producer(", "Producer"}, Key: []string{"0/topic"}},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"sendBatch"},
		Key: []string{"0/topicMessages/[]/topic"}},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"subscribe"}, Names: consumers,
		Makers: []string{".consumer("}, Key: []string{"0/topic", "0/topics"}, Run: []string{"run"},
		Handler: []string{"0/eachMessage", "0/eachBatch"}},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"produce"}, Modules: []string{"node-rdkafka"},
		Key: []string{"0"}},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"subscribe"}, Modules: []string{"node-rdkafka"},
		Key: []string{"0"}},
}

var rabbitmq = []services.Message{
	{Broker: "rabbitmq", Role: services.Publishes, Callees: []string{"sendToQueue"}, Key: []string{"0"}},
	{Broker: "rabbitmq", Role: services.Publishes, Callees: []string{"publish"}, Names: channels,
		Makers: []string{"createChannel", "createConfirmChannel", "Channel"}, Least: 3, Scope: []string{"0"},
		Key: []string{"1"}, Keyless: true},
	{Broker: "rabbitmq", Role: services.Publishes, Callees: []string{"publish", "request"},
		Modules: []string{"@golevelup/nestjs-rabbitmq"}, Names: []string{"amqp"}, Makers: []string{"AmqpConnection"},
		Scope: []string{"0", "0/exchange"}, Key: []string{"1", "0/routingKey"}},
	{Broker: "rabbitmq", Role: services.Consumes, Callees: []string{"consume"}, Names: channels,
		Makers: []string{"createChannel", "createConfirmChannel", "Channel"}, Least: 2, Key: []string{"0"},
		Handler: []string{"1"}},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"bindQueue"}, Handler: []string{"0"},
		Scope: []string{"1"}, Key: []string{"2"}},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"assertExchange"}, Scope: []string{"0"},
		Payload: []string{"1"}},
}

var nats = []services.Message{
	{Broker: "nats", Role: services.Publishes, Callees: []string{"publish", "request", "requestMany"}, Modules: natsBy,
		Names: natsNames, Key: []string{"0"}},
	{Broker: "nats", Role: services.Consumes, Callees: []string{"subscribe"}, Modules: natsBy, Names: natsNames,
		Key: []string{"0"}, Handler: []string{"1/callback"}},
	{Broker: "nats", Role: services.Consumes, Callees: []string{"add"}, Modules: natsBy, Names: []string{"consumers"},
		Key: []string{"1/filter_subject", "1/filter_subjects/[]"}},
	{Broker: "nats", Role: services.Publishes, Callees: []string{"publish", "request"},
		Names: []string{"nats", "stan", "nc"}, Key: []string{"0"}},
	{Broker: "nats", Role: services.Consumes, Callees: []string{"subscribe"}, Names: []string{"nats", "stan", "nc"},
		Key: []string{"0"}, Handler: []string{"1/callback"}},
}

var redis = []services.Message{
	{Broker: "redis", Role: services.Publishes, Callees: []string{"publish"}, Modules: redisBy, Names: redisWith,
		Makers: []string{"new Redis", "redis.createClient", "createClient("}, Least: 2, Most: 2, Key: []string{"0"}},
	{Broker: "redis", Role: services.Publishes, Callees: []string{"publish"}, Names: redisOwn, Least: 2, Most: 3,
		Key: []string{"0"}},
	{Broker: "redis", Role: services.Consumes, Callees: []string{"subscribe", "psubscribe", "pSubscribe"},
		Modules: redisBy, Names: redisWith, Makers: []string{"new Redis", "createClient("}, Key: []string{"0.."},
		Handler: []string{"1"}},
	{Broker: "redis", Role: services.Consumes, Callees: []string{"subscribe", "psubscribe", "pSubscribe"},
		Names: redisOwn, Key: []string{"0.."}, Handler: []string{"1"}},
	{Broker: "redis-list", Role: services.Publishes, Callees: []string{"lpush", "rpush", "lPush", "rPush"},
		Key: []string{"0"}},
	{Broker: "redis-list", Role: services.Consumes,
		Callees: []string{"lpop", "rpop", "lPop", "rPop", "brpop", "blpop", "brPop", "blPop"}, Key: []string{"0"}},
	{Broker: "redis-stream", Role: services.Publishes, Callees: []string{"xadd", "xAdd"}, Key: []string{"0"}},
	{Broker: "redis-stream", Role: services.Consumes, Callees: []string{"xReadGroup"},
		Key: []string{"2/key", "2/[]/key"}},
	{Broker: "redis-stream", Role: services.Consumes, Callees: []string{"xRead"},
		Key: []string{"0/key", "0/[]/key"}},
	{Broker: "redis-stream", Role: services.Consumes, Callees: []string{"xreadgroup", "xread"}, Read: readStreams},
}

var clouds = []services.Message{
	{Broker: services.EventBridge, Role: services.Consumes, Callees: []string{"Rule"},
		Modules: []string{"aws-cdk", "aws-events"}, Least: 3, Read: services.DeclaresRule},
	{Broker: services.EventBridge, Role: services.Publishes, Callees: []string{"PutEventsCommand", "putEvents"},
		Read: services.PutsEvents},
	{Broker: "sqs", Role: services.Publishes, Callees: []string{"SendMessageCommand", "sendMessage",
		"SendMessageBatchCommand"}, Key: []string{"0/QueueUrl"}},
	{Broker: "sqs", Role: services.Consumes, Callees: []string{"ReceiveMessageCommand", "receiveMessage"},
		Key: []string{"0/QueueUrl"}},
	{Broker: "sqs", Role: services.Consumes, Callees: []string{"create"}, Modules: []string{"sqs-consumer"},
		Key: []string{"0/queueUrl"}, Handler: []string{"0/handleMessage"}},
	{Broker: "sns", Role: services.Publishes, Callees: []string{"PublishCommand", "publish"},
		Key: []string{"0/TopicArn"}},
	{Broker: "pubsub", Role: services.Publishes, Callees: []string{"publishMessage", "publishJSON", "publish"},
		Modules: googlePubSub, Key: []string{"^/.topic"}},
	{Broker: "pubsub", Role: services.Consumes, Callees: []string{"on"}, Modules: googlePubSub, Least: 2,
		Read: subscribed},
	{Broker: "servicebus", Role: services.Publishes, Callees: []string{"sendMessages", "scheduleMessages"},
		Key: []string{"^/createSender(/0"}},
	{Broker: "servicebus", Role: services.Consumes,
		Callees: []string{"receiveMessages", "subscribe", "getMessageIterator"}, Key: []string{"^/createReceiver(/0"},
		Handler: []string{"0/processMessage"}},
}

var dapr = []services.Message{
	{Broker: "dapr", Role: services.Publishes, Callees: []string{"publish", "publishBulk"}, Names: daprTopics,
		Modules: daprBy, Makers: daprClients, Scope: []string{"0"}, Key: []string{"1"}, Least: 2},
	{Broker: "dapr", Role: services.Consumes, Callees: []string{"subscribe", "subscribeBulk"}, Names: daprTopics,
		Modules: daprBy, Makers: daprClients, Scope: []string{"0"}, Key: []string{"1"}, Handler: []string{"2"}, Least: 3},
	{Broker: "dapr", Role: services.Consumes, Callees: []string{"subscribeToRoute"}, Names: daprTopics,
		Modules: daprBy, Makers: daprClients, Scope: []string{"0"}, Key: []string{"1"}, Handler: []string{"3"}, Least: 4},
	{Broker: "dapr", Role: services.Consumes, Callees: []string{"subscribeWithOptions"}, Names: daprTopics,
		Modules: daprBy, Makers: daprClients, Scope: []string{"0"}, Key: []string{"1"}, Handler: []string{"2/callback"},
		Least: 3},
	{Broker: services.Binding, Role: services.Publishes, Callees: []string{"send"}, Names: daprBindings,
		Modules: daprBy, Key: []string{"0"}, Least: 2},
	{Broker: services.Binding, Role: services.Consumes, Callees: []string{"receive"}, Names: daprBindings,
		Modules: daprBy, Key: []string{"0"}, Handler: []string{"1"}, Least: 2},
}

var nest = []services.Message{
	{Broker: "nestjs", Role: services.Publishes, Callees: []string{"emit", "send"},
		Makers: []string{"ClientProxy", "ClientKafka", "ClientRMQ", "ClientNats", "ClientRedis"}, Key: []string{"0"}},
}

var others = []services.Message{
	{Broker: "pulsar", Role: services.Publishes, Callees: []string{"send"}, Modules: pulsarBy,
		Key: []string{"^/createProducer(/0/topic"}},
	{Broker: "pulsar", Role: services.Consumes, Callees: []string{"subscribe", "createReader"}, Modules: pulsarBy,
		Key: []string{"0/topic", "0/topics", "0/topicsPattern"}, Handler: []string{"0/listener"}},
	{Broker: "mqtt", Role: services.Publishes, Callees: []string{"publish", "publishAsync"}, Modules: []string{"mqtt"},
		Key: []string{"0"}},
	{Broker: "mqtt", Role: services.Consumes, Callees: []string{"subscribe", "subscribeAsync"},
		Modules: []string{"mqtt"}, Key: []string{"0"}},
	{Broker: "bull", Role: services.Publishes, Callees: []string{"add", "addBulk"}, Modules: []string{"bull"},
		Key: []string{"^/Queue(/0"}},
	{Broker: "bull", Role: services.Consumes, Callees: []string{"Worker"}, Modules: []string{"bullmq"},
		Key: []string{"0"}, Handler: []string{"1"}},
	{Broker: "bull", Role: services.Consumes, Callees: []string{"process"}, Modules: []string{"bull"},
		Key: []string{"^/Queue(/0"}, Handler: []string{"1", "0"}},
}

// listeners lists the decorators of methods that consume messages.
var listeners = []services.Listener{
	{Name: "EventPattern", Broker: "nestjs", Role: services.Consumes, Key: []string{"0"}},
	{Name: "MessagePattern", Broker: "nestjs", Role: services.Consumes, Key: []string{"0"}},
	{Name: "RabbitSubscribe", Broker: "rabbitmq", Role: services.Consumes, Scope: []string{"0/exchange"},
		Key: []string{"0/routingKey"}},
	{Name: "RabbitRPC", Broker: "rabbitmq", Role: services.Consumes, Scope: []string{"0/exchange"},
		Key: []string{"0/routingKey"}},
	{Name: "SubscribeMessage", Broker: services.Sockets, Role: services.Consumes, Key: []string{"0"}},
	{Name: "Processor", Broker: "bull", Role: services.Consumes, Key: []string{"0", "0/name"}},
}

// classes describes classes that publish messages, each with its own subject. They extend a base class that sends to
// the broker: new OrderPaidPublisher(client).publish(event).
var classes = []services.Message{{Role: services.Publishes, Callees: []string{"publish"}, Read: byClass}}

var handles = []services.Handles{
	{Base: "*Listener", Broker: "class", Methods: consuming, Fields: topicFields},
	{Base: "*Consumer", Broker: "class", Methods: consuming, Fields: topicFields},
	{Base: "*Subscriber", Broker: "class", Methods: consuming, Fields: topicFields},
	{Base: "*Publisher", Broker: "class", Fields: topicFields},
	{Base: "*Producer", Broker: "class", Fields: topicFields},
}

var (
	consuming = []string{"onMessage", "handle", "handleMessage", "consume", "onEvent"}
	// topicFields lists the names of the fields in which publisher and listener classes hold
	// their topic.
	topicFields = []string{"subject", "routingKey", "topic", "queueName", "queue", "channelName", "eventName"}
)

var publisherClass = regexp.MustCompile(`^(?:await )?\(?new\s+([A-Z]\w*)\s*\(`)

// byClass records a call on a publisher class. A field of the class holds the topic.
func byClass(r *services.Reader, c *code.Call) bool {
	made := r.Receiver(c)
	if value, _ := r.Lookup(folding.LastWord(made), c.NameSpan.StartByte); value != "" {
		made = value
	}
	class := ""
	if m := publisherClass.FindStringSubmatch(made); m != nil {
		class = m[1]
	} else if args := r.Arguments(c); len(args) == 1 && !strings.ContainsAny(args[0][:1], "\"'`") {
		class = injected(r.Typed(folding.LastWord(made)))
	}
	if class == "" {
		return false
	}
	r.KeepMessage(services.Publishes, c.Caller, c.NameSpan,
		services.End{Broker: "class", Key: "{" + class + ".subject}"})
	return true
}

// subscribed records a listener for the messages of a subscription of Google Pub/Sub: handle in
// pubsub.subscription('orders').on('message', handle).
func subscribed(r *services.Reader, c *code.Call) bool {
	args, at := r.Arguments(c), c.NameSpan.StartByte
	if folding.Unquoted(args[0]) != "message" {
		return false // subscription.on('error', log) handles no message
	}
	made := r.Receiver(c)
	if value, where := r.Lookup(folding.LastWord(made), at); value != "" {
		made, at = value, where
	}
	key := r.Topic(folding.Chained(made, ".subscription"), at)
	if key == "" {
		return false
	}
	r.KeepMessage(services.Consumes, c.Caller, c.NameSpan,
		services.End{Broker: "pubsub", Key: key, Handler: args[1]})
	return true
}

var injectedClass = regexp.MustCompile(`^I?([A-Z]\w+Publisher) $`)

// injected returns the publisher class that the type of a field or parameter names:
// OrderPaidPublisher for OrderPaidPublisher, and for the interface IOrderPaidPublisher. It returns
// "" for other types.
func injected(types string) string {
	if m := injectedClass.FindStringSubmatch(types); m != nil {
		return m[1]
	}
	return ""
}

// readStreams reads the names of Redis streams from the arguments of a command. The arguments
// after STREAMS are names, followed by as many positions: xreadgroup("GROUP", group, consumer,
// "STREAMS", "orders", ">").
func readStreams(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	i := slices.IndexFunc(args, func(a string) bool { return strings.EqualFold(folding.Unquoted(a), "STREAMS") })
	if i < 0 {
		return false
	}
	found := false
	for _, name := range args[i+1 : i+1+(len(args)-i-1)/2] {
		if key := r.Topic(name, c.NameSpan.StartByte); key != "" {
			r.KeepMessage(services.Consumes, c.Caller, c.NameSpan, services.End{Broker: "redis-stream", Key: key})
			found = true
		}
	}
	return found
}
