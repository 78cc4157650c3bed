package endpoints

import (
	"regexp"

	"sextant/internal/code"
	"sextant/l2meta/services"
)

var (
	springKafka = []string{"org.springframework.kafka"}
	// sentRecord selects the topic of a record that a call is given, perhaps within another value.
	sentRecord = []string{"0/ProducerRecord(/0", "*/SenderRecord.create(/0/ProducerRecord(/0",
		"0/SenderRecord.create(/0"}
)

// kafkaForms are the calls of Spring Kafka and Reactor Kafka besides those of a template.
var kafkaForms = []services.Message{
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"sendAndReceive"},
		Makers: []string{"ReplyingKafkaTemplate", "AggregatingReplyingKafkaTemplate"}, Key: sentRecord[:1]},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"send"},
		Makers: []string{"ReactiveKafkaProducerTemplate"}, Key: append(sentRecord[:len(sentRecord):len(sentRecord)], "0")},
	{Broker: "kafka", Role: services.Publishes, Callees: []string{"send"}, Modules: springKafka, Least: 1,
		Read: inTransaction},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"subscription"}, Modules: []string{"reactor.kafka"},
		Key: first},
	{Broker: "kafka", Role: services.Consumes, Callees: []string{"ContainerProperties"}, Modules: springKafka,
		Key: []string{"0.."}, Least: 1},
}

// transaction matches the code before a call in the function that a template runs in a transaction: template
// .executeInTransaction(t -> t.send(…)).
var transaction = regexp.MustCompile(`\.executeInTransaction\s*[({]\s*\(?(\w+)\)?\s*->`)

// inTransaction records t.send("orders", order), where t is the parameter of a function that a template runs in a
// transaction.
func inTransaction(r *services.Reader, c *code.Call) bool {
	at := c.NameSpan.StartByte
	if c.Receiver == "" || !r.Mentions("executeInTransaction") {
		return false
	}
	for _, m := range r.Matches(transaction, max(0, at-maxFlow), at) {
		if r.Text[m[2]:m[3]] != c.Receiver {
			continue
		}
		if topic := r.Topic(r.Arguments(c)[0], at); topic != "" {
			r.KeepMessage(services.Publishes, c.Caller, c.NameSpan, services.End{Broker: "kafka", Key: topic})
			return true
		}
	}
	return false
}
