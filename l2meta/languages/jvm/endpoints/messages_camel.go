package endpoints

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// A route of Camel leads from one endpoint to others. The URI of an endpoint names the component, which may be a
// broker, and what the component reads or writes:
//
//	from("kafka:orders?groupId=mail").to("activemq:queue:mails")
//	producerTemplate.sendBody("jms:queue:orders", order)

var (
	camels    = []string{"org.apache.camel"}
	camelTo   = []string{"to", "toD", "toF", "inOnly", "inOut", "wireTap"}
	camelSend = []string{"send", "asyncSend", "sendBody", "sendBodyAndHeader", "sendBodyAndHeaders",
		"sendBodyAndProperty", "asyncSendBody", "requestBody", "requestBodyAndHeader", "requestBodyAndHeaders",
		"asyncRequestBody", "request", "setDefaultEndpointUri"}
)

var camel = []services.Message{
	{Role: services.Consumes, Callees: []string{"from", "fromF"}, Modules: camels, Least: 1,
		Read: camelCall(services.Consumes)},
	{Role: services.Publishes, Callees: slices.Concat(camelTo, camelSend), Modules: camels, Least: 1,
		Read: camelCall(services.Publishes)},
}

// camelBrokers maps the components of Camel to families of brokers.
var camelBrokers = map[string]string{
	"kafka": "kafka", "vertx-kafka": "kafka", "jms": "jms", "sjms": "jms", "sjms2": "jms", "activemq": "jms",
	"activemq6": "jms", "amqp": "jms", "rabbitmq": "rabbitmq", "spring-rabbitmq": "rabbitmq", "aws-sqs": "sqs",
	"aws2-sqs": "sqs", "aws-sns": "sns", "aws2-sns": "sns", "nats": "nats", "paho": "mqtt", "paho-mqtt5": "mqtt",
	"mqtt": "mqtt", "google-pubsub": "pubsub", "pulsar": "pulsar", "azure-servicebus": "servicebus",
}

// camelHole matches a placeholder in the URI of an endpoint, and its default: {{orders.topic:orders}}.
var camelHole = regexp.MustCompile(`\{\{\??([\w.-]+)(?::([^{}]*))?\}\}`)

func camelCall(role string) func(r *services.Reader, c *code.Call) bool {
	return func(r *services.Reader, c *code.Call) bool {
		for _, arg := range r.Arguments(c) {
			if camelEndpoint(r, c.Caller, c.NameSpan, role, arg) {
				return true
			}
		}
		return false
	}
}

// camelAnnotation returns a function that reads an annotation with the URI of an endpoint: @Consume("jms:orders").
func camelAnnotation(r *services.Reader, symbol int, args []string) bool {
	s := &r.File.Symbols[symbol]
	if len(args) == 0 || !s.Kind.Callable() {
		return false
	}
	uri := args[0]
	if value := folding.Keyword(args, "value"); value != "" {
		uri = value
	}
	return camelEndpoint(r, symbol, s.NameSpan, services.Consumes, uri)
}

// camelEndpoint records the message that an endpoint of a broker carries. It returns false for any other expression.
func camelEndpoint(r *services.Reader, owner int, at code.Span, role, expr string) bool {
	uri, ok := folding.Quoted(expr)
	if !ok {
		uri = r.Fold(expr, at.StartByte) // "activemq:" + queue
	}
	component, rest, named := strings.Cut(uri, ":")
	broker := camelBrokers[component]
	if !named || broker == "" {
		return false
	}
	rest, options, _ := strings.Cut(strings.TrimPrefix(rest, "//"), "?")
	for _, name := range strings.Split(rest, ",") {
		for _, prefix := range []string{"queue:", "topic:"} {
			name = strings.TrimPrefix(name, prefix)
		}
		if broker == "pubsub" && !strings.Contains(name, "{") {
			name = name[strings.LastIndexByte(name, ':')+1:]
		}
		if name = camelText(name); name == "" || strings.ContainsAny(name, "$%") {
			continue
		}
		if broker == "rabbitmq" {
			camelRabbit(r, owner, at, role, name, options)
			continue
		}
		r.KeepMessage(role, owner, at, services.End{Broker: broker, Key: name})
	}
	return true
}

// camelRabbit records an endpoint of RabbitMQ, whose name is an exchange: rabbitmq:orders?queue=mail&routingKey=paid.
func camelRabbit(r *services.Reader, owner int, at code.Span, role, exchange, options string) {
	option := func(names ...string) string {
		for _, o := range strings.Split(options, "&") {
			if name, value, _ := strings.Cut(o, "="); slices.Contains(names, name) {
				return camelText(value)
			}
		}
		return ""
	}
	key, queue := option("routingKey"), option("queue", "queues")
	if exchange == "default" {
		exchange = ""
	}
	if role == services.Publishes {
		r.KeepMessage(role, owner, at, services.End{Broker: "rabbitmq", Key: key, Scope: exchange})
		return
	}
	if queue == "" {
		return
	}
	r.KeepMessage(role, owner, at, services.End{Broker: "rabbitmq", Key: queue})
	if exchange != "" {
		r.KeepMessage(services.Binds, owner, at,
			services.End{Broker: "rabbitmq", Key: key, Scope: exchange, Handler: queue})
	}
}

// camelText returns a part of a URI with its placeholders as settings.
func camelText(text string) string {
	return camelHole.ReplaceAllStringFunc(text, func(hole string) string {
		m := camelHole.FindStringSubmatch(hole)
		return folding.SettingHole(m[1], m[2])
	})
}
