package endpoints

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// Spring AMQP declares queues, exchanges and their bindings as beans, or in the annotation of a
// listener.

// readQueues records the queues that the arguments of @RabbitListener name, and their bindings.
func readQueues(r *services.Reader, symbol int, args []string) bool {
	s := &r.File.Symbols[symbol]
	for _, a := range args {
		key, value, _ := strings.Cut(a, "=")
		switch strings.TrimSpace(key) {
		case "queues", "queuesToDeclare":
			for _, item := range folding.Listed(strings.TrimSpace(value)) {
				if strings.HasPrefix(item, "@") {
					item = element(item, "Queue")
				}
				if q := r.Topic(item, s.Span.StartByte); q != "" {
					r.KeepMessage(services.Consumes, symbol, s.NameSpan, services.End{Broker: "rabbitmq", Key: q})
				}
			}
		case "bindings":
			for _, item := range folding.Listed(strings.TrimSpace(value)) {
				bindQueue(r, symbol, item)
			}
		}
	}
	return true
}

// bindQueue records one @QueueBinding(value = @Queue("q"), exchange = @Exchange("e"), key = "k")
// of a listener. Only the annotated method uses a queue without a name, so the queue is recorded
// under the name of the method.
func bindQueue(r *services.Reader, symbol int, binding string) {
	s := &r.File.Symbols[symbol]
	_, args := folding.Annotation(binding)
	queue := r.Topic(element(folding.Keyword(args, "value"), "Queue"), s.Span.StartByte)
	if queue == "" {
		queue = "{" + s.Name + "}"
	}
	exchange := folding.Keyword(args, "exchange")
	scope := r.Topic(element(exchange, "Exchange"), s.Span.StartByte)
	_, about := folding.Annotation(exchange)
	kind := strings.ToLower(strings.Trim(folding.Keyword(about, "type"), `"`))
	kind = kind[strings.LastIndexByte(kind, '.')+1:]
	r.KeepMessage(services.Consumes, symbol, s.NameSpan, services.End{Broker: "rabbitmq", Key: queue})
	if scope == "" {
		return
	}
	if kind != "" {
		r.KeepMessage(services.Binds, symbol, s.NameSpan,
			services.End{Broker: "rabbitmq", Payload: kind, Scope: scope})
	}
	keys := folding.Listed(folding.Keyword(args, "key"))
	for _, key := range keys {
		r.KeepMessage(services.Binds, symbol, s.NameSpan,
			services.End{Broker: "rabbitmq", Key: r.Topic(key, s.Span.StartByte), Scope: scope, Handler: queue})
	}
}

// element returns the value or the name in a nested annotation: "q" for @Queue("q") and
// @Queue(name = "q"). of is the name of the annotation; for any other annotation it returns "".
func element(annotation, of string) string {
	name, args := folding.Annotation(annotation)
	if name != of {
		return ""
	}
	for _, key := range []string{"value", "name"} {
		if v := folding.Keyword(args, key); v != "" {
			return v
		}
	}
	if len(args) > 0 && !strings.Contains(args[0], "=") {
		return args[0]
	}
	return ""
}

// readBinding records BindingBuilder.bind(queue).to(exchange).with(key).
func readBinding(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	chain := r.Text[c.Span.EndByte:min(len(r.Text), c.Span.EndByte+300)]
	chain, _, _ = strings.Cut(chain, ";")
	exchange := folding.Chained(chain, ".to")
	if len(args) == 0 || exchange == "" {
		return false
	}
	queue, _ := bean(r, args[0], "Queue", c.NameSpan.StartByte)
	scope, kind := bean(r, exchange, "Exchange", c.NameSpan.StartByte)
	if queue == "" || scope == "" {
		return false
	}
	kind = strings.ToLower(strings.TrimSuffix(kind, "Exchange"))
	r.KeepMessage(services.Binds, c.Caller, c.NameSpan, services.End{Broker: "rabbitmq", Payload: kind, Scope: scope})
	key := r.Topic(folding.Chained(chain, ".with"), c.NameSpan.StartByte)
	r.KeepMessage(services.Binds, c.Caller, c.NameSpan,
		services.End{Broker: "rabbitmq", Key: key, Scope: scope, Handler: queue})
	return true
}

var (
	makesQueue    = regexp.MustCompile(`(?:new |\b)(Queue|AnonymousQueue)\s*\(|QueueBuilder\.(?:durable|nonDurable)\(`)
	makesExchange = regexp.MustCompile(
		`(?:new |\b)((?:Topic|Direct|Fanout|Headers|Custom)Exchange)\s*\(|ExchangeBuilder\.(\w+)Exchange\(`)
)

// bean returns the name of the queue or exchange to which an expression refers, and its type. The
// expression is a call of the method that declares the bean, or a parameter with the bean's name.
// If the file declares only one such bean, any expression refers to it.
func bean(r *services.Reader, expr, of string, at int) (name, kind string) {
	makes := makesQueue
	if of == "Exchange" {
		makes = makesExchange
	}
	made := func(text string, from int) (string, string) {
		m := makes.FindStringSubmatchIndex(text)
		if m == nil {
			return "", ""
		}
		for i := 2; i+1 < len(m); i += 2 {
			if m[i] >= 0 {
				kind = text[m[i]:m[i+1]]
			}
		}
		if args := folding.ListItems(text[m[1]:]); len(args) > 0 {
			return r.Topic(args[0], from), kind
		}
		return "", kind
	}
	if name, kind = made(expr, at); name != "" {
		return name, kind
	}
	word := strings.TrimSuffix(strings.TrimSpace(expr), "()")
	for i := range r.File.Symbols {
		if s := &r.File.Symbols[i]; s.Name == word && s.Kind.Callable() {
			return made(r.Text[s.NameSpan.EndByte:s.Span.EndByte], s.NameSpan.EndByte)
		}
	}
	if all := makes.FindAllStringIndex(r.Text, 2); len(all) == 1 {
		return made(r.Text[all[0][0]:], all[0][0])
	}
	return "", ""
}

// topicHeader matches the code that sets the topic of a Spring message as a header, up to the
// topic.
var topicHeader = regexp.MustCompile(`\.setHeader\(\s*(?:(?:KafkaHeaders\.)?TOPIC|"kafka_topic")\s*,`)

// withHeader records template.send(message) as a publication, if a header of the message names
// the topic.
func withHeader(r *services.Reader, c *code.Call) bool {
	message := r.Arguments(c)[0]
	if name := folding.LastWord(message); name == message {
		message, _ = r.Lookup(name, c.NameSpan.StartByte)
	}
	m := topicHeader.FindStringIndex(message)
	if m == nil {
		return false
	}
	items := folding.ListItems(message[m[1]:])
	if len(items) == 0 {
		return false
	}
	topic := r.Topic(beforeDot.ReplaceAllString(items[0], "."), c.NameSpan.StartByte)
	if topic == "" {
		return false
	}
	r.KeepMessage(services.Publishes, c.Caller, c.NameSpan, services.End{Broker: "kafka", Key: topic})
	return true
}

// beforeDot matches white space before a dot, as at a line break in a chain of calls.
var beforeDot = regexp.MustCompile(`\s+\.`)

var (
	stompBy    = []string{"org.springframework.messaging"}
	simpMakers = []string{"SimpMessagingTemplate", "SimpMessageSendingOperations"}
)

// stomp describes Spring's template for the clients of a WebSocket.
var stomp = []services.Message{
	{Broker: services.Stomp, Role: services.Publishes, Callees: []string{"convertAndSend"}, Makers: simpMakers, Least: 2,
		Read: stompSent},
	{Broker: services.Stomp, Role: services.Publishes, Callees: []string{"convertAndSendToUser"}, Least: 3,
		Read: stompSent},
}

// stompSent records template.convertAndSend("/topic/prices", price) and template.convertAndSendToUser(user,
// "/queue/orders", order).
func stompSent(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	if c.Callee == "convertAndSendToUser" && len(args) > 0 {
		args = args[1:]
	}
	if len(args) == 0 {
		return false
	}
	destination := r.Topic(args[0], c.NameSpan.StartByte)
	return r.KeepStomp(services.Publishes, c.Caller, c.NameSpan, destination, "")
}

// stompTaken records @MessageMapping("/say") on a method, below the destination of its class, and what @SendTo does
// with the result.
func stompTaken(r *services.Reader, symbol int, args []string) bool {
	s := &r.File.Symbols[symbol]
	own, ok := folding.FirstPath(args)
	if !s.Kind.Callable() || !ok {
		return false
	}
	if s.Parent >= 0 {
		for _, a := range r.File.Symbols[s.Parent].Annotations {
			if name, above := folding.Annotation(a); name == "MessageMapping" {
				prefix, _ := folding.FirstPath(above)
				own = folding.JoinURL(prefix, own)
			}
		}
	}
	if !strings.HasPrefix(own, "/") {
		own = "/" + own
	}
	for _, a := range s.Annotations {
		if name, to := folding.Annotation(a); name == "SendTo" || name == "SendToUser" {
			for _, p := range folding.Paths(to) {
				r.KeepStomp(services.Publishes, symbol, s.NameSpan, p, "")
			}
		}
	}
	return r.KeepStomp(services.Consumes, symbol, s.NameSpan, own, "")
}
