package csharp

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

var dapr = []services.Message{
	{Broker: "dapr", Role: services.Publishes,
		Callees: []string{"PublishEventAsync", "BulkPublishEventAsync", "PublishByteEventAsync"}, Scope: first, Key: second},
	{Broker: "dapr", Role: services.Consumes, Callees: []string{"WithTopic"}, Read: withTopic},
	{Broker: "dapr", Role: services.Consumes, Callees: []string{"MapPost"}, Read: topicOfLambda},
	{Broker: "dapr", Role: services.Consumes, Callees: []string{"SubscribeAsync"}, Modules: []string{"Dapr.Messaging"},
		Scope: first, Key: second, Handler: []string{"3"}},
	{Broker: services.Binding, Role: services.Publishes, Callees: []string{"InvokeBindingAsync"},
		Key: []string{"bindingName=", "0"}},
}

// withTopic reads app.MapPost("/paid", handler).WithTopic("shop", "paid"), also with
// new TopicOptions { PubsubName = "shop", Name = "paid" }.
func withTopic(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	if len(args) == 0 {
		return false
	}
	component, topic := args[0], ""
	if len(args) > 1 {
		topic = args[1]
	}
	options := component
	if value, _ := r.Lookup(folding.LastWord(options), c.NameSpan.StartByte); strings.Contains(value, "TopicOptions") {
		options = value
	}
	if _, fields, ok := strings.Cut(options, "TopicOptions"); ok && strings.Contains(fields, "{") {
		set := folding.ListItems(fields[strings.IndexByte(fields, '{')+1:])
		component, topic = folding.Keyword(set, "PubsubName"), folding.Keyword(set, "Name")
	}
	if len(args) == 1 { // new TopicOptions() whose members are set later
		for _, set := range r.Described(component, c.NameSpan.StartByte) {
			switch set.Name {
			case "PubsubName":
				component = set.Value
			case "Name":
				topic = set.Value
			}
		}
	}
	mapped := ""
	root, steps := folding.Chain(r.Receiver(c))
	for _, step := range steps {
		if step.Name == "MapPost" && len(step.Args) > 1 {
			// A route of a group has a path prefix that is not known here, so the path is
			// complete only for routes of the application itself.
			if mapped = step.Args[1]; folding.IsFunction(mapped) && (root == "app" || root == "endpoints") {
				mapped = services.Posted + " " + r.Fold(step.Args[0], c.NameSpan.StartByte)
			}
		}
	}
	return keepTopic(r, c, component, topic, mapped)
}

var topicAttribute = regexp.MustCompile(`^\[Topic\(([^\])]*)\)`)

// topicOfLambda reads app.MapPost("/paid", [Topic("shop", "paid")] (Order order) => …).
func topicOfLambda(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	if len(args) < 2 {
		return false
	}
	m := topicAttribute.FindStringSubmatch(args[1])
	if m == nil {
		return false
	}
	of := folding.ListItems(m[1] + ")")
	return len(of) > 1 && keepTopic(r, c, of[0], of[1],
		services.Posted+" "+r.Fold(args[0], c.NameSpan.StartByte))
}

func keepTopic(r *services.Reader, c *code.Call, component, topic, handler string) bool {
	key := r.Topic(topic, c.NameSpan.StartByte)
	if topic == "" || key == "" {
		return false
	}
	r.KeepMessage(services.Consumes, c.Caller, c.NameSpan, services.End{Broker: "dapr", Key: key,
		Scope: r.Topic(component, c.NameSpan.StartByte), Handler: handler})
	return true
}
