package services

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services/source"
)

// Binding is the broker family of the messages that pass through a binding of Dapr. Their topic
// is the name of the component. An output binding sends messages. An input binding posts them to
// the route with the name of the component, or to the route that its metadata names.
const Binding = "dapr-binding"

// inputs lists the types of bindings that call the application, and to which another service can
// send messages.
var inputs = []string{"kafka", "rabbitmq", "rocketmq", "mqtt", "mqtt3", "redis", "aws.sqs", "aws.kinesis",
	"gcp.pubsub", "azure.servicebusqueues", "azure.storagequeues", "azure.eventhubs", "azure.eventgrid",
	"dingtalk.webhook"}

var (
	bindingType  = regexp.MustCompile(`(?m)^[ \t]+type:[ \t]*["']?bindings\.([\w.]+)`)
	bindingRoute = regexp.MustCompile(
		`(?m)^[ \t]*-[ \t]*name:[ \t]*["']?route["']?[ \t]*\r?\n[ \t]*value:[ \t]*["']?(/?[\w/.-]+)`)
	outputOnly = regexp.MustCompile(
		`(?m)^[ \t]*-[ \t]*name:[ \t]*["']?direction["']?[ \t]*\r?\n[ \t]*value:[ \t]*["']?output["']?[ \t]*\r?$`)
)

// inputBindings returns the routes to which the input bindings of a manifest post.
func inputBindings(f *code.File) (out []code.Fact) {
	if !bytes.Contains(f.Text, []byte("dapr.io/")) || !bytes.Contains(f.Text, []byte("bindings.")) {
		return nil
	}
	at := 0
	for _, document := range strings.SplitAfter(string(f.Text), "\n---") {
		from := at
		at += len(document)
		kind := bindingType.FindStringSubmatchIndex(document)
		name := metadataName.FindStringSubmatch(document)
		if kind == nil || name == nil || len(out) > maxSubscriptions || outputOnly.MatchString(document) ||
			!slices.Contains(inputs, document[kind[2]:kind[3]]) {
			continue
		}
		route := "/" + name[1]
		if m := bindingRoute.FindStringSubmatch(document); m != nil {
			route = "/" + strings.TrimPrefix(m[1], "/")
		}
		end := strings.Join([]string{Binding, name[1], "", "",
			strings.TrimSpace(Posted + " " + route + " " + scopesOf(document))}, "\t")
		out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleConsume, Type: end,
			Span: source.SpanOfLine(f.Text, from+kind[0])})
	}
	return out
}
