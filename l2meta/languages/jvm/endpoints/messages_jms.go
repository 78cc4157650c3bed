package endpoints

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// JMS names a destination by a text, or by an object that a session makes of one:
//
//	jmsTemplate.convertAndSend("orders", order)
//	session.createProducer(session.createQueue("orders")).send(message)

var (
	jmsBy        = []string{"javax.jms", "jakarta.jms"}
	jmsTemplates = []string{"JmsTemplate", "JmsMessagingTemplate", "JmsOperations", "JmsMessageOperations"}
	jmsNames     = []string{"jmstemplate", "jmsmessagingtemplate"}
	// destination selects the name of a destination that is the first argument of a call, or its producer's.
	destination = []string{"0/createQueue(/0", "0/createTopic(/0", "0/MQQueue(/0", "0/MQTopic(/0",
		"^/0/createQueue(/0", "^/0/createTopic(/0", "^/0/MQQueue(/0", "^/0/MQTopic(/0"}
	jmsConsumers = []string{"createConsumer", "createSharedConsumer", "createDurableConsumer", "createReceiver",
		"createSharedDurableConsumer", "createSubscriber", "createDurableSubscriber"}
)

// defaultJMS is the setting of the destination to which a template sends without one.
const defaultJMS = "spring.jms.template.default-destination"

var jms = []services.Message{
	{Broker: "jms", Role: services.Publishes, Callees: []string{"convertAndSend", "send"}, Names: jmsNames,
		Makers: jmsTemplates, Least: 1, Most: 1, Read: sendsByDefault},
	{Broker: "jms", Role: services.Publishes,
		Callees: []string{"convertAndSend", "send", "convertSendAndReceive", "sendAndReceive"}, Names: jmsNames,
		Makers: jmsTemplates, Least: 2, Key: append(slices.Clone(destination[:4]), "0")},
	{Broker: "jms", Role: services.Publishes, Callees: []string{"send", "sendAndReceive"}, Modules: jmsBy,
		Makers: []string{"createProducer(", "createSender(", "createPublisher("}, Key: destination},
	{Broker: "jms", Role: services.Publishes, Callees: []string{"send", "sendAndReceive"},
		Makers: []string{"JmsClient"}, Key: []string{"^/.destination"}},
	{Broker: "jms", Role: services.Consumes, Callees: jmsConsumers, Modules: jmsBy, Key: destination[:4]},
}

// sendsByDefault records template.convertAndSend(order), whose destination the file or the settings give to the
// template.
func sendsByDefault(r *services.Reader, c *code.Call) bool {
	at := c.NameSpan.StartByte
	key := ""
	for i := range r.File.Calls {
		if set := &r.File.Calls[i]; set.Callee == "setDefaultDestinationName" {
			if args := r.Arguments(set); len(args) == 1 {
				key = r.Topic(args[0], at)
			}
		}
	}
	if key == "" {
		key = folding.SettingHole(defaultJMS, "")
	}
	r.KeepMessage(services.Publishes, c.Caller, c.NameSpan, services.End{Broker: "jms", Key: key})
	return true
}

// drivenBean records the destination of a message-driven bean, which its method onMessage consumes.
func drivenBean(r *services.Reader, symbol int, args []string) bool {
	s := &r.File.Symbols[symbol]
	key := folding.Keyword(args, "mappedName")
	for _, item := range folding.Listed(folding.Keyword(args, "activationConfig")) {
		_, property := folding.Annotation(item)
		switch name, _ := folding.Quoted(folding.Keyword(property, "propertyName")); name {
		case "destination", "destinationLookup":
			key = folding.Keyword(property, "propertyValue")
		}
	}
	topic := r.Topic(key, s.Span.StartByte)
	for _, prefix := range []string{"java:/", "java:", "jms/", "/jms/", "queue/", "topic/", "/queue/", "/topic/"} {
		topic = strings.TrimPrefix(topic, prefix)
	}
	for i := range r.File.Symbols {
		if m := &r.File.Symbols[i]; topic != "" && m.Parent == symbol && m.Name == "onMessage" && m.Kind.Callable() {
			r.KeepMessage(services.Consumes, i, m.NameSpan, services.End{Broker: "jms", Key: topic})
			return true
		}
	}
	return false
}

// repeated returns a function that reads an annotation with a list of annotations:
// @JmsListeners({@JmsListener(destination = "a"), …}). key is the argument of the inner annotations that names the
// topic or queue: destination. That function returns false if it finds no topic.
func repeated(broker, key string) func(r *services.Reader, symbol int, args []string) bool {
	return func(r *services.Reader, symbol int, args []string) (ok bool) {
		s := &r.File.Symbols[symbol]
		if len(args) == 0 {
			return false
		}
		list := args[0]
		if value := folding.Keyword(args, "value"); value != "" {
			list = value
		}
		for _, item := range folding.Listed(list) {
			_, own := folding.Annotation(item)
			for _, name := range folding.Listed(folding.Keyword(own, key)) {
				if topic := r.Topic(name, s.Span.StartByte); topic != "" {
					r.KeepMessage(services.Consumes, symbol, s.NameSpan, services.End{Broker: broker, Key: topic})
					ok = true
				}
			}
		}
		return ok
	}
}

// answers maps the annotation of a listener to the broker that carries the answer which @SendTo names.
var answers = map[string]string{"JmsListener": "jms", "KafkaListener": "kafka", "RabbitListener": "rabbitmq"}

// sendsAnswer records the destination of the result of a listener: @JmsListener(…) @SendTo("answers"). Elsewhere
// @SendTo has other meanings.
func sendsAnswer(r *services.Reader, symbol int, args []string) bool {
	s := &r.File.Symbols[symbol]
	if len(args) == 0 {
		return false
	}
	value := args[0]
	if given := folding.Keyword(args, "value"); given != "" {
		value = given
	}
	for _, a := range s.Annotations {
		name, _ := folding.Annotation(a)
		broker := answers[strings.TrimSuffix(name, "s")]
		if broker == "" {
			continue
		}
		for _, item := range folding.Listed(value) {
			topic := r.Topic(item, s.Span.StartByte)
			if topic == "" || strings.HasPrefix(topic, "!") {
				continue
			}
			end := services.End{Broker: broker, Key: topic}
			if exchange, key, ok := strings.Cut(topic, "/"); ok && broker == "rabbitmq" {
				end.Scope, end.Key = exchange, key
			}
			r.KeepMessage(services.Publishes, symbol, s.NameSpan, end)
		}
		return true
	}
	return false
}
