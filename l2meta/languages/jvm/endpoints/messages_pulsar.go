package endpoints

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// Pulsar's client builds producers and consumers:
//
//	Producer<String> p = client.newProducer(Schema.STRING).topic("orders").create();
//	p.newMessage().value("paid").send();
//	client.newConsumer().topic("orders").subscribe()

var pulsarBy = []string{"org.apache.pulsar"}

var pulsar = []services.Message{
	{Broker: "pulsar", Role: services.Publishes, Callees: []string{"send", "sendAsync"},
		Names: []string{"pulsartemplate"}, Makers: []string{"PulsarTemplate", "ReactivePulsarTemplate"}, Least: 2,
		Key: first},
	{Broker: "pulsar", Role: services.Publishes, Callees: []string{"send", "sendAsync"},
		Modules: []string{"org.springframework.pulsar"}, Key: []string{"^/.withTopic"}},
	{Broker: "pulsar", Role: services.Publishes, Callees: []string{"send", "sendAsync"}, Modules: pulsarBy, Most: 1,
		Read: pulsarSends},
	{Broker: "pulsar", Role: services.Consumes, Callees: []string{"subscribe", "subscribeAsync"}, Modules: pulsarBy,
		Key: []string{".topic", ".topics"}, Handler: []string{".messageListener"}},
	{Broker: "pulsar", Role: services.Consumes, Callees: []string{"create", "createAsync"}, Modules: pulsarBy,
		Read: pulsarReads},
}

// pulsarSends records a message of a producer that the file builds.
func pulsarSends(r *services.Reader, c *code.Call) bool {
	at := c.NameSpan.StartByte
	made, where := c.Receiver, at
	if root, _, _ := strings.Cut(c.Receiver, ".newMessage("); folding.LastWord(root) != "" {
		made, where = r.Lookup(folding.LastWord(root), at)
	}
	if !strings.Contains(made, ".newProducer(") {
		return false
	}
	return keepPulsar(r, c, services.Publishes, made, where)
}

// pulsarReads records a reader that the file builds: client.newReader().topic("orders").create().
func pulsarReads(r *services.Reader, c *code.Call) bool {
	return strings.Contains(c.Receiver, ".newReader(") &&
		keepPulsar(r, c, services.Consumes, c.Receiver, c.NameSpan.StartByte)
}

func keepPulsar(r *services.Reader, c *code.Call, role, made string, at int) bool {
	key := r.Topic(folding.Chained(made, ".topic"), at)
	if key == "" {
		return false
	}
	r.KeepMessage(role, c.Caller, c.NameSpan, services.End{Broker: "pulsar", Key: key})
	return true
}
