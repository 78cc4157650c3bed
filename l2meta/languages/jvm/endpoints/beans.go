package endpoints

import (
	"regexp"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// A Spring bean may hold the destination of messages. Spring passes the bean to others by its name or its type:
//
//	@Bean NewTopic ordersTopic() { return new NewTopic("orders", 1, 1); }
//	OrderSender(NewTopic ordersTopic) { … kafkaTemplate.send(ordersTopic.name(), order) … }

// makesDestination matches the call that makes a destination, up to its name.
var makesDestination = regexp.MustCompile(`\b(?:new\s+)?(` +
	`(?:New|ActiveMQ|Channel|Pattern|JMS|Artemis)?(?:Topic|Queue)|(?:Topic|Direct|Fanout|Headers)Exchange)\s*\(|\b(?:TopicBuilder\.name|QueueBuilder\.(?:durable|nonDurable)|` +
	`ExchangeBuilder\.\w+Exchange)\s*\(`)

// readBeans records, for each method with @Bean that makes a topic, queue or exchange, the name that it
// gets: "orders" for new NewTopic("orders", 1, 1).
func readBeans(r *services.Reader) {
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		for _, a := range s.Annotations {
			if name, args := folding.Annotation(a); name == "Bean" && s.Kind.Callable() {
				readBean(r, s, args)
			}
		}
	}
}

func readBean(r *services.Reader, s *code.Symbol, args []string) {
	body := r.Text[s.NameSpan.EndByte:s.Span.EndByte]
	m := makesDestination.FindStringSubmatchIndex(body)
	if m == nil {
		return
	}
	given := folding.ListItems(body[m[1]:])
	if len(given) == 0 {
		return
	}
	at := s.NameSpan.EndByte + m[0]
	topic := r.Topic(given[0], at)
	if topic == "" {
		return
	}
	name := s.Name
	for _, key := range []string{"name", "value"} {
		if given, ok := folding.Quoted(folding.Keyword(args, key)); ok {
			name = given
		}
	}
	if len(args) == 1 {
		if given, ok := folding.Quoted(args[0]); ok {
			name = given
		}
	}
	owner := r.Around(at)
	r.KeepText(owner, s.NameSpan, services.Bean(name), topic)
	if s.Returns != "" {
		r.KeepText(owner, s.NameSpan, services.Bean(l2meta.TypeName(s.Returns)), topic)
	}
}
