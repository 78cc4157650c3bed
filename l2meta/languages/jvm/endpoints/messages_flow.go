package endpoints

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// Spring Integration sends messages through channels within the program. A gateway is an interface whose methods send
// to a channel. A flow takes messages from the channel, and its last step sends them to a topic of a broker. Another
// flow starts at a topic and ends with a method that handles the messages:
//
//	@Gateway(requestChannel = "paid") void sendPaid(Order order);
//	f -> f.channel("paid").handle(Kafka.outboundChannelAdapter(template).topic("orders-paid"))
//	IntegrationFlow.from(Kafka.inboundChannelAdapter(f, new ConsumerProperties("orders-paid"))).handle(bills, "book")

// channelsOf is the prefix of settings that exist only in the index. By such a setting a flow
// records the topic to which its channel leads: spring.integration.channels.paid is
// "orders-paid". A gateway that sends to the channel then publishes to that setting.
const channelsOf = "spring.integration.channels."

// maxFlow bounds the length in bytes of the text of a flow on each side of its adapter.
const maxFlow = 600

var flows = []services.Message{
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"outboundChannelAdapter"}, Names: []string{"kafka"},
		Modules: []string{"org.springframework.integration"}, Read: flowsTo},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"inboundChannelAdapter", "messageDrivenChannelAdapter"},
		Names: []string{"kafka"}, Modules: []string{"org.springframework.integration"}, Read: flowsFrom},
}

// flowsTo records the topic to which a flow sends. If the flow names its channel, the topic becomes the
// value of the channel's setting (channelsOf); otherwise the flow itself is recorded as a publication.
func flowsTo(r *services.Reader, c *code.Call) bool {
	at := c.NameSpan.StartByte
	topic := r.Topic(folding.Chained(statement(r.Text[c.Span.EndByte:]), ".topic"), at)
	if topic == "" {
		return false
	}
	before := r.Text[max(0, at-maxFlow):at]
	before = before[strings.LastIndexByte(before, ';')+1:]
	for _, step := range []string{".channel", "IntegrationFlow.from", "IntegrationFlows.from"} {
		if name := channelOf(r, folding.Chained(before, step), at); name != "" {
			r.KeepSetting(channelsOf+name, topic, at)
			return true
		}
	}
	r.KeepMessage(services.Publishes, c.Caller, c.NameSpan, services.End{Broker: "kafka", Key: topic})
	return true
}

// flowsFrom records the topics at which a flow starts, with the method at its end as the handler.
// It returns false if the file does not determine any.
func flowsFrom(r *services.Reader, c *code.Call) (ok bool) {
	handler := ""
	if _, rest, found := strings.Cut(statement(r.Text[c.Span.EndByte:]), ".handle("); found {
		items := folding.ListItems(rest)
		if len(items) > 1 {
			if method := channelOf(r, items[1], c.NameSpan.StartByte); method != "" {
				handler = items[0] + "." + method
			}
		}
	}
	for _, arg := range slices.Backward(r.Arguments(c)) {
		if _, given, made := strings.Cut(arg, "Properties("); made {
			arg = folding.ListItems(given)[0]
		}
		if key := r.Topic(arg, c.NameSpan.StartByte); key != "" && (key[0] != '{' || strings.HasPrefix(key, "{env:")) {
			r.KeepMessage(services.Consumes, c.Caller, c.NameSpan,
				services.End{Broker: "kafka", Key: key, Handler: handler})
			ok = true
		}
	}
	return ok
}

// channelOf returns the name of a channel or method to which an expression evaluates, "" if the file
// alone does not determine it.
func channelOf(r *services.Reader, expr string, at int) string {
	if name := r.Topic(expr, at); !strings.Contains(name, "{") {
		return name
	}
	return ""
}

func statement(text string) string {
	text, _, _ = strings.Cut(text[:min(len(text), maxFlow)], ";")
	return text
}

// gateways records the channel to which the methods of a gateway send. It is called for @Gateway on a
// method, and for @MessagingGateway on a type, whose default channel counts for its other methods.
func gateways(r *services.Reader, symbol int, args []string) bool {
	s := &r.File.Symbols[symbol]
	keep := func(method int, expr string) {
		if name := channelOf(r, expr, s.NameSpan.StartByte); name != "" {
			r.KeepMessage(services.Publishes, method, r.File.Symbols[method].NameSpan,
				services.End{Broker: "channel", Key: folding.SettingHole(channelsOf+name, "")})
		}
	}
	if s.Kind.Callable() {
		keep(symbol, folding.Keyword(args, "requestChannel"))
		return true
	}
	for i := range r.File.Symbols {
		if m := &r.File.Symbols[i]; m.Parent == symbol && m.Kind.Callable() &&
			!slices.ContainsFunc(m.Annotations, func(a string) bool { return strings.HasPrefix(a, "@Gateway(") }) {
			keep(i, folding.Keyword(args, "defaultRequestChannel"))
		}
	}
	return true
}
