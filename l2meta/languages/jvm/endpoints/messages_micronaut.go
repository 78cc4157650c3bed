package endpoints

import (
	"slices"

	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// Micronaut uses the same annotation for clients and consumers: @Topic("orders") names the topic to which a method of
// a @KafkaClient publishes, and the topic that a method of a @KafkaListener consumes. NATS has @Subject instead.
// RabbitMQ has @Binding for clients and @Queue for consumers.

// micronaut returns a function that reads an annotation with a topic on a method. The method publishes if
// its type has the annotation that client names, such as KafkaClient; otherwise it consumes.
func micronaut(broker, client string) func(r *services.Reader, symbol int, args []string) bool {
	return func(r *services.Reader, symbol int, args []string) bool {
		s := &r.File.Symbols[symbol]
		if !s.Kind.Callable() || s.Parent < 0 || len(args) == 0 {
			return false
		}
		role := services.Consumes
		if slices.ContainsFunc(r.File.Symbols[s.Parent].Annotations,
			func(a string) bool { name, _ := folding.Annotation(a); return name == client }) {
			role = services.Publishes
		}
		value := args[0]
		if given := folding.Keyword(args, "value"); given != "" {
			value = given
		}
		found := false
		for _, item := range folding.Listed(value) {
			if topic := r.Topic(item, s.Span.StartByte); topic != "" {
				r.KeepMessage(role, symbol, s.NameSpan, services.End{Broker: broker, Key: topic})
				found = true
			}
		}
		return found
	}
}
