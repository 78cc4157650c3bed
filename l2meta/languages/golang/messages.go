package golang

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// messages describes how Go programs publish and consume messages.
var messages = services.ByCallee(kafka, rabbitmq, nats, pulsar, redis, clouds, dapr, machinery, others, rpc)

var (
	saramas   = []string{"sarama"}
	segmentio = []string{"segmentio/kafka-go"}
	confluent = []string{"confluent-kafka-go"}
	gokas     = []string{"lovoo/goka"}
	amqps     = []string{"amqp091", "streadway/amqp"}
	natsIO    = []string{"nats-io/", "nats.go"}
	daprBy    = []string{"dapr/go-sdk"}
	jetStream = []string{"nats.go/jetstream"}
	// filtered lists selectors of the subject that a NATS consumer receives. They apply to the
	// call that constructed the consumer: "^/2/FilterSubject" selects the field FilterSubject of
	// its third argument.
	filtered = []string{"^/2/FilterSubject", "^/1/FilterSubject", "^/2/FilterSubjects/[]", "^/1/FilterSubjects/[]"}
	goRedis  = []string{"go-redis", "redis/go"}
	queued   = []string{"^/0/Topic", "^/Topic"}

	watermills   = []string{"watermill"}
	asynqs       = []string{"hibiken/asynq"}
	asynqMuxes   = []string{"asynq.NewServeMux", "asynq.ServeMux"}
	googlePubSub = []string{"cloud.google.com/go/pubsub"}
)

// cqrs is the broker name for the messages of Watermill's package cqrs, which are routed by their
// Go types.
const cqrs = "watermill-cqrs"

var kafka = []services.Message{
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"SendMessage"}, Modules: saramas,
		Key: []string{"0/Topic"}, Payload: []string{"0/Value"}},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"Input"}, Modules: saramas, Read: asyncProducer},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"ConsumePartition"}, Modules: saramas,
		Key: []string{"0"}},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"Consume"}, Modules: saramas, Least: 3,
		Key: []string{"1"}, Method: "ConsumeClaim"},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"WriteMessages"}, Modules: segmentio,
		Key: []string{"*/Topic", "^/0/Topic", "^/Topic"}, Carried: true},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"ReadMessage", "FetchMessage"},
		Modules: segmentio, Key: queued, Carried: true},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"WriteMessages"}, Carried: true},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"ReadMessage", "FetchMessage"},
		Names: []string{"reader", "consumer"}, Carried: true},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"Produce"}, Modules: confluent,
		Key: []string{"0/TopicPartition/Topic"}},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"SubscribeTopics", "Subscribe"}, Modules: confluent,
		Key: []string{"0"}},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"Produce", "ProduceSync", "TryProduce"},
		Modules: []string{"franz-go"}, Key: []string{"1/Topic"}},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"ConsumeTopics"}, Modules: []string{"franz-go"},
		Key: []string{"0.."}},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"Emit", "EmitSync", "EmitSyncWithHeaders"},
		Modules: gokas, Carried: true},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"Input"}, Modules: gokas, Least: 3, Key: []string{"0"},
		Handler: []string{"2"}},
}

// carriers describes values that are constructed with their topic: the writers and readers of segmentio/kafka-go, the
// emitters of goka, and the producers of Pulsar.
var carriers = []services.Carrier{
	{Broker: "kafka", Role: l2meta.RoleWriter, Modules: gokas, Made: regexp.MustCompile(`\bgoka\.NewEmitter\(`),
		Key: []string{"1"}},
	{Broker: "kafka", Role: l2meta.RoleWriter, Modules: segmentio,
		Made: regexp.MustCompile(`\bkafka\.Writer(?:Config)?\{`), Key: []string{"Topic="}},
	{Broker: "kafka", Role: l2meta.RoleReader, Modules: segmentio,
		Made: regexp.MustCompile(`\bkafka\.ReaderConfig\{`), Key: []string{"Topic=", "GroupTopics="}},
	{Broker: "pulsar", Role: l2meta.RoleWriter, Modules: pulsars,
		Made: regexp.MustCompile(`\bpulsar\.ProducerOptions\{`), Key: []string{"Topic="}},
}

var rabbitmq = []services.Message{
	{Broker: "rabbitmq", Role: services.Publishes, Callees: []string{"Publish", "PublishWithDeferredConfirm"},
		Modules: amqps, Least: 5, Scope: []string{"0"}, Key: []string{"1"}, Keyless: true},
	{Broker: "rabbitmq", Role: services.Publishes,
		Callees: []string{"PublishWithContext", "PublishWithDeferredConfirmWithContext"}, Modules: amqps, Least: 6,
		Scope: []string{"1"}, Key: []string{"2"}, Keyless: true},
	{Broker: "rabbitmq", Role: services.Consumes, Callees: []string{"Consume"}, Modules: amqps, Least: 7,
		Key: []string{"0"}},
	{Broker: "rabbitmq", Role: services.Consumes, Callees: []string{"ConsumeWithContext"}, Modules: amqps,
		Key: []string{"1"}},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"QueueBind"}, Modules: amqps, Key: []string{"1"},
		Scope: []string{"2"}, Handler: []string{"0"}},
	{Broker: "rabbitmq", Role: services.Binds, Callees: []string{"ExchangeDeclare"}, Modules: amqps,
		Scope: []string{"0"}, Payload: []string{"1"}},
	{Broker: "amqp", Role: services.Publishes, Callees: []string{"Send"}, Modules: []string{"go-amqp"},
		Names: []string{"sender"}, Key: []string{"^/1"}},
	{Broker: "amqp", Role: services.Consumes, Callees: []string{"Receive"}, Modules: []string{"go-amqp"},
		Names: []string{"receiver"}, Key: []string{"^/1"}},
}

var nats = []services.Message{
	{Broker: "nats", Role: services.Publishes, Callees: []string{"Publish"}, Modules: jetStream, Least: 3,
		Key: []string{"1"}},
	{Broker: "nats", Role: services.Publishes, Callees: []string{"PublishMsg"}, Modules: jetStream, Least: 2,
		Key: []string{"1/Subject"}},
	{Broker: "nats", Role: services.Consumes, Callees: []string{"Consume", "Messages", "Fetch", "Next"},
		Modules: jetStream, Key: filtered, Handler: []string{"0"}},
	{Broker: "nats", Role: services.Publishes, Callees: []string{"Publish", "Request", "PublishRequest",
		"PublishAsync"}, Modules: natsIO, Key: []string{"0"}},
	{Broker: "nats", Role: services.Publishes, Callees: []string{"RequestWithContext"}, Modules: natsIO,
		Key: []string{"1"}},
	{Broker: "nats", Role: services.Publishes, Callees: []string{"PublishMsg", "RequestMsg"}, Modules: natsIO,
		Key: []string{"0/Subject"}},
	{Broker: "nats", Role: services.Consumes,
		Callees: []string{"Subscribe", "QueueSubscribe", "SubscribeSync", "PullSubscribe", "ChanSubscribe",
			"QueueSubscribeSync"}, Modules: natsIO, Key: []string{"0"}, Handler: []string{"2", "1"}},
}

var redis = []services.Message{
	{Broker: "redis", Role: services.Publishes, Callees: []string{"Publish"}, Modules: goRedis,
		Key: []string{"1"}, Least: 3},
	{Broker: "redis", Role: services.Consumes, Callees: []string{"Subscribe", "PSubscribe", "SSubscribe"},
		Modules: goRedis, Key: []string{"1.."}},
	{Broker: "redis-list", Role: services.Publishes, Callees: []string{"LPush", "RPush"}, Modules: goRedis,
		Key: []string{"1"}},
	{Broker: "redis-list", Role: services.Consumes, Callees: []string{"LPop", "RPop"}, Modules: goRedis,
		Key: []string{"1"}},
	{Broker: "redis-list", Role: services.Consumes, Callees: []string{"BLPop", "BRPop"}, Modules: goRedis,
		Key: []string{"2"}},
	{Broker: "redis-stream", Role: services.Publishes, Callees: []string{"XAdd"}, Modules: goRedis,
		Key: []string{"1/Stream"}},
	{Broker: "redis-stream", Role: services.Consumes, Callees: []string{"XRead", "XReadGroup"}, Modules: goRedis,
		Key: []string{"1/Streams"}},
}

var clouds = []services.Message{
	{Broker: services.EventBridge, Role: services.Publishes, Callees: []string{"PutEvents", "PutEventsWithContext"},
		Read: services.PutsEvents},
	{Broker: "amqp", Role: services.Consumes, Callees: []string{"NewReceiver"}, Modules: []string{"go-amqp"}, Least: 2,
		Key: []string{"1"}},
	{Broker: "amqp", Role: services.Publishes, Callees: []string{"NewSender"}, Modules: []string{"go-amqp"}, Least: 2,
		Key: []string{"1"}},
	{Broker: "sqs", Role: services.Publishes, Callees: []string{"SendMessage", "SendMessageWithContext"},
		Modules: []string{"service/sqs"}, Key: []string{"*/QueueUrl"}},
	{Broker: "sqs", Role: services.Consumes, Callees: []string{"ReceiveMessage", "ReceiveMessageWithContext"},
		Modules: []string{"service/sqs"}, Key: []string{"*/QueueUrl"}},
	{Broker: "sns", Role: services.Publishes, Callees: []string{"Publish", "PublishWithContext"},
		Modules: []string{"service/sns"}, Key: []string{"*/TopicArn"}},
	{Broker: "pubsub", Role: services.Publishes, Callees: []string{"Publish"}, Modules: googlePubSub, Least: 2,
		Key: []string{"^/.Topic", "^/.Publisher"}},
	{Broker: "pubsub", Role: services.Consumes, Callees: []string{"Receive"}, Modules: googlePubSub, Least: 2,
		Key: []string{"^/.Subscription", "^/.Subscriber"}, Handler: []string{"1"}},
	{Broker: "servicebus", Role: services.Publishes, Callees: []string{"SendMessage", "SendMessageBatch"},
		Modules: []string{"azservicebus"}, Key: []string{"^/0"}},
	{Broker: "servicebus", Role: services.Consumes, Callees: []string{"ReceiveMessages"},
		Modules: []string{"azservicebus"}, Key: []string{"^/0"}},
}

var dapr = []services.Message{
	{Broker: "dapr", Role: services.Publishes,
		Callees: []string{"PublishEvent", "PublishEvents", "PublishEventfromCustomContent"}, Modules: daprBy,
		Scope: []string{"1"}, Key: []string{"2"}},
	{Broker: "dapr", Role: services.Consumes, Callees: []string{"AddTopicEventHandler", "AddBulkTopicEventHandler"},
		Scope: []string{"0/PubsubName"}, Key: []string{"0/Topic"}, Handler: []string{"1"}},
	{Broker: "dapr", Role: services.Consumes, Callees: []string{"Subscribe", "SubscribeWithHandler"}, Modules: daprBy,
		Scope: []string{"1/PubsubName"}, Key: []string{"1/Topic"}, Handler: []string{"2"}},
	{Broker: services.Binding, Role: services.Publishes, Callees: []string{"InvokeBinding", "InvokeOutputBinding"},
		Modules: daprBy, Key: []string{"1/Name"}},
	{Broker: services.Binding, Role: services.Consumes, Callees: []string{"AddBindingInvocationHandler"},
		Key: []string{"0"}, Handler: []string{"1"}},
}

var others = []services.Message{
	{Broker: "mqtt", Role: services.Publishes, Callees: []string{"Publish"}, Modules: []string{"mqtt"},
		Key: []string{"0"}, Least: 4},
	{Broker: "mqtt", Role: services.Consumes, Callees: []string{"Subscribe"}, Modules: []string{"mqtt"},
		Key: []string{"0"}, Handler: []string{"2"}},
	{Broker: "asynq", Role: services.Publishes, Callees: []string{"NewTask"}, Modules: asynqs, Least: 2,
		Names: []string{"asynq"}, Key: []string{"0"}},
	{Broker: "asynq", Role: services.Consumes, Callees: []string{"HandleFunc"}, Makers: asynqMuxes, Least: 2,
		Key: []string{"0"}, Handler: []string{"1"}},
	{Broker: "asynq", Role: services.Consumes, Callees: []string{"Handle"}, Makers: asynqMuxes, Least: 2,
		Key: []string{"0"}, Handler: []string{"1"}, Method: "ProcessTask"},
	{Broker: "nsq", Role: services.Publishes, Callees: []string{"Publish", "PublishAsync", "DeferredPublish"},
		Modules: []string{"go-nsq"}, Key: []string{"0"}},
	{Broker: "nsq", Role: services.Consumes, Callees: []string{"NewConsumer"}, Modules: []string{"go-nsq"},
		Key: []string{"0"}},
	{Broker: cqrs, Role: services.Publishes, Callees: []string{"Publish", "Send"}, Modules: watermills,
		Names: []string{"eventbus", "commandbus"}, Payload: []string{"1"}},
	{Broker: cqrs, Role: services.Consumes, Callees: []string{"NewEventHandler", "NewCommandHandler",
		"NewGroupEventHandler"}, Modules: watermills, Read: typedHandler},
	{Broker: "watermill", Role: services.Publishes, Callees: []string{"Publish"}, Modules: watermills,
		Key: []string{"0"}},
	{Broker: "watermill", Role: services.Consumes, Callees: []string{"Subscribe"}, Modules: watermills,
		Key: []string{"1"}},
	{Broker: "watermill", Role: services.Consumes, Callees: []string{"AddNoPublisherHandler", "AddConsumerHandler"},
		Modules: watermills, Key: []string{"1"}, Handler: []string{"3"}},
	{Broker: "watermill", Role: services.Publishes, Callees: []string{"AddHandler"}, Modules: watermills,
		Read: passedOn},
	{Broker: "watermill", Role: services.Consumes, Callees: []string{"AddHandler"}, Modules: watermills, Least: 6,
		Key: []string{"1"}, Handler: []string{"5"}},
	{Broker: "go-micro", Role: services.Publishes, Callees: []string{"Publish"}, Modules: []string{"micro"},
		Key: []string{"^/0"}},
	{Broker: "go-micro", Role: services.Consumes, Callees: []string{"RegisterSubscriber"}, Modules: []string{"micro"},
		Key: []string{"0"}, Handler: []string{"2"}},
}

// passedOn records the topic to which a router of Watermill publishes the messages that a handler
// returns: "mails" in r.AddHandler(name, "paid", subscriber, "mails", publisher, handler). If the
// topic is a URL, it records a request instead, because the publisher uses HTTP. It always
// returns false, so that the topic that the same call consumes is recorded as well.
func passedOn(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	if len(args) < 6 {
		return false
	}
	switch topic := r.Topic(args[3], c.NameSpan.StartByte); {
	case strings.Contains(topic, "://"):
		r.Requested(c, services.Request{Method: "POST", URL: args[3], Sure: true})
	case topic != "":
		r.KeepMessage(services.Publishes, c.Caller, c.NameSpan, services.End{Broker: "watermill", Key: topic})
	}
	return false
}

// secondOf matches the type of the second parameter of a function literal.
var secondOf = regexp.MustCompile(`^func\(\s*\w+\s+[\w.]+,\s*\w+\s+\*?([\w.]+)`)

// typedHandler records a handler of Watermill's cqrs, which takes a context and the message: NewEventHandler("mail",
// onPaid).
func typedHandler(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	if len(args) == 0 {
		return false
	}
	handler := args[len(args)-1]
	payload := ""
	if m := secondOf.FindStringSubmatch(handler); m != nil {
		payload = m[1]
	}
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		if s.Name == folding.LastWord(handler) && s.Kind.Callable() && len(s.Parameters) > 1 {
			payload = s.Parameters[1].Type
		}
	}
	if payload = folding.TypeWord(payload); payload == "" {
		return false
	}
	r.KeepMessage(services.Consumes, c.Caller, c.NameSpan,
		services.End{Broker: cqrs, Payload: payload, Handler: handler})
	return true
}

// rpc describes net/rpc: a client names type and method, client.Call("Server.Log", args, &reply), and the
// server registers a value of the type.
var rpc = []services.Message{
	{Broker: netRPC, Role: services.Publishes, Callees: []string{"Call"}, Modules: []string{netRPC}, Least: 3, Most: 3,
		Key: []string{"0"}},
	{Broker: netRPC, Role: services.Publishes, Callees: []string{"Go"}, Modules: []string{netRPC}, Least: 4,
		Key: []string{"0"}},
	{Broker: netRPC, Role: services.Consumes, Callees: []string{"Register", "RegisterName"}, Modules: []string{netRPC},
		Read: registered},
}

const netRPC = services.NetRPC

// registered records the type that a call registers for net/rpc, and the name under which clients
// call the methods of the type. The methods may be in other files. It reports whether the type is
// known.
func registered(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	if len(args) == 0 || len(args) > 2 {
		return false
	}
	class := typeOf(r, args[len(args)-1], c.NameSpan.StartByte)
	if class == "" {
		return false
	}
	name := class
	if given, ok := folding.Quoted(args[0]); ok && len(args) == 2 {
		name = given
	}
	r.KeepText(c.Caller, c.NameSpan, services.Registered, name+"/"+class)
	return true
}

var madeType = regexp.MustCompile(`^(?:new\(|&?)([A-Za-z_][\w.]*)(?:\)|\{)`)

// typeOf returns the type of the value of an expression: Server for new(Server), for &Server{} and for a variable
// with such a value. It returns "" for any other expression.
func typeOf(r *services.Reader, expr string, at int) string {
	for range 2 {
		if m := madeType.FindStringSubmatch(expr); m != nil {
			return m[1][strings.LastIndexByte(m[1], '.')+1:]
		}
		if expr, at = r.Lookup(folding.LastWord(strings.TrimPrefix(expr, "&")), at); expr == "" {
			return ""
		}
	}
	return ""
}

var sentMessage = regexp.MustCompile(`^\s*<-\s*&?([\w.]+)`)

// asyncProducer records the message that a producer of sarama sends over its channel, and reports
// whether it is known: producer.Input() <- &msg, where msg is sarama.ProducerMessage{Topic: topic}.
func asyncProducer(r *services.Reader, c *code.Call) bool {
	behind := r.Text[c.Span.EndByte:min(len(r.Text), c.Span.EndByte+maxLiteral)]
	m := sentMessage.FindStringSubmatch(behind)
	if m == nil {
		return false
	}
	value, at := behind, c.NameSpan.StartByte
	if !strings.HasSuffix(m[1], "ProducerMessage") {
		value, at = r.Lookup(m[1], at)
	}
	_, fields, ok := strings.Cut(value, "ProducerMessage{")
	if !ok {
		return false
	}
	topic := r.Topic(folding.Property("{"+fields, "Topic"), at)
	if topic == "" {
		return false
	}
	r.KeepMessage(services.Publishes, c.Caller, c.NameSpan, services.End{Broker: "kafka", Key: topic})
	return true
}

// maxLiteral bounds the text after producer.Input() that is searched for the message, in bytes.
const maxLiteral = 600
